"""Piles before a seat or in the middle of the table: their openings, and how a view shows them."""

from collections.abc import Callable, Mapping
from functools import lru_cache, partial

from domain.cards import Card
from domain.fair.deck import Deck, Opening
from domain.kernel.hands import Hand, Pile


def openings_of_pile(deck: Deck, cards: Pile) -> tuple[Opening, ...]:
    """The openings of the pile's known cards. Raises ValueError on any deck but the house's."""
    return deck.openings_of(card for card in cards if card is not None)


def pile_view(order: Mapping[Card, int]) -> Callable[[Pile], Hand]:
    """The function that shows a pile in a view: its cards sorted by `order`, so that their places are not disclosed."""
    # Every view has the rest of the talon, which seldom changes between two views.
    return lru_cache(maxsize=1 << 12)(partial(Hand.of, order=order))


class StackView(Hand, frozen=True, gc=False):
    """Cards in a stack: the known ones, sorted, the number of others, and the top card."""

    top: Card | None = None


def face_up_stack(pile: Pile, order: Mapping[Card, int]) -> StackView:
    """The pile as a stack whose first card lies open on top."""
    hand = Hand.of(pile, order)
    return StackView(hand.known, hand.hidden, pile[0] if pile else None)


def face_down_stack(pile: Pile, order: Mapping[Card, int]) -> StackView:
    """The pile as a stack without an open card."""
    hand = Hand.of(pile, order)
    return StackView(hand.known, hand.hidden)
