"""Verifies exports with games, their schemas, and the Ed25519 of this installation."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from domain.audit.verification import Verification, verify
from domain.kernel.game import Game
from domain.record.history import Reader
from service.describe.conforming import conforming
from service.transparency.keys import ed25519


def verify_file(path: Path, games: Mapping[str, Game], keys: Sequence[str] = ()) -> Verification:
    """Checks the export in the file. Raises OSError if it cannot be read, and BadKey if a key is malformed."""
    return verify(path.read_bytes(), Reader(games), ed25519, conforming(games), keys)
