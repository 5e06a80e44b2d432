"""Rules that a card is in the hand, and their sentences."""

from collections.abc import Sequence
from typing import Any

from domain.cards import Card
from domain.kernel.acts import Among
from domain.kernel.hands import Hand
from domain.seats import Seat


def either(values: Sequence[object]) -> str:
    """The values, joined by commas and a last "or"."""
    *others, last = map(str, values)
    return f"{', '.join(others)} or {last}" if others else last


def one_of(values: Sequence[object]) -> str:
    """The values that a field may have, in words."""
    return f"one of {', '.join(map(str, values))}" if len(values) > 1 else str(values[0])


def not_held(hand: Hand, *cards: Card) -> str | None:
    """The sentence that one of these cards is not in the hand, or is named twice; None if the hand holds them all."""
    for index, card in enumerate(cards):
        if card not in hand.known:
            return f"you do not hold {card}"
        if card in cards[:index]:
            return f"{card} is named twice"
    return None


def held(rule: str, then: str = "", field: str = "card") -> Among:
    """The rule that the field takes cards of the own hand. `then` follows the sentence that one is not in it."""

    def known(state: Any, seat: Seat, _: object) -> tuple[Card, ...]:
        cards: tuple[Card, ...] = state.hands[seat].known
        return cards

    def missing(state: Any, seat: Seat, action: object) -> str:
        chosen = getattr(action, field)
        return f"{not_held(state.hands[seat], *([chosen] if isinstance(chosen, str) else chosen))}{then}"

    return Among(rule, field, known, missing)
