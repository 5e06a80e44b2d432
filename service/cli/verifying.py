"""Verifying an export with the games and the Ed25519 of this installation."""

from collections.abc import Sequence
from pathlib import Path

from domain.audit.verification import Verification, verify
from domain.record.history import Reader
from domain.registry import GAMES
from service.transparency.keys import ed25519


def verify_file(path: Path, keys: Sequence[str] = ()) -> Verification:
    """Checks the export in the file. Raises OSError when it cannot be read, and BadKey when one of the keys is none."""
    return verify(path.read_bytes(), Reader(GAMES), ed25519, keys)
