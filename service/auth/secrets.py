"""Secrets of tokens, and those that recover a player. The user sees a secret once; the service keeps its SHA-256."""

import secrets
from collections.abc import Sequence
from datetime import datetime
from hashlib import scrypt, sha256

import uuid_utils

from service.store.accounts import HashedToken

PREFIX = "codille_"
"""Makes a leaked token recognisable."""

RECOVERY_PREFIX = "codille_recovery_"
"""Makes a recovery secret recognisable, which is not a token."""

INVITATION_PREFIX = "codille_invitation_"
"""Makes an invitation to a table recognisable."""

AUTHORIZATION_PREFIX = "codille_code_"
"""Makes an authorization code recognisable, which a client exchanges for a token."""

SECRET_BYTES = 32

CODE_ALPHABET = "346789ACDEFHJKMNPQRTVWXY"
"""The characters of a handover's code. No two look alike: 0, O, 1, I, L, 2, Z, 5, S, B, G and U are none."""

CODE_LENGTH = 8

CODE_NAME = 3
"""How many of the code's characters name the handover. The others are its secret: one of 8 million."""


def new_secret(prefix: str = PREFIX) -> str:
    """A new secret of 32 random bytes, by default a token's."""
    return prefix + secrets.token_urlsafe(SECRET_BYTES)


def hashed(secret: str) -> bytes:
    """The hash to store for a secret. A secret has 256 random bits, so a slow hash would add nothing."""
    return sha256(secret.encode()).digest()


def mint_token(
    scopes: Sequence[str], name: str | None = None, expires_at: datetime | None = None
) -> tuple[str, HashedToken]:
    """A new token's secret, and its record to store, with a new id (UUIDv7)."""
    secret = new_secret()
    return secret, HashedToken(str(uuid_utils.uuid7()), hashed(secret), tuple(scopes), name, expires_at)


def mint_secret(prefix: str) -> tuple[str, bytes]:
    """A new secret with this prefix, and its hash to store."""
    secret = new_secret(prefix)
    return secret, hashed(secret)


def mint_code() -> str:
    """A new code of a handover."""
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))


def code_name(code: str) -> str:
    """The part of a code that names its handover."""
    return code[:CODE_NAME]


def stretched(code: str) -> bytes:
    """The slow hash of a code: from the SHA-256 of a fast one, the code would be found at once.

    It takes about 50 ms, and lets other threads run. `compute/slow_hashes.py` bounds how many wait for it.
    """
    return scrypt(code.encode(), salt=b"codille handover " + code_name(code).encode(), n=2**14, r=8, p=1, dklen=32)
