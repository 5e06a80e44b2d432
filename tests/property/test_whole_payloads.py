"""The audit compares whole events: of every game's every event type each field, open and sealed, is changed in turn.

All seals and hashes are made anew to fit, so that only the rules can tell.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import islice
from typing import Any

import msgspec
import pytest
from msgspec import Struct
from msgspec import inspect as types

from domain.audit.auditor import audit
from domain.audit.findings import TEXTS
from domain.kernel.event import Payload, kind_of
from domain.record.catalogue import Catalogue
from domain.record.history import without_section
from domain.record.recorded import Recorded
from domain.seats import HOUSE, PUBLIC
from domain.table.actions import EraseText
from domain.table.events import EVENTS
from tests.golden.record import GOLDEN, game, names, records
from tests.support.forging import Change, forged
from tests.support.games import READER
from tests.support.registry import GAMES

PAYLOADS: Mapping[str, Mapping[tuple[str, int], type[Payload]]] = {
    name: Catalogue((*EVENTS, *game.events)).payloads for name, game in GAMES.items()
}
"""The event types of each game."""

of_each_type = pytest.mark.parametrize(
    ("name", "payload"),
    [(name, payload) for name, payloads in PAYLOADS.items() for payload in payloads.values()],
    ids=lambda value: value if isinstance(value, str) else value.TYPE,
)


def others(kind: types.Type, value: Any) -> Iterator[Any]:
    """Other values of this type, as they stand in JSON; of a struct or list such as differ in one place."""
    match kind:
        case types.Metadata():
            yield from others(kind.type, value)
        case types.UnionType():
            if value is not None:
                yield None
            for inner in kind.types:
                if value is None or _fits(inner, value):
                    yield from others(inner, value)
        case types.BoolType():
            yield not value
        case types.IntType():
            yield from (1,) if value is None else (value + 1, value - 1)
        case types.LiteralType():
            yield from [each for each in kind.values if each != value][:3]
        case types.StrType():
            yield "00" if not value else value[:-1] + ("1" if value[-1] == "0" else "0")
        case types.VarTupleType():
            yield from _other_lists(kind.item_type, value or [])
        case types.StructType() if value is None:
            yield {field.encode_name: next(others(field.type, None), None) for field in kind.fields}
        case types.StructType():
            for field in kind.fields:
                name = field.encode_name
                yield from (value | {name: other} for other in others(field.type, value[name]))
        case types.DictType():
            yield {**(value or {}), "note": 0}
        case _:
            return


def _fits(kind: types.Type, value: Any) -> bool:
    match kind:
        case types.LiteralType():
            return value in kind.values
        case types.IntType():
            return isinstance(value, int)
        case types.StrType():
            return isinstance(value, str)
        case types.VarTupleType():
            return isinstance(value, list)
        case types.StructType():
            return isinstance(value, dict)
        case _:
            return False


def _other_lists(item: types.Type, value: list[Any]) -> Iterator[list[Any]]:
    if value:
        yield value[:-1]
        yield [*value, value[-1]]
        yield from ([other, *value[1:]] for other in others(item, value[0]))
    else:
        yield from ([other] for other in others(item, None))


@cache
def played(name: str) -> list[list[Recorded]]:
    """Records of the game that together hold every event type, short ones first: those of its recorded games."""
    whole = [records(game(name, each)["events"]) for each in names(GOLDEN[name])]
    disputed = GOLDEN[name].live(records(game(name, "disputed")["events"]))
    (text, *_) = disputed.table.texts
    disputed.command(EraseText(text))
    erased = [without_section(record, PUBLIC) if record.version == text else record for record in disputed.records]
    return sorted([*whole, erased], key=len)


def places(name: str, payload: type[Payload]) -> Iterator[tuple[list[Recorded], Recorded]]:
    """The records with events of this type, and the first such event of each."""
    for whole in played(name):
        of_type = (one for one in whole if (one.type, one.schema) == (payload.TYPE, payload.SCHEMA))
        yield from ((whole, one) for one in islice(of_type, 1))


def puts(field: str, value: Any, *, to: str | None = None) -> Change:
    """Puts a value into a payload, or into the data of its section for an audience."""

    def change(payload: dict[str, Any]) -> None:
        data = payload if to is None else payload[to]["data"]
        data[field] = value

    return change


def altered(whole: list[Recorded], event: Recorded, payload: type[Payload]) -> Iterator[tuple[str, list[Recorded]]]:
    """The records with one field of the event changed, each with the field's name: `seat.cards` in a section."""
    for field, other in changes(payload, msgspec.json.decode(event.public)):
        yield field, forged(whole, event.version, puts(field, other))
    for audience, section in msgspec.json.decode(event.sealed).items():
        kind = kind_of(audience)
        for field, other in changes(payload.SECTIONS[kind], section["data"]):
            yield f"{kind}.{field}", forged(whole, event.version, sealed=puts(field, other, to=audience))


def changes(struct: type[Struct], data: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Each field of the struct with other values."""
    described = types.type_info(struct)
    assert isinstance(described, types.StructType)
    for field in described.fields:
        yield from ((field.encode_name, other) for other in others(field.type, data[field.encode_name]))


def all_fields(payload: type[Payload]) -> set[str]:
    """The fields of the type and of its sections, as `altered` names them."""
    sealed = {f"{to}.{field}" for to, section in payload.SECTIONS.items() for field in section.__struct_encode_fields__}
    return {*payload.__struct_encode_fields__, *sealed}


@of_each_type
def test_whatever_the_house_says_is_computed_again(name: str, payload: type[Payload]) -> None:
    whole, event = next(places(name, payload))
    assert audit(READER, whole).verdict == "intact"
    if event.actor != HOUSE:
        return
    changed = set()
    for field, forged_ in altered(whole, event, payload):
        assert event.type == READER.read(forged_[event.version - 1]).public.TYPE, "it is of its type all the same"
        assert audit(READER, forged_).verdict == "altered", (field, forged_[event.version - 1])
        changed.add(field)
    assert changed == all_fields(payload)


@of_each_type
def test_whatever_anybody_says_is_compared(name: str, payload: type[Payload]) -> None:
    """Another act may be as good as the one recorded, but every field of it counts in some game. Free words do not."""
    left = {field for field in all_fields(payload) if not field.startswith(f"{PUBLIC}.")}
    for whole, event in places(name, payload):
        for field, forged_ in altered(whole, event, payload):
            if field in left and audit(READER, forged_).verdict == "altered":
                left.discard(field)
        if not left:
            return
    assert not left


@of_each_type
def test_the_check_of_every_field_is_one_of_the_audit(name: str, payload: type[Payload]) -> None:
    assert {payload.CHECK, *payload.FIELD_CHECKS.values()} <= TEXTS.keys(), name
    assert payload.FIELD_CHECKS.keys() <= set(payload.__struct_fields__)
