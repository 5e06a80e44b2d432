"""In every game one function says how a deal has ended: `settled` in its `scoring.py`."""

from importlib import import_module

import pytest

from domain.record.history import Reader
from domain.registry import GAMES
from domain.seats import HOUSE
from tests.golden.games import names, records


@pytest.mark.parametrize("of", GAMES)
def test_a_deal_has_a_score_and_no_act_left_exactly_when_it_is_settled(of: str) -> None:
    settled, reader, ends = import_module(f"domain.games.{of}.scoring").settled, Reader(GAMES), 0
    for name in names(of)[:3]:
        table = None
        for record in records(of, name):
            table = reader.fold(table, [record], HOUSE)
            if table.running_deal is None:
                continue
            decider, state = GAMES[of].decider, table.deal_state
            end, due = settled(state), decider.next_automatic(state)
            assert (end is None) is (decider.score(state) is None)
            if end is not None:
                ends += 1
                assert due is None
            if end is not None or due is not None:
                assert decider.to_act(state) == ()
                assert not any(decider.offers(state, seat) for seat in range(len(table.players)) if end is not None)
    assert ends
