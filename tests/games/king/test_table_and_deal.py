"""KG-1 and KG-2: table, game, cards, deal, and who knows what."""

from collections import Counter
from functools import cache

import pytest

from domain.games.king import KING
from domain.table.events import CardsDealt, DealScored, GameFinished, GameStarted
from tests.games.dealing import assert_deals, assert_full, first_dealers, positions
from tests.games.king.tables import PACK, SUITS, KingLive, in_deal, planned, positive
from tests.support.for_each import for_each
from tests.support.games import chance, finished


@cache
def game(number: int) -> KingLive:
    """A finished game."""
    return finished(KingLive.started(seed=bytes([number]) * 32), chance(number))


def test_kg_1_1_four_seats_each_alone() -> None:
    live = KingLive.started()
    assert_full(live, 4)
    assert KING.course.sides(KING.options()) == ()


def test_kg_1_1_everything_goes_clockwise() -> None:
    live = in_deal(1, {0: ["As"], 1: ["Ks"], 2: ["Qs"], 3: ["Js"]})
    for seat, card in enumerate(("As", "Ks", "Qs", "Js")):
        assert live.turn == seat
        live.do("play", card=card)


def test_kg_1_2_exactly_ten_deals() -> None:
    assert KingLive.opened().table.deals == 10
    assert_deals(KingLive, "KG-1.2", never=[-10, 0, 1, 4, 8, 9, 11, 12, 20])
    assert [public.deal for public in game(1).of(DealScored)] == list(range(1, 11))


def test_kg_1_2_the_aim_comes_from_the_number_of_the_deal() -> None:
    aims = [public.aim for public in game(1).of(DealScored)]
    assert aims[:6] == [
        "no-tricks",
        "no-hearts",
        "no-queens",
        "no-kings-no-jacks",
        "no-king-of-hearts",
        "not-last-two",
    ]
    assert {*aims[6:]} <= {"up", "down"}
    assert [row.aim for row in KING.rulebook.tables["deals"]] == [*aims[:6], *[None] * 4]


@for_each("deal", range(1, 11))
def test_kg_1_2_the_view_says_the_aim_from_the_beginning(deal: int) -> None:
    live = in_deal(deal, {})
    view = live.view("public")
    assert view["aim"] == KING.rulebook.tables["deals"][deal - 1].aim
    assert live.phase == ("play" if deal <= 6 else "choice")


def test_kg_1_3_every_seat_is_drawn_as_first_dealer() -> None:
    assert first_dealers(KingLive, 40) == {0, 1, 2, 3}


def test_kg_1_3_the_deal_passes_to_the_left_and_each_deals_one_positive_deal() -> None:
    dealers = [public.dealer for public in game(2).of(CardsDealt)]
    first = game(2).of(GameStarted)[0].first_dealer
    assert dealers == [(first + step) % 4 for step in range(10)]
    assert sorted(dealers[6:]) == [0, 1, 2, 3]
    assert Counter(dealers)[first] == Counter(dealers)[(first + 1) % 4] == 3


def test_kg_1_4_scores_start_at_0_and_the_highest_wins() -> None:
    assert KingLive.started().table.totals == (0, 0, 0, 0)
    for number in range(3):
        (end,) = game(number).of(GameFinished)
        assert end.totals == game(number).score.totals
        assert list(end.winners) == [seat for seat in range(4) if end.totals[seat] == max(end.totals)]


def test_kg_1_4_the_game_ends_with_the_tenth_deal_and_equal_scores_share_it() -> None:
    live = positive((4, 4, 3, 2), "up", deal=10)
    assert live.points() == [100, 100, 75, 50]
    (end,) = live.of(GameFinished)
    assert (end.winners, end.reason) == ((0, 1), "last deal scored")


def test_kg_2_1_52_cards_ace_high() -> None:
    assert KING.pack.cards == PACK
    assert KING.pack.of_suit("h")[0] == "Ah"
    assert Counter(card[1] for card in KING.pack) == dict.fromkeys(SUITS, 13)


@pytest.mark.parametrize("dealer", range(4))
def test_kg_2_2_one_card_at_a_time_from_the_dealers_left(dealer: int) -> None:
    event = in_deal(1, {}, dealer=dealer).events[-1]
    assert isinstance(event.public, CardsDealt)
    for step in range(4):
        assert positions(event, f"seat:{(dealer + 1 + step) % 4}") == list(range(step, 52, 4))


def test_kg_2_2_nothing_is_left_over() -> None:
    event = in_deal(1, {}).events[-1]
    assert positions(event, "house") == []


@pytest.mark.parametrize("deal", [1, 7])
def test_kg_2_3_a_seat_knows_its_own_cards_alone(deal: int) -> None:
    live = in_deal(deal, planned([0] * 13).hands())
    for audience in live.audiences:
        for seat in live.view(audience)["seats"]:
            own = audience == f"seat:{seat['seat']}"
            assert (len(seat["hand"]["known"]), seat["hand"]["hidden"]) == ((13, 0) if own else (0, 13))


def test_kg_2_3_what_was_played_and_captured_is_public() -> None:
    live = in_deal(3, {0: ["Qs"], 1: ["As"], 2: ["2s"], 3: ["3s"]})
    live.trick("Qs", "As", "2s", "3s")
    view = live.view("public")
    assert [played["card"] for played in view["last_trick"]["cards"]] == ["Qs", "As", "2s", "3s"]
    assert [seat["captured"] for seat in view["seats"]] == [(), ("Qs",), (), ()]
    assert [seat["tricks"] for seat in view["seats"]] == [0, 1, 0, 0]


def test_kg_2_3_trumps_bids_and_direction_are_public() -> None:
    live = in_deal(8, {}, dealer=3)
    live.do("auction")
    live.auction(2, None, None)
    live.do("name-trumps", trump="h")
    live.do("declare-direction", direction="down")
    view = live.view("public")
    assert (view["aim"], view["trumps"]) == ("down", {"namer": 0, "trump": "h", "price": 2})
    assert live.said() == [(0, 2), (1, None), (2, None)]


def test_kg_2_3_nothing_but_cards_is_sealed() -> None:
    for event in game(1).events:
        if event.deal is not None and not isinstance(event.public, CardsDealt):
            assert event.sealed == {}
