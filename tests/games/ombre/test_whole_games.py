"""Whole games of fair deals, played by picking from offers: paid as the checker says."""

from collections import Counter
from functools import cache
from hashlib import sha256

from domain.games.ombre.events import BidMade, EstuchesScored
from domain.games.ombre.meta import Options
from domain.table.events import GameFinished
from tests.games.ombre.tables import OmbreLive
from tests.golden.games import all_open
from tests.support.checker import violations
from tests.support.for_each import for_each
from tests.support.games import chance, finished, step

GAMES = (*range(40), 114)
"""In the last, Ombre stops after five tricks, which seldom happens by chance."""


@cache
def game(number: int) -> OmbreLive:
    """A finished game; every other one without holding."""
    options = Options(chips=40 + number, hold=number % 2 == 0)
    live = OmbreLive.started(options=options, seed=sha256(f"game {number}".encode()).digest())
    rng = chance(("whole game", number))
    while live.table.status == "playing":
        step(live, rng, rare=0.3 if number % 4 == 1 else 0.03)
    return live


@for_each("number", GAMES)
def test_om_8_2_every_deal_is_paid_by_the_table_and_nothing_is_lost(number: int) -> None:
    """The checker settles each deal from what was played, the accounts carried over."""
    live = game(number)
    assert violations([event | {"position": event["version"]} for event in all_open(live.records)]) == []
    bank = -sum(live.of(GameFinished)[0].totals)
    assert live.table.accounts == {"pool": 0, **({"bank": bank} if bank else {})}


def test_the_games_hold_all_there_is() -> None:
    """What the other tests here are about happens."""
    outcomes = Counter(scored.outcome for number in GAMES for scored in game(number).of(EstuchesScored))
    seen = {"win", "puesta", "codille", "surrendered", "new-ombre-won", "new-ombre-failed", "passed-out"}
    assert seen <= set(outcomes)
    types = {event.public.TYPE for number in GAMES for event in game(number).events}
    assert {"exchange-yielded", "play-stopped", "all-tricks-undertaken", "talon-turned"} <= types
    assert any(bid.hold for number in GAMES for bid in game(number).of(BidMade))
    assert all(not bid.hold for number in GAMES[1::2] for bid in game(number).of(BidMade))
    assert any(scored.estuches for number in GAMES for scored in game(number).of(EstuchesScored))


def test_no_audience_but_ombre_knows_the_estuches_before_they_are_paid() -> None:
    """What counts is the hand with which Ombre starts play, and others' folds hold none of it."""
    live = OmbreLive.around({0: ["As", "7h", "Ac", "Ah"]})
    ombre = live.turn
    live.bid_out(ombre, "solo")
    live.do("declare", trump="h")
    live.exchanged()
    for audience in live.audiences:
        known = live.known_to(audience).deal_state.opening
        assert known == (live.hand(ombre) if audience == f"seat:{ombre}" else ())


def test_a_finished_game_takes_no_action() -> None:
    live = finished(OmbreLive.started(deals=3), chance("finished"))
    assert (live.to_act, [live.offers(seat) for seat in range(3)]) == ((), [(), (), ()])
