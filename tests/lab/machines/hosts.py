"""Hosts as namespaces of this computer: each has processes, files and an address of its own, on a bridge."""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from tests.lab.machines.guide import FOLDER

ROOT = Path(__file__).parents[3]
TOOLS = ROOT / ".tools" / "machines"
"""Where Debian's packages are unpacked."""
SYSTEMD = Path(__file__).with_name("inside") / "systemd.py"
PROGRAMS = ("usr/bin/patroni", "usr/bin/etcd", "usr/bin/redis-server", "usr/bin/redis-sentinel", "usr/sbin/haproxy")
CLIENTS = "10.77.0.1"
"""The address of those who play."""
ADDRESSES = {
    "db1": "10.77.0.11",
    "db2": "10.77.0.12",
    "db3": "10.77.0.13",
    "redis1": "10.77.0.21",
    "redis2": "10.77.0.22",
    "redis3": "10.77.0.23",
    "app1": "10.77.0.31",
    "app2": "10.77.0.32",
    "front": "10.77.0.41",
}
BRIDGE = "codille"
STARTS_WITHIN_S = 20.0

_BOOT = """
set -eu
hostname "$NAME"
mount -t proc proc /proc
mount -t overlay -o "lowerdir=$LOWER:/usr" overlay /usr
mount -t overlay -o "lowerdir=$TOOLS/etc:/etc,upperdir=$HOME_OF/etc,workdir=$HOME_OF/work" overlay /etc
mount --bind "$HOME_OF/lib" /var/lib
mount --bind "$HOME_OF/log" /var/log
mount -t tmpfs -o mode=755 tmpfs /run
# The service's Python and the checkout, to be read alone; and open to all accounts, where only root could enter.
# All of this is mounted in the host's own namespace, and nothing of it in a folder that the run removes.
mkdir /run/python /run/checkout
mount --bind "$PYTHON" /run/python && mount -o remount,bind,ro /run/python
mount --bind "$ROOT" /run/checkout && mount -o remount,bind,ro /run/checkout
mount -t tmpfs -o mode=755 tmpfs /root
mkdir /root/machines
mount --bind "$HOME_OF/machines" /root/machines
for folder in $CLOSED; do
    [ "$folder" = /root ] || mount -t tmpfs -o mode=755 tmpfs "$folder"
done
for pair in "python:$PYTHON" "checkout:$ROOT"; do
    [ -e "${pair#*:}" ] || { mkdir -p "${pair#*:}"; mount --bind "/run/${pair%%:*}" "${pair#*:}"; }
done
mount -t tmpfs -o mode=755 tmpfs /opt
mkdir /opt/codille
mount --bind /run/checkout /opt/codille
ip link set lo up
until ip link show eth0 >/dev/null 2>&1; do sleep 0.02; done
# Processes have other numbers than before a restart, as on a computer that has run for a while.
echo "$NUMBERS" > /proc/sys/kernel/ns_last_pid
exec /usr/bin/python3 "$SYSTEMD" init
"""


def missing() -> str:
    """What this computer lacks for hosts; empty for nothing."""
    if os.geteuid() != 0:
        return "only root may make namespaces"
    lacking = [program for program in PROGRAMS if not (TOOLS / program).exists()]
    if lacking:
        return f"Debian's packages cannot be had: {', '.join(lacking)} are not in {TOOLS}"
    if not Path("/usr/lib/postgresql/15/bin/postgres").exists() and not list(TOOLS.glob("usr/lib/postgresql/15/bin")):
        return "PostgreSQL 15 is not there"
    if "overlay" not in Path("/proc/filesystems").read_text():
        return "the kernel has no overlays"
    return ""


class Network:
    """A bridge in the namespace of this process, and the hosts on it."""

    def __init__(self, folder: Path, values: Mapping[str, str]) -> None:
        cleared(folder, Path("/proc/self/mountinfo").read_text())
        self.hosts = {name: Host(folder / name, name, values) for name in ADDRESSES}
        _ip("link", "set", "lo", "up")
        _ip("link", "add", BRIDGE, "type", "bridge")
        _ip("addr", "add", f"{CLIENTS}/24", "dev", BRIDGE)
        _ip("link", "set", BRIDGE, "up")
        lower = folder / "usr"
        (lower / "bin").mkdir(parents=True)
        systemctl = lower / "bin" / "systemctl"
        systemctl.write_text(f'#!/bin/sh\nexec /usr/bin/python3 {SYSTEMD} "$@"\n')
        systemctl.chmod(0o755)

    def remove(self) -> None:
        """Ends all hosts."""
        for host in self.hosts.values():
            host.kill()
        _ip("link", "del", BRIDGE)


class Host:
    """One host."""

    def __init__(self, folder: Path, name: str, values: Mapping[str, str]) -> None:
        self.name = name
        self.address = ADDRESSES[name]
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        self._boots = 0
        for part in ("etc", "work", "lib", "log"):
            (folder / part).mkdir(parents=True)
        shutil.copytree(FOLDER, folder / "machines")
        machine = folder / "machines"
        from tests.lab.machines.guide import with_values  # noqa: PLC0415

        (machine / "machines.env").write_text(with_values((machine / "machines.env").read_text(), values))

    @property
    def runs(self) -> bool:
        """Whether it was booted, and not killed since."""
        return self._process is not None

    def append(self, file: str, lines: str) -> None:
        """Adds lines to a file of its copy of the folder that operators have."""
        with (self._folder / "machines" / file).open("a") as written:
            written.write(lines)

    def boot(self) -> None:
        """Starts it, with all units that are enabled there."""
        self._boots += 1
        variables = {
            "NAME": self.name,
            "LOWER": f"{self._folder.parent / 'usr'}:{TOOLS / 'usr'}",
            "TOOLS": str(TOOLS),
            "HOME_OF": str(self._folder),
            "SYSTEMD": str(SYSTEMD),
            "PYTHON": sys.base_prefix,
            "ROOT": str(ROOT),
            "CLOSED": " ".join({str(one) for each in (Path(sys.base_prefix), ROOT) if (one := closed(each))}),
            "NUMBERS": str(3000 * self._boots),
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
        }
        with (self._folder / "boot.log").open("ab") as log:
            self._process = subprocess.Popen(
                ["unshare", "--net", "--mount", "--uts", "--pid", "--fork", "--kill-child", "bash", "-c", _BOOT],  # noqa: S607
                env=variables,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        late = time.monotonic() + STARTS_WITHIN_S
        while not self._init():
            assert self._process.poll() is None, (self._folder / "boot.log").read_text()
            assert time.monotonic() < late, f"{self.name} does not start"
            time.sleep(0.01)
        init = str(self._init())
        link = f"v-{self.name}"
        _ip("link", "add", link, "type", "veth", "peer", "name", "eth0", "netns", init)
        _ip("link", "set", link, "master", BRIDGE, "up")
        for command in (["addr", "add", f"{self.address}/24", "dev", "eth0"], ["link", "set", "eth0", "up"]):
            subprocess.run(["nsenter", "-t", init, "-n", "ip", *command], check=True)  # noqa: S607
        while not Path(f"/proc/{init}/root/run/systemd.sock").exists():
            assert self._process.poll() is None, (self._folder / "boot.log").read_text()
            assert time.monotonic() < late, (self._folder / "boot.log").read_text()
            time.sleep(0.02)

    def _init(self) -> int:
        """The number of its first process; 0 before there is one in namespaces of its own."""
        if self._process is None:
            return 0
        own = Path(f"/proc/{self._process.pid}")
        with suppress(OSError, IndexError):
            child = (own / "task" / own.name / "children").read_text().split()[0]
            if Path(f"/proc/{child}/ns/net").readlink() != Path("/proc/self/ns/net").readlink():
                return int(child)
        return 0

    def kill(self) -> None:
        """Ends it as a loss of power does: nobody is told, and nothing is written any more."""
        if self._process is None:
            return
        with suppress(subprocess.CalledProcessError):
            self.cut()
        init = self._init()
        if init:
            os.kill(init, signal.SIGKILL)
        self._process.wait()
        self._process = None
        with suppress(subprocess.CalledProcessError):
            _ip("link", "del", f"v-{self.name}")

    def cut(self) -> None:
        """Cuts it off from all others."""
        _ip("link", "set", f"v-{self.name}", "down")

    def join(self) -> None:
        """Connects it again."""
        _ip("link", "set", f"v-{self.name}", "up")

    def inside(self, commands: str) -> list[str]:
        """The command that runs these commands there, as root."""
        enter = ["nsenter", "-t", str(self._init()), "-n", "-m", "-u", "-p", "--wd=/", "--"]
        clean = ["env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "LANG=C.UTF-8"]
        return [*enter, *clean, "bash", "-eu", "-c", commands]

    async def run(self, commands: str, within_s: float = 180.0) -> str:
        """Runs commands there as root, and answers what they print. Raises RuntimeError if they fail."""
        process = await asyncio.create_subprocess_exec(
            *self.inside(commands), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        try:
            async with asyncio.timeout(within_s):
                printed, _ = await process.communicate()
        except TimeoutError:
            process.kill()
            raise RuntimeError(f"{self.name}: {process.returncode}: {commands} takes too long") from None
        if process.returncode:
            raise RuntimeError(f"{self.name}: {process.returncode}: {commands}\n{printed.decode()}")
        return printed.decode()

    def processes(self, *words: str) -> Iterator[int]:
        """Its processes whose command line has one of these words."""
        own = Path(f"/proc/{self._init()}/ns/pid").readlink()
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if (process / "ns" / "pid").readlink() == own:
                    line = (process / "cmdline").read_bytes().decode(errors="replace")
                    if any(word in line for word in words):
                        yield int(process.name)

    def signal(self, number: signal.Signals, *words: str) -> None:
        """Sends a signal to its processes whose command line has one of these words."""
        for process in self.processes(*words):
            with suppress(ProcessLookupError):
                os.kill(process, number)


def closed(folder: Path) -> Path | None:
    """The outermost folder above this one that only root may enter; None if there is none."""
    return next((one for one in reversed(folder.parents) if not one.stat().st_mode & 0o005), None)


def cleared(folder: Path, mounts: str) -> None:
    """Removes a folder with what is in it. Raises RuntimeError if anything is mounted there, by the kernel's list.

    What is mounted in a folder belongs to somebody else, and would be deleted with it.
    """
    own = str(folder.resolve())
    inside = [point for line in mounts.splitlines() if (point := line.split()[4]) == own or point.startswith(own + "/")]
    if inside:
        raise RuntimeError(f"{inside} are mounted there; {own} is not removed")
    shutil.rmtree(folder, ignore_errors=True)


def _ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, capture_output=True)  # noqa: S607
