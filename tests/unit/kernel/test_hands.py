"""Hands of which an audience knows some cards, others only in number."""

import pytest

from domain.cards import Card
from domain.games.crocodile.meta import ORDER
from domain.kernel.hands import Hand, Pile


@pytest.mark.parametrize(
    ("pile", "hand"),
    [
        ((), Hand()),
        (("2c", "Ks", "Ah", "Kh"), Hand(("Ks", "Kh", "Ah", "2c"))),
        ((None, "2c", None, "Qs"), Hand(("Qs", "2c"), 2)),
        ((None,) * 13, Hand((), 13)),
    ],
)
def test_a_pile_is_gathered_in_sorted_order(pile: Pile, hand: Hand) -> None:
    assert Hand.of(pile, ORDER) == hand
    assert hand.size == len(pile)


@pytest.mark.parametrize(
    ("hand", "gone", "left"),
    [
        (Hand(("Ks", "2s"), 1), ("Ks",), Hand(("2s",), 1)),
        (Hand(("Ks", "2s"), 3), ("Qs",), Hand(("Ks", "2s"), 2)),
        (Hand(("Ks", "2s"), 3), ("Qs", "Ks", "Js"), Hand(("2s",), 1)),
        (Hand((), 9), ("Qs",), Hand((), 8)),
        (Hand(("Ks",)), (), Hand(("Ks",))),
    ],
)
def test_cards_that_leave_openly_were_known_or_among_the_others(hand: Hand, gone: tuple[Card, ...], left: Hand) -> None:
    assert hand.without(gone) == left
    assert left.size == hand.size - len(gone)
    for card in gone:
        hand = hand.played(card)
    assert hand == left


def test_who_exchanges_knows_the_new_hand() -> None:
    hand = Hand(("Ks", "Qs", "2h"))
    assert hand.exchanged(("2h",), 1, ("Js",), ORDER) == Hand(("Ks", "Qs", "Js"))


def test_others_know_only_what_was_drawn_openly() -> None:
    assert Hand((), 9).exchanged(None, 3, ("4h", None, None), ORDER) == Hand(("4h",), 8)
    assert Hand((), 9).exchanged(None, 0, (), ORDER) == Hand((), 9)


def test_others_no_longer_know_what_may_have_been_discarded() -> None:
    assert Hand(("Ks",), 8).exchanged(None, 2, (None, None), ORDER) == Hand((), 9)


def test_what_was_drawn_by_name_is_sorted_in() -> None:
    assert Hand((), 9).exchanged(None, 3, (None, "Kc", "As"), ORDER) == Hand(("As", "Kc"), 7)
