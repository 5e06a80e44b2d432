"""Whole games of fair deals, played by picking from offers: settled by the table of OM-8, and intact in every audit."""

from collections import Counter
from functools import cache
from hashlib import sha256

import pytest

from domain.audit.auditor import audit
from domain.games.ombre.events import BidMade, EstuchesScored, SurrenderAnswered
from domain.games.ombre.meta import Options
from domain.parts.tricks import CardPlayed, TrickWon
from domain.table.events import CardsDealt, GameFinished
from domain.table.offers import offers
from domain.table.view import to_act
from tests.games.ombre.tables import BONUS, OmbreLive, Verdict, books, run_of_trumps, settled
from tests.support.for_each import for_each
from tests.support.games import READER, chance, finished, step

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


def settlement(live: OmbreLive, deal: int, pool: int) -> tuple[str, list[str], list[int], int]:
    """A deal by the text: its outcome, its estuches, what each seat gains, and what is in the pool afterwards."""
    own_events = [event for event in live.events if event.deal == deal]
    of = {event.public.TYPE: event.public for event in own_events}
    if "contract-declared" not in of:
        return "passed-out", [], [0, 0, 0], pool
    ombre, contract = of["contract-declared"].seat, of["contract-declared"].contract
    trump = of["talon-turned"].trump if contract == "vuelta" else of["contract-declared"].trump
    answers = [event.public for event in own_events if isinstance(event.public, SurrenderAnswered)]
    new = next((answer.seat for answer in answers if not answer.accepted), None)
    alone = ombre if new is None else new
    winners = tuple((alone - event.public.seat) % 3 for event in own_events if isinstance(event.public, TrickWon))
    verdict = settled(new_ombre=new is not None)[winners]
    if "surrender-offered" in of and new is None:
        verdict = Verdict("surrendered")
    elif "play-stopped" in of:
        assert winners == (0,) * 5
        verdict = Verdict("win", True)
    assert verdict is not None
    cards: list[str] = []
    if verdict.outcome in ("win", "vole", "vole-failed"):
        plays = [event.public for event in own_events if isinstance(event.public, CardPlayed)]
        left = live.game.showing.hands(live.known_to("house", own_events[-1].version).deal_state)[ombre].known
        cards = run_of_trumps([*(play.card for play in plays if play.seat == ombre), *left], trump)
    *amounts, after = books(verdict, pool, BONUS[contract], len(cards))
    seats = (ombre, (ombre - 1) % 3, (ombre - 2) % 3) if new is None else (ombre, new, 3 - ombre - new)
    by_seat = dict(zip(seats, amounts, strict=True))
    return verdict.outcome, cards, [by_seat[seat] for seat in range(3)], after


@for_each("number", GAMES)
def test_om_8_2_every_deal_is_paid_by_the_table_and_nothing_is_lost(number: int) -> None:
    """Settles each deal by the text from what was played, the accounts carried over."""
    live = game(number)
    totals, pool = [0, 0, 0], 0
    for dealt, scored in zip(live.of(CardsDealt), live.of(EstuchesScored), strict=True):
        totals[dealt.dealer] -= 5
        outcome, cards, amounts, pool = settlement(live, dealt.deal, pool + 5)
        totals = [total + amount for total, amount in zip(totals, amounts, strict=True)]
        assert (scored.outcome, list(scored.estuches), list(scored.totals)) == (outcome, cards, totals)
        assert sum(totals) + pool == 0
    assert list(live.of(GameFinished)[0].totals) == [total + pool // 3 for total in totals]
    assert live.table.accounts == {"pool": 0, **({"bank": pool % 3} if pool % 3 else {})}


@for_each("number", GAMES)
def test_om_8_2_lines_cancel_each_other_and_none_is_zero(number: int) -> None:
    for event in game(number).events:
        for line in getattr(event.public, "lines", ()):
            assert line.amount != 0
            assert line.counter != line.account
        assert sum(line.amount for line in getattr(event.public, "lines", ())) == 0


@for_each("number", GAMES)
def test_every_game_is_intact_in_its_audit(number: int) -> None:
    found = audit(READER, game(number).records)
    assert [check for check in found.checks if not check.passed] == []
    assert found.verdict == "intact"


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


@for_each("number", range(6))
def test_every_seat_knows_its_own_offers_and_everybody_who_is_to_act(number: int) -> None:
    """Offers follow from public fields and the seat's own cards, so that its own fold has the same as the house's."""
    live = game(number)
    folded = {audience: READER.fold(None, live.records[:1], audience) for audience in (*live.audiences, "house")}
    for record in live.records[1:]:
        for audience, table in folded.items():
            folded[audience] = READER.fold(table, [record], audience)
        house = folded["house"]
        assert house is not None
        for seat in range(3):
            own = folded[f"seat:{seat}"]
            assert own is not None
            assert offers(live.game, own, seat) == offers(live.game, house, seat)
        assert len({to_act(live.game, table) for table in folded.values() if table is not None}) == 1


@pytest.mark.parametrize("number", range(3))
def test_what_is_the_same_for_all_is_told_to_all(number: int) -> None:
    live = game(number)
    names = ("order", "auction", "contract", "exchanges", "trick", "last_trick", "surrender", "pool", "chips", "phase")
    for version in range(1, len(live.records), 7):
        views = [live.view(audience, version) for audience in live.audiences]
        for name in names:
            assert all(view[name] == views[0][name] for view in views)


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
