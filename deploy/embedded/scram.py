"""Postgres' stored form of a password (RFC 5803), which sets the password without sending it."""

import hmac
import secrets
from base64 import b64encode
from hashlib import pbkdf2_hmac, sha256

ITERATIONS = 4096
SALT_BYTES = 16


def scram_verifier(password: str, iterations: int = ITERATIONS, salt: bytes | None = None) -> str:
    """The SCRAM-SHA-256 verifier of a password, under a new salt unless one is given.

    Raises ValueError for a password with anything but printable ASCII characters, which would have to be normalised.
    """
    if not (password.isascii() and password.isprintable()):
        raise ValueError("a password for a new role must have printable ASCII characters alone")
    salt = salt or secrets.token_bytes(SALT_BYTES)
    salted = pbkdf2_hmac("sha256", password.encode(), salt, iterations)
    stored_key = sha256(hmac.digest(salted, b"Client Key", "sha256")).digest()
    server_key = hmac.digest(salted, b"Server Key", "sha256")
    salt_, stored, server = (b64encode(part).decode() for part in (salt, stored_key, server_key))
    return f"SCRAM-SHA-256${iterations}:{salt_}${stored}:{server}"
