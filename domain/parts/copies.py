"""Cards of packs with two copies, named by people who do not tell copies apart."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from domain.cards import Card, Pack

Named: TypeAlias = Card | Literal["Jo"]
"""A card as a fact, with its copy or without; a joker without its number is `Jo`."""


def with_copies(pack: Pack, groups: Sequence[Sequence[Named]]) -> tuple[tuple[Card, ...], ...] | None:
    """The groups of cards, in which a face without its copy becomes the first copy that no group names.

    None if the pack has not so many, or a card is named twice.
    """
    named = {card for cards in groups for card in cards if card in pack.faces}
    free: dict[Card, list[Card]] = {}
    for card, face in pack.faces.items():
        if card not in named:
            free.setdefault(face.rank + (face.suit or ""), []).append(card)
    if sum(card in pack.faces for cards in groups for card in cards) > len(named):
        return None
    try:
        return tuple([tuple([card if card in pack.faces else free[card].pop(0) for card in cards]) for cards in groups])
    except (KeyError, IndexError):
        return None
