"""The key that signs checkpoints: from the settings, or made at the first start and kept beside the data."""

import hmac
import os
import secrets
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from domain.record.note import ORIGIN, VerifierKey, announcement_text, note

SECRET_BYTES = 32
FILE = "signing.key"
"""In the data directory: the private key as 64 hexadecimal digits."""


class NoKey(Exception):
    """There is no key to sign with, or it is not the current one. The message says what to do."""


class SigningKey:
    """An Ed25519 private key under the log's name."""

    def __init__(self, secret: bytes) -> None:
        self._private = Ed25519PrivateKey.from_private_bytes(secret)
        self.verifier = VerifierKey(ORIGIN, self._private.public_key().public_bytes_raw())

    def sign(self, text: str) -> str:
        """A signed note over the text, which must end with a newline."""
        return note(text, [(self.verifier, self._private.sign(text.encode()))])


class Keyring:
    """The source of this process's key: the settings' `secret`, or otherwise a file in the directory.

    With `make`, a missing file is made when the key is first needed. The file is read each time, so a rotation needs no
    restart.
    """

    def __init__(self, secret: bytes | None, directory: Path, *, make: bool) -> None:
        self._secret = secret
        self._path = directory / FILE
        self._make = make

    @property
    def configured(self) -> bool:
        """Whether the key comes from the settings."""
        return self._secret is not None

    def key(self) -> SigningKey:
        """The signing key. Raises NoKey if there is none, or if the file does not have one."""
        return SigningKey(self._read() if self._secret is None else self._secret)

    def derived(self, label: str) -> bytes:
        """32 secret bytes that follow from the key and the label, and tell nothing of the key. Raises NoKey."""
        return hmac.digest(self._read() if self._secret is None else self._secret, label.encode(), "sha256")

    def replace(self, secret: bytes) -> None:
        """Stores another key in the file. Raises NoKey if the file cannot be written."""
        making = self._path.with_name(f"{FILE}.{secrets.token_hex(4)}")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            _write(making, secret)
            making.replace(self._path)
        except OSError as error:
            raise NoKey(f"the signing key cannot be kept in {self._path}: {error.strerror}") from error

    def _read(self) -> bytes:
        try:
            try:
                content = self._path.read_bytes()
            except FileNotFoundError:
                if not self._make:
                    raise
                content = self._made()
        except OSError as error:
            raise NoKey(
                f"there is no signing key: CODILLE_SIGNING_KEY is not set, and {self._path}: {error.strerror}"
            ) from error
        try:
            secret = bytes.fromhex(content.decode("utf-8-sig"))
        except ValueError:
            secret = b""
        if len(secret) != SECRET_BYTES:
            raise NoKey(f"{self._path} does not hold a signing key, which is {2 * SECRET_BYTES} hexadecimal digits")
        return secret

    def _made(self) -> bytes:
        """The content of a new file, or of one that another process has made at the same time."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        making = self._path.with_name(f"{FILE}.{secrets.token_hex(4)}")
        _write(making, secrets.token_bytes(SECRET_BYTES))
        try:
            # Unlike a rename, a link never replaces a file.
            os.link(making, self._path)
        except FileExistsError:
            pass
        finally:
            making.unlink()
        return self._path.read_bytes()


def new_secret() -> bytes:
    """A new private key: 32 random bytes."""
    return secrets.token_bytes(SECRET_BYTES)


def announcement(old: SigningKey, new: VerifierKey) -> str:
    """The note with which `old` announces the key that signs after it."""
    return old.sign(announcement_text(new))


def ed25519(public: bytes, signature: bytes, message: bytes) -> bool:
    """Whether the 64 bytes of `signature` are a signature of this message by the key with the 32 bytes `public`."""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def _write(path: Path, secret: bytes) -> None:
    """Writes a key that only this user can read, as durably as what it will sign."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(secret.hex() + "\n")
        file.flush()
        os.fsync(file.fileno())
