"""The wheel and the image hold the specification as it was committed."""

import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
DOCUMENTS = ("openapi.json", "asyncapi.json")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project's wheel, built here."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, timeout=120)
    (built,) = folder.iterdir()
    return built


def test_the_wheel_holds_the_committed_documents_and_catalogue(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        packed = {name: archive.read(name) for name in archive.namelist() if name.startswith("api-spec/")}
    documents = [ROOT / "api-spec" / name for name in DOCUMENTS]
    committed = [*documents, *(ROOT / "api-spec/events").rglob("*.json")]
    assert packed == {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in committed}


def test_what_is_installed_from_the_wheel_serves_the_committed_documents(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    # Where the wheel is installed comes first, before the checkout that an editable installation adds to the path.
    run = subprocess.run(
        [sys.executable, "-c", "from service.config import SPECIFICATION; print(SPECIFICATION)"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path)},
        check=True,
        capture_output=True,
        text=True,
    )
    folder = Path(run.stdout.strip())
    assert folder.is_relative_to(tmp_path)
    for name in DOCUMENTS:
        assert (folder / name).read_bytes() == (ROOT / "api-spec" / name).read_bytes()


def test_the_image_is_built_from_all_that_the_wheel_holds() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    packed = project["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"]
    copied = re.findall(r"^COPY (\S+) \1$", (ROOT / "deploy/compose/Dockerfile").read_text(), re.MULTILINE)
    assert {path.split("/")[0] for path in packed} <= set(copied)
    assert {f"!{path}" for path in packed} <= set((ROOT / ".dockerignore").read_text().splitlines())
