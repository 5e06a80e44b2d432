"""The compose file and the cluster's manifests: well formed, complete, and with settings that the service takes."""

import re
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml

from service.config import Settings

DEPLOY = Path(__file__).parents[3] / "deploy"


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    document: dict[str, Any] = yaml.safe_load((DEPLOY / "compose" / "compose.yaml").read_text())
    return document


@pytest.fixture(scope="module")
def cluster() -> dict[tuple[str, str], dict[str, Any]]:
    """The manifests by kind and name."""
    documents = yaml.safe_load_all((DEPLOY / "cluster" / "codille.yaml").read_text())
    return {(document["kind"], document["metadata"]["name"]): document for document in documents}


def without_variables(text: str) -> str:
    """The text as it is where the variables that have a default are not set, and the others are empty."""
    return re.sub(r"\$\{\w+(?::-([^}]*)|[^}]*)\}", lambda match: match[1] or "", text)


def test_compose_starts_each_part(compose: dict[str, Any]) -> None:
    services = compose["services"]
    assert set(services) == {"postgres", "redis", "migrate", "api", "projector", "webhooks", "bots", "balancer"}
    assert {name: services[name]["command"] for name in ("migrate", "api", "projector", "webhooks", "bots")} == {
        "migrate": ["migrate"],
        "api": ["serve", "--role", "api"],
        "projector": ["serve", "--role", "projector"],
        "webhooks": ["serve", "--role", "webhooks"],
        "bots": ["serve", "--role", "bots"],
    }
    assert services["api"]["deploy"]["replicas"] > 1


def test_compose_waits_only_for_parts_there_are(compose: dict[str, Any]) -> None:
    services = compose["services"]
    assert {needed for service in services.values() for needed in service.get("depends_on", {})} <= set(services)


def test_composes_files_are_there(compose: dict[str, Any]) -> None:
    assert (DEPLOY / "compose" / compose["services"]["balancer"]["volumes"][0].split(":")[0]).is_file()
    build = compose["services"]["api"]["build"]
    assert (DEPLOY / "compose" / build["context"] / build["dockerfile"]).resolve().is_file()


@pytest.mark.parametrize("service", ["migrate", "api", "projector", "webhooks", "bots"])
def test_the_service_takes_composes_settings(compose: dict[str, Any], service: str) -> None:
    given = compose["services"][service]["environment"]
    Settings.load({name: without_variables(text) for name, text in given.items()})


def test_composes_balancer_is_the_only_trusted_proxy(compose: dict[str, Any]) -> None:
    (address,) = (network["ipv4_address"] for network in compose["services"]["balancer"]["networks"].values())
    assert compose["services"]["api"]["environment"]["CODILLE_TRUSTED_PROXIES"] == address
    (network,) = compose["networks"]["default"]["ipam"]["config"]
    own = ip_address(without_variables(address))
    assert own in ip_network(without_variables(network["subnet"]))
    assert own not in ip_network(without_variables(network["ip_range"])), "another container may get it"


def test_the_cluster_runs_each_part(cluster: dict[tuple[str, str], dict[str, Any]]) -> None:
    arguments = {
        name: manifest["spec"]["template"]["spec"]["containers"][0]["args"]
        for (kind, name), manifest in cluster.items()
        if kind in ("Deployment", "Job")
    }
    assert arguments == {
        "codille-migrate": ["migrate"],
        "codille-api": ["serve", "--role", "api"],
        "codille-projector": ["serve", "--role", "projector"],
        "codille-webhooks": ["serve", "--role", "webhooks"],
        "codille-bots": ["serve", "--role", "bots"],
    }


def cluster_settings(cluster: dict[tuple[str, str], dict[str, Any]], kind: str, name: str) -> dict[str, str]:
    """The environment of the container."""
    (container,) = cluster[kind, name]["spec"]["template"]["spec"]["containers"]
    given: dict[str, str] = {}
    for source in container["envFrom"]:
        if "configMapRef" in source:
            given |= cluster["ConfigMap", source["configMapRef"]["name"]]["data"]
        else:
            given |= cluster["Secret", source["secretRef"]["name"]]["stringData"]
    return given


PARTS = {
    "migrate": ("Job", "all"), "api": ("Deployment", "api"), "projector": ("Deployment", "projector"),
    "webhooks": ("Deployment", "webhooks"), "bots": ("Deployment", "bots"),
}  # fmt: skip
SECRETS = {
    "migrate": {"CODILLE_DATABASE_OWNER_URL"},
    "api": set[str](),
    "projector": {"CODILLE_SIGNING_KEY"},
    "webhooks": set[str](),
    "bots": set[str](),
}
"""What one part alone knows."""


@pytest.mark.parametrize("part", PARTS)
def test_the_service_takes_the_clusters_settings(cluster: dict[tuple[str, str], dict[str, Any]], part: str) -> None:
    kind, role = PARTS[part]
    Settings.load(cluster_settings(cluster, kind, f"codille-{part}") | {"CODILLE_ROLE": role})


@pytest.mark.parametrize("part", PARTS)
def test_each_part_knows_no_secret_of_another(
    compose: dict[str, Any], cluster: dict[tuple[str, str], dict[str, Any]], part: str
) -> None:
    own = set().union(*SECRETS.values())
    kind, _ = PARTS[part]
    for given in (compose["services"][part]["environment"], cluster_settings(cluster, kind, f"codille-{part}")):
        assert own & given.keys() == SECRETS[part]
        addresses = [given[name] for name in ("CODILLE_DATABASE_URL", "CODILLE_DATABASE_OWNER_URL") if name in given]
        roles = [urlsplit(without_variables(address)).username for address in addresses]
        assert len(set(roles)) == len(roles)
        assert roles[0] not in ("postgres", "codille_owner")


def test_the_clusters_service_finds_the_interface(cluster: dict[tuple[str, str], dict[str, Any]]) -> None:
    pods = cluster["Deployment", "codille-api"]["spec"]["template"]
    service = cluster["Service", "codille"]["spec"]
    assert service["selector"].items() <= pods["metadata"]["labels"].items()
    assert service["ports"][0]["targetPort"] in {port["name"] for port in pods["spec"]["containers"][0]["ports"]}


def test_a_node_of_the_cluster_goes_when_nobody_sends_it_requests(
    cluster: dict[tuple[str, str], dict[str, Any]],
) -> None:
    deployment = cluster["Deployment", "codille-api"]["spec"]
    assert deployment["strategy"]["rollingUpdate"]["maxUnavailable"] == 0
    pod = deployment["template"]["spec"]
    (container,) = pod["containers"]
    program, seconds = container["lifecycle"]["preStop"]["exec"]["command"]
    assert program == "sleep"
    # Readiness is looked at in between, and what is under way ends before the pod is killed.
    assert container["readinessProbe"]["periodSeconds"] < int(seconds) < pod["terminationGracePeriodSeconds"] / 2


def test_every_image_is_pinned(compose: dict[str, Any], cluster: dict[tuple[str, str], dict[str, Any]]) -> None:
    images = {without_variables(service["image"]) for service in compose["services"].values()} - {"codille"}
    images.add(without_variables(compose["services"]["api"]["build"]["args"]["PYTHON"]).partition("-")[0])
    for (kind, _), manifest in cluster.items():
        if kind in ("Deployment", "Job"):
            images |= {container["image"] for container in manifest["spec"]["template"]["spec"]["containers"]}
    assert [image for image in images if not re.fullmatch(r"[a-z]+:[0-9.]+", image)] == []


def test_every_image_can_be_named_by_its_digest(compose: dict[str, Any]) -> None:
    given = [service["image"] for service in compose["services"].values() if service["image"] != "codille"]
    given += compose["services"]["api"]["build"]["args"].values()
    variables = [re.fullmatch(r"\$\{([A-Z]+_IMAGE):-[a-z]+:[0-9.]+[a-z-]*\}", image) for image in given]
    assert None not in variables
    dockerfile = (DEPLOY / "compose" / "Dockerfile").read_text()
    assert re.findall(r"(?m)^FROM (\S+)", dockerfile) == ["${PYTHON}", "${PYTHON}"]
    default = re.search(r"(?m)^ARG PYTHON=(\S+)$", dockerfile)
    assert default is not None
    assert default[1] == without_variables(compose["services"]["api"]["build"]["args"]["PYTHON"])
