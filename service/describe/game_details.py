"""The games offered, as clients read them."""

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from domain.cards import Face
from domain.kernel.action import tag_of
from domain.kernel.acts import limiting
from domain.kernel.game import Game
from domain.kernel.rulebook import SERVED, Rule
from domain.kernel.words import EventWords, Sentence
from domain.table.rules import RULES
from domain.table.talk import action_types_of
from domain.table.words import ACTORS, VERBS, complete
from service.describe.game_schemas import components_alone, game_schemas
from service.describe.json_schema import Schema, pascal, references
from service.describe.shared_fields import UNIT, Json, Listed


class DealNumbers(Struct, frozen=True):
    """The numbers of deals that a table may have under the default options; other options may have other limits."""

    default: Annotated[int, Meta(ge=1, description="The number of deals if a table is opened without one.")]
    least: Annotated[int, Meta(ge=1, description="The smallest number of deals.")]
    most: Annotated[int, Meta(ge=1, description="The greatest number of deals.")]
    multiple_of: Annotated[int, Meta(ge=1, description="A divisor of the number of deals, except that of the default.")]


class GameSummary(Struct, frozen=True):
    """A summary of a game that is offered."""

    game: str
    title: Annotated[str, Meta(description="The game's title.")]
    aim: Annotated[tuple[str, ...], Meta(description="What one plays for, in two sentences.")]
    seats: Annotated[int, Meta(description="The number of seats under the default options.")]
    deals: Annotated[DealNumbers, Meta(description="The numbers of deals that a table of the game may have.")]
    unit: Annotated[str, UNIT]
    rules_version: int
    rules_digest: str


class GameList(Listed[GameSummary], frozen=True):
    """The games that are offered."""


class FieldMeanings(Struct, frozen=True):
    """The meanings of the game's fields, by name."""

    options: Annotated[Mapping[str, str], Meta(description="The meanings of the options.")]
    acts: Annotated[Mapping[str, Mapping[str, str]], Meta(description="The meanings of an act's fields, by its type.")]
    events: Annotated[
        Mapping[str, Mapping[str, str]],
        Meta(description="The meanings of an event's fields, public and sealed ones, by its type."),
    ]
    view: Annotated[Mapping[str, str], Meta(description="The meanings of the view's fields.")]


class GameWords(Struct, frozen=True):
    """The game's own words, with which a client narrates it without knowing the game by name.

    To narrate an event, use the first of its sentences whose conditions all hold for the event's public fields, and
    fill the holes. Then do the same with the sentences of each open sealed section.

    A ledger line is narrated likewise, by the sentences for its kind.
    """

    introduction: Annotated[
        Mapping[str, tuple[str, ...]],
        Meta(
            description="The game for somebody who has never seen it, in sentences: its `aim`, a `turn`, and what "
            "`beginners` get wrong."
        ),
    ]
    events: Annotated[Mapping[str, EventWords], Meta(description="The words for events, by type.")]
    actors: Annotated[
        Mapping[str, str],
        Meta(
            description="What to add about an event whose public fields have a `seat`, by the kind of its actor (the "
            "part of its `actor` before a colon)."
        ),
    ]
    acts: Annotated[Mapping[str, str], Meta(description="The label of each act, as for a button, by type.")]
    prompts: Annotated[
        tuple[Sentence, ...],
        Meta(
            description="What a seat is asked to do: the first that fits its view with, as the field `offers`, its "
            "offers by type, of each the first. One fits unless it has none but talk."
        ),
    ]
    sending: Annotated[
        Mapping[str, tuple[Sentence, ...]],
        Meta(description="What to say of an act while it is sent, by its type: the first that fits."),
    ]
    verbs: Annotated[
        Mapping[str, str],
        Meta(description="The first words of sentences in `sending`, as they stand on a button; ` …` goes there."),
    ]
    purposes: Annotated[
        Mapping[str, str],
        Meta(description="Why there is such a phase, for beginners, by phase."),
    ]
    final: Annotated[
        Mapping[str, str],
        Meta(description="The acts that are best confirmed, by type: `exchange`, `discard` or `contract`."),
    ]
    piles: Annotated[
        Mapping[str, tuple[str, ...]],
        Meta(description="The acts that a tap on a pile means, by its field in the view."),
    ]
    promises: Annotated[
        Mapping[str, Mapping[str, str]],
        Meta(description="What bids, contracts and announcements promise and cost, as `terms`; of acts under `act`."),
    ]
    terms: Annotated[
        Mapping[str, Mapping[str, str]],
        Meta(
            description="The names of values, by kind (`contract`, `bonus`, `outcome`, `phase`, …) and by value, a "
            "number as its digits. A value without a name is written with spaces for its hyphens."
        ),
    ]
    status: Annotated[
        tuple[tuple[Sentence, ...], ...],
        Meta(
            description="A summary of a view: from each group of sentences about the view's fields, the first that "
            "fits, if one does."
        ),
    ]
    marks: Annotated[
        Mapping[str, str],
        Meta(description="The roles of seats in a view: by the path of a field with a seat, the name of that role."),
    ]
    groups: Annotated[
        Mapping[str, tuple[Sentence, ...]],
        Meta(
            description="The names of groups of cards in a view, such as melds: by the path of a list of such groups, "
            "sentences about the fields of a group; the first that fits is used, if one does."
        ),
    ]
    lines: Annotated[
        Mapping[str, tuple[Sentence, ...]],
        Meta(
            description="Sentences for ledger lines, by the line's `kind`; the first that fits is used, or else the "
            "line's `text`. A sentence fits if its conditions hold for the line's fields and the whole `text` is the "
            "sentence's, where each hole holds a value as records write it. That value is to be written in its place. "
            "In a record a `seat` is `seat 0`; `seats` are `seat 0` or `seats 0 and 2`; a `card` is its name, and "
            "`cards` are names with a space between two; a `number` has digits, and commas by thousands; `text` is at "
            "least one character, and as short as it can be; a `line` is the text of another line, for which the "
            "sentences of all kinds are tried in their order, without their conditions."
        ),
    ]
    fields: Annotated[FieldMeanings, Meta(description="The meanings of the fields.")]


class DealSearch(Struct, frozen=True):
    """What the game's finished deals are searched by, besides their outcome, whose names are the terms `outcome`."""

    contract: Annotated[
        str | None,
        Meta(description="The kind of `terms` that names contracts, or kinds of deal; null if deals have neither."),
    ]
    declarer: Annotated[bool, Meta(description="Whether one seat plays the contract.")]
    trump: Annotated[bool, Meta(description="Whether deals may have a trump suit.")]


class Documents(Struct, frozen=True):
    """The addresses of the documents that describe the interface to one game alone."""

    openapi: Annotated[str, Meta(description="The OpenAPI document.")]
    asyncapi: Annotated[str, Meta(description="The AsyncAPI document.")]


class GameDetails(GameSummary, frozen=True):
    """Everything that a client needs to know about a game: cards, tables of data, numbered rules, words and schemas."""

    pack: Annotated[
        Mapping[str, Face],
        Meta(description="The game's cards by their names, in sorted order, with the face of each."),
    ]

    options: Annotated[Json, Meta(description="The JSON Schema of the options.")]
    contracts: Annotated[tuple[Json, ...], Meta(description="The contracts, one row each.")]
    bonuses: Annotated[tuple[Json, ...], Meta(description="The bonuses, one row each.")]
    outcomes: Annotated[tuple[Json, ...], Meta(description="The outcomes of a deal, one row each.")]
    tables: Annotated[
        Mapping[str, tuple[Json, ...]],
        Meta(description="The game's other tables of rules' data, by name; empty if it has none."),
    ]
    rules: Annotated[tuple[Rule, ...], Meta(description="The numbered rules.")]
    table_rules: Annotated[
        tuple[Rule, ...],
        Meta(description="The numbered rules of a table's life, the same for every game; outside the rules' digest."),
    ]
    acts: Annotated[
        Mapping[str, tuple[Rule, ...]],
        Meta(description="The rules that limit each act, by its type, in the order in which they are judged."),
    ]
    words: Annotated[GameWords, Meta(description="The words with which the game is narrated.")]
    searched: DealSearch
    schemas: Annotated[
        dict[str, Json],
        Meta(description="JSON Schemas (2020-12) of options, actions, offers, view, events and ledger lines."),
    ]
    """JSON Schemas (2020-12) of options, actions, offers, view, events and ledger lines, each complete in itself."""
    documents: Documents


def details(game: Game) -> GameDetails:
    """The details of a game under its rules."""
    schemas = game_schemas(game)
    tables: dict[str, Any] = {name: msgspec.to_builtins(rows) for name, rows in game.rulebook.tables.items()}
    served: dict[str, Any] = {name: tuple(tables.get(name, ())) for name in SERVED}
    by = game.scoring.searched
    return GameDetails(
        **msgspec.structs.asdict(summary(game)),
        pack=game.pack.faces,
        options=schemas["options"],
        **served,
        tables={name: tuple(rows) for name, rows in tables.items() if name not in SERVED},
        rules=game.rulebook.rules,
        table_rules=RULES,
        acts=_limits(game),
        words=words(game),
        searched=DealSearch(by.terms, by.declarer is not None, by.trump is not None),
        schemas=schemas,
        documents=Documents(f"/v1/games/{game.name}/openapi.json", f"/v1/games/{game.name}/asyncapi.json"),
    )


def _limits(game: Game) -> dict[str, tuple[Rule, ...]]:
    """The rules that limit each act, by its type, in the order in which they are judged."""
    rules = {rule.id: rule for rule in game.rulebook.rules}
    return {tag_of(act): tuple([rules[number] for number in limiting(game.acts, act)]) for act in game.action_types}


def words(game: Game) -> GameWords:
    """The game's words, including those for the events of every table."""
    all_words = complete(game)
    components = components_alone(game)
    title = pascal(game.name)
    verbs = {one.text.split()[0] for ways in all_words.sending.values() for one in ways}
    acts = {tag_of(act): act for act in action_types_of(game)}
    own = {
        name: text for name, text in msgspec.structs.asdict(all_words).items() if name in GameWords.__struct_fields__
    }
    return GameWords(
        **own
        | {
            "introduction": msgspec.structs.asdict(all_words.introduction),
            "actors": ACTORS,
            "verbs": {verb: VERBS[verb] for verb in sorted(verbs & VERBS.keys())},
            "fields": FieldMeanings(
                _meanings(components, f"{title}Options"),
                {act: _meanings(components, f"{title}{pascal(act)}") for act in acts},
                {event: _event_meanings(components, title, event) for event in all_words.events},
                _meanings(components, f"{title}View"),
            ),
        }
    )


def _event_meanings(components: Mapping[str, Schema], title: str, event: str) -> dict[str, str]:
    """The meanings of an event's fields; if a sealed and a public field share a name, those of the public one."""
    own = f"{title}{pascal(event)}Event"
    envelope = components[own if own in components else f"{pascal(event)}Event"]["properties"]
    sealed = envelope["sealed"]["additionalProperties"]
    sections = [part for name in references(sealed) for part in references(components[name]["properties"]["data"])]
    parts = [*sections, *references(envelope["public"])]
    return {name: text for part in parts for name, text in _meanings(components, part).items()}


def _meanings(components: Mapping[str, Schema], name: str) -> dict[str, str]:
    properties = components[name]["properties"].items()
    return {field: schema["description"] for field, schema in properties if field != "type"}


def summary(game: Game) -> GameSummary:
    """The summary of a game."""
    options = game.options()
    deals = game.course.deals(options)
    return GameSummary(
        game.name,
        game.title,
        game.words.introduction.aim,
        game.course.seats(options),
        DealNumbers(deals.default, deals.least, deals.most, deals.multiple_of),
        game.unit,
        game.rulebook.version,
        game.rulebook.digest(),
    )
