"""The sample tables that examples are taken from."""

from itertools import islice

import pytest

from domain.audit.auditor import audit
from domain.kernel.game import Game
from domain.record.history import Reader
from domain.table.events import events_of
from domain.table.talk import action_types_of
from tests.support.registry import GAMES
from tests.support.samples import sample, tables_needed

FIRST_TABLES = 6
"""The tables before the covering games: the main one, and five around it."""
MOST_TABLES = 200
"""So many tables are played in a second or two."""


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_there_is_one_of_every_event_and_of_every_action(game: Game) -> None:
    sampled = sample(game.name).by_type
    actions = {str(action.__struct_config__.tag) for action in action_types_of(game)}
    assert sampled.events.keys() == {payload.TYPE for payload in events_of(game)}
    assert sampled.actions.keys() == sampled.offers.keys() == actions
    assert all(event["type"] == type for type, event in sampled.events.items())


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_before_long_the_tables_hold_every_event_and_every_action(game: Game) -> None:
    assert tables_needed(game.name) <= MOST_TABLES


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_a_game_that_goes_on_from_a_point_of_another_is_a_whole_one(game: Game) -> None:
    first, *others = (table.records for table in islice(sample(game.name).tables, FIRST_TABLES, FIRST_TABLES + 6))
    dealt = [record.type for record in first].index("cards-dealt") + 1
    assert any(records[:dealt] == first[:dealt] for records in others), "some game goes on from the first one"
    for records in others:
        assert audit(Reader({game.name: game}), records).verdict == "intact"
