"""The secrets of tokens, and those that recover a player. The user sees one once; the service keeps its SHA-256."""

import secrets
from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256

import uuid_utils

from service.store.accounts import HashedToken

PREFIX = "codille_"
"""Makes a leaked token recognisable as one."""

RECOVERY_PREFIX = "codille_recovery_"
"""The same of a recovery secret, which is no token."""

INVITATION_PREFIX = "codille_invitation_"
"""The same of an invitation to a table."""

SECRET_BYTES = 32


def new_secret() -> str:
    """A new secret, of 32 random bytes."""
    return PREFIX + secrets.token_urlsafe(SECRET_BYTES)


def hashed(secret: str) -> bytes:
    """What is kept of a secret. It has 256 random bits, so nothing is gained by hashing slowly."""
    return sha256(secret.encode()).digest()


def mint_token(
    scopes: Sequence[str], name: str | None = None, expires_at: datetime | None = None
) -> tuple[str, HashedToken]:
    """A new token's secret, and what is kept of it, with a new id (UUIDv7)."""
    secret = new_secret()
    return secret, HashedToken(str(uuid_utils.uuid7()), hashed(secret), tuple(scopes), name, expires_at)


def mint_invitation() -> tuple[str, bytes]:
    """A new invitation to a table, and what is kept of it."""
    invitation = INVITATION_PREFIX + secrets.token_urlsafe(SECRET_BYTES)
    return invitation, hashed(invitation)


def mint_recovery() -> tuple[str, bytes]:
    """A new recovery secret, and what is kept of it."""
    secret = RECOVERY_PREFIX + secrets.token_urlsafe(SECRET_BYTES)
    return secret, hashed(secret)
