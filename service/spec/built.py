"""What is built and not committed: made on first use, and anew once the code that makes it is another.

This needs the standard library alone, so that a package's builder may ask before the project's dependencies are there.
"""

import fcntl
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).parents[2]
BUILT = "built"
"""The folder of what is built, in a specification's folder."""
STAMP = ".stamp"
"""The file in it that says of which code it was made, and is locked by the process that makes it."""


def is_current(specification: Path, registry: str) -> bool:
    """Whether the folder was made by this code, of the games of this registry."""
    try:
        return (specification / BUILT / STAMP).read_text() == _digest(registry)
    except FileNotFoundError:
        return False


def rebuild(specification: Path, registry: str, make: Callable[[], None], *, always: bool = False) -> None:
    """Makes the folder unless it is current, or `always`. Processes that build at the same time take turns."""
    (specification / BUILT).mkdir(parents=True, exist_ok=True)
    with (specification / BUILT / STAMP).open("a") as stamp:
        fcntl.flock(stamp, fcntl.LOCK_EX)
        if always or not is_current(specification, registry):
            # A folder that is made in part has an empty stamp, and is made again.
            stamp.truncate(0)
            make()
            stamp.write(_digest(registry))


def _digest(registry: str) -> str:
    """SHA-256 over the registry's name and all that decides what is built."""
    code = sorted(path for room in ("domain", "projections", "service") for path in (ROOT / room).rglob("*.py"))
    digest = sha256(registry.encode())
    for path in (ROOT / "uv.lock", *code):
        if path.is_file():
            digest.update(f"\n{path.relative_to(ROOT)}\n".encode() + path.read_bytes())
    return digest.hexdigest()
