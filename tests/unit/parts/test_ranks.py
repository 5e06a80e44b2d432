"""Rankings: which suit a card belongs to and what it beats, in every context."""

from itertools import combinations

import pytest

from domain.cards import Card, pack_of
from domain.parts.ranks import Ranking, ranking
from tests.support.for_each import for_each

PLAIN = pack_of({"s": "KQA", "h": "KQA", "d": "K", "c": ""})
"""High to low within every suit."""


def ranked(ranking: Ranking, suit: str) -> list[Card]:
    """The cards of the suit, high to low."""
    cards = [card for card in PLAIN if ranking.suits[card] == suit]
    return sorted(cards, key=ranking.power.__getitem__, reverse=True)


def test_without_trumps_every_card_is_of_its_own_suit_in_the_order_given() -> None:
    plain = ranking(PLAIN)
    assert plain.trump is None
    assert all(plain.suits[card] == card[1] for card in PLAIN)
    assert [ranked(plain, suit) for suit in "shd"] == [["Ks", "Qs", "As"], ["Kh", "Qh", "Ah"], ["Kd"]]


def test_a_trump_suit_ranks_as_when_plain_if_no_trumps_are_named() -> None:
    hearts = ranking(PLAIN, "h")
    assert hearts.trump == "h"
    assert all(hearts.suits[card] == card[1] for card in PLAIN)
    assert [ranked(hearts, suit) for suit in "shd"] == [["Ks", "Qs", "As"], ["Kh", "Qh", "Ah"], ["Kd"]]


def test_named_trumps_leave_the_suit_printed_on_them() -> None:
    hearts = ranking(PLAIN, "h", ("As", "Qh", "Kh", "Ah"), ("As", "Qh"))
    assert hearts.matadors == ("As", "Qh")
    assert [ranked(hearts, suit) for suit in "shd"] == [["Ks", "Qs"], ["As", "Qh", "Kh", "Ah"], ["Kd"]]


@pytest.mark.parametrize(
    "one", [ranking(PLAIN), ranking(PLAIN, "h"), ranking(PLAIN, "h", ("As", "Qh", "Kh", "Ah"), ("As",))]
)
def test_no_two_cards_are_equally_strong(one: Ranking) -> None:
    assert all(one.power[a] != one.power[b] for a, b in combinations(PLAIN, 2))
    assert one.suits.keys() == one.power.keys() == set(PLAIN)


def test_trumps_are_stronger_than_plain_cards() -> None:
    hearts = ranking(PLAIN, "h", ("As", "Qh", "Kh", "Ah"))
    assert min(hearts.power[card] for card in ("As", "Qh", "Kh", "Ah")) > max(
        hearts.power[card] for card in ("Ks", "Qs", "Kd")
    )


MATADORS: tuple[Card, ...] = ("As", "Qh", "Kh")


@for_each(
    "card, led, may",
    [
        ("As", "Qh", True),
        ("As", "Ah", True),
        ("Qh", "Kh", True),
        ("Qh", "As", False),
        ("Kh", "Qh", False),
        ("Kh", "As", False),
        ("Kh", "Ah", True),
        ("Ah", "As", False),
        ("Ah", "Kh", False),
    ],
)
def test_only_a_higher_matador_that_was_led_draws_a_matador(card: Card, led: Card, *, may: bool) -> None:
    assert ranking(PLAIN, "h", (*MATADORS, "Ah"), MATADORS).may_renege(card, led) is may


def test_without_matadors_nothing_is_withheld() -> None:
    plain = ranking(PLAIN, "h")
    assert not any(plain.may_renege(card, led) for card in PLAIN for led in PLAIN if card != led)
