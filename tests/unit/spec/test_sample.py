"""The sample tables that examples are taken from."""

from typing import get_args

import pytest

from domain.kernel.game import Game
from domain.table.events import events_of
from service.spec.sample import one_of_each
from tests.support.registry import GAMES


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_there_is_one_of_every_event_and_of_every_action(game: Game) -> None:
    sampled = one_of_each(game)
    actions = {str(action.__struct_config__.tag) for action in get_args(game.actions)}
    assert sampled.events.keys() == {payload.TYPE for payload in events_of(game)}
    assert sampled.actions.keys() == sampled.offers.keys() == actions
    assert all(event["type"] == type for type, event in sampled.events.items())
