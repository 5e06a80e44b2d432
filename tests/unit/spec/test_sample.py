"""The games that examples are taken from."""

from itertools import islice
from typing import get_args

import pytest

from domain.kernel.game import Game
from domain.registry import GAMES
from domain.table.events import EVENTS
from service.spec.sample import SHOWING, plays

LIFE = 4
"""The tables that show what happens around a game: played, disputed, erased, broken off."""


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_everything_happens_in_the_games_that_are_played_first(game: Game) -> None:
    played = list(islice(plays(game), LIFE + len(SHOWING[game.name])))
    types = {record.type for one in played for record in one.records}
    actions = {action["type"] for one in played for _, action in one.actions.values()}
    assert types == {payload.TYPE for payload in (*EVENTS, *game.events)}
    assert actions == {str(action.__struct_config__.tag) for action in get_args(game.actions)}
