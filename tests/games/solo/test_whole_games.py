"""Whole games picked from offers, under every color: deals stop where they must."""

import pytest

from domain.games.solo import SOLO
from tests.games.solo.tables import SUITS, SoloLive
from tests.golden.games import all_open
from tests.support.checker import violations
from tests.support.games import chance, finished


def game(number: int, color: str, deals: int = 8) -> SoloLive:
    """A finished game."""
    live = SoloLive.started(deals=deals, seed=bytes([number]) * 32, options=SOLO.options(color=color))
    return finished(live, chance((number, color)))


@pytest.mark.parametrize("color", SUITS)
def test_so_4_3_random_deals_stop_where_they_must(color: str) -> None:
    """The independent check of the game knows of each deal how many cards are played."""
    for number in range(12):
        events = [event | {"position": event["version"]} for event in all_open(game(number, color).records)]
        assert sum(event["type"] == "deal-scored" for event in events) == 8
        assert violations(events) == []
