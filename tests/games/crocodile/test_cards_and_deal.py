"""CR-2 and CR-3: cards and deal."""

from itertools import pairwise
from typing import Any

import pytest

from domain.games.crocodile.meta import PACK
from domain.kernel.dealing import DealtHand
from domain.table.events import CardsDealt
from tests.games.dealing import positions
from tests.support.for_each import for_each
from tests.support.games import Live, around

RANKS = "KQJ765432A"


def test_cr_2_1_forty_cards() -> None:
    assert set(PACK) == {rank + suit for rank in RANKS for suit in "shdc"}
    assert len(PACK) == 40


@for_each("suit", "shdc")
@for_each("higher, lower", list(pairwise(RANKS)))
@for_each("trump", [True, False])
def test_cr_2_1_rank_in_every_suit_trump_or_plain(suit: str, higher: str, lower: str, *, trump: bool) -> None:
    live = around({0: [lower + suit], 1: [higher + suit]}, void={2: suit})
    live.bid_out(0, "play" if trump else "grand")
    live.do("declare", contract="play" if trump else "grand", trump=suit if trump else None)
    while live.phase == "exchange":
        live.do("exchange")
    live.do("play", card=lower + suit)
    live.do("play", card=higher + suit)
    live.do("play", card=next(card for card in live.hand(2) if card[1] != suit))
    assert live.events[-1].public.seat == 1


@pytest.mark.parametrize("dealer", range(3))
def test_cr_3_1_three_cards_at_a_time_three_times_round(dealer: int) -> None:
    around({}, dealer=dealer)
    event = around({}, dealer=dealer).events[-1]
    eldest, second = (dealer + 1) % 3, (dealer + 2) % 3
    for place, seat in enumerate((eldest, second, dealer)):
        hand = event.section(f"seat:{seat}", DealtHand)
        assert hand is not None
        start = 3 * place
        assert [opening.position for opening in hand.cards] == [
            position for round_ in (0, 9, 18) for position in range(round_ + start, round_ + start + 3)
        ]


def test_cr_3_2_the_last_thirteen_are_the_talon_in_pack_order() -> None:
    live = Live.started()
    event = next(event for event in live.events if isinstance(event.public, CardsDealt))
    assert positions(event, "house") == list(range(27, 40))
    house: Any = event.sealed["house"]
    assert tuple(opening.card for opening in house.talon) == live.table.deal_state.common.deck.cards[27:]


def test_cr_3_2_the_talon_is_face_down() -> None:
    live = Live.started()
    for audience in ("public", "seat:0", "seat:1", "seat:2"):
        assert live.view(audience)["talon"] == {"known": (), "hidden": 13}
        assert live.known_to(audience).deal_state.talon == (None,) * 13


def test_cr_3_2_its_top_card_is_drawn_first() -> None:
    live = around({}, talon=["As", "2h", "7c"])
    live.bid_out(0, "play")
    live.do("declare", contract="play", trump="s")
    before = live.hand(0)
    live.do("exchange", discard=before[:2])
    assert set(live.hand(0)) == {*before[2:], "As", "2h"}
    before = live.hand(1)
    live.do("exchange", discard=before[:1])
    assert set(live.hand(1)) == {*before[1:], "7c"}
