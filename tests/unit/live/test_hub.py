"""What streams know of how tables end."""

import pytest

from domain.registry import GAMES
from domain.table.events import ENDINGS
from service.live.hub import LOBBY
from tests.golden.games import events as recorded


@pytest.mark.parametrize("ending", ["table-expired", "table-abandoned"])
@pytest.mark.parametrize("game", GAMES)
def test_every_ending_of_a_table_ends_its_streams_and_is_told_in_the_lobby(game: str, ending: str) -> None:
    events = recorded(game, ending)
    ended = {event["type"] for event in events if event["type"] in ENDINGS}
    assert ended == {events[-1]["type"]}
    assert ended <= LOBBY
