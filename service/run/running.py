"""The URL of the service running on a data directory, for other programs on the same machine."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from service.config import Settings

NAME = "service.json"


@contextmanager
def announced(data_dir: Path, url: str, metrics_url: str) -> Iterator[None]:
    """Within the context, a file in the data directory has the service's URL, the URL of its metrics and its process
    id.

    This is a convenience: if it cannot be written, as in a container without a disk, users pass the URL themselves.
    """
    path = data_dir / NAME
    content = json.dumps({"url": url, "metrics": metrics_url, "pid": os.getpid()}) + "\n"
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
    """The URL of the service with these settings: as announced, or otherwise where it would listen."""
    with suppress(OSError, ValueError, KeyError):
        announcement = json.loads((settings.data_dir / NAME).read_text())
        # A killed service leaves its announcement behind.
        if Path(f"/proc/{int(announcement['pid'])}").exists() or not Path("/proc/self").exists():
            return str(announcement["url"])
    return f"http://127.0.0.1:{settings.port or 8000}"
