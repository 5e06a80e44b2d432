"""The sample tables that examples are taken from."""

from itertools import islice
from typing import get_args

import pytest

from domain.kernel.game import Game
from domain.table.events import events_of
from service.spec.sample import COVERING, sample_tables
from tests.support.registry import GAMES

FIRST_TABLES = 4
"""The tables before the covering games: the main one, a disputed, an erased and a closed one."""


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_the_first_tables_hold_every_event_and_every_action(game: Game) -> None:
    tables = list(islice(sample_tables(game), FIRST_TABLES + len(COVERING[game.name])))
    types = {record.type for table in tables for record in table.records}
    actions = {action["type"] for table in tables for _, action in table.actions.values()}
    assert types == {payload.TYPE for payload in events_of(game)}
    assert actions == {str(action.__struct_config__.tag) for action in get_args(game.actions)}
