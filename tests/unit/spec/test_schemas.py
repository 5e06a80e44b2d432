"""The JSON Schemas describe exactly what clients send and receive."""

import json
from collections.abc import Mapping
from typing import Any

import jsonschema_rs
import msgspec
import pytest

from domain.kernel.game import Game
from domain.record.envelope import served
from domain.table.events import EVENTS as TABLE_EVENTS
from domain.table.events import DealScored, PlayerReady
from domain.table.view import view
from service.describe.game_schemas import event_schemas, game_components, game_schemas, table_components
from service.http.examples import OneOfEach
from service.queries.deal_facts import DealFacts
from tests.support import games
from tests.support.for_each import for_each
from tests.support.registry import GAMES, OFFERED, fewest_deals
from tests.support.samples import sample

Validators = Mapping[str, jsonschema_rs.Validator]
"""By the schema's name. Whole games are validated, which the validator written in Python would take minutes for."""


@pytest.fixture(scope="module", params=GAMES.values(), ids=list(GAMES))
def game(request: pytest.FixtureRequest) -> Game:
    """Each game that is offered."""
    chosen: Game = request.param
    return chosen


@pytest.fixture(scope="module")
def schemas(game: Game) -> Validators:
    return validators(game)


@pytest.fixture(scope="module")
def by_type(game: Game) -> OneOfEach:
    return sample(game.name).by_type


@pytest.fixture(scope="module", params=range(2))
def live(game: Game, request: pytest.FixtureRequest) -> games.Live:
    """A game that was played to its end."""
    return games.finished(started(game), games.chance(request.param))


def validators(game: Game) -> Validators:
    return {name: jsonschema_rs.Draft202012Validator(schema) for name, schema in game_schemas(game).items()}


def started(game: Game) -> games.Live:
    """The shortest game of its kind."""
    kind: type[games.Live] = type(game.name, (games.Live,), {"game": game})
    return kind.started(deals=fewest_deals(game))


def plain(value: object) -> Any:
    return json.loads(msgspec.json.encode(value))


def test_there_is_one_for_everything_a_client_sends_and_receives(game: Game) -> None:
    schemas = game_schemas(game)
    assert set(schemas) == {"options", "actions", "offers", "view", "events", "ledger-line", "facts"}
    for schema in schemas.values():
        jsonschema_rs.meta.validate(schema)


def test_every_event_fits_for_every_audience(schemas: Validators, live: games.Live) -> None:
    for record in live.records:
        placed = msgspec.structs.replace(record, position=record.version)
        for audience in (*live.audiences, "house"):
            for over in (False, True):
                schemas["events"].validate(json.loads(served(placed, audience, over=over)))


def test_every_view_fits_for_every_audience(schemas: Validators, live: games.Live) -> None:
    for audience in (*live.audiences, "house"):
        table = None
        for record in live.records:
            table = games.READER.fold(table, (record,), audience)
            schemas["view"].validate(plain(view(live.game, table, audience)))


def test_every_offer_and_the_action_picked_from_it_fit(game: Game, schemas: Validators) -> None:
    live, chance = started(game), games.chance("offers")
    while live.table.status == "playing":
        offered = [offer for seat in live.seats for offer in live.offers(seat)]
        for offer in offered:
            schemas["offers"].validate(plain(offer.describe()))
            schemas["actions"].validate(plain(games.pick([offer], chance)))
        games.step(live, chance)


def test_every_line_fits(schemas: Validators, live: games.Live) -> None:
    lines = [line for event in live.events for line in getattr(event.public, "lines", ())]
    assert lines
    for line in lines:
        schemas["ledger-line"].validate(plain(line))


@for_each(
    "action",
    [
        {},
        {"type": "shuffle"},
        {"type": "pass", "loudly": True},
        {"type": "play"},
        {"type": "play", "card": "0s"},
        {"type": "play", "card": "sK"},
        [],
    ],
)
def test_another_value_than_an_action_does_not_fit(schemas: Validators, action: object) -> None:
    assert not schemas["actions"].is_valid(action)


@for_each(
    "name, action",
    [
        ("crocodile", {"type": "play", "card": "8s"}),
        ("crocodile", {"type": "bid", "contract": "Grand"}),
        ("crocodile", {"type": "exchange", "discard": ["Ks", "Ks"]}),
        ("crocodile", {"type": "exchange", "discard": "Ks"}),
        ("crocodile", {"type": "answer-priority", "accept": "yes"}),
        ("crocodile", {"type": "talk", "text": ""}),
        ("crocodile", {"type": "talk", "text": "x" * 281}),
        ("lhombre", {"type": "play", "card": "Ts"}),
        ("lhombre", {"type": "bid", "contract": "grand"}),
        ("lhombre", {"type": "self", "contract": "solo"}),
    ],
)
def test_an_action_that_the_game_does_not_have_does_not_fit(name: str, action: object) -> None:
    assert not validators(GAMES[name])["actions"].is_valid(action)


@for_each(
    "name, options",
    [
        ("crocodile", {}),
        ("crocodile", {"casco_stock": "face-up"}),
        ("crocodile", {"contraprimeras": "always"}),
        ("lhombre", {}),
        ("lhombre", {"players": 3}),
        ("lhombre", {"sitter_pays": False}),
    ],
)
def test_options_may_be_left_out(name: str, options: object) -> None:
    validators(GAMES[name])["options"].validate(options)


@for_each(
    "name, options",
    [
        ("crocodile", {"casco_stock": "none"}),
        ("crocodile", {"jokers": 2}),
        ("crocodile", {"contraprimeras": None}),
        ("lhombre", {"players": 5}),
        ("lhombre", {"players": "3"}),
        ("lhombre", {"casco_stock": "all"}),
    ],
)
def test_another_value_than_an_option_does_not_fit(name: str, options: object) -> None:
    assert not validators(GAMES[name])["options"].is_valid(options)


def test_an_event_with_a_further_field_does_not_fit(schemas: Validators, by_type: OneOfEach) -> None:
    for event in by_type.events.values():
        assert not schemas["events"].is_valid(event | {"more": 1})
        assert not schemas["events"].is_valid(event | {"public": event["public"] | {"more": 1}})


@pytest.fixture(scope="module")
def catalogue() -> Mapping[str, Mapping[str, Any]]:
    return event_schemas(GAMES.values())


def test_the_catalogue_has_every_event_with_a_schema_that_its_example_fits(
    game: Game, by_type: OneOfEach, catalogue: Mapping[str, Mapping[str, Any]]
) -> None:
    own = {payload.TYPE for payload in game.events}
    gated = any(each.course.gate is not None for each in GAMES.values())
    assert set(catalogue["table"]) == {payload.TYPE for payload in TABLE_EVENTS if gated or payload is not PlayerReady}
    assert set(catalogue[game.name]) == own
    for name, event in by_type.events.items():
        schema = catalogue[game.name if name in own else "table"][name]
        jsonschema_rs.meta.validate(schema)
        jsonschema_rs.Draft202012Validator(schema).validate(event)


def test_a_shared_schema_has_one_name_and_a_games_own_begins_with_the_games_name() -> None:
    shared = set(table_components(GAMES.values()))
    assert {"TrickWon", "CardPlayed", "BidPassed", "Hand", "AuctionCall"} <= shared
    own = {game.name: set(game_components(game)) for game in GAMES.values()}
    for name, names in own.items():
        assert not names & shared
        assert all(component.startswith(name.capitalize()) for component in names)
    assert len(set.union(*own.values())) == sum(map(len, own.values()))


def test_facts_of_deals_fit_and_each_says_what_it_means(game: Game, schemas: Validators, live: games.Live) -> None:
    schema = game_schemas(game)["facts"]
    for kind in (schema, *schema.get("$defs", {}).values()):
        # The toy's fields have no meanings.
        assert game.name not in OFFERED or all("description" in part for part in kind.get("properties", {}).values())
    for record in live.records:
        if record.type == DealScored.TYPE:
            facts = DealFacts.of(games.READER, live.records[: record.version - 1]).facts
            schemas["facts"].validate(plain(facts))
            assert not schemas["facts"].is_valid(plain(facts) | {"more": 1})
