"""Records: the fold equals the live state, and what is read is written again byte for byte."""

import random
from itertools import pairwise

import pytest
from hypothesis import given, settings

from domain.games.crocodile.events import CardPlayed, CardsExchanged, CascoCards, CascoTaken, ExchangedCards
from domain.games.crocodile.meta import PACK, Options
from domain.games.crocodile.view import hands
from domain.kernel.event import write
from domain.kernel.record import GENESIS
from domain.table.events import CardsDealt, DealScored, GameFinished
from domain.table.state import Table
from domain.table.view import view
from tests.property.strategies import OPTIONS, luck, playing, started
from tests.support.games import GAME, READER, Live, chance, finished, moment, read


@given(live=started, rng=luck)
@settings(max_examples=60)
def test_the_fold_of_the_record_equals_the_live_state(live: Live, rng: random.Random) -> None:
    states = [(state.version, state.history) for state in playing(live, rng)]
    folded = read(live.records[: states[0][0]])
    assert folded == states[0][1]
    for (before, _), (after, history) in pairwise(states):
        again = READER.history(live.records[before:after], folded)
        assert again is not None
        folded = again
        assert folded == history
    assert read(live.records) == live.history


@given(live=started, rng=luck)
@settings(max_examples=60)
def test_records_round_trip_byte_for_byte(live: Live, rng: random.Random) -> None:
    finished(live, rng)
    previous = GENESIS
    for record in live.records:
        assert record.action is not None
        drawn = moment(int(record.action[-12:]))
        again = write(
            READER.read(record),
            table=record.table,
            game=record.game,
            previous=previous,
            at=record.at,
            action=record.action,
            chance=drawn.chance,
        )
        assert again == record
        previous = record.hash


@given(live=started, rng=luck)
@settings(max_examples=100)
def test_every_deal_is_booked_to_zero_and_totals_are_sums_of_lines(live: Live, rng: random.Random) -> None:
    finished(live, rng)
    totals = [0, 0, 0]
    bank = 0
    for scored in live.of(DealScored):
        assert sum(line.amount for line in scored.lines) == 0
        assert all(line.amount for line in scored.lines)
        for line in scored.lines:
            assert all(record in range(1, live.version) for record in line.events)
            if line.seat is None:
                bank += line.amount
            else:
                totals[line.seat] += line.amount
        assert list(scored.totals) == totals
    assert bank == -sum(totals)
    assert live.table.accounts == {"bank": bank}
    assert list(live.of(GameFinished)[0].totals) == totals
    assert list(live.view("public")["totals"]) == totals


def held(table: Table) -> list[str]:
    """Every card that the house knows to lie in a hand or to be drawn."""
    play = table.play
    play = getattr(play, "exchange", getattr(play, "before", play))
    cards = [card for hand in hands(play) for card in hand.known]
    stock = getattr(play, "stock", None)
    piles = [getattr(play, "talon", ()), getattr(play, "discards", ())]
    if stock is not None:
        piles += [stock.pile, stock.face_up]
    return [*cards, *(card for pile in piles for card in pile)]


@given(live=started, rng=luck)
@settings(max_examples=40)
def test_the_pack_stays_whole(live: Live, rng: random.Random) -> None:
    finished(live, rng)
    table: Table | None = None
    gone: set[str] = set()
    out: set[str] = set()
    for record, event in zip(live.records, live.events, strict=True):
        table = READER.fold(table, [record])
        assert table is not None
        if table.play is None:
            continue
        public = event.public
        if isinstance(public, CardsDealt):
            gone, out = set(), set()
        elif isinstance(public, CardPlayed):
            gone.add(public.card)
        elif isinstance(public, CardsExchanged):
            own = event.section(f"seat:{public.seat}", ExchangedCards)
            assert own is not None
            assert len(own.discarded) == public.count == len(own.drawn) + len(public.taken)
            gone |= set(own.discarded)
        elif isinstance(public, CascoTaken) and table.options.casco_stock == "face-up":
            own_casco = event.section(f"seat:{public.seat}", CascoCards)
            assert own_casco is not None
            out = set(own_casco.discarded)
        elif public.TYPE == "casco-laid":
            gone |= out
        now = held(table)
        assert len(now) == len(set(now))
        assert gone.isdisjoint(now)
        assert {*now, *gone} == set(PACK)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("deals", [3, 9])
def test_every_combination_of_options_is_played_to_the_end(options: Options, deals: int) -> None:
    live = finished(Live.started(options=options, deals=deals), chance((options, deals)))
    assert live.table.status == "finished"
    assert live.table.options == options
    assert view(GAME, live.table).winners == live.of(GameFinished)[0].winners
