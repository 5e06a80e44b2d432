"""Writes a bill of materials of the service (CycloneDX 1.6), and checks licences and known vulnerabilities.

    python .ci/supply.py FILE.json

The bill lists the service and its dependencies as installed here, without development tools. The command exits with 1
if a licence is not allowed below or a vulnerability is known. If no advisories are available, it prints SKIPPED.
"""

import json
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output import OutputFormat, SchemaVersion, make_outputter
from packageurl import PackageURL
from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

SERVICE = "codille"

ALLOWED = frozenset(
    {"0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "MIT-0", "MPL-2.0", "PSF-2.0", "PostgreSQL"}
)
"""The licences (SPDX) that allow the service to be distributed with the dependency."""

NAMES = {
    "Apache 2.0": "Apache-2.0",
    "Apache License 2.0": "Apache-2.0",
    "BSD": "BSD-3-Clause",
    "ISC License": "ISC",
    "MIT License": "MIT",
    "License :: OSI Approved :: Apache Software License": "Apache-2.0",
    "License :: OSI Approved :: BSD License": "BSD-3-Clause",
    "License :: OSI Approved :: MIT License": "MIT",
}
"""The SPDX names for what packages write instead. The texts of these licences were checked."""

PROJECT = Path(__file__).parents[1] / "pyproject.toml"
_CONFIGURED = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["tool"]["uv"]
OVERRIDDEN = {needed.name: needed for needed in map(Requirement, _CONFIGURED["override-dependencies"])}
"""What replaces what packages need, as in the lock file."""

VULNERABLE = "jinja2==2.10"
"""A release with known advisories. If none is reported for it, no advisories are available."""


def parts(name: str = SERVICE) -> dict[str, Distribution]:
    """The service and all packages that it needs to run, by name."""
    collected: dict[str, Distribution] = {}
    todo: list[tuple[str, frozenset[str]]] = [(name, frozenset())]
    done: set[tuple[str, frozenset[str]]] = set()
    while todo:
        one = todo.pop()
        if one in done:
            continue
        done.add(one)
        collected[canonicalize_name(one[0])] = distribution(one[0])
        todo += [
            (needed.name, frozenset(needed.extras))
            for text in collected[canonicalize_name(one[0])].requires or ()
            for needed in [OVERRIDDEN.get(Requirement(text).name, Requirement(text))]
            if needed.marker is None or any(needed.marker.evaluate({"extra": extra}) for extra in ("", *one[1]))
        ]
    return collected


def licence(part: Distribution) -> str:
    """The package's licence as an SPDX expression, or else in its own words."""
    metadata = part.metadata
    stated = [metadata.get("License-Expression"), (metadata.get("License") or "").strip().partition("\n")[0]]
    stated += [line for line in metadata.get_all("Classifier") or () if line.startswith("License ::")]
    for text in filter(None, stated):
        try:
            return str(canonicalize_license_expression(NAMES.get(text, text)))
        except InvalidLicenseExpression:
            continue
    return next(filter(None, stated), "unknown")


def refused(parts: dict[str, Distribution]) -> Iterator[str]:
    """The packages whose licence is not allowed. Of alternative licences, one must be allowed."""
    for name, part in parts.items():
        terms = licence(part).replace("(", "").replace(")", "")
        if not any(all(term in ALLOWED for term in alternative.split(" AND ")) for alternative in terms.split(" OR ")):
            yield f"{name} {part.version}: {terms}"


def bill(parts: dict[str, Distribution]) -> str:
    """The bill of materials as JSON."""
    licences = LicenseFactory()
    components = {
        name: Component(
            name=part.metadata["Name"],
            version=part.version,
            type=ComponentType.APPLICATION if name == SERVICE else ComponentType.LIBRARY,
            bom_ref=f"{name}@{part.version}",
            purl=PackageURL("pypi", None, name, part.version),
            licenses=(licences.make_from_string(licence(part)),),
        )
        for name, part in parts.items()
    }
    bom = Bom(components=[component for name, component in components.items() if name != SERVICE])
    bom.metadata.component = components[SERVICE]
    for name, part in parts.items():
        needed = {canonicalize_name(Requirement(text).name) for text in part.requires or ()}
        bom.register_dependency(components[name], [components[other] for other in sorted(needed & components.keys())])
    return make_outputter(bom, OutputFormat.JSON, SchemaVersion.V1_6).output_as_string(indent=1)


def advisories(releases: Iterable[str]) -> list[str]:
    """The known vulnerabilities of these releases, and why a release was skipped. Sends one request per release."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("\n".join(releases) + "\n")
        file.flush()
        command = ["pip_audit", "--requirement", file.name, "--disable-pip", "--no-deps", "--format", "json"]
        audited = subprocess.run(
            [sys.executable, "-m", *command, "--timeout", "5"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            check=False,
        )
    try:
        dependencies = json.loads(audited.stdout)["dependencies"]
    except ValueError:
        return ["pip-audit failed"]
    known = [f"{one['name']} {one['version']}: {each['id']}" for one in dependencies for each in one.get("vulns", ())]
    return known + [one["skip_reason"] for one in dependencies if "skip_reason" in one]


def can_be_audited() -> bool:
    """Whether advisories are available. Sends one request."""
    return any(line.startswith("jinja2 2.10: ") for line in advisories([VULNERABLE]))


def main(file: Path) -> int:
    """Writes the bill to the file, checks licences and vulnerabilities, and returns the exit status."""
    collected = parts()
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(bill(collected))
    print(f"{file}: {len(collected) - 1} dependencies")
    wrong = list(refused(collected))
    for line in wrong:
        print(f"this licence is not allowed: {line}", file=sys.stderr)
    if not can_be_audited():
        print("SKIPPED: pip-audit could not look for known vulnerabilities: no advisories are available here")
        return 1 if wrong else 0
    vulnerable = advisories(f"{name}=={part.version}" for name, part in collected.items() if name != SERVICE)
    for line in vulnerable:
        print(f"vulnerable: {line}", file=sys.stderr)
    return 1 if wrong or vulnerable else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
