"""A backup that is restored: a checkpoint that was kept elsewhere shows whether anything is missing."""

import subprocess
import time
from pathlib import Path

import httpx

from tests.support.service import CODILLE, PATIENCE_S, environment, running


def audited(data: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """What `codille audit` ends with on the data, while no service runs there."""
    return subprocess.run(
        [CODILLE, "audit", *arguments],
        env=environment(data),
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


def open_tables(url: str, tables: int) -> None:
    with httpx.Client(base_url=url, timeout=30, trust_env=False) as http:
        token = http.post("/v1/players", json={"name": "Ada"}).json()["token"]
        for _ in range(tables):
            headers = {"Authorization": f"Bearer {token}"}
            assert http.post("/v1/tables", json={"game": "crocodile"}, headers=headers).status_code == 201


def checkpoint(url: str, size: int) -> str:
    """The checkpoint of so many events, which a service signs as soon as it has started."""
    deadline = time.monotonic() + PATIENCE_S
    while int((text := httpx.get(f"{url}/v1/log/checkpoint", trust_env=False).text).splitlines()[1]) < size:
        assert time.monotonic() < deadline, text
        time.sleep(0.05)
    return text


def test_a_kept_checkpoint_shows_what_a_restored_log_lacks(tmp_path: Path) -> None:
    data, backup = tmp_path / "data", tmp_path / "backup"
    early, late = tmp_path / "early", tmp_path / "late"
    with running(data) as service:
        open_tables(service.url, 1)
    subprocess.run(["cp", "-a", data, backup], check=True)  # noqa: S607 (whichever the system has)
    with running(data) as service:
        early.write_text(checkpoint(service.url, 1))
        open_tables(service.url, 2)
    with running(data) as service:
        late.write_text(checkpoint(service.url, 3))
    short = audited(backup, "--checkpoint", str(late))
    assert (short.returncode, "a checkpoint of 3 events was signed" in short.stdout) == (1, True), short.stderr
    # By itself the old state is intact: only what was kept elsewhere shows that something is missing.
    intact = audited(backup, "--checkpoint", str(early))
    assert (intact.returncode, "intact" in intact.stdout) == (0, True), intact.stdout + intact.stderr
    (tmp_path / "none").write_text("none")
    assert "is no checkpoint" in audited(backup, "--checkpoint", str(tmp_path / "none")).stderr
