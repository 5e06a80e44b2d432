"""The service as it is run: `codille serve` in a process of its own, with embedded servers of its own.

It ends with the test process, also when that is killed, and its servers end with it.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest

from deploy.embedded import launch
from tests.support.prepared import prepare
from tests.support.registry import GAMES, OFFERED, REGISTRY
from tests.support.run import made_once
from tests.support.waiting import PATIENCE_S

PAGE = os.sysconf("SC_PAGE_SIZE")
CODILLE = Path(sys.executable).with_name("codille")
SHARED = {
    "CODILLE_RATE_LIMIT": "off",
    "CODILLE_WEBHOOK_NETWORKS": "127.0.0.0/8:1024-65535",
    "CODILLE_BOT_PAUSE_MS": "0",
    "TEST_PING_S": "1",
}
"""The settings of the service that tests share: it limits nobody, calls receivers on this machine, its bots do not
pause, and `tests.support.registry` has idle streams pinged each second, so that clients meet pings.
"""


class Running:
    """A service that was started in a data directory. Its log goes to the file `log`."""

    def __init__(self, data_dir: Path, process: "subprocess.Popen[bytes]", log: Path) -> None:
        self.data_dir = data_dir
        self.process = process
        self.log = log
        self.url = ""
        self.metrics_url = ""

    def wait_until_it_listens(self) -> None:
        """Returns when requests are answered. Raises AssertionError if the process ends before."""
        deadline = time.monotonic() + PATIENCE_S
        announced = self.data_dir / "service.json"
        while True:
            # A killed service leaves its announcement behind.
            announcement = json.loads(announced.read_text()) if announced.exists() else {}
            if announcement.get("pid") == self.process.pid:
                self.url, self.metrics_url = announcement["url"], announcement["metrics"]
                return
            assert self.process.poll() is None, self.log.read_text()
            assert time.monotonic() < deadline, f"it does not listen:\n{self.log.read_text()}"
            time.sleep(0.02)

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Sends the signal, and returns the exit status."""
        self.process.send_signal(number)
        return self.process.wait(PATIENCE_S)


def senders(service: Running) -> list[int]:
    """The processes of the service that send to webhooks."""
    return of_role(service, "webhooks")


def of_role(service: Running, role: str) -> list[int]:
    """The processes of the service that have this role."""
    return [process for process in _descendants(service.process.pid) if _has_role(process, role)]


def computing(service: Running) -> list[int]:
    """The processes of the service that compute what takes long."""
    return [process for process in _descendants(service.process.pid) if _runs(process, "service.compute.job_process")]


def weight(service: Running) -> tuple[int, int]:
    """The bytes of memory of the service's processes that are resident, and the number of their open descriptors."""
    resident = descriptors = 0
    for process in (service.process.pid, *_descendants(service.process.pid)):
        with suppress(OSError):
            resident += int(Path(f"/proc/{process}/statm").read_text().split()[1]) * PAGE
            descriptors += len(os.listdir(f"/proc/{process}/fd"))
    return resident, descriptors


def _descendants(process: int) -> Iterator[int]:
    children: list[str] = []
    # It may end meanwhile.
    with suppress(OSError):
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    for child in map(int, children):
        yield child
        yield from _descendants(child)


def _has_role(process: int, role: str) -> bool:
    with suppress(OSError):
        return f"CODILLE_ROLE={role}".encode() in Path(f"/proc/{process}/environ").read_bytes().split(b"\0")
    return False


def _runs(process: int, module: str) -> bool:
    with suppress(OSError):
        return module.encode() in Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
    return False


def measured(url: str, name: str) -> float:
    """The sum of a measurement's samples, by what answers the operator there; a name with labels is that of one."""
    lines = httpx.get(f"{url}/metrics", timeout=PATIENCE_S, trust_env=False).text.splitlines()
    return sum(float(line.rpartition(" ")[2]) for line in lines if line.startswith((f"{name} ", f"{name}{{")))


def audited(data_dir: Path, settings: Mapping[str, str]) -> None:
    """The audit of the whole log finds every deal intact."""
    done = subprocess.run(
        [CODILLE, "audit"], env=environment(data_dir, settings), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "intact" in done.stdout


def left(processes: Sequence[int]) -> list[int]:
    """Those of the processes that have not ended."""
    return [process for process in processes if Path(f"/proc/{process}").exists()]


def environment(data_dir: Path, settings: Mapping[str, str] | None = None) -> dict[str, str]:
    """This process's environment, with no settings but these, the data directory, any free port, and the registry."""
    given = {name: text for name, text in os.environ.items() if not name.startswith("CODILLE_")}
    own = {"CODILLE_DATA_DIR": str(data_dir), "CODILLE_PORT": "0", "CODILLE_REGISTRY": REGISTRY}
    return given | own | dict(settings or {})


@contextmanager
def running(
    data_dir: Path, *arguments: str, settings: Mapping[str, str] | None = None, account: Sequence[str] = ()
) -> Iterator[Running]:
    """Runs `codille serve` on the data directory, on a free port; it is stopped in the end.

    `account` is what to put before a command to run it under another account. A directory without data gets those of
    servers that have run before, which the service makes ready for itself; one under another account makes its own.
    """
    data_dir.mkdir(parents=True, exist_ok=True)
    if not (account or (data_dir / "postgres").exists() or "CODILLE_DATABASE_URL" in (settings or {})):
        prepare(data_dir)
    log = data_dir.with_name(f"{data_dir.name}.log")
    with log.open("ab") as stream:
        process = subprocess.Popen(
            [
                *launch.prefix(signal.SIGTERM),
                *(*account, str(CODILLE), "serve", *arguments),
            ],
            env=environment(data_dir, settings),
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=stream,
        )
    service = Running(data_dir, process, log)
    try:
        service.wait_until_it_listens()
        yield service
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait(PATIENCE_S)


@pytest.fixture(scope="session")
def service(described: Mapping[str, str]) -> Iterator[Running]:
    """A running service that the tests of this process share, and that nothing stops."""
    with (
        tempfile.TemporaryDirectory(prefix="codille-test-") as made,
        running(Path(made) / "data", settings={**SHARED, **described}) as service,
    ):
        yield service


@pytest.fixture(scope="session")
def described() -> Mapping[str, str]:
    """The setting by which the document describes all games, where the committed one does not."""
    if GAMES.keys() == OFFERED.keys():
        return {}

    def make(spec: Path) -> None:
        command = [CODILLE, "openapi", "--registry", REGISTRY, "--out", spec]
        subprocess.run(command, env=environment(spec), check=True)

    return {"CODILLE_SPEC_DIR": str(made_once("spec", make))}


@pytest.fixture(scope="session")
def service_url(service: Running) -> str:
    """Where that service is."""
    return service.url
