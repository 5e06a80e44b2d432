"""The chance of bots. It follows from a secret of the service: nobody can foresee it, and the service can repeat it."""

import hmac
import secrets
from random import Random

from domain.picking import Chance
from domain.seats import Seat

LABEL = "codille-bots"
"""The label under which the secret of bots is derived from the signing key."""


def new_secret() -> bytes:
    """A new secret of bots, where none is set: 32 random bytes."""
    return secrets.token_bytes(32)


def chance_of(secret: bytes, table: str, seat: Seat, version: int) -> Chance:
    """The chance with which a bot chooses the seat's act at this version of the table."""
    seed = hmac.digest(secret, f"{table}\n{seat}\n{version}".encode(), "sha256")
    return Random(seed).randrange  # noqa: S311 (its seed is secret, and an act tells next to nothing of it)
