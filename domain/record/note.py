"""Signed notes (C2SP signed-note) with Ed25519 keys, and the heads of a log told in them (C2SP tlog-checkpoint).

A note is a text, an empty line, and a line for each signature. Signing and checking signatures is for who has a
library for it; here is what the bytes are.
"""

import base64
import binascii
import re
from collections.abc import Iterable
from hashlib import sha256
from typing import Final

from msgspec import Struct

ORIGIN: Final = "codille/log"
"""The first line of a checkpoint: which log it is of; and the name of the keys that sign it."""

ED25519 = b"\x01"
"""The kind of key and signature."""

PUBLIC_BYTES = 32
SIGNATURE_BYTES = 64
ID_BYTES = 4

_SIGNATURE = re.compile(r"— ([^ +\n]+) ([A-Za-z0-9+/=]+)\n")
_HEAD = re.compile(r"([^\n]+)\n(0|[1-9][0-9]{0,15})\n([^\n]+)\n")


class BadKey(ValueError):
    """This is no verifier key."""


class VerifierKey(Struct, frozen=True):
    """A name and an Ed25519 public key (32 bytes), by which a signature is checked."""

    name: str
    public: bytes

    @property
    def id(self) -> bytes:
        """What names the key in signatures: 4 bytes."""
        return sha256(self.name.encode() + b"\n" + ED25519 + self.public).digest()[:ID_BYTES]

    def __str__(self) -> str:
        """As it is handed to those who verify: `NAME+ID+KEY`, the id in hex, the key in base64."""
        return f"{self.name}+{self.id.hex()}+{_encoded(ED25519 + self.public)}"


class Signature(Struct, frozen=True):
    """One signature of a note."""

    name: str
    id: bytes
    signature: bytes


def parse_key(text: str) -> VerifierKey:
    """The verifier key that the text is. Raises BadKey."""
    name, _, rest = text.partition("+")
    told, _, encoded = rest.partition("+")
    try:
        material = decode_base64(encoded)
    except ValueError:
        raise BadKey(f"{text!r} is no verifier key: NAME+ID+KEY") from None
    if len(material) != 1 + PUBLIC_BYTES or material[:1] != ED25519 or not re.fullmatch(r"[^ +\n]+", name):
        raise BadKey(f"{text!r} is no verifier key for Ed25519")
    key = VerifierKey(name, material[1:])
    if told != key.id.hex():
        raise BadKey(f"{text!r} is no verifier key: its id is not that of its name and key")
    return key


def note(text: str, signatures: Iterable[tuple[VerifierKey, bytes]]) -> str:
    """The note of a text, which ends with a line's end, and its signatures (64 bytes each)."""
    lines = (f"— {key.name} {_encoded(key.id + signature)}\n" for key, signature in signatures)
    return f"{text}\n{''.join(lines)}"


def parse_note(text: str) -> tuple[str, list[Signature]]:
    """A note's text, and its signatures. Raises ValueError."""
    signed, blank, rest = text.rpartition("\n\n")
    lines = [line + "\n" for line in rest.split("\n")]
    if not blank or lines.pop() != "\n" or not lines:
        raise ValueError("a text, an empty line and signatures are expected")
    signatures = []
    for line in lines:
        found = _SIGNATURE.fullmatch(line)
        if found is None:
            raise ValueError("a signature line is not well-formed")
        material = decode_base64(found[2])
        if len(material) != ID_BYTES + SIGNATURE_BYTES:
            raise ValueError("a signature is not 64 bytes after the key's 4")
        signatures.append(Signature(found[1], material[:ID_BYTES], material[ID_BYTES:]))
    if len({(signature.name, signature.id) for signature in signatures}) != len(signatures):
        raise ValueError("a signature stands there twice")
    return signed + "\n", signatures


def checkpoint_text(size: int, root: bytes) -> str:
    """The text that tells of a tree's size and root."""
    return f"{ORIGIN}\n{size}\n{_encoded(root)}\n"


def parse_checkpoint(text: str) -> tuple[int, bytes]:
    """The size and the root that a checkpoint, a signed note, tells. Raises ValueError."""
    found = _HEAD.fullmatch(text.partition("\n\n")[0] + "\n")
    if found is None or found[1] != ORIGIN:
        raise ValueError(f"it is not three lines, the first of them {ORIGIN}")
    root = decode_base64(found[3])
    if len(root) != sha256().digest_size:
        raise ValueError("the root is not 32 bytes")
    return int(found[2]), root


def decode_base64(text: str) -> bytes:
    """What the base64 stands for, which has only this one spelling. Raises ValueError."""
    try:
        value = base64.b64decode(text, validate=True)
    except binascii.Error:
        raise ValueError("this is not base64") from None
    if _encoded(value) != text:
        raise ValueError("this is not base64 in its one form")
    return value


def _encoded(value: bytes) -> str:
    return base64.b64encode(value).decode()
