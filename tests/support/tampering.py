"""Alterations of exports: of bytes, of lines, of every kind of value in a line."""

import random
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from domain.kernel.canonical import canonical

Alteration = Callable[[bytes, random.Random], bytes]
"""Makes another file of an export; it may by chance be the same."""


def flipped(data: bytes, rng: random.Random) -> bytes:
    """One bit is another."""
    place = rng.randrange(len(data))
    return data[:place] + bytes([data[place] ^ 1 << rng.randrange(8)]) + data[place + 1 :]


def byte_dropped(data: bytes, rng: random.Random) -> bytes:
    """One byte is missing."""
    place = rng.randrange(len(data))
    return data[:place] + data[place + 1 :]


def byte_added(data: bytes, rng: random.Random) -> bytes:
    """One byte is too many."""
    place = rng.randrange(len(data) + 1)
    return data[:place] + bytes([rng.choice(b'0a" \n\r,{}[]\0\xff')]) + data[place:]


def bytes_swapped(data: bytes, rng: random.Random) -> bytes:
    """Two neighbours have changed places."""
    place = rng.randrange(len(data) - 1)
    return data[:place] + data[place : place + 2][::-1] + data[place + 2 :]


def truncated(data: bytes, rng: random.Random) -> bytes:
    """The end is missing."""
    return data[: rng.randrange(len(data))]


def truncated_at_line(data: bytes, rng: random.Random) -> bytes:
    """The last lines are missing."""
    lines = data.splitlines(keepends=True)
    return b"".join(lines[: rng.randrange(len(lines))])


def line_dropped(data: bytes, rng: random.Random) -> bytes:
    """A line is missing."""
    lines = data.splitlines(keepends=True)
    del lines[rng.randrange(len(lines))]
    return b"".join(lines)


def line_repeated(data: bytes, rng: random.Random) -> bytes:
    """A line stands there twice, the second time anywhere."""
    lines = data.splitlines(keepends=True)
    lines.insert(rng.randrange(len(lines) + 1), rng.choice(lines))
    return b"".join(lines)


def line_added(data: bytes, rng: random.Random) -> bytes:
    """A line is too many."""
    lines = data.splitlines(keepends=True)
    lines.insert(rng.randrange(len(lines) + 1), rng.choice([b"\n", b"{}\n", b"null\n", b"[]\n", b"0\n", b"\xff\n"]))
    return b"".join(lines)


def lines_swapped(data: bytes, rng: random.Random) -> bytes:
    """Two lines have changed places."""
    lines = data.splitlines(keepends=True)
    one, other = rng.sample(range(len(lines)), 2)
    lines[one], lines[other] = lines[other], lines[one]
    return b"".join(lines)


def respelled(data: bytes, rng: random.Random) -> bytes:
    """A line says the same in other bytes."""
    lines = data.splitlines(keepends=True)
    place = rng.randrange(len(lines))
    value = msgspec.json.decode(lines[place])
    spelling = rng.choice([
        lambda: msgspec.json.encode(dict(reversed(value.items()))),
        lambda: msgspec.json.format(lines[place].strip(), indent=1).replace(b"\n", b""),
        lambda: lines[place].rstrip(b"\n") + b"\r",
        lambda: lines[place].strip().replace(b'"table"', b'"t\\u0061ble"'),
        lambda: lines[place].strip()[:-1] + b"," + lines[place].strip()[1:],
    ])  # fmt: skip
    lines[place] = spelling() + b"\n"
    return b"".join(lines)


def value_changed(data: bytes, rng: random.Random) -> bytes:
    """A value in a line is another one of its kind, the line canonical all the same."""
    lines = data.splitlines(keepends=True)
    place = rng.randrange(len(lines))
    value = msgspec.json.decode(lines[place])
    lines[place] = canonical(changed(value, rng)) + b"\n"
    return b"".join(lines)


def values_swapped(data: bytes, rng: random.Random) -> bytes:
    """Two events have changed one of their members."""
    lines = data.splitlines(keepends=True)
    one, other = rng.sample(range(1, len(lines) - 1), 2)
    first, second = msgspec.json.decode(lines[one]), msgspec.json.decode(lines[other])
    name = rng.choice(sorted(first))
    first[name], second[name] = second[name], first[name]
    lines[one], lines[other] = canonical(first) + b"\n", canonical(second) + b"\n"
    return b"".join(lines)


def changed(value: Any, rng: random.Random) -> Any:
    """The value with one thing in it changed, anywhere; every kind of value has its ways."""
    match value:
        case dict() if value and rng.random() < 0.9:
            key = rng.choice(sorted(value))
            return value | {key: changed(value[key], rng)}
        case dict():
            return _member(value, rng)
        case list() if value and rng.random() < 0.7:
            place = rng.randrange(len(value))
            return [*value[:place], changed(value[place], rng), *value[place + 1 :]]
        case list():
            return _listed(value, rng)
        case bool():
            return not value
        case int():
            return rng.choice([value + 1, value - 1, -value, 0, 10**15, 10**18, None, str(value)])
        case str():
            return _text(value, rng)
        case _:
            return rng.choice([0, "", [], {}, False])


def _member(value: Mapping[str, Any], rng: random.Random) -> dict[str, Any]:
    changed = dict(value)
    if changed and rng.random() < 0.5:
        del changed[rng.choice(sorted(changed))]
    else:
        changed[rng.choice(["zz", "seat:1", "house", "public", ""])] = rng.choice([None, 0, {}, "00" * 32])
    return changed


def _listed(value: list[Any], rng: random.Random) -> list[Any]:
    changed = list(value)
    match rng.randrange(3) if changed else 2:
        case 0:
            del changed[rng.randrange(len(changed))]
        case 1:
            rng.shuffle(changed)
        case _:
            changed.append(rng.choice([*value, 0, "00" * 32, {}]))
    return changed


def _text(value: str, rng: random.Random) -> Any:
    if not value:
        return "0"
    place = rng.randrange(len(value))
    return rng.choice([
        value[:place] + rng.choice("0123456789abcdefKhs:-ZÆ\n") + value[place + 1 :],
        value[:place] + value[place + 1 :],
        value + rng.choice("0a \n"),
        value.upper(),
        value.replace("s", "h"),
        value[::-1],
        None,
        0,
    ])  # fmt: skip


ALTERATIONS: tuple[Alteration, ...] = (
    flipped,
    byte_dropped,
    byte_added,
    bytes_swapped,
    truncated,
    truncated_at_line,
    line_dropped,
    line_repeated,
    line_added,
    lines_swapped,
    respelled,
    value_changed,
    values_swapped,
)
