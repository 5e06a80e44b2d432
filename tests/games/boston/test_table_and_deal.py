"""BO-1, BO-2: table, course of the game, cards and deal."""

from itertools import pairwise

import pytest

from domain.games.boston import BOSTON
from domain.games.boston.contracts import CONTRACTS, FACTORS
from domain.games.boston.meta import RANKINGS, Options, honours_of
from domain.kernel.dealing import DealtHand
from domain.parts.tricks import Played, winner
from domain.table.events import DealScored, GameFinished
from tests.games.boston.tables import PACK, SUITS, BostonLive, dealt, played, shared_out
from tests.games.dealing import (
    assert_deal_moves,
    assert_deals,
    assert_full,
    assert_no_options,
    first_dealers,
    positions,
)
from tests.support.games import chance, finished


def test_bo_1_1_four_seats() -> None:
    live = BostonLive.started()
    assert_full(live, 4)


def test_bo_1_1_each_plays_alone() -> None:
    live = played("nine", shared_out(10, 2))
    assert [line.seat for line in live.score.lines] == [0, None]
    assert BOSTON.course.sides(Options()) == ()


def test_bo_1_2_games_of_four_to_96_deals_divisible_by_four() -> None:
    assert_deals(BostonLive, "BO-1.2", may=[4, 8, 12, 96], never=[-4, 0, 1, 6, 10, 98, 100])


def test_bo_1_2_twelve_deals_by_default() -> None:
    assert BostonLive.opened().table.deals == 12


def test_bo_1_3_every_seat_is_drawn_as_first_dealer() -> None:
    assert first_dealers(BostonLive, 60) == {0, 1, 2, 3}


def test_bo_1_3_the_deal_passes_to_the_left_after_a_deal_thrown_in_too() -> None:
    live = BostonLive.started(deals=8)
    for _ in range(4):
        live.do("pass")
    finished(live, chance("eight"))
    assert_deal_moves(live)
    assert [scored.deal for scored in live.of(DealScored)] == list(range(1, 9))


@pytest.mark.parametrize("dealer", range(4))
def test_bo_1_4_eldest_sits_to_the_dealers_left(dealer: int) -> None:
    live = dealt({}, dealer=dealer)
    assert live.turn == (dealer + 1) % 4
    assert list(live.view("public")["order"]) == [(dealer + step) % 4 for step in (1, 2, 3, 4)]


def test_bo_1_5_the_highest_score_wins_and_equals_share() -> None:
    shared = 0
    for number in range(12):
        live = finished(BostonLive.started(deals=4, seed=bytes([number]) * 32), chance(number))
        (end,) = live.of(GameFinished)
        assert end.totals == live.table.totals
        assert list(end.winners) == [seat for seat in range(4) if end.totals[seat] == max(end.totals)]
        shared += len(end.winners) > 1
    assert shared


def test_bo_1_5_the_game_ends_with_its_last_deal_thrown_in_or_not() -> None:
    live = BostonLive.started(deals=4)
    while live.table.status == "playing":
        live.do("pass")
    assert [scored.outcome for scored in live.of(DealScored)] == ["thrown-in"] * 4
    (end,) = live.of(GameFinished)
    assert (end.winners, end.lines) == ((0, 1, 2, 3), ())


def test_bo_2_1_52_cards_ace_high() -> None:
    assert set(BOSTON.pack) == set(PACK)
    assert len(BOSTON.pack) == 52
    for high, low in pairwise("AKQJT98765432"):
        assert winner([Played(0, low + "h"), Played(1, high + "h")], RANKINGS[None]) == 1  # type: ignore[arg-type] # cards


@pytest.mark.parametrize("dealer", range(4))
def test_bo_2_2_four_four_and_five_from_eldest(dealer: int) -> None:
    live = dealt({}, dealer=dealer)
    event = live.events[-1]
    for step in range(4):
        hand = event.section(f"seat:{(dealer + 1 + step) % 4}", DealtHand)
        assert hand is not None
        batches = [range(4 * step, 4 * step + 4), range(16 + 4 * step, 20 + 4 * step)]
        last = range(32 + 5 * step, 37 + 5 * step)
        assert [opening.position for opening in hand.cards] == [*batches[0], *batches[1], *last]
    assert positions(event, "house") == []


def test_bo_2_3_suits_and_their_factors() -> None:
    assert [(row.suit, row.factor) for row in FACTORS] == list(zip(SUITS, (1, 2, 3, 4), strict=True))


@pytest.mark.parametrize(("suit", "score"), [("s", 32), ("c", 64), ("d", 96), ("h", 128)])
def test_bo_2_3_the_factor_multiplies(suit: str, score: int) -> None:
    live = played("grande-misere", shared_out(0), suit=suit)
    assert live.score.totals[0] == score


@pytest.mark.parametrize("suit", SUITS)
def test_bo_2_4_ace_to_jack_of_trumps_are_honours(suit: str) -> None:
    assert honours_of(suit) == {rank + suit for rank in "AKQJ"}  # type: ignore[arg-type] # it is a suit


def test_other_options_are_refused() -> None:
    assert_no_options(Options, {"five_base": 5}, {"piccolissimo": None}, {"four_ace_revoke": "twice"}, {"x": 1})


def test_the_next_deal_follows_at_once() -> None:
    live = played("boston", shared_out(0))
    assert [event.public.TYPE for event in live.events[-2:]] == ["deal-scored", "cards-dealt"]
    assert live.phase == "auction"


def test_every_contract_has_its_rank() -> None:
    assert [row.rank for row in CONTRACTS.values()] == list(range(1, 17))
