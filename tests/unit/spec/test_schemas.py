"""The JSON Schemas describe exactly what is sent and told."""

import json
from collections.abc import Mapping
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator

from domain.games.crocodile import CROCODILE
from domain.kernel.event import served
from domain.table.events import EVENTS as TABLE_EVENTS
from domain.table.view import view
from service.openapi.sample import Happened, happened
from service.openapi.schemas import event_schemas, game_schemas
from tests.support import games

Validators = Mapping[str, Draft202012Validator]


@pytest.fixture(scope="module")
def schemas() -> Validators:
    return {name: Draft202012Validator(schema) for name, schema in game_schemas(CROCODILE).items()}


@pytest.fixture(scope="module")
def one_of_each() -> Happened:
    return happened(CROCODILE)


@pytest.fixture(scope="module", params=range(3))
def live(request: pytest.FixtureRequest) -> games.Live:
    """A game that was played to its end."""
    return games.finished(games.Live.started(), games.chance(request.param))


def plain(value: object) -> Any:
    return json.loads(msgspec.json.encode(value))


def test_there_is_one_for_everything_a_client_sends_and_is_told(schemas: Validators) -> None:
    assert set(schemas) == {"options", "actions", "offers", "view", "events", "ledger-line"}
    for validator in schemas.values():
        Draft202012Validator.check_schema(validator.schema)


def test_every_event_fits_for_every_audience(schemas: Validators, live: games.Live) -> None:
    for record in live.records:
        placed = msgspec.structs.replace(record, position=record.version)
        for audience in games.AUDIENCES:
            for over in (False, True):
                schemas["events"].validate(json.loads(served(placed, audience, over=over)))


def test_every_view_fits_for_every_audience(schemas: Validators, live: games.Live) -> None:
    for audience in games.AUDIENCES:
        table = None
        for record in live.records:
            table = games.READER.fold(table, (record,), audience)
            assert table is not None
            schemas["view"].validate(plain(view(CROCODILE, table)))


def test_every_offer_and_the_action_picked_from_it_fit(schemas: Validators) -> None:
    live, chance = games.Live.started(), games.chance("offers")
    while live.table.status == "playing":
        offered = [offer for seat in range(3) for offer in live.offers(seat)]
        for offer in offered:
            schemas["offers"].validate(plain(offer.describe()))
            schemas["actions"].validate(plain(games.pick([offer], chance)))
        games.step(live, chance)


def test_every_line_fits(schemas: Validators, live: games.Live) -> None:
    lines = [line for event in live.events for line in getattr(event.public, "lines", ())]
    assert lines
    for line in lines:
        schemas["ledger-line"].validate(plain(line))


@pytest.mark.parametrize(
    "action",
    [
        {},
        {"type": "shuffle"},
        {"type": "pass", "loudly": True},
        {"type": "play"},
        {"type": "play", "card": "8s"},
        {"type": "play", "card": "sK"},
        {"type": "bid", "contract": "Grand"},
        {"type": "exchange", "discard": ["Ks", "Ks"]},
        {"type": "exchange", "discard": "Ks"},
        {"type": "answer-priority", "accept": "yes"},
        {"type": "talk", "text": ""},
        {"type": "talk", "text": "x" * 281},
        [],
    ],
    ids=json.dumps,
)
def test_what_is_no_action_does_not_fit(schemas: Validators, action: object) -> None:
    assert not schemas["actions"].is_valid(action)


@pytest.mark.parametrize("options", [{}, {"casco_stock": "face-up"}, {"contraprimeras": "always"}], ids=json.dumps)
def test_options_may_be_left_out(schemas: Validators, options: object) -> None:
    schemas["options"].validate(options)


@pytest.mark.parametrize("options", [{"casco_stock": "none"}, {"jokers": 2}, {"contraprimeras": None}], ids=json.dumps)
def test_what_is_no_option_does_not_fit(schemas: Validators, options: object) -> None:
    assert not schemas["options"].is_valid(options)


def test_an_event_with_anything_more_does_not_fit(schemas: Validators, one_of_each: Happened) -> None:
    for event in one_of_each.events.values():
        assert not schemas["events"].is_valid(event | {"more": 1})
        assert not schemas["events"].is_valid(event | {"public": event["public"] | {"more": 1}})


def test_the_catalogue_has_every_event_with_a_schema_that_its_example_fits(one_of_each: Happened) -> None:
    catalogue = event_schemas([CROCODILE])
    assert set(catalogue["table"]) == {payload.TYPE for payload in TABLE_EVENTS}
    assert set(catalogue["crocodile"]) == {payload.TYPE for payload in CROCODILE.events}
    for kind in catalogue.values():
        for name, schema in kind.items():
            Draft202012Validator.check_schema(schema)
            Draft202012Validator(schema).validate(one_of_each.events[name])


def test_examples_come_out_the_same_each_time(one_of_each: Happened) -> None:
    assert happened(CROCODILE) == one_of_each
