"""JSON Schemas of a game: what its clients send and what they are told, from the types that read and write it.

All schemas of a game stand in one set under names of their own, referring to each other by `#/$defs/NAME`. A
stand-alone schema takes along what it refers to; the OpenAPI document holds the set as its components.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias, get_args

import msgspec
import msgspec.inspect

from domain.cards import Card, Suit
from domain.kernel.event import Payload
from domain.kernel.game import Game
from domain.kernel.ledger import Line
from domain.table.events import EVENTS as TABLE_EVENTS
from domain.table.state import Status
from service.queries.fields import FIELDS, HEX, ID, TIME, VERSION

Schema: TypeAlias = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
LOCAL = "#/$defs/"

NAMES = {"Line": "LedgerLine", "Played": "PlayedCard", "Call": "AuctionCall", "Exchanged": "ExchangeView"}
"""Names of types that would not say enough outside their module."""

SHARED = ("domain.kernel.", "domain.parts.", "domain.fair.", "domain.table.")
"""The modules whose types games share, under names of their own. Other types are named after their game."""

EVERYWHERE: tuple[type[msgspec.Struct], ...] = (
    Line,
    *TABLE_EVENTS,
    *(section for payload in TABLE_EVENTS for section in payload.SECTIONS.values()),
)
"""The shared types that do not depend on what games are offered."""

SECTION_KEYS = {"seat": r"seat:[0-9]+", "house": "house", "public": "public"}
"""How a sealed section's audience is written, by kind."""

ACTOR = r"^(house|clock|(seat|bot):[0-9]+|arbiter:.+)$"


def game_schemas(game: Game) -> dict[str, Schema]:
    """The game's JSON Schemas, each complete in itself: options, actions, offers, view, events and ledger line."""
    title = pascal(game.name)
    components = table_components(games=(game,)) | game_components(game)
    components["Card"]["enum"] = list(game.pack)
    roots = {
        "options": ("The options of a table", f"{title}Options"),
        "actions": ("What a seat may ask for", f"{title}Action"),
        "offers": ("What a seat is offered", f"{title}Offer"),
        "view": ("A table as an audience knows it", f"{title}View"),
        "events": ("What happens at a table", "Event"),
        "ledger-line": ("One booked amount", "LedgerLine"),
    }
    components["Event"] = any_of("An event of the table or of the game.", ["TableEvent", f"{title}Event"])
    return {key: alone(f"{game.title}: {what}", root, components) for key, (what, root) in roots.items()}


def event_schemas(games: Iterable[Game]) -> dict[str, dict[str, Schema]]:
    """A stand-alone schema for every event, by type: those of each game under its name, of any table under `table`."""
    found: dict[str, dict[str, Schema]] = {}
    shared = table_components(games)
    for game in games:
        shared |= {name: schema for name, schema in game_components(game).items() if name.endswith("Options")}
    found["table"] = {payload.TYPE: alone(payload.TYPE, f"{payload.__name__}Event", shared) for payload in TABLE_EVENTS}
    for game in games:
        components = table_components((game,)) | game_components(game)
        components["Card"]["enum"] = list(game.pack)
        found[game.name] = {
            payload.TYPE: alone(payload.TYPE, f"{pascal(game.name)}{pascal(payload.TYPE)}Event", components)
            for payload in game.events
        }
    return found


def table_components(games: Iterable[Game]) -> dict[str, Schema]:
    """The schemas that these games share: the kernel's, and the events of the table's life."""
    games = tuple(games)
    used = _structs([*EVERYWHERE, *(kind for game in games for kind in _types(game))])
    components = _components([kind for kind in used if _is_shared(kind)], {})
    options = [f"{pascal(game.name)}Options" for game in games]
    components["TableOpened"]["properties"]["options"] = some(options) | {"description": "The options in force."}
    components |= _offers()
    mapping = {}
    for payload in TABLE_EVENTS:
        # A game may have a form of its own.
        names = [game.name for game in games if payload.TYPE not in {own.TYPE for own in game.events}]
        if names:
            mapping[payload.TYPE] = f"{payload.__name__}Event"
            components[mapping[payload.TYPE]] = _envelope(payload, payload.__name__, names, {})
    components["TableEvent"] = one_of("An event of a table's life, the same for every game.", "type", mapping)
    return components


def game_components(game: Game) -> dict[str, Schema]:
    """The schemas that are the game's own; they refer to those of `table_components`."""
    title = pascal(game.name)
    types = _types(game)
    actions = {_tag(action): action for action in get_args(game.actions)}
    names = {kind.__name__: _titled(title, kind) for kind in _structs(types) if not _is_shared(kind)}
    names |= {action.__name__: title + pascal(tag) for tag, action in actions.items()}
    names |= {payload.__name__: title + pascal(payload.TYPE) for payload in game.events if not _is_shared(payload)}
    components = _components(types, names, sent=(game.options, *actions.values()))
    components = {name: components[name] for name in names.values()}
    view = components[names[game.view.__name__]]
    view["properties"]["game"] = {"description": "The game's name.", "type": "string", "const": game.name}
    view["properties"]["status"] |= {"enum": list(get_args(Status))}
    view["properties"]["options"] = ref(f"{title}Options")
    components[f"{title}Action"] = one_of(
        f"What a seat may ask for in {game.title}.",
        "type",
        {tag: names[action.__name__] for tag, action in actions.items()},
    )
    events = {payload.TYPE: f"{title}{pascal(payload.TYPE)}Event" for payload in game.events}
    for payload in game.events:
        name = names.get(payload.__name__, payload.__name__)
        components[events[payload.TYPE]] = _envelope(payload, name, [game.name], names)
    components[f"{title}Event"] = one_of(f"What happens in a deal of {game.title}.", "type", events)
    offers = {tag: f"{names[action.__name__]}Offer" for tag, action in actions.items()}
    for tag, action in actions.items():
        components[offers[tag]] = _offer(tag, components[names[action.__name__]])
    components[f"{title}Offer"] = one_of(
        f"What a seat is offered in {game.title}: every combination of what the fields admit is accepted.",
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
    """The schemas of further types and what they refer to. Of those `sent` by clients defaults may be left out."""
    sent = tuple(sent)
    return _components([*types, *sent], renamed or {}, sent)


def ref(name: str) -> Schema:
    """A reference to a component."""
    return {"$ref": LOCAL + name}


def any_of(description: str, names: Iterable[str]) -> Schema:
    """Any of these components."""
    return {"description": description, "anyOf": [ref(name) for name in names]}


def some(names: Sequence[str]) -> Schema:
    """Any of these components, without a union where there is but one."""
    return ref(names[0]) if len(names) == 1 else {"anyOf": [ref(name) for name in names]}


def one_of(description: str, discriminator: str, names: Mapping[str, str]) -> Schema:
    """One of these components, told apart by the value of a property."""
    return {
        "description": description,
        "oneOf": [ref(name) for name in names.values()],
        "discriminator": {
            "propertyName": discriminator,
            "mapping": {value: LOCAL + name for value, name in names.items()},
        },
    }


def record(description: str, properties: Schema, *, optional: Iterable[str] = ()) -> Schema:
    """An object with these properties and no others."""
    return {
        "description": description,
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name not in set(optional)],
        "additionalProperties": False,
    }


def alone(title: str, root: str, components: Mapping[str, Schema]) -> Schema:
    """The schema of this name, complete in itself."""
    needed = sorted(reachable(components[root], components) - {root})
    schema = {"$schema": DIALECT, "title": title} | components[root]
    return schema | ({"$defs": {name: components[name] for name in needed}} if needed else {})


def reachable(schema: object, components: Mapping[str, Schema]) -> set[str]:
    """The names of the components that the schema refers to, directly or not."""
    found: set[str] = set()
    open_ = list(_references(schema))
    while open_:
        name = open_.pop()
        if name not in found:
            found.add(name)
            open_.extend(_references(components[name]))
    return found


def relocated(schema: Any, prefix: str) -> Any:
    """The schema with its references beginning with `prefix` in place of `#/$defs/`."""
    match schema:
        case dict():
            return {key: relocated(value, prefix) for key, value in schema.items()}
        case list():
            return [relocated(value, prefix) for value in schema]
        case str() if schema.startswith(LOCAL):
            return prefix + schema.removeprefix(LOCAL)
        case _:
            return schema


def _references(schema: object) -> Iterator[str]:
    match schema:
        case dict():
            for value in schema.values():
                yield from _references(value)
        case list():
            for value in schema:
                yield from _references(value)
        case str() if schema.startswith(LOCAL):
            yield schema.removeprefix(LOCAL)
        case _:
            return


def pascal(name: str) -> str:
    """A name in small letters and hyphens, as a component's name."""
    return "".join(word.capitalize() for word in name.replace("_", "-").split("-"))


def _tag(action: type[msgspec.Struct]) -> str:
    return str(action.__struct_config__.tag)


def _titled(title: str, kind: type) -> str:
    """The name of one of a game's own types."""
    name = NAMES.get(kind.__name__, kind.__name__)
    return name if name.startswith(title) else title + name


def _is_shared(kind: type) -> bool:
    return kind.__module__.startswith(SHARED)


def _types(game: Game) -> list[type]:
    """All types that the game's schemas are made of."""
    sections = [section for payload in game.events for section in payload.SECTIONS.values()]
    rows = [type(rows[0]) for rows in game.rulebook.tables.values()]
    return [game.options, game.view, *get_args(game.actions), *game.events, *sections, *rows]


def _structs(types: Iterable[type]) -> list[type]:
    """These types and those that they refer to, each once."""
    found: dict[type, None] = {}
    open_: list[object] = list(msgspec.inspect.multi_type_info(types))
    while open_:
        match open_.pop(0):
            case msgspec.inspect.StructType(cls=cls, fields=fields):
                if cls not in found:
                    found[cls] = None
                    open_ += fields
            case tuple() as parts:
                open_ += parts
            case (msgspec.inspect.Type() | msgspec.inspect.Field()) as part:
                open_ += [getattr(part, name) for name in part.__struct_fields__]
            case _:
                pass
    return list(found)


def _raw(types: Iterable[type]) -> dict[str, Schema]:
    _, components = msgspec.json.schema_components(types, ref_template=LOCAL + "{name}")
    return components


def _components(types: Iterable[type], renamed: Mapping[str, str], sent: Iterable[type] = ()) -> dict[str, Schema]:
    """The types' schemas, strict, complete, and said in the terms of the interface.

    What a client sends may leave out what has a default; what the service answers is always complete.
    """
    raw = _raw(types)
    names = {name: renamed.get(name, NAMES.get(name, name)) for name in raw}
    components = {names[name]: _mended(schema, names) for name, schema in raw.items()}
    incomplete = {names[kind.__name__] for kind in sent}
    for name, schema in components.items():
        if schema.get("type") == "object":
            if name not in incomplete:
                schema["required"] = list(schema["properties"])
                for value in schema["properties"].values():
                    value.pop("default", None)
            schema["additionalProperties"] = False
            schema["properties"] = {
                field: _explained(value, FIELDS.get(f"{name}.{field}") or FIELDS.get(field) or {})
                for field, value in schema["properties"].items()
            }
    return {"Card": dict(_CARD), "Suit": dict(_SUIT)} | components


_CARD: Schema = {
    "description": "A card: rank, then suit. `T` is the ten.",
    "type": "string",
    "enum": list(get_args(Card)),
}
_SUIT: Schema = {"description": "Spades, hearts, diamonds, clubs.", "type": "string", "enum": list(get_args(Suit))}
_ALIASES = {frozenset(get_args(Card)): "Card", frozenset(get_args(Suit)): "Suit"}
"""Sets of values that have a name of their own."""


def _mended(schema: Any, names: Mapping[str, str]) -> Any:
    """A generated schema with references renamed, known sets of values referred to, and constants as such."""
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
            # Of one kind, which more programs understand.
            rest = {key: value for key, value in schema.items() if key != "prefixItems"}
            return rest | {"items": _mended(first, names)}
        case dict():
            # A property may be called so; a title is a text.
            return {k: _mended(v, names) for k, v in schema.items() if k != "title" or not isinstance(v, str)}
        case list():
            return [_mended(value, names) for value in schema]
        case _:
            return schema


def _explained(schema: Schema, hint: Schema) -> Schema:
    """The property's schema with what is known of every property of that name."""
    if schema.get("default", ...) in (None, ()):
        schema = {key: value for key, value in schema.items() if key != "default"}
    description = {key: hint[key] for key in ("description",) if key in hint and "description" not in schema}
    limits = {key: value for key, value in hint.items() if key != "description"}
    if "anyOf" in schema:
        first, *others = schema["anyOf"]
        return description | schema | {"anyOf": [_limited(first, limits), *others]}
    return description | _limited(schema, limits)


LIMITS = {"items": "array", "uniqueItems": "array", "minimum": "integer", "maximum": "integer", "pattern": "string"}
"""What limits values of one type only."""


def _limited(schema: Schema, limits: Schema) -> Schema:
    kind = schema.get("type")
    fitting = {key: value for key, value in limits.items() if kind is None or LIMITS.get(key, kind) == kind}
    if "items" in fitting and "items" in schema:
        return fitting | schema | {"items": _limited(schema["items"], fitting["items"])}
    return fitting | schema


def _offers() -> dict[str, Schema]:
    """What no type of the domain describes: an offer as it stands on the wire."""
    choice: Schema = {
        "description": "A value to choose.",
        "anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "boolean"}, {"type": "null"}],
    }
    return {
        "Choice": choice,
        "OneOf": record(
            "The field takes one of these values.",
            {"one_of": _list(ref("Choice"), least=1) | {"description": "The values."}},
        ),
        "SomeOf": record(
            "The field takes a list of distinct values among these, `min` to `max` of them.",
            {"some_of": _list({"type": "string"}) | {"description": "The values."}, "min": _LEAST, "max": _MOST},
        ),
        "TextLength": record("Bounds in Unicode code points.", {"min": _LEAST, "max": _MOST}),
        "Text": record(
            "The field takes a text of so many Unicode code points, without control characters.",
            {"text": ref("TextLength")},
        ),
        "OfferedField": any_of("What a field of an action admits.", ["OneOf", "SomeOf", "Text"]),
        "Offer": record(
            "An action that may be taken now: every combination of what its fields admit is accepted. A field whose "
            "value would be null or an empty list may be left out of the action.",
            {
                "type": {"type": "string", "description": "The action's type."},
                "fields": {
                    "description": "What each field of the action admits.",
                    "type": "object",
                    "additionalProperties": ref("OfferedField"),
                },
            },
        ),
    }


_LEAST: Schema = {"type": "integer", "minimum": 0, "description": "At least so many."}
_MOST: Schema = {"type": "integer", "minimum": 0, "description": "At most so many."}


def _list(items: Schema, least: int = 0) -> Schema:
    return {"type": "array", "items": items} | ({"minItems": least} if least else {})


def _offer(tag: str, action: Schema) -> Schema:
    """The offers of an action: each field as the type of its values makes it."""
    fields = {name: _offered(schema) for name, schema in action["properties"].items() if name != "type"}
    return record(
        action["description"],
        {
            "type": {"type": "string", "const": tag},
            "fields": record("What each field admits.", fields, optional=fields),
        },
    )


def _offered(schema: Schema) -> Schema:
    if schema.get("type") == "array":
        return record("Takes some of these.", {"some_of": _list(schema["items"]), "min": _LEAST, "max": _MOST})
    if schema.get("type") == "string" and not schema.keys() & {"enum", "const"}:
        return ref("Text")
    values = {key: value for key, value in schema.items() if key not in ("description", "default")}
    return record("Takes one of these.", {"one_of": _list(values, least=1)})


def _envelope(payload: type[Payload], name: str, games: list[str], renamed: Mapping[str, str]) -> Schema:
    """The event as served."""
    sections = [renamed.get(section.__name__, section.__name__) for section in payload.SECTIONS.values()]
    keys = "|".join(SECTION_KEYS[kind] for kind in payload.SECTIONS)
    audiences: Schema = {"propertyNames": {"pattern": f"^({keys})$"}} if sections else {"maxProperties": 0}
    salt = HEX | {"description": "The salt, in hex."}
    opened: Schema | bool = False
    if sections:
        opened = record("The section and its salt.", {"data": some(sections), "salt": salt})
    return record(
        " ".join((payload.__doc__ or "").split()),
        {
            "table": ID | {"description": "The table's id."},
            "game": {"type": "string", "enum": games, "description": "The table's game."},
            "version": VERSION | {"description": "The event's place in its table's record: 1, 2, 3, …"},
            "position": VERSION | {"description": "The event's place in the whole log."},
            "deal": {
                "description": "The deal that the event belongs to; null outside deals.",
                "anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}],
            },
            "type": {"type": "string", "const": payload.TYPE, "description": "The event's type."},
            "schema": {
                "type": "integer",
                "const": payload.SCHEMA,
                "description": "The version of this type's fields.",
            },
            "at": TIME | {"description": "When it was recorded."},
            "actor": {"type": "string", "pattern": ACTOR, "description": "Who did it."},
            "action": {
                "description": "The service's id of the action that it came of.",
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
            "hash": HEX | {"description": "The event's hash, chained to the event before."},
        },
    )
