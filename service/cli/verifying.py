"""Verifying an export on one's own machine: the file, the games that are known here, and Ed25519."""

from collections.abc import Sequence
from pathlib import Path

from domain.audit.verification import Verification, verify
from domain.record.history import Reader
from domain.registry import GAMES
from service.transparency.keys import ed25519


def verify_file(path: Path, keys: Sequence[str] = ()) -> Verification:
    """Checks the export in this file. Raises OSError where it cannot be read, and BadKey."""
    return verify(path.read_bytes(), Reader(GAMES), ed25519, keys)
