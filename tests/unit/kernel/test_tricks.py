"""Trick taking, whatever the game: suits and powers are the game's."""

import pytest

from domain.games.crocodile.meta import POWER
from domain.kernel.cards import Card, suit_of
from domain.kernel.tricks import Played, following, winner


@pytest.mark.parametrize(
    ("cards", "trump", "wins"),
    [
        (("7s", "Ks", "As"), None, 1),
        (("As", "2s", "3s"), None, 2),
        (("As", "Kh", "Kd"), None, 0),
        (("As", "Kh", "Kd"), "h", 1),
        (("Ks", "2h", "Ah"), "h", 1),
        (("Ks", "Ah", "2h"), "h", 2),
        (("Ah", "Ks", "Kd"), "h", 0),
        (("Ks", "Kh", "Kd"), "c", 0),
    ],
)
@pytest.mark.parametrize("leader", range(3))
def test_the_highest_trump_else_of_the_suit_led(
    cards: tuple[Card, Card, Card], trump: str | None, wins: int, leader: int
) -> None:
    trick = [Played((leader + place) % 3, card) for place, card in enumerate(cards)]
    assert winner(trick, trump, suit_of, POWER.__getitem__) == (leader + wins) % 3


@pytest.mark.parametrize(
    ("hand", "led", "cards"),
    [
        (("Ks", "2s", "Kh"), None, ("Ks", "2s", "Kh")),
        (("Ks", "2s", "Kh"), "s", ("Ks", "2s")),
        (("Ks", "2s", "Kh"), "h", ("Kh",)),
        (("Ks", "2s", "Kh"), "d", ("Ks", "2s", "Kh")),
        ((), "d", ()),
    ],
)
def test_the_suit_led_is_followed_if_possible(hand: tuple[Card, ...], led: str | None, cards: tuple[Card, ...]) -> None:
    assert following(hand, led, suit_of) == cards
