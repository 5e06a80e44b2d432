"""What refusals say of cards that are held, or are not."""

from collections.abc import Sequence

from domain.cards import Card
from domain.kernel.hands import Hand


def either(values: Sequence[object]) -> str:
    """The values, of which one is to be chosen."""
    *others, last = map(str, values)
    return f"{', '.join(others)} or {last}" if others else last


def not_held(hand: Hand, *cards: Card) -> str | None:
    """That a card among these is not in the hand, or is named twice; None if the hand holds each."""
    for place, card in enumerate(cards):
        if card not in hand.known:
            return f"you do not hold {card}"
        if card in cards[:place]:
            return f"{card} is named twice"
    return None
