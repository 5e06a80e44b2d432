"""Alerts, the scrape configuration and the dashboard: well formed, and of metrics that there are."""

import json
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from service.config import Settings
from service.observability.metrics import Metrics

ROOT = Path(__file__).parents[3]
MONITORING = ROOT / "deploy" / "monitoring"
GUIDE = ROOT / "deploy" / "operations.md"

WIDTH = 24
"""The columns of a dashboard."""
SUFFIXES = {"counter": ("_total",), "gauge": ("",), "histogram": ("_bucket", "_sum", "_count")}


def exposed() -> dict[str, set[str]]:
    """The labels of every series that the service exposes, by the series' name."""
    collectors = Metrics().registry._collector_to_names
    return {
        family.name + suffix: set(collector._labelnames) | ({"le"} if suffix == "_bucket" else set())
        for collector in collectors
        for family in collector.collect()
        for suffix in SUFFIXES[family.type]
    }


def rules() -> list[dict[str, Any]]:
    """The alerts."""
    groups = yaml.safe_load((MONITORING / "alerts.yaml").read_text())["groups"]
    return [rule for group in groups for rule in group["rules"]]


def panels() -> list[dict[str, Any]]:
    """The dashboard's panels with queries."""
    return [
        panel for panel in json.loads((MONITORING / "dashboard.json").read_text())["panels"] if panel["type"] != "row"
    ]


def queries() -> Iterator[str]:
    """The expressions of the alerts and the dashboard, with values for what Grafana fills in."""
    yield from (rule["expr"] for rule in rules())
    for panel in panels():
        for target in panel["targets"]:
            yield target["expr"].replace("$__rate_interval", "5m").replace("$instance", ".*")


def test_alerts_and_the_dashboard_are_of_metrics_that_there_are() -> None:
    # Some stand in a file that the guide's commands write.
    series = exposed() | {name: set() for name in re.findall(r'echo "(codille_\w+) ', GUIDE.read_text())}
    for query in queries():
        named = re.findall(r"\b(?:codille|process)_[a-z_]+", query)
        assert set(named) <= series.keys(), query
        for name, selector in re.findall(r"\b((?:codille|process)_[a-z_]+)\{([^}]*)\}", query):
            assert set(re.findall(r"(\w+)=", selector)) <= series[name] | {"job", "instance"}, query


def test_every_metric_is_on_the_dashboard_or_in_an_alert() -> None:
    shown = {name for query in queries() for name in re.findall(r"\b(?:codille|process)_[a-z_]+", query)}
    families = Metrics().registry.collect()
    unseen = [one.name for one in families if shown.isdisjoint(one.name + suffix for suffix in SUFFIXES[one.type])]
    assert unseen == []


def test_panels_of_the_dashboard_do_not_overlap() -> None:
    dashboard = json.loads((MONITORING / "dashboard.json").read_text())
    cells = Counter(
        (x, y)
        for at in (panel["gridPos"] for panel in dashboard["panels"])
        for x in range(at["x"], at["x"] + at["w"])
        for y in range(at["y"], at["y"] + at["h"])
    )
    assert [cell for cell, panels in cells.items() if panels > 1 or cell[0] >= WIDTH] == []


def test_every_alert_is_described_as_under_its_heading_in_the_guide_and_leads_there() -> None:
    sections = re.findall(r"^### (Codille\w+)\n\n(.+?)\n(?=\n#)", GUIDE.read_text(), re.MULTILINE | re.DOTALL)
    annotations = [(rule["alert"], rule["annotations"]) for rule in rules()]
    assert [(name, one["description"]) for name, one in annotations] == [
        (name, " ".join(text.split())) for name, text in sections
    ]
    (label,) = yaml.safe_load((MONITORING / "prometheus.yaml").read_text())["global"]["external_labels"]
    assert {name: one["runbook_url"] for name, one in annotations} == {
        name: f"{{{{ $externalLabels.{label} }}}}#{name.lower()}" for name, _ in sections
    }
    assert {rule["labels"]["severity"] for rule in rules()} == {"critical", "warning"}


def test_prometheus_scrapes_the_address_that_metrics_have_by_default() -> None:
    job, _ = yaml.safe_load((MONITORING / "prometheus.yaml").read_text())["scrape_configs"]
    assert job["static_configs"][0]["targets"] == [f"{Settings().metrics_host}:{Settings().port_of_metrics()}"]
    assert "metrics_path" not in job


def test_panels_have_ids_of_their_own_and_known_variables() -> None:
    dashboard = json.loads((MONITORING / "dashboard.json").read_text())
    ids = [panel["id"] for panel in dashboard["panels"]]
    assert len(set(ids)) == len(ids)
    references = {"datasource", *(variable["name"] for variable in dashboard["templating"]["list"]), "__rate_interval"}
    assert set(re.findall(r"\$\{?(\w+)", json.dumps(panels()))) <= references


@pytest.fixture(scope="module")
def promtool() -> str:
    """Prometheus' own checker: the system's, or the one that `make test` fetches."""
    path = shutil.which("promtool", path=f"{ROOT / '.tools' / 'usr' / 'bin'}:/usr/bin:/usr/local/bin")
    if path is None:
        pytest.skip("SKIPPED: promtool is not installed")
    return path


@pytest.mark.parametrize(
    "arguments",
    [("check", "rules", "alerts.yaml"), ("check", "config", "prometheus.yaml"), ("test", "rules", "alerts-test.yaml")],
    ids=lambda arguments: arguments[-1],
)
def test_promtool_passes_the_files(promtool: str, arguments: tuple[str, ...]) -> None:
    checked = subprocess.run([promtool, *arguments], cwd=MONITORING, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_promtool_passes_the_dashboards_queries(promtool: str, tmp_path: Path) -> None:
    recorded = [{"record": f"query:{number}", "expr": query} for number, query in enumerate(queries())]
    file = tmp_path / "queries.yaml"
    file.write_text(json.dumps({"groups": [{"name": "queries", "rules": recorded}]}))
    checked = subprocess.run([promtool, "check", "rules", str(file)], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr
