"""CR-1: table and game."""

from hashlib import sha256
from itertools import pairwise

import pytest

from domain.games.crocodile.meta import Options
from domain.table.events import CardsDealt, DealScored, GameFinished
from tests.games.dealing import assert_deals, assert_full
from tests.support.for_each import for_each
from tests.support.games import GAME, PLAYERS, Live, chance, finished, step


def cascos_conceded(deals: int, count: int | None = None) -> Live:
    """A game in which eldest plays Casco and concedes, deal after deal."""
    live = Live.started(deals=deals)
    for _ in range(deals if count is None else count):
        for _ in range(3):
            live.do("pass")
        declarer = live.turn
        live.do("take-casco", keep=live.hand(declarer)[0])
        live.do("lay-casco", lay=live.hand(declarer)[:5])
        live.act(declarer, "concede")
    return live


def test_cr_1_1_three_seats_no_fourth_and_everything_goes_clockwise() -> None:
    live = Live.started()
    assert_full(live, 3)
    first = live.turn
    live.do("bid", contract="play")
    second = live.turn
    live.do("bid", contract="grand")
    third = live.turn
    live.do("bid", contract="tournee")
    assert [second, third, live.turn] == [(first + 1) % 3, (first + 2) % 3, first]


def test_cr_1_2_games_of_three_to_99_deals_divisible_by_three() -> None:
    assert_deals(Live, "CR-1.2", may=[3, 6, 9, 51, 99], never=[-3, 0, 1, 2, 4, 98, 100, 102, 300])


def test_cr_1_2_three_deals_by_default() -> None:
    assert GAME.course.deals(GAME.options()).default == 3


@pytest.mark.parametrize("deals", [3, 6, 9])
def test_cr_1_2_the_game_has_as_many_deals_as_were_chosen(deals: int) -> None:
    live = cascos_conceded(deals)
    assert [dealt.deal for dealt in live.of(CardsDealt)] == list(range(1, deals + 1))
    assert [scored.deal for scored in live.of(DealScored)] == list(range(1, deals + 1))
    assert live.table.status == "finished"


def test_cr_1_3_every_seat_is_drawn_as_first_dealer() -> None:
    drawn = {Live.started(seed=sha256(bytes([n])).digest()).table.dealer for n in range(20)}
    assert drawn == {0, 1, 2}


@pytest.mark.parametrize("deals", [3, 9])
def test_cr_1_3_the_deal_moves_one_seat_to_the_left(deals: int) -> None:
    dealers = [dealt.dealer for dealt in cascos_conceded(deals).of(CardsDealt)]
    assert all(after == (before + 1) % 3 for before, after in pairwise(dealers))
    assert [dealers.count(seat) for seat in range(3)] == [deals // 3] * 3


def test_cr_1_4_eldest_is_left_of_the_dealer() -> None:
    live = Live.started()
    for number in range(3):
        dealer = live.of(CardsDealt)[number].dealer
        assert live.turn == (dealer + 1) % 3
        while live.table.scored == number:
            step(live, chance(number))


def test_cr_1_5_the_game_ends_with_the_last_score() -> None:
    live = cascos_conceded(3, 2)
    assert live.table.status == "playing"
    live = cascos_conceded(3)
    assert [event.public.TYPE for event in live.events[-2:]] == ["deal-scored", "game-finished"]
    assert (live.table.status, live.to_act) == ("finished", ())


def test_cr_1_5_equal_highest_scores_share_the_win() -> None:
    live = cascos_conceded(3)
    end = live.of(GameFinished)[0]
    assert (end.totals, end.winners) == ((-1, -1, -1), (0, 1, 2))


@for_each("seed", range(12))
def test_cr_1_5_the_highest_score_wins(seed: int) -> None:
    live = finished(Live.started(seed=sha256(bytes([seed])).digest()), chance(seed))
    end = live.of(GameFinished)[0]
    lines = [line for scored in live.of(DealScored) for line in scored.lines]
    sums = [sum(line.amount for line in lines if line.seat == seat) for seat in range(3)]
    assert list(end.totals) == sums
    assert list(end.winners) == [seat for seat in range(3) if sums[seat] == max(sums)]
    assert live.view("public")["winners"] == end.winners


def test_options_have_the_defaults_of_the_rules() -> None:
    assert Options() == Options(contraprimeras="always", bonus_stacking="exclusive", casco_stock="all")
    assert len(set(PLAYERS)) == 3
