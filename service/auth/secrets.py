"""The secrets of tokens. The user sees one once; the service keeps its SHA-256."""

import secrets
from collections.abc import Sequence
from hashlib import sha256

import uuid_utils

from service.store.accounts import HashedToken

PREFIX = "codille_"
"""Makes a leaked token recognisable as one."""

SECRET_BYTES = 32


def new_secret() -> str:
    """A new secret, of 32 random bytes."""
    return PREFIX + secrets.token_urlsafe(SECRET_BYTES)


def mint_token(scopes: Sequence[str]) -> tuple[str, HashedToken]:
    """A new token's secret, and what is kept of it, with a new id (UUIDv7)."""
    secret = new_secret()
    return secret, HashedToken(str(uuid_utils.uuid7()), sha256(secret.encode()).digest(), tuple(scopes))
