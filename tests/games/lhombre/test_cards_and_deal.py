"""LH-2 and LH-3: cards and deal."""

from itertools import combinations, pairwise
from typing import Any

import pytest

from domain.games.lhombre import LHOMBRE
from domain.games.lhombre.meta import Options
from domain.parts.matadors import RANKINGS, matadors_of, trumps_of
from domain.parts.tricks import Played, winner
from domain.table.events import CardsDealt
from tests.games.dealing import positions
from tests.games.lhombre.tables import FOUR, THREE, LhombreLive, of_suit
from tests.support.checker.matadors import PACK, TRUMPS, suit_in, winner_of
from tests.support.for_each import for_each

SUITS = (None, "s", "h", "d", "c")


def test_lh_2_1_forty_cards_without_eights_nines_and_tens() -> None:
    assert set(LHOMBRE.pack) == {rank + suit for rank in "AKQJ765432" for suit in "shdc"}
    assert len(LHOMBRE.pack) == 40


@for_each("suit", "shdc")
@for_each("place", range(9))
def test_lh_2_2_rank_in_nolo(suit: str, place: int) -> None:
    higher, lower = list(pairwise(of_suit(suit)))[place]
    live = LhombreLive.around({0: [lower], 1: [higher]}, without={2: of_suit(suit)})
    live.bid_out(1, "pure-nolo")
    live.do("play", card=lower)
    live.do("play", card=higher)
    live.do("play", card=live.hand(2)[0])
    assert live.events[-1].public.seat == 0


@pytest.mark.parametrize("trump", "shdc")
def test_lh_2_3_eleven_black_or_twelve_red_trumps(trump: str) -> None:
    assert list(trumps_of(trump)) == TRUMPS[trump]  # type: ignore[arg-type] # a suit
    assert len(TRUMPS[trump]) == (11 if trump in "sc" else 12)


@for_each("trump", "shdc")
@for_each("place", range(11))
def test_lh_2_3_rank_of_trumps(trump: str, place: int) -> None:
    pairs = list(pairwise(TRUMPS[trump]))
    higher, lower = pairs[min(place, len(pairs) - 1)]
    live = LhombreLive.around({0: [lower], 1: [higher]}, without={2: TRUMPS[trump]})
    live.bid_out(1, "solo")
    live.do("declare", contract="solo", trump=trump)
    while live.phase == "exchange":
        live.do("exchange")
    for card in (lower, higher, live.hand(2)[0]):
        live.do("play", card=card)
    assert live.events[-1].public.seat == 0


@pytest.mark.parametrize("trump", SUITS)
def test_lh_2_3_every_card_against_every_other(trump: str | None) -> None:
    ranking = RANKINGS[trump]  # type: ignore[index] # a suit
    for one, other in combinations(PACK, 2):
        for led, second in ((one, other), (other, one)):
            trick = ((0, led), (1, second))
            expected = winner_of(trick, trump)
            assert winner([Played(seat, card) for seat, card in trick], ranking) == expected  # type: ignore[arg-type] # cards
            assert (ranking.suits[one] == ranking.suits[other]) is (suit_in(one, trump) == suit_in(other, trump))  # type: ignore[index] # cards


@pytest.mark.parametrize("trump", "shdc")
def test_lh_2_4_spadille_manille_and_basta_are_the_matadors(trump: str) -> None:
    manille = {"s": "2s", "h": "7h", "d": "7d", "c": "2c"}[trump]
    assert matadors_of(trump) == ("As", manille, "Ac")  # type: ignore[arg-type] # a suit
    assert RANKINGS[trump].matadors == ("As", manille, "Ac")  # type: ignore[index] # a suit


def test_lh_2_4_without_trumps_there_are_none() -> None:
    assert RANKINGS[None].matadors == ()


@for_each("options, dealer", [*((THREE, seat) for seat in range(3)), *((FOUR, seat) for seat in range(4))])
def test_lh_3_1_three_batches_of_three_forehand_middlehand_backhand(options: Options, dealer: int) -> None:
    live = LhombreLive.around({}, dealer=dealer, options=options)
    event = next(event for event in live.events if isinstance(event.public, CardsDealt))
    for place, seat in enumerate(live.order):
        assert positions(event, f"seat:{seat}") == [
            round_ + 3 * place + card for round_ in (0, 9, 18) for card in range(3)
        ]
    assert set(event.sealed) == {"house", *(f"seat:{seat}" for seat in live.order)}


@pytest.mark.parametrize("options", [THREE, FOUR])
def test_lh_3_1_thirteen_cards_are_the_talon_face_down(options: Options) -> None:
    live = LhombreLive.started(options=options)
    event = next(event for event in live.events if isinstance(event.public, CardsDealt))
    assert positions(event, "house") == list(range(27, 40))
    house: Any = event.sealed["house"]
    assert tuple(opening.card for opening in house.talon) == live.table.deal_state.common.deck.cards[27:]
    for audience in live.audiences:
        assert live.view(audience)["talon"] == {"known": (), "hidden": 13}
