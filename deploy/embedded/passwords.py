"""The passwords of the embedded servers, made at the first start and kept in files that only their owner can read."""

import os
import secrets
from contextlib import suppress
from pathlib import Path

from deploy.embedded.errors import EmbeddedError

BYTES = 32


def kept(data_dir: Path, name: str) -> bool:
    """Whether the password of this name exists."""
    return _file(data_dir, name).exists()


def password(data_dir: Path, name: str) -> str:
    """The password of this name. Raises EmbeddedError if it cannot be read."""
    path = _file(data_dir, name)
    try:
        return path.read_text().strip()
    except OSError as error:
        raise EmbeddedError(f"the password in {path.absolute()} cannot be read: {error.strerror}") from error


def made_password(data_dir: Path, name: str) -> str:
    """The password of this name, made if it does not exist. Raises EmbeddedError if it cannot be stored."""
    path = _file(data_dir, name)
    making = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    try:
        if not path.exists():
            descriptor = os.open(making, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "w") as file:
                file.write(secrets.token_urlsafe(BYTES) + "\n")
                file.flush()
                os.fsync(file.fileno())
            making.rename(path)
    except OSError as error:
        with suppress(OSError):
            making.unlink(missing_ok=True)
        raise EmbeddedError(f"the password in {path.absolute()} cannot be kept: {error.strerror}") from error
    return password(data_dir, name)


def _file(data_dir: Path, name: str) -> Path:
    return data_dir / f"{name}.password"
