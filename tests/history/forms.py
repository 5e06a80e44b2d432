"""The forms of what is recorded, as lines of text: rules, options, events, exports and migrations.

A line begins with what it is the form of. Of a type it gives the members of its JSON and their types, `?` behind those
that may be left out.
"""

import json
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from hashlib import sha256
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import Struct, UnsetType

Shape: TypeAlias = Any
"""A JSON type's name, or several with `|` between; a list of one shape; an object's members with their shapes; or
`{"|": [one shape, another]}`.
"""

SCORED = "deal-scored"
"""The table's event that some games replace by one of their own: so each game has it."""

NAMES: Mapping[type, str] = {int: "int", bool: "bool", NoneType: "null"}


def shape(type_: Any) -> Shape:
    """What the JSON of the type looks like."""
    origin, arguments = typing.get_origin(type_), typing.get_args(type_)
    if origin is typing.Annotated:
        return shape(arguments[0])
    if origin in (typing.Union, UnionType):
        shapes = [shape(each) for each in arguments if each is not UnsetType]
        if all(isinstance(each, str) for each in shapes):
            return "|".join(sorted(set(shapes)))
        return shapes[0] if len(shapes) == 1 else {"|": shapes}
    if origin in (tuple, list):
        return [shape(arguments[0])]
    if origin is dict or type_ is dict:
        return "object"
    if isinstance(type_, type) and issubclass(type_, Struct):
        if type_.__struct_config__.array_like:
            return "list"
        sparing = type_.__struct_config__.omit_defaults
        return {
            f"{field.encode_name}{'?' if _may_be_missing(field, sparing=sparing) else ''}": shape(field.type)
            for field in msgspec.structs.fields(type_)
        }
    if origin is Literal or (isinstance(type_, type) and issubclass(type_, Enum)):
        values = arguments or tuple(each.value for each in type_)
        return "|".join(sorted({NAMES.get(type(value), "str") for value in values}))
    if hasattr(type_, "__supertype__"):
        return shape(type_.__supertype__)
    # Cards, suits and the like are strings of their own.
    return NAMES.get(type_, "str")


def _may_be_missing(field: msgspec.structs.FieldInfo, *, sparing: bool) -> bool:
    return not field.required and (sparing or UnsetType in typing.get_args(field.type))


def fits(value: Any, wanted: Shape) -> bool:
    """Whether the JSON value has the shape."""
    match wanted:
        case {"|": shapes}:
            return any(fits(value, each) for each in shapes)
        case dict():
            names = {name.removesuffix("?") for name in wanted}
            required = {name for name in wanted if not name.endswith("?")}
            return (
                isinstance(value, dict)
                and required <= value.keys() <= names
                and all(fits(value[name], each) for name, each in _named(wanted).items() if name in value)
            )
        case list():
            return isinstance(value, list) and all(fits(each, wanted[0]) for each in value)
        case _:
            return any(_is(value, name) for name in wanted.split("|"))


def alternatives(wanted: Shape, path: str = "") -> Iterator[str]:
    """Each alternative that a value of the shape may take somewhere: null or not, there or absent."""
    match wanted:
        case {"|": shapes}:
            for each in shapes:
                yield f"{path} {_name(each)}"
                yield from alternatives(each, path)
        case dict():
            for name, each in wanted.items():
                inner = f"{path}.{name.removesuffix('?')}"
                yield from (f"{inner} there", f"{inner} absent") if name.endswith("?") else ()
                yield from alternatives(each, inner)
        case list():
            yield from alternatives(wanted[0], f"{path}[]")
        case _ if "|" in wanted:
            yield from (f"{path} {name}" for name in wanted.split("|"))


def taken(value: Any, wanted: Shape, path: str = "") -> Iterator[str]:
    """Those alternatives that this value takes."""
    match wanted:
        case {"|": shapes}:
            chosen = next(each for each in shapes if fits(value, each))
            yield f"{path} {_name(chosen)}"
            yield from taken(value, chosen, path)
        case dict():
            for name, each in wanted.items():
                key = name.removesuffix("?")
                if name.endswith("?"):
                    yield f"{path}.{key} {'there' if key in value else 'absent'}"
                if key in value:
                    yield from taken(value[key], each, f"{path}.{key}")
        case list():
            for each in value:
                yield from taken(each, wanted[0], f"{path}[]")
        case _ if "|" in wanted:
            yield f"{path} {next(name for name in wanted.split('|') if _is(value, name))}"


def _name(wanted: Shape) -> str:
    return wanted if isinstance(wanted, str) else "list" if isinstance(wanted, list) else "object"


def _named(members: Mapping[str, Shape]) -> Mapping[str, Shape]:
    return {name.removesuffix("?"): each for name, each in members.items()}


def _is(value: Any, name: str) -> bool:
    kinds: Mapping[str, Callable[[Any], bool]] = {
        "int": lambda value: isinstance(value, int) and not isinstance(value, bool),
        "bool": lambda value: isinstance(value, bool),
        "null": lambda value: value is None,
        "str": lambda value: isinstance(value, str),
        "list": lambda value: isinstance(value, list),
        "object": lambda value: isinstance(value, dict),
    }
    return kinds[name](value)


def line(kind: str, *names: str, members: Shape = None) -> str:
    """A form's line."""
    return " ".join((kind, *names, *(() if members is None else (json.dumps(members, sort_keys=True),))))


def of_events(game: str, payloads: Any) -> Iterator[str]:
    """The forms of these types of event, of a game or of any table."""
    for payload in payloads:
        sections = {kind: shape(section) for kind, section in payload.SECTIONS.items()}
        members = {"public": shape(payload), "sealed": sections}
        yield line("event", game, payload.TYPE, str(payload.SCHEMA), members=members)


def of_games(games: Mapping[str, Any], table_events: Sequence[Any]) -> Iterator[str]:
    """The forms of what is written of these games."""
    yield from of_events("table", table_events)
    (scored,) = (payload for payload in table_events if payload.TYPE == SCORED)
    for name, game in games.items():
        yield line("rules", name, str(game.rulebook.version), game.rulebook.digest())
        yield line("options", name, members=shape(game.options))
        own = {payload.TYPE: payload for payload in game.events}
        yield from of_events(name, ({SCORED: scored} | own).values())


def of_exports(format_: str, header: Any, trailer: Any) -> Iterator[str]:
    """The form of an export."""
    yield line("export", format_, members={"header": shape(header), "trailer": shape(trailer)})


def of_migrations(folder: Path) -> Iterator[str]:
    """The forms of the database's schema. Numbers are left out: migrations are known by their texts."""
    for file in sorted(folder.glob("*.sql")):
        yield line("migration", file.stem.partition("_")[2], sha256(file.read_bytes()).hexdigest())
