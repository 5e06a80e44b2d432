"""Whole games picked from offers: partners share what is won, and all there is happens."""

from collections import Counter

import msgspec
import pytest

from domain.audit.auditor import audit
from domain.games.don import DON
from domain.games.don.meta import Options
from tests.games.don.tables import DonLive, Target
from tests.support.games import READER, Wire, chance, finished, parsed


def game(number: int, target: Target = 121) -> DonLive:
    """A finished game."""
    live = DonLive.started(seed=bytes([number]) * 32, options=Options(target=target))
    return finished(live, chance((number, target)))


@pytest.mark.parametrize("target", [121, 91])
def test_random_games_are_intact_and_sum_to_zero(target: Target) -> None:
    types: Counter[str] = Counter()
    for number in range(8):
        live = game(number, target)
        found = audit(READER, live.records)
        assert (found.verdict, found.unchecked) == ("intact", ())
        assert sum(live.table.balances.values()) == 0
        assert live.table.totals[:2] == live.table.totals[2:]
        types.update(event.public.TYPE for event in live.events)
    assert set(types) >= {event.TYPE for event in DON.events}
    assert types["hand-opened"] == types["deal-scored"] == types["cards-dealt"]


@pytest.mark.parametrize("action", [{"type": "pass"}, {"type": "play"}, {"type": "play", "card": "Jo.1", "trump": "s"}])
def test_nothing_but_a_card_can_be_asked_for(action: Wire) -> None:
    with pytest.raises(msgspec.ValidationError):
        parsed(action, DON)


def test_the_mildest_act_is_the_lowest_card_allowed() -> None:
    live = DonLive.started()
    while live.table.scored == 0:
        action = DON.decider.default_action(live.table.deal_state, live.turn)
        (fields,) = live.offered(live.turn, "play")
        ranks = "23456789TJQKA"
        assert ranks.index(action.card[0]) == min(ranks.index(card[0]) for card in fields["card"]["one_of"])
        live.take(live.turn, {"type": "play", "card": action.card})
