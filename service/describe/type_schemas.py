"""JSON Schemas of types as components, in the interface's terms: strict, with references, meanings and limits."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from inspect import cleandoc
from typing import Any, get_args

import msgspec
import msgspec.inspect

from domain import cards
from domain.cards import Suit
from domain.table.state import Status
from service.describe.field_meanings import LIMITS, TABLE, Meanings, meaning
from service.describe.json_schema import LOCAL, Schema, ref

NAMES = {"Line": "LedgerLine", "Played": "PlayedCard", "Call": "AuctionCall", "Exchanged": "ExchangeView"}
"""The components' names for types whose own name is too general outside their module."""


@cache
def structs_in(types: tuple[type, ...]) -> tuple[type, ...]:
    """These types and those that they refer to, each once."""
    reached: dict[type, None] = {}
    pending: list[object] = list(msgspec.inspect.multi_type_info(types))
    while pending:
        match pending.pop(0):
            case msgspec.inspect.StructType(cls=cls, fields=fields):
                if cls not in reached:
                    reached[cls] = None
                    pending += fields
            case tuple() as parts:
                pending += parts
            case (msgspec.inspect.Type() | msgspec.inspect.Field()) as part:
                pending += [getattr(part, name) for name in part.__struct_fields__]
            case _:
                pass
    return tuple(reached)


@cache
def _raw(types: tuple[type, ...]) -> dict[str, Schema]:
    _, components = msgspec.json.schema_components(types, ref_template=LOCAL + "{name}")
    return components


def components_of(
    types: Iterable[type],
    renamed: Mapping[str, str],
    sent: Iterable[type] = (),
    meanings: Meanings = TABLE,
) -> dict[str, Schema]:
    """The types' components, strict, and with descriptions of their properties from `meanings`.

    In types `sent` by clients a field with a default is optional; in responses every field is required.
    """
    raw = _raw(tuple(types))
    names = {name: renamed.get(name, NAMES.get(name, name)) for name in raw}
    components = {names[name]: _translated(schema, names) for name, schema in raw.items()}
    incomplete = {names[kind.__name__] for kind in sent}
    for raw_name, (name, schema) in zip(raw, components.items(), strict=True):
        if "description" in schema:
            schema["description"] = cleandoc(schema["description"])
        if schema.get("type") == "object":
            if name not in incomplete:
                # A field that is neither required nor has a default is left out of events without it.
                wanted = schema.get("required", ())
                schema["required"] = [
                    name for name, value in schema["properties"].items() if name in wanted or "default" in value
                ]
            for value in schema["properties"].values():
                # Generated clients cannot read a default that is an object.
                if name not in incomplete or isinstance(value.get("default"), dict):
                    value.pop("default", None)
            schema["additionalProperties"] = False
            schema.update(CHECKED.get(name, {}))
            schema["properties"] = {
                field: _described(value, _hint(field, raw_name, name, meanings))
                for field, value in schema["properties"].items()
            }
    return {"Card": dict(CARD), "Suit": dict(_SUIT), "TableStatus": dict(_STATUS)} | components


CHECKED: Mapping[str, Schema] = {"SpectatorDelay": {"minProperties": 1, "maxProperties": 1}}
"""What types check beyond their fields, by component."""

CARD: Schema = {
    "description": "A card: rank, then suit; `T` is the ten. A copy's number follows a dot (`9h.1`), the number of "
    "the seat that owns the card precedes one (`2.7h`). Jokers are `Jo.1`, `Jo.2`. Each game names its cards.",
    "type": "string",
    "pattern": r"^([0-9]\.)?([AKQJT2-9][shdc]|Jo)(\.[1-9])?$",
}
_SUIT: Schema = {"description": "Spades, hearts, diamonds, clubs.", "type": "string", "enum": list(get_args(Suit))}
_STATUS: Schema = {"description": "The stage of a table's life.", "type": "string", "enum": list(get_args(Status))}
_ALIASES = {
    frozenset(cards.NAMES): "Card",
    frozenset(get_args(Suit)): "Suit",
    frozenset(get_args(Status)): "TableStatus",
}
"""Sets of values that have a name of their own."""


def _translated(schema: Any, names: Mapping[str, str]) -> Any:
    """A generated schema in the interface's terms: components' names, cards and suits by reference, constants."""
    match schema:
        case {"$ref": str(reference)}:
            kept = {key: value for key, value in schema.items() if key != "default"}
            return kept | ref(names[reference.removeprefix(LOCAL)])
        case {"enum": [*values]}:
            rest = {key: value for key, value in schema.items() if key not in ("enum", "title")}
            if (alias := _ALIASES.get(frozenset(values))) is not None:
                return rest | ref(alias)
            kind = "integer" if all(isinstance(value, int) for value in values) else "string"
            return rest | {"type": kind} | ({"const": values[0]} if len(values) == 1 else {"enum": values})
        case {"prefixItems": [first, *others]} if all(other == first for other in others):
            # Most programs understand `items` better than equal `prefixItems`.
            rest = {key: value for key, value in schema.items() if key != "prefixItems"}
            return rest | {"items": _translated(first, names)}
        case dict():
            # A title that is not a string is a property of that name.
            return {k: _translated(v, names) for k, v in schema.items() if k != "title" or not isinstance(v, str)}
        case list():
            return [_translated(value, names) for value in schema]
        case _:
            return schema


def _hint(field: str, type: str, component: str, meanings: Meanings) -> Schema:
    """The meaning of a type's field as a description, and its limits; the type decides which of them apply."""
    known = meaning(meanings, type, field)
    limits = LIMITS.get(f"{component}.{field}", LIMITS.get(field, {}))
    if known is None:
        return limits
    if known.least is not None:
        limits = {"minimum": known.least, "items": {"minimum": known.least}}
    if known.distinct:
        limits = limits | {"uniqueItems": True}
    return limits | {"description": known.text}


_NULL = re.compile(r"; null\b[^.;]*")
"""The part of a description about null. A name has one description, even if some types of that field are never null."""


def _described(schema: Schema, hint: Schema) -> Schema:
    """The property's schema with the description and limits of a hint, unless it has its own."""
    if schema.get("default", ...) in (None, ()):
        schema = {key: value for key, value in schema.items() if key != "default"}
    own = {key: value for key, value in schema.items() if key != "description"}
    text = schema.get("description") or hint.get("description")
    if text and {"type": "null"} not in own.get("anyOf", ()):
        text = _NULL.sub("", text)
    description = {"description": text} if text else {}
    limits = {key: value for key, value in hint.items() if key != "description"}
    if "anyOf" in own:
        first, *others = own["anyOf"]
        return description | own | {"anyOf": [_limited(first, limits), *others]}
    return description | _limited(own, limits)


APPLIES_TO = {"items": "array", "uniqueItems": "array", "minimum": "integer", "maximum": "integer", "pattern": "string"}
"""The limits that apply to values of one type only."""


def _limited(schema: Schema, limits: Schema) -> Schema:
    if "$ref" in schema:
        return schema
    kind = schema.get("type")
    fitting = {key: value for key, value in limits.items() if kind is None or APPLIES_TO.get(key, kind) == kind}
    if "items" in fitting and "items" in schema:
        return fitting | schema | {"items": _limited(schema["items"], fitting["items"])}
    return fitting | schema
