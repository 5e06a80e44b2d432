"""KH-1 to KH-3: table, target, pack and deal."""

from collections import Counter

import msgspec
import pytest

from domain.games.khanhoo import KHANHOO
from domain.games.khanhoo.meta import NUMBERS, Options
from domain.kernel.dealing import DealtHand
from domain.kernel.rejection import Rejected
from domain.seats import HOUSE, seat_audience
from domain.table.events import GameFinished, GameStarted
from tests.games.dealing import assert_deal_moves, assert_deals, assert_full, assert_no_options, positions
from tests.games.khanhoo.checker import PACK
from tests.games.khanhoo.tables import KhanhooLive, dealt
from tests.support.for_each import for_each
from tests.support.games import chance, finished

EVERY = (2, 3, 4)


@pytest.mark.parametrize("players", EVERY)
def test_kh_1_1_two_to_four_seats_clockwise(players: int) -> None:
    live = dealt({}, players=players)
    assert_full(live, players)
    order = []
    for _ in range(2 * players):
        if live.phase == "draw":
            live.do("draw-stock")
        order.append(live.turn)
        live.do("discard", card=live.hand(live.turn)[0])
        live.let_go()
    assert order == [*range(players)] * 2


def test_kh_1_1_three_by_default() -> None:
    assert Options() == Options(players=3, target=50, turn_limit=40)
    assert_no_options(Options, {"players": 5}, {"players": 1}, {"players": None}, {"seats": 3})


def test_kh_1_2_every_seat_is_drawn_as_dealer_and_the_deal_moves_to_the_left() -> None:
    tables = [KhanhooLive.started(seed=bytes([n]) * 32) for n in range(40)]
    assert {live.of(GameStarted)[0].first_dealer for live in tables} == {0, 1, 2}
    live = finished(KhanhooLive.started(deals=4, options=Options(turn_limit=10, target=500)), chance("four"))
    assert_deal_moves(live)


@pytest.mark.parametrize("eldest", range(3))
def test_kh_1_2_eldest_sits_to_the_dealers_left(eldest: int) -> None:
    live = dealt({}, eldest=eldest)
    view = live.view("public")
    assert (live.turn, view["eldest"], view["dealer"]) == (eldest, eldest, (eldest - 1) % 3)


MELDED = "Ah Ah 2s 2s 3d 3d Kc Kc Qc Qc Jc Jc 5h 5s 5d 9d"


def test_kh_1_3_the_game_ends_with_the_deal_in_which_the_target_is_reached() -> None:
    live = dealt({0: MELDED}, target=32)
    live.go_out(0, "9d")
    (end,) = live.of(GameFinished)
    assert (end.reason, end.winners, end.totals[0]) == ("target reached", (0,), 32)


def test_kh_1_3_it_goes_on_below_the_target() -> None:
    live = dealt({0: MELDED}, target=33)
    live.go_out(0, "9d")
    assert live.of(GameFinished) == []
    assert live.table.deal == 2


def test_kh_1_3_the_highest_score_wins_and_equals_share() -> None:
    ends = Counter[int]()
    for number in range(40):
        live = KhanhooLive.started(deals=1, seed=bytes([number]) * 32, options=Options(players=4, turn_limit=10))
        (end,) = finished(live, chance(number)).of(GameFinished)
        assert end.reason == "last deal scored"
        assert list(end.winners) == [seat for seat in range(4) if end.totals[seat] == max(end.totals)]
        ends[len(end.winners)] += 1
    assert ends[1]
    assert ends[2]


def test_kh_1_3_so_many_deals_at_most() -> None:
    assert_deals(KhanhooLive, "KH-1.3", may=[1, 50, 99], never=[0, 100])
    assert KhanhooLive.opened().table.deals == 99


def test_kh_1_3_options_out_of_bounds() -> None:
    assert_no_options(Options, {"target": 19}, {"target": 501}, {"turn_limit": 9}, {"turn_limit": 201})


def test_kh_2_1_61_cards() -> None:
    cards = Counter(card.partition(".")[0] for card in KHANHOO.pack)
    assert len(KHANHOO.pack) == 61
    assert cards == Counter(
        {**{f"{rank}{suit}": 2 for suit in "hsd" for rank in "A23456789"}, "Jc": 2, "Qc": 2, "Kc": 2, "Jo": 1}
    )


def test_kh_2_2_number_cards_are_nine_to_ace() -> None:
    assert NUMBERS == "98765432A"


def test_kh_2_3_the_order_of_the_pack() -> None:
    cards = KHANHOO.pack.cards
    assert list(cards) == PACK
    assert cards[:4] == ("9s.1", "9s.2", "8s.1", "8s.2")
    assert cards[-7:] == ("Kc.1", "Kc.2", "Qc.1", "Qc.2", "Jc.1", "Jc.2", "Jo.1")


@for_each("card", ["9h", "9h.3", "Jo", "Jo.2", "9c.1", "Ts.1"])
def test_kh_2_3_a_card_without_its_copy_is_none(card: str) -> None:
    live = dealt({0: "9h"})
    with pytest.raises((msgspec.ValidationError, Rejected)):
        live.do("discard", card=card)


@for_each("players", EVERY)
@for_each("eldest", [0, 1])
def test_kh_3_1_fifteen_one_at_a_time_from_eldest_and_a_sixteenth(players: int, eldest: int) -> None:
    event = dealt({}, players=players, eldest=eldest).events[-1]
    for place in range(players):
        hand = event.section(seat_audience((eldest + place) % players), DealtHand)
        assert hand is not None
        own = list(range(place, 15 * players, players)) + [15 * players] * (place == 0)
        assert [opening.position for opening in hand.cards] == own


@pytest.mark.parametrize(("players", "stock"), [(2, 30), (3, 15), (4, 0)])
def test_kh_3_2_the_rest_is_the_stock_that_nobody_sees(players: int, stock: int) -> None:
    live = dealt({}, players=players)
    event = live.events[-1]
    assert positions(event, HOUSE) == list(range(61 - stock, 61))
    assert all(live.view(audience)["stock"] == {"known": [], "hidden": stock} for audience in live.audiences)
    assert len(event.public.card_commitments) == 61
