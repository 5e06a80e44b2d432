"""What is built and not committed: it is made on first use, and again when the code that makes it has changed.

This needs the standard library alone: the builder of a wheel asks before the project's dependencies are installed.
"""

import fcntl
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).parents[1]
BUILT = "built"
"""The folder of what is built, in a specification's folder."""
STAMP = ".stamp"
"""The file in it with the digest of the code that made it. The process that makes the folder locks this file."""


def is_current(specification: Path, registry: str) -> bool:
    """Whether this code made the folder, for the games of this registry."""
    try:
        return (specification / BUILT / STAMP).read_text() == _digest(registry)
    except FileNotFoundError:
        return False


def fits(specification: Path, registry: str) -> bool:
    """Whether the folder can be used as it is: this code made it, or it came with the package, without a stamp."""
    folder = specification / BUILT
    return is_current(specification, registry) or (folder.is_dir() and not (folder / STAMP).exists())


def rebuild(specification: Path, registry: str, make: Callable[[], None], *, always: bool = False) -> None:
    """Makes the folder unless it is current, or `always`. Processes that build at the same time take turns."""
    if not always and is_current(specification, registry):
        # Nothing is opened for writing, which an image may not allow.
        return
    (specification / BUILT).mkdir(parents=True, exist_ok=True)
    with (specification / BUILT / STAMP).open("a") as stamp:
        fcntl.flock(stamp, fcntl.LOCK_EX)
        if always or not is_current(specification, registry):
            # If making is interrupted, the stamp is empty, so the folder is made again.
            stamp.truncate(0)
            make()
            stamp.write(_digest(registry))


def code_digest(*rooms: str, without: str | None = None) -> str:
    """SHA-256 over the code in these folders of the project, without one of their folders."""
    digest = sha256()
    paths = (path for room in rooms for path in (ROOT / room).rglob("*.py"))
    for path in sorted(path for path in paths if without is None or not path.is_relative_to(ROOT / without)):
        digest.update(f"\n{path.relative_to(ROOT)}\n".encode() + path.read_bytes())
    return digest.hexdigest()


def _digest(registry: str) -> str:
    """SHA-256 over the registry's name, the code and the versions of what it uses."""
    lock = ROOT / "uv.lock"
    versions = lock.read_bytes() if lock.is_file() else b""
    code = code_digest("domain", "projections", "service")
    return sha256(f"{registry}\n{code}\n".encode() + versions).hexdigest()
