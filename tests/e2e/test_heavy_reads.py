"""Heavy reads of the service as it is run: in a process of their own, which ends with the service."""

import signal
import time
from pathlib import Path

import httpx
import pytest

from tests.support.service import running
from tests.support.waiting import PATIENCE_S

JOBS = b"service.compute.job_process"


def job_processes(parent: int) -> list[int]:
    """The processes of this one that do jobs."""
    children = [int(child) for task in Path(f"/proc/{parent}/task").iterdir() for child in _children(task)]
    return [child for child in children if does_jobs(child)]


def _children(task: Path) -> list[str]:
    return (task / "children").read_text().split()


def does_jobs(process: int) -> bool:
    """Whether there is such a process, and it does jobs."""
    try:
        return JOBS in Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return False


@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 0), (signal.SIGKILL, -signal.SIGKILL)])
def test_what_takes_long_is_done_in_a_process_that_ends_with_the_service(
    tmp_path: Path, number: signal.Signals, status: int
) -> None:
    with running(tmp_path / "data") as service, httpx.Client(base_url=service.url, timeout=60, trust_env=False) as http:
        token = http.post("/v1/players", json={"name": "Ada"}).json()["token"]
        bearer = {"Authorization": f"Bearer {token}"}
        table = http.post("/v1/tables", json={"game": "crocodile"}, headers=bearer).json()["table"]
        assert job_processes(service.process.pid) == []
        answers = [http.get(f"/v1/tables/{table}/{read}") for read in ("export", "replay/1", "replay", "disputes")]
        assert [answer.status_code for answer in answers] == [200] * 4
        (process,) = job_processes(service.process.pid)
        assert service.stop(number) == status
        deadline = time.monotonic() + PATIENCE_S
        while does_jobs(process):
            assert time.monotonic() < deadline
            time.sleep(0.02)
