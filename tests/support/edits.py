"""Altered records, built from intact ones by the edits that `api-spec/README.md` lays out."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from domain.kernel.canonical import canonical
from domain.record.export import Trailer
from domain.record.recorded import GENESIS, Recorded, commitment, rehash
from tests.support.exports import MemoryTransparency, signed_file, transparency_over

Edit = Mapping[str, Any]
Place = Sequence[Any]
"""A line, counted from 1, and the members and indices that lead to a value in it."""

SECRET = "00" * 32
"""The key that signs unless an edit names another one."""


def built(record: bytes, edits: Sequence[Edit]) -> bytes:
    """The record after the edits, one after the other."""
    for edit in edits:
        record = edited(record, edit)
    return record


def edited(record: bytes, edit: Edit) -> bytes:
    """The record after one edit."""
    lines = record.split(b"\n")[:-1]
    match edit:
        case {"set": place, "to": value}:
            _put(lines, place, value)
        case {"remove": [number]}:
            del lines[number - 1]
        case {"remove": [number, *path, last]}:
            line = msgspec.json.decode(lines[number - 1])
            del _at(line, path)[last]
            lines[number - 1] = canonical(line)
        case {"swap": [[one], [other]]}:
            lines[one - 1], lines[other - 1] = lines[other - 1], lines[one - 1]
        case {"swap": [one, other]}:
            values = _value(lines, one), _value(lines, other)
            _put(lines, other, values[0])
            _put(lines, one, values[1])
        case {"rewrite": [number], "from": old, "to": new}:
            lines[number - 1] = lines[number - 1].replace(old.encode(), new.encode(), 1)
        case {"keep": version}:
            lines = [*lines[: version + 1], lines[-1]]
        case {"cut": number}:
            return record[:-number]
        case {"make": parts}:
            for part in parts:
                lines = _made(lines, part, edit.get("by", SECRET))
        case _:
            raise ValueError(edit)
    return _file(lines)


def events(lines: Sequence[bytes]) -> list[Recorded]:
    """The events on these lines, with the sections that are open there."""
    return [
        msgspec.convert(
            line
            | {name: canonical(line[name]) for name in ("public", "seals", "sealed")}
            | {"hash": bytes.fromhex(line["hash"])},
            Recorded,
        )
        for line in map(msgspec.json.decode, lines)
    ]


def _file(lines: Sequence[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)


def _at(value: Any, path: Place) -> Any:
    for step in path:
        value = value[step]
    return value


def _value(lines: Sequence[bytes], place: Place) -> Any:
    number, *path = place
    return _at(msgspec.json.decode(lines[number - 1]), path)


def _put(lines: list[bytes], place: Place, value: Any) -> None:
    number, *path, last = place
    line = msgspec.json.decode(lines[number - 1])
    _at(line, path)[last] = value
    lines[number - 1] = canonical(line)


def _made(lines: list[bytes], part: str, secret: str) -> list[bytes]:
    match part:
        case "seals":
            return [lines[0], *map(_sealed, lines[1:-1]), lines[-1]]
        case "hashes":
            return _hashed(lines)
        case "proofs":
            return [*lines[:-1], _proved(lines, secret)]
        case "signature":
            return _signed(lines, secret)
        case _:
            raise ValueError(part)


def _sealed(line: bytes) -> bytes:
    event = msgspec.json.decode(line)
    for to, section in event["sealed"].items():
        event["seals"][to] = commitment(bytes.fromhex(section["salt"]), canonical(section["data"]))
    return canonical(event)


def _hashed(lines: Sequence[bytes]) -> list[bytes]:
    made, previous = list(lines), GENESIS
    for version, event in enumerate(events(lines[1:-1]), 1):
        previous = rehash(msgspec.structs.replace(event, version=version), previous)
        _put(made, (version + 1, "version"), version)
        _put(made, (version + 1, "hash"), previous.hex())
    _put(made, (1, "head"), previous.hex())
    _put(made, (1, "version"), len(lines) - 2)
    return made


def _proved(lines: Sequence[bytes], secret: str) -> bytes:
    recorded = events(lines[1:-1])
    log = transparency_over(recorded, secret=bytes.fromhex(secret))
    head = asyncio.run(log.sign_checkpoint())
    proofs = asyncio.run(log.inclusions([event.position for event in recorded], head.size))
    nodes = [[node.hex() for node in path] for path in proofs]
    made = {"announcements": [], "checkpoint": head.note, "keys": [log.verifier], "proofs": nodes}
    return canonical(msgspec.json.decode(lines[-1]) | made)


def _signed(lines: Sequence[bytes], secret: str) -> list[bytes]:
    trailer = msgspec.json.decode(lines[-1], type=Trailer)
    log = MemoryTransparency(secret=bytes.fromhex(secret))
    return signed_file(_file(lines[:-1]), trailer, log).split(b"\n")[:-1]
