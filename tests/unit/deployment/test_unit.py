"""The systemd units: well formed, confined, and with settings that the service takes."""

import configparser
import shutil
import subprocess
from pathlib import Path

import pytest

from service.config import Settings

UNITS = Path(__file__).parents[3] / "deploy" / "systemd"
EACH = {"codille.service": None, "codille@.service": "webhooks"}
"""The units, and the part that one of them runs."""


@pytest.mark.parametrize(("name", "part"), EACH.items())
def test_the_unit_runs_the_service_under_its_own_account_and_confined(name: str, part: str | None) -> None:
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]  # names keep their case
    unit.read_string((UNITS / name).read_text().replace("%i", part or "%i"))
    service = unit["Service"]
    assert service["ExecStart"].split()[1:] == ["serve", *(["--role", part] if part else [])]
    assert (service["User"], service["Restart"], service["ProtectSystem"]) == ("codille", "on-failure", "strict")
    assert service["NoNewPrivileges"] == "yes"
    given = dict(setting.split("=", 1) for setting in service["Environment"].split())
    assert Settings.load(given).data_dir == Path("/var/lib") / service["StateDirectory"]


@pytest.mark.parametrize("name", EACH)
def test_systemd_takes_the_unit(tmp_path: Path, name: str) -> None:
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("SKIPPED: systemd-analyze is not installed")
    copy = tmp_path / name.replace("@", "@webhooks")
    copy.write_text((UNITS / name).read_text().replace("/opt/codille/.venv/bin/codille", "/bin/true"))
    verified = subprocess.run([program, "verify", "--man=no", str(copy)], capture_output=True, text=True, check=False)
    assert (verified.returncode, verified.stderr) == (0, "")
