"""Where the service that runs on a data directory can be reached, for the programs beside it."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from service.config import Settings

NAME = "service.json"


@contextmanager
def announced(data_dir: Path, url: str) -> Iterator[None]:
    """Meanwhile tells other programs the service's URL, and the process id to stop it by.

    A convenience: where it cannot be written, as in a container without a disk, they have to be told the URL.
    """
    path = data_dir / NAME
    content = json.dumps({"url": url, "pid": os.getpid()}) + "\n"
    making = path.with_suffix(f".{os.getpid()}")
    with suppress(OSError):
        data_dir.mkdir(parents=True, exist_ok=True)
        making.write_text(content)
        making.replace(path)
    try:
        yield
    finally:
        with suppress(OSError):
            if path.read_text() == content:
                path.unlink()


def url_of(settings: Settings) -> str:
    """Where the service with these settings is: as announced, or else where it would listen."""
    with suppress(OSError, ValueError, KeyError):
        told = json.loads((settings.data_dir / NAME).read_text())
        # One that was killed could not take back what it said.
        if Path(f"/proc/{int(told['pid'])}").exists() or not Path("/proc/self").exists():
            return str(told["url"])
    return f"http://127.0.0.1:{settings.port or 8000}"
