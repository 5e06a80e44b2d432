"""Offers describe just what may be done: against plain enumeration, with their cost bounded."""

from collections.abc import Iterator
from itertools import combinations

import pytest

from domain.games.khanhoo.claims import claims
from domain.games.khanhoo.meta import PACK
from domain.kernel.offers import MOST_LISTS
from tests.games.khanhoo.checker import POINTS, ROWS, divided, in_order, is_meld
from tests.games.khanhoo.tables import KhanhooLive, dealt
from tests.games.khanhoo.test_melds import hand
from tests.support.for_each import for_each

Claims = set[tuple[str, frozenset[str]]]


def offered(live: KhanhooLive, seat: int, kind: str) -> Claims:
    """The claims that the seat is offered."""
    return {
        (meld, frozenset(cards))
        for fields in live.offered(seat, kind)
        for meld in fields["meld"]["one_of"]
        for cards in fields["cards"]["one_of"]
    }


def every_claim(cards: tuple[str, ...], discard: str, least: int, sequences: bool) -> Claims:
    """Each choice of cards that makes some meld with the discard, by trying all."""
    return {
        (meld, frozenset(chosen))
        for size in range(2, 9)
        for chosen in combinations(cards, size)
        for meld in ROWS
        if POINTS[meld] >= least and (sequences or meld != "sequence") and is_meld(meld, [*chosen, discard])
    }


@pytest.mark.parametrize(
    ("plainly", "discard"),
    [
        ("As As Ad 2h 2h 3h 3h 2s 3d Jo", "Ah"),
        ("As Ad Ad 2h 3h 4h 5h 6h", "Ah"),
        ("2s 2s 3d 3d Ah Jo 4h", "Ah"),
        ("4h 5h 6h 7h As Ad Kc Qc", "Jo"),
    ],
)
def test_claims_are_those_that_trying_all_cards_finds(plainly: str, discard: str) -> None:
    cards = PACK.sorted(f"{name[:2]}.{2 if name == discard else 1}" for name in dict.fromkeys(plainly.split()))
    card = f"{discard}.1"
    for sequences in (True, False):
        made = claims(cards, card, sequences=sequences)
        found = {(meld, frozenset(each)) for meld, lists in made.items() for each in lists}
        assert found == every_claim(cards, card, 0, sequences)
        assert all(len(lists) == len(set(map(frozenset, lists))) for lists in made.values())


def of_claims(live: KhanhooLive, seat: int, least: int, *, sequences: bool) -> Claims:
    """The claims of the seat's hand that are worth so much."""
    made = claims(live.hand(seat), "Ah.1", sequences=sequences)
    return {(meld, frozenset(cards)) for meld, lists in made.items() for cards in lists if POINTS[meld] >= least}


def test_who_may_claim_is_offered_all_claims_that_are_worth_enough() -> None:
    live = dealt({0: "Ah", 1: "Ad As 2h 3h 4h Jo 2s 3d", 2: "As Ah 2s 3d", 3: "Ad"}, players=4)
    live.discard(0, "Ah")
    assert offered(live, 2, "bump") == of_claims(live, 2, 0, sequences=False)
    assert ("khanhoo", frozenset(live.cards(2, "2s 3d"))) in offered(live, 2, "bump")
    live.act(3, "let-go")
    live.bump(2, "aces", "As Ah")
    assert offered(live, 1, "challenge") == of_claims(live, 1, 1, sequences=True)
    assert ("sequence", frozenset(live.cards(1, "2h 3h"))) in offered(live, 1, "challenge")


def goes_out(cards: tuple[str, ...]) -> Iterator[str]:
    """The cards with which a hand goes out, by the independent check."""
    for card in cards:
        if divided(in_order([other for other in cards if other != card]), without_rest=True) is not None:
            yield card


@pytest.mark.parametrize(
    "plainly",
    [
        "Ah Ah 2s 2s 3d 3d Jc Jc Qc Qc Kc Kc 5h 5s 5d 9d",
        "Ah Ah 2s 2s 3d 3d Jc Jc Qc Qc Kc Kc 5h 5s 5d Jo",
        "2h 3h 4h 5h 6h 7h 8h 9h 2s 3s 4s 5s 6s 7s 8s 9s",
        "2h 3h 4h 5h 6h 7h 8h 9h 2s 3s 4s 5s 6s 7s 8s Jc",
        "2h 4h 6h 8h 2s 4s 6s 8s 2d 4d 6d 8d Jc Jc Qc Kc",
    ],
)
def test_cards_to_go_out_with_are_those_that_the_check_finds(plainly: str) -> None:
    live = dealt({0: plainly})
    cards = [card for fields in live.offered(0, "go-out") for card in fields["card"]["one_of"]]
    assert cards == [*goes_out(live.hand(0))]
    assert live.offered(0, "discard") == [{"card": {"one_of": live.hand(0)}}]


SUITS = ["9h 9h 8h 8h 7h 7h 6h 6h 5h 5h 4h 4h 3h 3h 2h", "9h 8h 8h 7h 7h 6h 6h 5h 5h 4h 4h 3h 3h 2h Jo"]


@for_each("plainly", SUITS)
@for_each("discard", ["Ah.1", "5h.2", "Jo.1"])
def test_the_most_sequences_that_a_challenge_can_name_stand_in_several_offers(plainly: str, discard: str) -> None:
    cards = tuple(card for card in hand(plainly) if card != discard)
    assert len(claims(cards, discard, sequences=True)["sequence"]) < 5 * MOST_LISTS


def test_more_lists_than_one_offer_holds_are_offered_all() -> None:
    """The joker is discarded, the bump is worth 1, and the next player holds most of a suit twice."""
    live = dealt({0: "Jo", 1: SUITS[0], 2: "As Ah"})
    live.discard(0, "Jo")
    live.bump(2, "aces", "As Ah")
    fields = [fields for fields in live.offered(1, "challenge") if fields["meld"]["one_of"] == ("sequence",)]
    sizes = [len(each["cards"]["one_of"]) for each in fields]
    assert sizes[:-1] == [MOST_LISTS] * (len(sizes) - 1)
    assert len(sizes) > 1
    last = fields[-1]["cards"]["one_of"][-1]
    live.act(1, "challenge", meld="sequence", cards=list(last))
