"""Cards, suits and packs.

A card is two characters, rank then suit: `Ks`, `7h`, `Td` for the ten of diamonds.
"""

from collections.abc import Mapping
from functools import cache
from typing import Literal, TypeAlias, cast

Suit: TypeAlias = Literal["s", "h", "d", "c"]
"""Spades, hearts, diamonds, clubs: the order in which public lists of cards are sorted."""

Card: TypeAlias = Literal[
    "As", "Ks", "Qs", "Js", "Ts", "9s", "8s", "7s", "6s", "5s", "4s", "3s", "2s",
    "Ah", "Kh", "Qh", "Jh", "Th", "9h", "8h", "7h", "6h", "5h", "4h", "3h", "2h",
    "Ad", "Kd", "Qd", "Jd", "Td", "9d", "8d", "7d", "6d", "5d", "4d", "3d", "2d",
    "Ac", "Kc", "Qc", "Jc", "Tc", "9c", "8c", "7c", "6c", "5c", "4c", "3c", "2c",
]  # fmt: skip

SUITS: tuple[Suit, ...] = ("s", "h", "d", "c")


def pack_of(ranks: str) -> tuple[Card, ...]:
    """The pack of these ranks (high to low) in four suits, in sorted order."""
    return tuple(cast("Card", rank + suit) for suit in SUITS for rank in ranks)


def suit_of(card: Card) -> Suit:
    """The suit printed on the card."""
    return cast("Suit", card[1])


# Needed once a deal, and always for the same few packs.
@cache
def order_of(pack: tuple[Card, ...]) -> Mapping[Card, int]:
    """Each card's place in the pack; its `__getitem__` is the key that sorts lists of cards."""
    return {card: place for place, card in enumerate(pack)}
