"""An independent check of an export, written from `api-spec/record.md` (sections 1 to 4, 13 and 14) alone.

It imports only the standard library, and Ed25519.
"""

import base64
import json
import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from tests.support.checker import violations
from tests.support.checker.chance import GENESIS, Envelope, canonical, event_hash, seal, sha256
from tests.support.checker.shapes import is_time, is_uuid, time_in, time_of

HEADER = {"audience", "format", "head", "table", "version"}
TRAILER = {"announcements", "checkpoint", "keys", "proofs", "signature"}
ENVELOPE = {
    "table", "game", "version", "position", "deal", "type", "schema", "at", "actor", "action", "public", "seals",
    "sealed", "hash",
}  # fmt: skip


class Broken(Exception):
    """The file cannot be read any further."""


class Key(NamedTuple):
    """A verifier key."""

    text: str
    name: str
    id: bytes
    public: bytes


def wrong_with(data: bytes, pinned: str) -> list[str]:
    """What is wrong with an export of the log of which this key is known; nothing, if the list is empty.

    Of a game that is finished the rules are checked too.
    """
    try:
        header, events, trailer = parts_of(data)
        keys = [key_of(text) for text in trailer["keys"]]
    except Broken as broken:
        return [str(broken)]
    found = [*header_faults(header, events), *event_faults(events)]
    if not found and any(event["type"] == "game-finished" for event in events):
        found += violations(events)
    found += key_faults(keys, trailer["announcements"], pinned)
    found += tree_faults(trailer, events, keys)
    whole = b"".join(canonical(part) + b"\n" for part in (header, *events, {**trailer, "signature": ""}))
    text = f"codille/export\n{header['table']}\n{base64.b64encode(sha256(whole)).decode()}\n"
    if signed_text(trailer["signature"], keys[-1:], alone=True) != text:
        found.append("the last key has not signed this file")
    return found


def parts_of(data: bytes) -> tuple[dict[str, Any], list[Envelope], dict[str, Any]]:
    """The first line, the events, the last line. Raises Broken."""
    made = re.sub(rb"\A\xef\xbb\xbf|\r(?=\n)|[\r\n]+\Z", b"", data)
    lines = made.split(b"\n")
    try:
        header, *events, trailer = [json.loads(line) for line in lines]
    except ValueError as error:
        raise Broken(f"no lines of JSON: {error}") from error
    if [canonical(value) for value in (header, *events, trailer)] != lines:
        raise Broken("a line is not canonical")
    for value, members in ((header, HEADER), *((event, ENVELOPE) for event in events), (trailer, TRAILER)):
        if value.keys() != members:
            raise Broken(f"a line has the members {sorted(value)}")
    if header["format"] != "codille-export-v2":
        raise Broken("another format")
    return header, events, trailer


def header_faults(header: dict[str, Any], events: Sequence[Envelope]) -> Iterator[str]:
    end = events[-1]
    if (header["table"], header["version"], header["head"]) != (end["table"], end["version"], end["hash"]):
        yield "the first line is not about the last event"


def event_faults(events: Sequence[Envelope]) -> Iterator[str]:
    """What is wrong with chain, order, times and seals."""
    previous, time = GENESIS, time_in(events[0]["table"])
    for place, event in enumerate(events, 1):
        if event["version"] != place or event["hash"] != event_hash(event, previous):
            yield f"event {place} is not the next of the chain"
        if not is_uuid(event["action"]):
            yield f"event {place} has no action"
        if not is_time(event["at"]) or time_of(event["at"]) < time:
            yield f"event {place} cannot be at {event['at']}"
        else:
            time = time_of(event["at"])
        if any(event["seals"].get(audience) != seal(section) for audience, section in event["sealed"].items()):
            yield f"event {place} does not fit its seals"
        previous = event["hash"]
    if any(after["position"] <= before["position"] for before, after in pairwise(events)):
        yield "positions do not rise"


def key_of(text: str) -> Key:
    """The key in `NAME+HASH+BASE64`. Raises Broken."""
    match = re.fullmatch(r"([^+ \n]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+=*)", text)
    material = base64.b64decode(match[3]) if match else b""
    if match is None or len(material) != 33 or material[:1] != b"\x01":
        raise Broken(f"{text} is no key")
    id_ = sha256(match[1].encode() + b"\n" + material)[:4]
    if id_.hex() != match[2]:
        raise Broken(f"{text} has another id")
    return Key(text, match[1], id_, material[1:])


def key_faults(keys: Sequence[Key], announcements: Sequence[str], pinned: str) -> Iterator[str]:
    """What is wrong with the keys: each announces the next, and one of them is known."""
    if pinned not in [key.text for key in keys]:
        yield "no key is the log's"
    texts = [signed_text(note, [before]) for note, before in zip(announcements, keys, strict=False)]
    if texts != [f"codille/key\n{after.text}\n" for after in keys[1:]] or len(announcements) != len(keys) - 1:
        yield "a key is not announced by the one before it"


def signed_text(note: str, keys: Collection[Key], *, alone: bool = False) -> str | None:
    """The text of a note that one of these keys has signed; None where none has, or one has falsely.

    Lines of other keys are ignored, or, if one of these is to sign `alone`, are not to be there.
    """
    text, _, lines = note.rpartition("\n\n")
    text += "\n"
    by = {(key.name, key.id): key for key in keys}
    signed = False
    for line in lines.splitlines():
        dash, name, encoded = line.split(" ")
        material = base64.b64decode(encoded)
        key = by.get((name, material[:4]))
        if dash != "—" or (key is None and alone):
            return None
        if key is None:
            continue
        try:
            Ed25519PublicKey.from_public_bytes(key.public).verify(material[4:], text.encode())
        except InvalidSignature:
            return None
        signed = True
    return text if signed else None


def tree_faults(trailer: dict[str, Any], events: Sequence[Envelope], keys: Sequence[Key]) -> Iterator[str]:
    """What is wrong with the checkpoint, and with the events' places in its tree."""
    text = signed_text(trailer["checkpoint"], keys)
    if text is None:
        yield "no key of the log has signed the checkpoint"
        return
    origin, size, root = text.splitlines()
    if origin != "codille/log":
        yield "the checkpoint is another log's"
    if len(trailer["proofs"]) != len(events):
        yield "there are not as many proofs as events"
    for event, proof in zip(events, trailer["proofs"], strict=False):
        path = [bytes.fromhex(node) for node in proof]
        if root_over(bytes.fromhex(event["hash"]), event["position"] - 1, int(size), path) != base64.b64decode(root):
            yield f"event {event['version']} is not in the tree"


def root_over(leaf: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes | None:
    """The root that this path leads to (RFC 9162, section 2.1.3.2); None where it has another length."""
    if not 0 <= index < size:
        return None
    node, last = sha256(b"\x00" + leaf), size - 1
    for sibling in path:
        if last == 0:
            return None
        if index % 2 or index == last:
            node = sha256(b"\x01" + sibling + node)
            while index % 2 == 0 and index != 0:
                index, last = index >> 1, last >> 1
        else:
            node = sha256(b"\x01" + node + sibling)
        index, last = index >> 1, last >> 1
    return node if last == 0 else None
