"""Clocks of services that can be set, by Debian's libfaketime. How long things take is measured as before."""

from collections.abc import Mapping
from pathlib import Path

FOLDERS = (Path(".tools/usr/lib"), Path("/usr/lib"))


def library() -> Path | None:
    """The library that stands between processes and their clock; None where it is not installed."""
    found = [path for folder in FOLDERS for path in folder.glob("*/faketime/libfaketimeMT.so.1")]
    return found[0].absolute() if found else None


def sweep() -> None:
    """Removes what the library keeps in memory for processes that were killed."""
    for file in Path("/dev/shm").glob("*faketime_s*_*"):  # noqa: S108 (of that library)
        if not Path(f"/proc/{file.name.rpartition('_')[2]}").exists():
            file.unlink(missing_ok=True)


class Clock:
    """The clock of all processes of a service, which it has from its environment. It is right at first."""

    def __init__(self, library: Path, file: Path) -> None:
        self._file = file
        self.environment: Mapping[str, str] = {
            "LD_PRELOAD": str(library),
            "FAKETIME_TIMESTAMP_FILE": str(file),
            "FAKETIME_CACHE_DURATION": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "DONT_FAKE_MONOTONIC": "1",
            # Else a thread that waits for another one asks again and again whether its time is up.
            "FAKETIME_FORCE_MONOTONIC_FIX": "0",
        }
        self.set(0.0)

    def set(self, ahead_s: float) -> None:
        """Sets it so many seconds ahead, or behind if negative. Processes notice within a second."""
        written = self._file.with_suffix(".new")
        written.write_text(f"{ahead_s:+.3f}")
        written.rename(self._file)
