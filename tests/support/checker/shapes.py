"""Tests of single values, and how they are put together to tell what an event looks like."""

import re
from collections.abc import Callable, Collection, Hashable
from datetime import UTC, datetime, timedelta
from typing import TypeGuard

Test = Callable[[object], bool]

SUITS = "shdc"

HASH = re.compile("[0-9a-f]{64}").fullmatch
UUID = re.compile("[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}").fullmatch
TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T(?!24)[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z").fullmatch
ENTROPY = re.compile("([0-9a-f]{2}){0,64}").fullmatch
ACTOR = re.compile("house|clock|(seat|bot):[0-9]|arbiter:.+").fullmatch


def is_int(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def is_text(value: object) -> bool:
    return isinstance(value, str) and value != ""


def is_seat(value: object) -> bool:
    """That a table has such a seat is asked of whole events, when the number of seats is known."""
    return is_int(value) and 0 <= value <= 9


def is_suit(value: object) -> bool:
    return isinstance(value, str) and len(value) == 1 and value in SUITS


def is_hash(value: object) -> bool:
    return isinstance(value, str) and HASH(value) is not None


def is_uuid(value: object) -> bool:
    return isinstance(value, str) and UUID(value) is not None


def is_time(value: object) -> bool:
    if not isinstance(value, str) or not TIME(value):
        return False
    try:
        datetime.fromisoformat(value)
    except ValueError:
        return False
    return True


def time_of(at: str) -> datetime:
    """The time that an event names, which `is_time`."""
    return datetime.fromisoformat(at)


def time_in(table: str) -> datetime:
    """The time that a table's id holds: milliseconds since 1970. Raises OverflowError beyond the year 9999."""
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=int(table.replace("-", "")[:12], 16))


def is_entropy(value: object) -> bool:
    return isinstance(value, str) and ENTROPY(value) is not None


def is_actor(value: object) -> bool:
    return isinstance(value, str) and ACTOR(value) is not None


def one_of(*values: object) -> Test:
    each = {(type(value), value) for value in values}
    return lambda value: isinstance(value, Hashable) and (type(value), value) in each


def from_to(least: int, most: int) -> Test:
    return lambda value: is_int(value) and least <= value <= most


def or_null(test: Test) -> Test:
    return lambda value: value is None or test(value)


def list_of(test: Test, length: int | None = None) -> Test:
    return lambda value: isinstance(value, list) and length in (None, len(value)) and all(map(test, value))


def record_of(**fields: Test) -> Test:
    return lambda value: (
        isinstance(value, dict)
        and value.keys() == fields.keys()
        and all(test(value[name]) for name, test in fields.items())
    )


def record_with(required: Test, **optional: Test) -> Test:
    """A record that may have these members besides the others."""
    return lambda value: (
        isinstance(value, dict)
        and required({name: part for name, part in value.items() if name not in optional})
        and all(optional[name](part) for name, part in value.items() if name in optional)
    )


def card_of(pack: Collection[str]) -> Test:
    return lambda value: isinstance(value, str) and value in pack


def opening_of(pack: Collection[str], places: int | None = None) -> Test:
    """Of a card at one of so many places; as many as the pack has cards where nothing is said."""
    return record_of(
        position=from_to(0, (len(pack) if places is None else places) - 1), card=card_of(pack), salt=is_hash
    )


is_bool = one_of(True, False)
is_opponent = record_of(level=one_of("random", "quick", "strong"), version=from_to(1, 10**6))
seat_only = record_of(seat=is_seat)
is_line = record_of(
    account=is_text, seat=or_null(is_seat), amount=is_int, kind=is_text, rule=is_text, text=is_text,
    events=list_of(is_int), **{"with": is_text},
)  # fmt: skip
