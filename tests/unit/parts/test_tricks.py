"""Trick taking, whatever the game: suits and powers are the game's."""

from typing import ClassVar

import pytest
from msgspec import Struct
from msgspec.structs import replace

from domain.cards import Card, Suit
from domain.games.crocodile.meta import RANKINGS
from domain.games.solo.meta import PACK
from domain.kernel.hands import Hand, Hands
from domain.kernel.offers import Offer, OneOf
from domain.parts.matadors import RANKINGS as MATADOR_RANKINGS
from domain.parts.ranks import ranking
from domain.parts.tricks import Played, Trick, Tricks, following, play_offer, settled_for_any_winner, winner
from tests.support.for_each import for_each


@for_each(
    "cards, trump, wins",
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
@for_each("leader", range(3))
def test_the_highest_trump_else_of_the_suit_led(
    cards: tuple[Card, Card, Card], trump: Suit | None, wins: int, leader: int
) -> None:
    trick = [Played((leader + place) % 3, card) for place, card in enumerate(cards)]
    assert winner(trick, RANKINGS[trump]) == (leader + wins) % 3


@for_each(
    "hand, led, cards",
    [
        (("Ks", "2s", "Kh"), None, ("Ks", "2s", "Kh")),
        (("Ks", "2s", "Kh"), "As", ("Ks", "2s")),
        (("Ks", "2s", "Kh"), "2h", ("Kh",)),
        (("Ks", "2s", "Kh"), "Kd", ("Ks", "2s", "Kh")),
        ((), "Kd", ()),
    ],
)
@for_each("trump", [None, "s", "c"])
def test_the_suit_led_is_followed_if_possible(
    hand: tuple[Card, ...], led: Card | None, cards: tuple[Card, ...], trump: Suit | None
) -> None:
    assert following(hand, led, RANKINGS[trump]) == cards


@pytest.mark.parametrize(
    ("hand", "led", "cards"),
    [
        pytest.param(("As", "Ks"), "5h", ("As", "Ks"), id="a matador alone may stay"),
        pytest.param(("As", "7h", "Ac", "Ks"), "5h", ("As", "7h", "Ac", "Ks"), id="and so may all three"),
        pytest.param(("As", "4h", "Ks"), "5h", ("As", "4h"), id="but with another trump a trump is due"),
        pytest.param(("Ah", "Ks"), "5h", ("Ah",), id="ponto is no matador"),
        pytest.param(("Ah", "Ac", "Ks"), "5h", ("Ah", "Ac"), id="ponto beside a matador"),
        pytest.param(("7h", "Ks"), "As", ("7h",), id="spadille draws manille"),
        pytest.param(("Ac", "Ks"), "As", ("Ac",), id="spadille draws basta"),
        pytest.param(("Ac", "Ks"), "7h", ("Ac",), id="manille draws basta"),
        pytest.param(("As", "Ks"), "7h", ("As", "Ks"), id="manille does not draw spadille"),
        pytest.param(("As", "7h", "Ks"), "Ac", ("As", "7h", "Ks"), id="basta draws neither"),
        pytest.param(("As", "Ac", "Ks"), "7h", ("As", "Ac"), id="one drawn, the other may serve"),
        pytest.param(("As", "Ks"), "Kh", ("As", "Ks"), id="the king draws no matador"),
        pytest.param(("Ac", "Kc"), "Qc", ("Kc",), id="basta is no club"),
        pytest.param(("Ac", "Kd"), "Qc", ("Ac", "Kd"), id="nor does it follow clubs"),
    ],
)
def test_a_matador_need_not_follow_unless_a_higher_one_was_led(
    hand: tuple[Card, ...], led: Card, cards: tuple[Card, ...]
) -> None:
    assert following(hand, led, MATADOR_RANKINGS["h"]) == cards


def test_turns_go_round_from_who_leads() -> None:
    tricks = Tricks((3, 2, 0), 2)
    assert (tricks.turn, tricks.led) == (2, None)
    tricks = tricks.played(2, "Ks", 12)
    assert (tricks.turn, tricks.led) == (0, "Ks")
    tricks = tricks.played(0, "7s", 14)
    assert tricks.turn == 3
    tricks = tricks.played(3, "6s", 16)
    assert tricks.turn is None
    cards = tricks.trick
    tricks = tricks.won(2, 17)
    assert (tricks.turn, tricks.trick, tricks.winners) == (2, (), (2,))
    assert (tricks.won_at, tricks.played_at) == ((17,), (12, 14, 16))
    assert tricks.complete == (Trick(2, cards),)


def test_the_last_trick_is_the_one_completed_last() -> None:
    assert Tricks((0, 1), 0).last is None
    assert two_tricks().last == Trick(1, (Played(1, "As"), Played(0, "Ks")))


def test_captured_are_the_cards_of_the_tricks_won_and_not_those_on_the_table() -> None:
    tricks = two_tricks().played(1, "Jh", 27)
    assert tricks.captures(2, ("7h", "Ah", "As", "Ks", "Jh")) == ((), ("7h", "Ah", "As", "Ks"))
    assert tricks.captures(2, ("Ks", "Ah")) == ((), ("Ah", "Ks"))
    assert tricks.worth(2, {"Ks": 5, "Ah": 2, "Jh": 9}) == (0, 7)


def test_a_trick_is_made_of_its_cards_and_its_winner_whatever_happens_between() -> None:
    tricks = two_tricks().played(1, "Jh", 27)
    assert [tricks.events_of(place) for place in (0, 1)] == [(11, 14, 15), (20, 23, 26)]


def two_tricks() -> Tricks:
    """Two tricks of two seats, with other events between theirs."""
    first = Tricks((0, 1), 0).played(0, "7h", 11).played(1, "Ah", 14).won(1, 15)
    return first.played(1, "As", 20).played(0, "Ks", 23).won(1, 26)


class InHand(Struct, frozen=True):
    """Hands and tricks, without trumps."""

    hands: Hands
    tricks: Tricks
    ranking: ClassVar = ranking(PACK)


def test_a_card_is_offered_that_follows_and_refused_by_the_rule_named() -> None:
    play = InHand((Hand(("As", "Ah", "Kh")),), Tricks((0, 1), 0))
    assert play_offer(play, 0) == Offer("play", {"card": OneOf(("As", "Ah", "Kh"))})
    following = play_offer(replace(play, tricks=play.tricks.played(1, "7h", 3)), 0)
    assert following == Offer("play", {"card": OneOf(("Ah", "Kh"))})


@pytest.mark.parametrize(
    ("results", "foretold"), [("aaa", "a"), ("aab", None), ("baa", None), (("a", None, "a"), None)]
)
def test_foregone_is_what_does_not_depend_on_who_wins(results: list[str | None], foretold: str | None) -> None:
    assert settled_for_any_winner(3, results.__getitem__) == foretold
