"""Piles that lie before a seat or in the middle, as a view shows them."""

from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta

from domain.cards import Card
from domain.kernel.hands import Hand, Pile


class OpenPile(Hand, frozen=True, gc=False):
    """A pile whose top card lies open: the cards known to be in it, sorted, the number of others, and the top card."""

    top: Annotated[Card | None, Meta(description="The card on top; null if the pile is empty.")] = None


def open_pile(pile: Pile, order: Mapping[Card, int]) -> OpenPile:
    """The pile, whose first card is its top."""
    hand = Hand.of(pile, order)
    return OpenPile(hand.known, hand.hidden, pile[0] if pile else None)
