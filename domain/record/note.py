"""Signed notes (C2SP signed-note) with Ed25519 keys, for checkpoints of a log (C2SP tlog-checkpoint) and announcements
of its next key.

A note is a text, an empty line, and a line for each signature. This module writes and parses the bytes; it neither
signs nor checks signatures.
"""

import base64
import binascii
import re
from collections.abc import Iterable
from hashlib import sha256
from typing import Final

from msgspec import Struct

ORIGIN: Final = "codille/log"
"""The first line of a checkpoint, which names the log; also the name of the keys that sign it."""

ANNOUNCEMENT: Final = "codille/key"
"""The first line of a note in which a key announces the next."""

ED25519 = b"\x01"
"""The byte for Ed25519 in keys and signatures."""

PUBLIC_BYTES = 32
ID_BYTES = 4

_SIGNATURE = re.compile(r"— ([^ +\n]+) ([A-Za-z0-9+/=]+)\n")
_CHECKPOINT = re.compile(r"([^\n]+)\n(0|[1-9][0-9]{0,15})\n([^\n]+)\n")


class BadKey(ValueError):
    """The text is not a verifier key."""


class VerifierKey(Struct, frozen=True):
    """A name and an Ed25519 public key (32 bytes), with which signatures are checked."""

    name: str
    public: bytes

    @property
    def id(self) -> bytes:
        """The 4 bytes that name the key in signatures."""
        return sha256(self.name.encode() + b"\n" + ED25519 + self.public).digest()[:ID_BYTES]

    def __str__(self) -> str:
        """`NAME+ID+KEY`, with the id in hex and the key in base64: the form that verifiers take."""
        return f"{self.name}+{self.id.hex()}+{_encoded(ED25519 + self.public)}"


class Signature(Struct, frozen=True):
    """One signature of a note: the key's name and id, and the signature's bytes (64 for an Ed25519 key)."""

    name: str
    id: bytes
    signature: bytes


def parse_key(text: str) -> VerifierKey:
    """The verifier key of this text. Raises BadKey."""
    name, _, rest = text.partition("+")
    key_id, _, encoded = rest.partition("+")
    try:
        material = decode_base64(encoded)
    except ValueError:
        raise BadKey(f"{text!r} is no verifier key: NAME+ID+KEY") from None
    if len(material) != 1 + PUBLIC_BYTES or material[:1] != ED25519 or not re.fullmatch(r"[^ +\n]+", name):
        raise BadKey(f"{text!r} is no verifier key for Ed25519")
    key = VerifierKey(name, material[1:])
    if key_id != key.id.hex():
        raise BadKey(f"{text!r} is no verifier key: its id is not that of its name and key")
    return key


def note(text: str, signatures: Iterable[tuple[VerifierKey, bytes]]) -> str:
    """The note of a text, which must end with a line feed, and its signatures (64 bytes each)."""
    lines = (f"— {key.name} {_encoded(key.id + signature)}\n" for key, signature in signatures)
    return f"{text}\n{''.join(lines)}"


def parse_note(text: str) -> tuple[str, list[Signature]]:
    """The text and the signatures of a note, by keys of any kind. Raises ValueError if it is not a note."""
    signed, blank, rest = text.rpartition("\n\n")
    lines = [line + "\n" for line in rest.split("\n")]
    if not blank or lines.pop() != "\n" or not lines:
        raise ValueError("a text, an empty line and signatures are expected")
    signatures = []
    for line in lines:
        match = _SIGNATURE.fullmatch(line)
        if match is None:
            raise ValueError("a signature line is not well-formed")
        material = decode_base64(match[2])
        if len(material) <= ID_BYTES:
            raise ValueError("a signature line names a key and holds no signature")
        signatures.append(Signature(match[1], material[:ID_BYTES], material[ID_BYTES:]))
    return signed + "\n", signatures


def checkpoint_text(size: int, root: bytes) -> str:
    """The text of a checkpoint: origin, size and root."""
    return f"{ORIGIN}\n{size}\n{_encoded(root)}\n"


def parse_checkpoint(text: str) -> tuple[int, bytes]:
    """The size and the root in a checkpoint, which is a signed note. Raises ValueError if it is not one of this log."""
    match = _CHECKPOINT.fullmatch(text.partition("\n\n")[0] + "\n")
    if match is None or match[1] != ORIGIN:
        raise ValueError(f"it is not three lines, the first of them {ORIGIN}")
    root = decode_base64(match[3])
    if len(root) != sha256().digest_size:
        raise ValueError("the root is not 32 bytes")
    return int(match[2]), root


def announcement_text(key: VerifierKey) -> str:
    """The text of the note in which a key announces the next."""
    return f"{ANNOUNCEMENT}\n{key}\n"


def decode_base64(text: str) -> bytes:
    """The bytes of this base64. Raises ValueError if it is not their canonical form."""
    try:
        value = base64.b64decode(text, validate=True)
    except binascii.Error:
        raise ValueError("this is not base64") from None
    if _encoded(value) != text:
        raise ValueError("this is not base64 in its one form")
    return value


def _encoded(value: bytes) -> str:
    return base64.b64encode(value).decode()
