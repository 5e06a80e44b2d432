"""Piles before a seat or in the middle of the table, as a view shows them."""

from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta

from domain.cards import Card
from domain.kernel.hands import Hand, Pile


class StackView(Hand, frozen=True, gc=False):
    """Cards in a stack: the known ones, sorted, the number of others, and the top card."""

    top: Annotated[Card | None, Meta(description="The card on top; null if it lies face down, or there is none.")] = (
        None
    )


def face_up_stack(pile: Pile, order: Mapping[Card, int]) -> StackView:
    """The pile as a stack whose first card lies open on top."""
    hand = Hand.of(pile, order)
    return StackView(hand.known, hand.hidden, pile[0] if pile else None)


def face_down_stack(pile: Pile, order: Mapping[Card, int]) -> StackView:
    """The pile as a stack without an open card."""
    hand = Hand.of(pile, order)
    return StackView(hand.known, hand.hidden)
