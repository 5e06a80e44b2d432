"""Programs that hold embedded servers, under the accounts that can be had here."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

from deploy.embedded import Servers
from deploy.embedded.account import nobody
from tests.support.prepared import HOLDER, prepare

Account = list[str]

ACCOUNTS: dict[str, Account] = {"self": []}
if os.geteuid() == 0 and shutil.which("setpriv"):
    # An ordinary user, who besides may read what root has installed for itself alone: the interpreter often is.
    user = nobody()
    ACCOUNTS["nobody"] = [
        str(shutil.which("setpriv")),
        f"--reuid={user.uid}",
        f"--regid={user.gid}",
        "--clear-groups",
        "--inh-caps=+dac_override",
        "--ambient-caps=+dac_override",
    ]


class Holder:
    """A running program that holds servers; a test ends it one way or another."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        assert process.stdout is not None
        line = process.stdout.readline()
        self.refusal = "" if line else process.communicate()[1].strip()
        self.servers = Servers(*json.loads(line)) if line else None

    @property
    def pid(self) -> int:
        return self.process.pid

    @property
    def up(self) -> Servers:
        """The servers, which must have started."""
        assert self.servers is not None, self.refusal
        return self.servers

    def end(self, how: signal.Signals | None = None) -> None:
        """Ends the program with a signal, or by itself."""
        if how is not None:
            self.process.send_signal(how)
            self.process.wait()
        self.process.communicate()


Hold = Callable[..., Holder]


@contextmanager
def holders() -> Iterator[Hold]:
    """Starts a program that holds the servers of a directory: `hold(directory, account, *options)`.

    What still runs in the end ends as its input is closed.
    """
    with ExitStack() as stack:

        def start(directory: Path, account: Account, *options: str) -> Holder:
            process = stack.enter_context(
                subprocess.Popen(
                    [*account, sys.executable, str(HOLDER), str(directory), *options],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    text=True,
                    env=os.environ | {"PYTHONPATH": os.getcwd()},
                )
            )
            return Holder(process)

        yield start


@pytest.fixture
def hold() -> Iterator[Hold]:
    with holders() as hold:
        yield hold


@pytest.fixture(scope="module", params=ACCOUNTS.values(), ids=ACCOUNTS.keys())
def account(request: pytest.FixtureRequest) -> Account:
    """What to put before a command to run it under an account: one's own, and `nobody` if one is root."""
    chosen: Account = request.param
    return chosen


def made_for(account: Account, above: Path) -> Path:
    """A directory of the account's; the directories above it are closed to others."""
    made = above / "data"
    made.mkdir(mode=0o700)
    if account:
        shutil.chown(made, "nobody")
    return made


@pytest.fixture
def directory(tmp_path: Path, account: Account) -> Path:
    return made_for(account, tmp_path)


@pytest.fixture
def used(directory: Path, account: Account) -> Path:
    """The same with data, of servers that have ended."""
    prepare(directory, account)
    return directory


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory, account: Account) -> Iterator[tuple[Path, Holder]]:
    """A directory with new data, and the program that holds its servers. No test ends it or writes what others read."""
    made = made_for(account, tmp_path_factory.mktemp("shared"))
    with holders() as hold:
        yield made, hold(made, account)


def servers_of(directory: Path) -> list[int]:
    """The processes at work in the directory."""
    working = []
    for entry in Path("/proc").iterdir():
        with suppress(OSError):
            if entry.name.isdigit() and (entry / "cwd").resolve().is_relative_to(directory.resolve()):
                working.append(int(entry.name))
    return working
