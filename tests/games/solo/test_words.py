"""What is said of a deal that is over names those who played it."""

import pytest

from domain.games.solo import SOLO
from domain.kernel.words import Filled, said
from domain.table.words import complete
from tests.golden.games import events as golden_events
from tests.golden.games import names as golden_names


@pytest.mark.parametrize("alone", [True, False])
def test_the_score_of_a_deal_names_declarer_game_and_partner(*, alone: bool) -> None:
    events = (event for name in golden_names("solo") for event in golden_events("solo", name))
    scored = [event["public"] for event in events if event["type"] == "deal-scored"]
    scored = [public for public in scored if (public["partner"] is None) == alone]
    assert scored
    for public in scored:
        parts = said(complete(SOLO).events["deal-scored"].sentences, public)
        assert parts is not None
        filled = [(part.kind, part.value) for part in parts if isinstance(part, Filled)]
        seats = [public["declarer"]] if alone else [public["declarer"], public["partner"]]
        assert [value for kind, value in filled if kind == "seat"] == seats
        assert [value for kind, value in filled if kind == "term"] == [public["level"], public["outcome"]]
