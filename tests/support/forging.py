"""Forged records: something in an event is changed, and every seal and hash made anew, so that only the rules tell."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec import inspect as types

from domain.kernel.canonical import canonical
from domain.record.recorded import GENESIS, Recorded, commitment, rehash

Change = Callable[[dict[str, Any]], object]
"""Changes a payload where it stands."""


def nothing(_: dict[str, Any]) -> None:
    """Changes nothing."""


def forged(
    records: Sequence[Recorded], version: int, public: Change = nothing, sealed: Change = nothing
) -> list[Recorded]:
    """The records with the event of this version changed: what it says to all, and its sections, by audience."""
    event = records[version - 1]
    said, sections = msgspec.json.decode(event.public), msgspec.json.decode(event.sealed)
    public(said)
    sealed(sections)
    seals = {
        to: commitment(bytes.fromhex(section["salt"]), canonical(section["data"])) for to, section in sections.items()
    }
    changed = msgspec.structs.replace(
        event,
        public=canonical(said),
        sealed=canonical(sections),
        seals=canonical(msgspec.json.decode(event.seals) | seals),
    )
    return rehashed([*records[: version - 1], changed, *records[version:]])


def rehashed(records: Sequence[Recorded]) -> list[Recorded]:
    """The records with versions that count and every hash made anew."""
    previous, made = GENESIS, []
    for version, record in enumerate(records, 1):
        numbered = msgspec.structs.replace(record, version=version)
        made.append(msgspec.structs.replace(numbered, hash=rehash(numbered, previous)))
        previous = made[-1].hash
    return made


def puts(field: str, value: Any, *, to: str | None = None) -> Change:
    """Puts a value into a payload, or into the data of its section for an audience."""

    def change(payload: dict[str, Any]) -> None:
        data = payload if to is None else payload[to]["data"]
        data[field] = value

    return change


def changes(struct: type[Struct], data: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Each field of the struct with other values."""
    described = types.type_info(struct)
    assert isinstance(described, types.StructType)
    for field in described.fields:
        yield from ((field.encode_name, other) for other in others(field.type, data.get(field.encode_name)))


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
        case types.StructType() if kind.cls.__struct_config__.omit_defaults:
            # Its fields are free to choose, like a game's options; but what is as by default is left out.
            left_out = next(field for field in kind.fields if field.encode_name not in (value or {}))
            yield {**(value or {}), left_out.encode_name: left_out.default}
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
