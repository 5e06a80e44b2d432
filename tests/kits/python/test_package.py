"""The package: what `make kits` builds is installed in an empty folder, and plays, with each Python that is there."""

import asyncio
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from codille_client import Client

from tests.kits.python.test_playing import played, seated

ROOT = Path(__file__).parents[3]
PYTHONS = ("3.11", "3.12", "3.13")
UV = shutil.which("uv") or str(ROOT / ".venv-uv" / "bin" / "uv")


def python(version: str) -> str | None:
    """An interpreter of this version on this machine; None if there is none."""
    homes = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions").glob(f"{version}.*/bin/python")
    for candidate in (sys.executable, shutil.which(f"python{version}"), *map(str, homes)):
        command = [candidate, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
        if (
            candidate is not None
            and subprocess.run(command, capture_output=True, text=True, check=False).stdout == f"{version}\n"
        ):
            return candidate
    return None


def wheel() -> Path:
    (found,) = (ROOT / ".kits").glob("codille_client-*.whl")
    return found


def installed(interpreter: str, folder: Path) -> Path:
    """The folder in which the package and what it needs are, and nothing else."""
    install = [UV, "pip", "install", "--quiet", "--python", interpreter, "--target", folder / "home", wheel()]
    certificates = {"UV_SYSTEM_CERTS": "true"} if Path("/etc/ssl/certs/ca-certificates.crt").exists() else {}
    subprocess.run(install, check=True, cwd=folder, env=os.environ | certificates)
    return folder / "home"


def test_the_package_holds_its_types_and_both_faces() -> None:
    names = {name for name in zipfile.ZipFile(wheel()).namelist() if not name.startswith("codille_client-")}
    modules = (
        "__init__",
        "bot",
        "client",
        "ed25519",
        "game",
        "http",
        "login",
        "models",
        "offers",
        "operations",
        "packs",
        "problems",
        "schemas",
        "streams",
        "table",
        "types",
        "verify",
        "webhooks",
        "words",
    )
    sync = ("__init__", "client", "http", "login", "operations", "streams", "table")
    expected = [
        *(f"{name}.py" for name in modules),
        *(f"sync/{name}.py" for name in sync),
        "games/__init__.py",
        "py.typed",
        "LICENSE",
        "CHANGELOG.md",
        "tutorial.md",
        *(f"examples/{example.name}" for example in (ROOT / "api-spec/clients/python/examples").glob("*.py")),
    ]
    assert names == {f"codille_client/{name}" for name in expected}


@pytest.mark.parametrize("version", PYTHONS)
async def test_installed_in_an_empty_folder_it_plays(service_url: str, version: str, tmp_path: Path) -> None:
    interpreter = python(version)
    if interpreter is None:
        pytest.skip(f"Python {version} is not installed")
    home = await asyncio.to_thread(installed, interpreter, tmp_path)
    table, (token, *others) = await seated(service_url, "crocodile")
    bot = ROOT / "api-spec" / "clients" / "python" / "examples" / "bot.py"
    given = {"CODILLE_TOKEN": token, "NO_PROXY": "127.0.0.1", "PYTHONPATH": str(home), "PATH": os.environ["PATH"]}
    program = await asyncio.create_subprocess_exec(
        interpreter,
        str(bot),
        service_url,
        table.id,
        cwd=tmp_path,
        env=given,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    await asyncio.gather(*(played(service_url, table.id, each) for each in others))
    output, _ = await program.communicate()
    assert program.returncode == 0, output.decode()
    async with Client(service_url) as client:
        view = await client.table(table.id).view()
    assert view["status"] == "finished"
    shown = [int(line.split()[0]) for line in output.decode().splitlines()]
    assert shown == [*range(shown[0], view["version"] + 1)]
