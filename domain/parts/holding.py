"""Sentences for refusals about cards that are in a hand, or are not."""

from collections.abc import Sequence

from domain.cards import Card
from domain.kernel.hands import Hand


def either(values: Sequence[object]) -> str:
    """The values, joined by commas and a last "or"."""
    *others, last = map(str, values)
    return f"{', '.join(others)} or {last}" if others else last


def not_held(hand: Hand, *cards: Card) -> str | None:
    """The sentence that one of these cards is not in the hand, or is named twice; None if the hand holds them all."""
    for index, card in enumerate(cards):
        if card not in hand.known:
            return f"you do not hold {card}"
        if card in cards[:index]:
            return f"{card} is named twice"
    return None
