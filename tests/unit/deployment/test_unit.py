"""The systemd unit: well formed, confined, and with settings that the service takes."""

import configparser
import shutil
import subprocess
from pathlib import Path

import pytest

from service.config import Settings

UNIT = Path(__file__).parents[3] / "deploy" / "systemd" / "codille.service"


def test_the_unit_runs_the_service_under_its_own_account_and_confined() -> None:
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]  # names keep their case
    unit.read_string(UNIT.read_text())
    service = unit["Service"]
    assert service["ExecStart"].split()[1:] == ["serve"]
    assert (service["User"], service["Restart"], service["ProtectSystem"]) == ("codille", "on-failure", "strict")
    assert service["NoNewPrivileges"] == "yes"
    given = dict(setting.split("=", 1) for setting in service["Environment"].split())
    assert Settings.load(given).data_dir == Path("/var/lib") / service["StateDirectory"]


def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("SKIPPED: systemd-analyze is not installed")
    copy = tmp_path / UNIT.name
    copy.write_text(UNIT.read_text().replace("/opt/codille/.venv/bin/codille", "/bin/true"))
    verified = subprocess.run([program, "verify", "--man=no", str(copy)], capture_output=True, text=True, check=False)
    assert (verified.returncode, verified.stderr) == (0, "")
