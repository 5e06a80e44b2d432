"""Stands for systemd on a host of a run: it starts what Debian's units say, and starts it again as they say.

`systemd.py init` is a host's first process; `systemd.py enable --now NAME` and so on are what `systemctl` does there.
It runs under Debian's own Python, with the standard library alone. Units' confinement is left out.
"""

import json
import os
import pwd
import shlex
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import defaultdict
from contextlib import suppress
from pathlib import Path

SOCKET = Path("/run/systemd.sock")
UNITS = (Path("/etc/systemd/system"), Path("/usr/lib/systemd/system"))
ENABLED = Path("/etc/systemd/enabled")
ENDS_WITHIN_S = 30.0
ACCOUNTS = {"etcd": "/var/lib/etcd", "redis": "/var/lib/redis", "haproxy": "/var/lib/haproxy"}
"""Accounts that Debian's packages make when they are installed, with their homes."""
OWNED = {
    "postgres": ("/var/lib/postgresql", "/var/lib/postgresql/15", "/run/postgresql"),
    "redis": ("/var/lib/redis", "/etc/redis"),
    "etcd": ("/var/lib/etcd",),
    "haproxy": ("/var/lib/haproxy",),
}
"""Folders that the packages make, by their owner."""


class Unit:
    """A unit as its file says it."""

    def __init__(self, name: str) -> None:
        self.name = name
        prefix, _, instance = name.partition("@")
        file = f"{prefix}@.service" if instance else f"{prefix}.service"
        (found, *_) = [folder / file for folder in UNITS if (folder / file).exists()]
        self._specifiers = {"%i": instance, "%p": prefix, "%H": socket.gethostname(), "%%": "%"}
        self.values: defaultdict[str, list[str]] = defaultdict(list)
        for line in found.read_text().splitlines():
            key, equals, value = line.partition("=")
            if equals and not line.startswith(("#", ";")):
                for specifier, text in self._specifiers.items():
                    value = value.replace(specifier, text)
                self.values[key].append(value)

    def last(self, key: str, default: str = "") -> str:
        """The value that counts where there are several."""
        return (self.values[key] or [default])[-1]

    def environment(self) -> dict[str, str]:
        """What the unit's processes have in their environment."""
        user = pwd.getpwnam(self.last("User", "root"))
        variables = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8"}
        variables |= {"USER": user.pw_name, "LOGNAME": user.pw_name, "HOME": user.pw_dir}
        for value in self.values["Environment"]:
            variables |= dict(each.split("=", 1) for each in shlex.split(value))
        for named in self.values["EnvironmentFile"]:
            file = Path(named.removeprefix("-"))
            if file.exists() or not named.startswith("-"):
                lines = [line.strip() for line in file.read_text().splitlines()]
                pairs = [line.split("=", 1) for line in lines if line and line[0] not in "#;"]
                variables |= {name: value.strip("\"'") for name, value in pairs}
        return variables

    def words(self, command: str, more: dict[str, str]) -> list[str]:
        """A command of the unit with its variables filled in."""
        variables, made = self.environment() | more, list[str]()
        for word in shlex.split(command.lstrip("-")):
            made += variables.get(word[1:], "").split() if word.startswith("$") else [word]
        return made


class Init:
    """The processes of all units."""

    def __init__(self) -> None:
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._wanted: set[str] = set()
        self._lock = threading.RLock()

    def serve(self) -> None:
        """Starts what is enabled, takes commands, and starts again what ends."""
        for name in _enabled():
            self.start(name)
        listening = socket.socket(socket.AF_UNIX)
        listening.bind(str(SOCKET))
        listening.listen()
        threading.Thread(target=self._listen, args=(listening,), daemon=True).start()
        while True:
            ended = 0
            with suppress(ChildProcessError):
                ended, status = os.waitpid(-1, 0)
            if not ended:
                time.sleep(0.05)
                continue
            with self._lock:
                for name, process in [*self._running.items()]:
                    if process.pid == ended:
                        process.returncode = os.waitstatus_to_exitcode(status)
                        del self._running[name]
                        self._ended(name, process)

    def _ended(self, name: str, process: "subprocess.Popen[bytes]") -> None:
        unit = Unit(name)
        again = unit.last("Restart", "no")
        abnormal = process.returncode < 0 and -process.returncode not in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
        due = (
            again == "always" or (again == "on-failure" and process.returncode) or (again == "on-abnormal" and abnormal)
        )
        _sweep(process, unit)
        if name in self._wanted and due:
            threading.Timer(float(unit.last("RestartSec", "0.1").rstrip("s")), self._start_if_wanted, (name,)).start()

    def _start_if_wanted(self, name: str) -> None:
        with self._lock:
            if name in self._wanted:
                self.start(name)

    def _listen(self, listening: socket.socket) -> None:
        while True:
            connection, _ = listening.accept()
            threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        with connection, connection.makefile("rw") as file:
            verb, *names = json.loads(file.readline())
            failed = ""
            try:
                for name in names:
                    getattr(self, verb)(name)
            except (OSError, ValueError) as error:
                failed = repr(error)
            file.write(failed + "\n")

    def start(self, name: str) -> None:
        """Starts a unit, unless it runs."""
        with self._lock:
            self._wanted.add(name)
            if name in self._running:
                return
            unit = Unit(name)
            user = pwd.getpwnam(unit.last("User", "root"))
            for key, above in (("RuntimeDirectory", "/run"), ("StateDirectory", "/var/lib")):
                for each in unit.last(key).split():
                    place = Path(above)
                    for part in Path(each).parts:
                        place /= part
                        place.mkdir(exist_ok=True)
                        os.chown(place, user.pw_uid, user.pw_gid)
            groups = os.getgrouplist(user.pw_name, user.pw_gid)
            with Path(f"/var/log/{name}.log").open("ab") as log:
                self._running[name] = subprocess.Popen(
                    unit.words(unit.last("ExecStart"), {}),
                    env=unit.environment(),
                    cwd="/",
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    user=user.pw_uid,
                    group=user.pw_gid,
                    extra_groups=groups,
                    umask=int(unit.last("UMask", "0022"), 8),
                    start_new_session=True,
                )

    def stop(self, name: str) -> None:
        """Ends a unit, and returns when it has ended."""
        with self._lock:
            self._wanted.discard(name)
            process = self._running.get(name)
        if process is None:
            return
        process.send_signal(signal.SIGTERM)
        late = time.monotonic() + ENDS_WITHIN_S
        while name in self._running:
            if time.monotonic() > late:
                process.send_signal(signal.SIGKILL)
            time.sleep(0.02)

    def restart(self, name: str) -> None:
        """Ends a unit and starts it."""
        self.stop(name)
        self.start(name)

    def reload(self, name: str) -> None:
        """Does what the unit does to read its files again."""
        unit = Unit(name)
        for command in unit.values["ExecReload"]:
            subprocess.run(unit.words(command, {"MAINPID": str(self._running[name].pid)}), check=True)


def _sweep(process: "subprocess.Popen[bytes]", unit: Unit) -> None:
    """Kills what a unit's process has left behind, unless the unit says that it is to stay."""
    if unit.last("KillMode") != "process":
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def _enabled() -> list[str]:
    return ENABLED.read_text().split() if ENABLED.exists() else []


def installed() -> None:
    """Makes what Debian's packages make when they are installed."""
    passwd = Path("/etc/passwd").read_text()
    for number, (name, home) in enumerate(ACCOUNTS.items(), 900):
        if f"\n{name}:" not in passwd:
            with Path("/etc/passwd").open("a") as users, Path("/etc/group").open("a") as groups:
                users.write(f"{name}:x:{number}:{number}::{home}:/usr/sbin/nologin\n")
                groups.write(f"{name}:x:{number}:\n")
    for name, folders in OWNED.items():
        owner = pwd.getpwnam(name)
        for folder in folders:
            Path(folder).mkdir(mode=0o755, parents=True, exist_ok=True)
            os.chown(folder, owner.pw_uid, owner.pw_gid)


def systemctl(arguments: list[str]) -> str:
    """Does what `systemctl` does with these arguments. Answers what is wrong; empty for nothing."""
    verb, *rest = [each for each in arguments if each != "--now"]
    if verb == "daemon-reload":
        return ""
    names = [name.removesuffix(".service") for name in rest]
    if verb in ("enable", "disable"):
        enabled = [name for name in _enabled() if name not in names] + (names if verb == "enable" else [])
        ENABLED.parent.mkdir(parents=True, exist_ok=True)
        ENABLED.write_text("\n".join(enabled))
        verb = "start" if verb == "enable" else "stop"
        if "--now" not in arguments:
            return ""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(SOCKET))
        with connection.makefile("rw") as file:
            file.write(json.dumps([verb, *names]) + "\n")
            file.flush()
            return file.readline().strip()


if __name__ == "__main__":
    if sys.argv[1:] == ["init"]:
        installed()
        Init().serve()
    sys.exit(systemctl(sys.argv[1:]) or None)
