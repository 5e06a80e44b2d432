"""JSON Schemas of what a game's clients send and receive, made from the types that read and write it.

The schemas are one set of named components that refer to each other by `#/$defs/NAME`. A stand-alone schema includes
the components that it refers to. The OpenAPI document has the whole set.
"""

from collections.abc import Iterable, Mapping

import msgspec
import msgspec.inspect

from domain.kernel.action import Action, tag_of
from domain.kernel.event import Payload
from domain.kernel.game import Game
from domain.kernel.ledger import Line
from domain.table.events import EVENTS as TABLE_EVENTS
from domain.table.events import events_of
from domain.table.options import Clock, SpectatorDelay, TableOptions
from domain.table.talk import action_types_of
from service.describe.fact_schemas import facts_schema
from service.describe.field_meanings import PARTS, meanings_of
from service.describe.json_schema import (
    Schema,
    alone,
    any_of,
    enumerated,
    one_of,
    pascal,
    ref,
    some,
    with_named_values,
)
from service.describe.offer_schemas import offer_components, offer_schema
from service.describe.served_events import ACTOR, among, event_components
from service.describe.type_schemas import CARD, NAMES, components_of, structs_in

SHARED = ("domain.kernel.", "domain.parts.", "domain.fair.", "domain.table.")
"""The modules whose types are shared by games. The components of other types are named after their game."""

EVERYWHERE: tuple[type[msgspec.Struct], ...] = (
    Line,
    *TABLE_EVENTS,
    *(section for payload in TABLE_EVENTS for section in payload.SECTIONS.values()),
)
"""The shared types that every set has, whichever games are offered."""


def game_schemas(game: Game) -> dict[str, Schema]:
    """The game's JSON Schemas, each complete in itself: options, actions, offers, view, events, ledger line and
    facts."""
    title = pascal(game.name)
    components = components_alone(game)
    roots = {
        "options": ("The options of a table", f"{title}Options"),
        "actions": ("The actions of a seat", f"{title}Action"),
        "offers": ("The offers of a seat", f"{title}Offer"),
        "view": ("The view of an audience", f"{title}View"),
        "events": ("The events at a table", "Event"),
        "ledger-line": ("One booked amount", "LedgerLine"),
    }
    components["Event"] = any_of("An event of the table or of the game.", ["TableEvent", f"{title}Event"])
    schemas = {key: alone(f"{game.title}: {what}", root, components) for key, (what, root) in roots.items()}
    return schemas | {"facts": facts_schema(game)}


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
        components = components_alone(game)
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
    components = components_of(
        [kind for kind in used if is_shared(kind)], {}, sent=(TableOptions, Clock, SpectatorDelay), meanings=PARTS
    )
    options = [f"{pascal(game.name)}Options" for game in games]
    components["TableOpened"]["properties"]["options"] = some(options) | {"description": "The options in force."}
    components |= offer_components()
    components["Actor"] = ACTOR
    of_games = {"type": "string", "enum": [game.name for game in games]}
    components["GameName"] = {"description": "The name of a game that is offered."} | of_games
    mapping = {}
    for payload in TABLE_EVENTS:
        names = [game.name for game in games if payload in events_of(game)]
        if names:
            mapping[payload.TYPE] = f"{payload.__name__}Event"
            of = ref("GameName") if len(names) == len(games) > 1 else among(names)
            components |= event_components(payload, mapping[payload.TYPE], payload.__name__, of, {})
    components["TableEvent"] = one_of("An event of a table, the same in every game.", "type", mapping)
    return components


def components_alone(game: Game) -> dict[str, Schema]:
    """All components of a game, with those of every table and its own cards."""
    return table_components((game,)) | game_components(game) | {"Card": CARD | {"enum": list(game.pack)}}


def game_components(game: Game) -> dict[str, Schema]:
    """The game's own components, which refer to those of `table_components`."""
    title = pascal(game.name)
    types = described_types(game)
    actions = {tag_of(action): action for action in action_types_of(game)}
    names = {kind.__name__: _titled(title, kind) for kind in structs_in(types) if not is_shared(kind)}
    names |= {action.__name__: title + pascal(tag) for tag, action in actions.items()}
    names |= {payload.__name__: title + pascal(payload.TYPE) for payload in game.events if not is_shared(payload)}
    sent = (game.options, *actions.values())
    components = components_of(types, names, sent=sent, meanings=meanings_of(game))
    components = {name: components[name] for name in names.values()}
    components |= _named_values(title, components)
    view = components[names[game.showing.view.__name__]]
    view["properties"]["game"] = {"description": "The game's name.", "type": "string", "const": game.name}
    view["properties"]["status"] = {"description": view["properties"]["status"]["description"]} | ref("TableStatus")
    view["properties"]["options"] = {"description": "The options in force."} | ref(f"{title}Options")
    table_options = {"description": "The table's own options; only if one differs from its default."}
    view["properties"]["table_options"] = table_options | ref("TableOptions")
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
        components |= event_components(payload, events[payload.TYPE], name, among([game.name]), names)
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
