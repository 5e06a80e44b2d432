"""JSON Schemas of what a game's clients send and receive, made from the types that read and write it.

The schemas are one set of named components that refer to each other by `#/$defs/NAME`. A stand-alone schema includes
the components that it refers to. The OpenAPI document has the whole set.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from inspect import cleandoc
from typing import Any, get_args

import msgspec
import msgspec.inspect

from domain import cards
from domain.cards import Suit
from domain.kernel.action import Action
from domain.kernel.event import Payload
from domain.kernel.game import Game
from domain.kernel.ledger import Line
from domain.table.events import EVENTS as TABLE_EVENTS
from domain.table.events import events_of
from domain.table.options import Clock, SpectatorDelay, TableOptions
from domain.table.state import Status
from domain.table.talk import action_types_of
from service.describe.json_schema import (
    LOCAL,
    Schema,
    alone,
    any_of,
    enumerated,
    one_of,
    pascal,
    record,
    ref,
    some,
    with_named_values,
)
from service.describe.meanings import PARTS, TABLE, Meanings, meaning, meanings_of
from service.describe.offer_schemas import offer_components, offer_schema
from service.describe.property_limits import HEX, ID, LIMITS, TIME, VERSION

NAMES = {"Line": "LedgerLine", "Played": "PlayedCard", "Call": "AuctionCall", "Exchanged": "ExchangeView"}
"""The components' names for types whose own name is too general outside their module."""

SHARED = ("domain.kernel.", "domain.parts.", "domain.fair.", "domain.table.")
"""The modules whose types are shared by games. The components of other types are named after their game."""

EVERYWHERE: tuple[type[msgspec.Struct], ...] = (
    Line,
    *TABLE_EVENTS,
    *(section for payload in TABLE_EVENTS for section in payload.SECTIONS.values()),
)
"""The shared types that every set has, whichever games are offered."""

SECTION_KEYS = {"seat": r"seat:[0-9]+", "house": "house", "public": "public"}
"""The pattern of a sealed section's audience, by kind."""

_TABLE_OPTIONS: Schema = {"description": "The table's own options; only if one differs from its default."}

ACTOR = r"^(house|clock|(seat|bot):[0-9]+|arbiter:.+)$"


def game_schemas(game: Game) -> dict[str, Schema]:
    """The game's JSON Schemas, each complete in itself: options, actions, offers, view, events and ledger line."""
    title = pascal(game.name)
    components = table_components(games=(game,)) | game_components(game)
    components["Card"] = _CARD | {"enum": list(game.pack)}
    roots = {
        "options": ("The options of a table", f"{title}Options"),
        "actions": ("The actions of a seat", f"{title}Action"),
        "offers": ("The offers of a seat", f"{title}Offer"),
        "view": ("The view of an audience", f"{title}View"),
        "events": ("The events at a table", "Event"),
        "ledger-line": ("One booked amount", "LedgerLine"),
    }
    components["Event"] = any_of("An event of the table or of the game.", ["TableEvent", f"{title}Event"])
    return {key: alone(f"{game.title}: {what}", root, components) for key, (what, root) in roots.items()}


def event_schemas(games: Iterable[Game]) -> dict[str, dict[str, Schema]]:
    """A stand-alone schema for every event, by type: a game's events under its name, every table's under `table`."""
    catalogue: dict[str, dict[str, Schema]] = {}
    shared = table_components(games)
    for game in games:
        shared |= {name: schema for name, schema in game_components(game).items() if name.endswith("Options")}
    catalogue["table"] = {
        payload.TYPE: alone(payload.TYPE, f"{payload.__name__}Event", shared)
        for payload in TABLE_EVENTS
        if f"{payload.__name__}Event" in shared
    }
    for game in games:
        components = table_components((game,)) | game_components(game)
        components["Card"] = _CARD | {"enum": list(game.pack)}
        catalogue[game.name] = {
            payload.TYPE: alone(payload.TYPE, f"{pascal(game.name)}{pascal(payload.TYPE)}Event", components)
            for payload in game.events
        }
    return catalogue


def table_components(games: Iterable[Game]) -> dict[str, Schema]:
    """The components that these games share: those of the kernel and of the events of every table."""
    games = tuple(games)
    used = structs_in((*EVERYWHERE, *(kind for game in games for kind in described_types(game))))
    # A table's options are left out if they are the defaults.
    components = _components(
        [kind for kind in used if is_shared(kind)], {}, sent=(TableOptions, Clock, SpectatorDelay), meanings=PARTS
    )
    options = [f"{pascal(game.name)}Options" for game in games]
    components["TableOpened"]["properties"]["options"] = some(options) | {"description": "The options in force."}
    components |= offer_components()
    components["GameName"] = _GAME | {"enum": [game.name for game in games]}
    mapping = {}
    for payload in TABLE_EVENTS:
        names = [game.name for game in games if payload in events_of(game)]
        if names:
            mapping[payload.TYPE] = f"{payload.__name__}Event"
            of = ref("GameName") if len(names) == len(games) > 1 else _among(names)
            components |= _event_components(payload, mapping[payload.TYPE], payload.__name__, of, {})
    components["TableEvent"] = one_of("An event of a table, the same in every game.", "type", mapping)
    return components


def game_components(game: Game) -> dict[str, Schema]:
    """The game's own components, which refer to those of `table_components`."""
    title = pascal(game.name)
    types = described_types(game)
    actions = {_tag(action): action for action in action_types_of(game)}
    names = {kind.__name__: _titled(title, kind) for kind in structs_in(types) if not is_shared(kind)}
    names |= {action.__name__: title + pascal(tag) for tag, action in actions.items()}
    names |= {payload.__name__: title + pascal(payload.TYPE) for payload in game.events if not is_shared(payload)}
    sent = (game.options, *actions.values())
    components = _components(types, names, sent=sent, meanings=meanings_of(game))
    components = {name: components[name] for name in names.values()}
    components |= _named_values(title, components)
    view = components[names[game.showing.view.__name__]]
    view["properties"]["game"] = {"description": "The game's name.", "type": "string", "const": game.name}
    view["properties"]["status"] = {"description": view["properties"]["status"]["description"]} | ref("TableStatus")
    view["properties"]["options"] = {"description": "The options in force."} | ref(f"{title}Options")
    view["properties"]["table_options"] = _TABLE_OPTIONS | ref("TableOptions")
    components[f"{title}Action"] = one_of(
        f"An action of a seat in {game.title}.",
        "type",
        {tag: names[action.__name__] for tag, action in actions.items()},
    )
    events = {payload.TYPE: f"{title}{pascal(payload.TYPE)}Event" for payload in game.events}
    for payload in game.events:
        name = names.get(payload.__name__, payload.__name__)
        lacking = _left_out(payload.EARLIER)
        if lacking:
            components[name]["required"] = [field for field in components[name]["required"] if field not in lacking]
        components |= _event_components(payload, events[payload.TYPE], name, _among([game.name]), names)
    components[f"{title}Event"] = one_of(f"An event in a deal of {game.title}.", "type", events)
    offers = {tag: f"{names[action.__name__]}Offer" for tag, action in actions.items()}
    for tag, action in actions.items():
        components[offers[tag]] = offer_schema(tag, components[names[action.__name__]])
    components[f"{title}Offer"] = one_of(
        f"An offer to a seat in {game.title}. Every combination of values that the fields admit is accepted.",
        "type",
        offers,
    )
    return components


def row_components(game: Game) -> dict[str, str]:
    """The names of the components that describe the rows of the game's tables of data, by table."""
    return {name: _titled(pascal(game.name), type(rows[0])) for name, rows in game.rulebook.tables.items()}


def struct_components(
    types: Iterable[type[msgspec.Struct]], *, sent: Iterable[type] = (), renamed: Mapping[str, str] | None = None
) -> dict[str, Schema]:
    """The components of further types and of the types in them. In types `sent` by clients, defaults are optional."""
    sent = tuple(sent)
    return _components([*types, *sent], renamed or {}, sent)


def _tag(action: type[msgspec.Struct]) -> str:
    return str(action.__struct_config__.tag)


def _left_out(forms: Iterable[type[Payload]]) -> set[str]:
    """The members that events of these forms may lack."""
    return {
        field.encode_name for form in forms for field in msgspec.structs.fields(form) if field.default is msgspec.UNSET
    }


def _titled(title: str, kind: type) -> str:
    """The component's name for one of a game's own types."""
    name = NAMES.get(kind.__name__, kind.__name__)
    return name if name.startswith(title) else title + name


def is_shared(kind: type) -> bool:
    # An act is described for each game, because its offer is.
    return kind.__module__.startswith(SHARED) and not issubclass(kind, Action)


def described_types(game: Game) -> tuple[type, ...]:
    """All types that the game's schemas are made of."""
    sections = [section for payload in game.events for section in payload.SECTIONS.values()]
    rows = [type(rows[0]) for rows in game.rulebook.tables.values()]
    return (game.options, game.showing.view, *action_types_of(game), *game.events, *sections, *rows)


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


def _components(
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
                    value.pop("default", None)
            schema["additionalProperties"] = False
            schema.update(CHECKED.get(name, {}))
            schema["properties"] = {
                field: _described(value, _hint(field, raw_name, name, meanings))
                for field, value in schema["properties"].items()
            }
    return {"Card": dict(_CARD), "Suit": dict(_SUIT), "TableStatus": dict(_STATUS)} | components


CHECKED: Mapping[str, Schema] = {"SpectatorDelay": {"minProperties": 1, "maxProperties": 1}}
"""What types check beyond their fields, by component."""

_CARD: Schema = {
    "description": "A card: rank, then suit; `T` is the ten. A copy's number follows a dot (`9h.1`), the number of "
    "the seat that owns the card precedes one (`2.7h`). Jokers are `Jo.1`, `Jo.2`. Each game names its cards.",
    "type": "string",
    "pattern": r"^([0-9]\.)?([AKQJT2-9][shdc]|Jo)(\.[1-9])?$",
}
_SUIT: Schema = {"description": "Spades, hearts, diamonds, clubs.", "type": "string", "enum": list(get_args(Suit))}
_STATUS: Schema = {"description": "The stage of a table's life.", "type": "string", "enum": list(get_args(Status))}
_GAME: Schema = {"description": "The name of a game that is offered.", "type": "string"}
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


def _named_values(title: str, components: Mapping[str, Schema]) -> dict[str, Schema]:
    """The game's components, with a name for values that several fields take, such as those of its contracts.

    A generated client then has one type for them instead of one for each field.
    """
    fields: dict[tuple[str, ...], list[str]] = {}
    for schema in components.values():
        for field, part in schema.get("properties", {}).items():
            for values in enumerated(part):
                fields.setdefault(values, []).append(field)
    names: dict[tuple[str, ...], str] = {}
    for values, of in sorted(fields.items(), key=lambda one: -len(one[1])):
        name = f"{title}{pascal(max(of, key=of.count))}Name"
        if len(of) > 1 and name not in names.values():
            names[values] = name
    own: dict[str, Schema] = {
        name: {"description": f"A value of `{max(fields[values], key=fields[values].count)}`."}
        | {"type": "string", "enum": list(values)}
        for values, name in names.items()
    }
    return own | {name: with_named_values(schema, names) for name, schema in components.items()}


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


def _among(games: Sequence[str]) -> Schema:
    """The schema of a name among these games."""
    return {"type": "string"} | ({"const": games[0]} if len(games) == 1 else {"enum": list(games)})


def _envelope_fields(
    payload: type[Payload], name: str, games: Schema, opened: Schema | bool, audiences: Schema
) -> dict[str, Schema]:
    """The fields of a served event. `opened` is the schema of an open section, or False if the event has none."""
    schemas = {form.SCHEMA for form in (*payload.EARLIER, payload)}
    return {
        "table": ID | {"description": "The table's id."},
        "game": {"description": "The table's game."} | games,
        "version": VERSION | {"description": "The event's number in its table's record: 1, 2, 3, …"},
        "position": VERSION | {"description": "The event's number in the whole log."},
        "deal": {
            "description": "The deal that the event belongs to; null outside deals.",
            "anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}],
        },
        "type": {"type": "string", "const": payload.TYPE, "description": "The event's type."},
        "schema": {
            "type": "integer",
            **({"enum": sorted(schemas)} if len(schemas) > 1 else {"const": payload.SCHEMA}),
            "description": "The version of this type's fields.",
        },
        "at": TIME | {"description": "The time at which the event was recorded."},
        "actor": {
            "type": "string",
            "pattern": ACTOR,
            "description": "The actor: a seat, a bot, an arbiter, the clock or the house.",
        },
        "action": {
            "description": "The service's id of the action that caused the event.",
            "anyOf": [ID, {"type": "null"}],
        },
        "public": ref(name),
        "seals": {
            "description": "The commitment to each sealed section, by audience.",
            "type": "object",
            "additionalProperties": HEX,
        }
        | audiences,
        "sealed": {
            "description": "The sealed sections that the caller may open, by audience.",
            "type": "object",
            "additionalProperties": opened,
        }
        | audiences,
        "hash": HEX | {"description": "The event's hash, which covers the hash of the previous event."},
        "more": {
            "type": "boolean",
            "description": "Only in frames of streams, and in all of them: whether another event of the same act "
            "follows.",
        },
    }


def _event_components(
    payload: type[Payload], event: str, name: str, games: Schema, renamed: Mapping[str, str]
) -> dict[str, Schema]:
    """The component of an event in its served form, and that of an open section if the event has sealed ones.

    `name` is the component of its public payload, `games` the schema of the name of its table's game.
    """
    sections = [renamed.get(section.__name__, section.__name__) for section in payload.SECTIONS.values()]
    keys = "|".join(SECTION_KEYS[kind] for kind in payload.SECTIONS)
    audiences: Schema = {"propertyNames": {"pattern": f"^({keys})$"}} if sections else {"maxProperties": 0}
    salt = HEX | {"description": "The salt, in hex."}
    opened = f"{event.removesuffix('Event')}Section"
    envelope = record(
        " ".join((payload.__doc__ or "").split()),
        _envelope_fields(payload, name, games, ref(opened) if sections else False, audiences),
        optional=("more",),
    )
    if not sections:
        return {event: envelope}
    data = some(sections) | {"description": "The sealed content."}
    text = f"An open section of `{payload.TYPE}`, and its salt."
    return {event: envelope, opened: record(text, {"data": data, "salt": salt})}
