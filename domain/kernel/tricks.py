"""Trick taking."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from msgspec import Struct

from domain.kernel.cards import Card
from domain.kernel.seats import Seat


class Played(Struct, frozen=True, gc=False):
    """A card on the table and who played it."""

    seat: Seat
    card: Card


class Trick(Struct, frozen=True, gc=False):
    """A complete trick and who won it."""

    winner: Seat
    cards: tuple[Played, ...]


Power: TypeAlias = Callable[[Card], int]
"""How strong a card is in its suit, greater beating smaller."""


def winner(trick: Sequence[Played], trump: str | None, suit: Callable[[Card], str], power: Power) -> Seat:
    """Who wins the trick: the highest trump, without one the highest card of the suit led."""
    led = suit(trick[0].card)
    best = max(
        trick,
        key=lambda played: (suit(played.card) == trump, suit(played.card) == led, power(played.card)),
    )
    return best.seat


def following(hand: Sequence[Card], led: str | None, suit: Callable[[Card], str]) -> tuple[Card, ...]:
    """The cards that may be played: those of the suit led if there are any, else the whole hand."""
    if led is None:
        return tuple(hand)
    return tuple(card for card in hand if suit(card) == led) or tuple(hand)
