"""The secrets of tokens. They are shown once; what is kept is their SHA-256."""

import re
import secrets
from collections.abc import Sequence
from hashlib import sha256

import uuid_utils

from service.store.accounts import HashedToken

PREFIX = "codille_"
"""So that a leaked token is recognised as one."""

SECRET_BYTES = 32

_SHAPE = re.compile(rf"{PREFIX}[A-Za-z0-9_-]{{43}}")


def new_secret() -> str:
    """A new token, of 32 random bytes."""
    return PREFIX + secrets.token_urlsafe(SECRET_BYTES)


def minted(scopes: Sequence[str]) -> tuple[str, HashedToken]:
    """A new token, and what is kept of it."""
    secret = new_secret()
    return secret, HashedToken(str(uuid_utils.uuid7()), sha256(secret.encode()).digest(), tuple(scopes))


def digest(secret: str) -> bytes | None:
    """What the token is kept as; None where the text cannot be a token."""
    return sha256(secret.encode()).digest() if _SHAPE.fullmatch(secret) else None
