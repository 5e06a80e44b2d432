"""Cards of packs with two copies, named by people who do not tell copies apart."""

from collections import Counter
from collections.abc import Callable
from typing import Any, Literal, TypeAlias, TypeVar

from msgspec import Struct

from domain.cards import NAMES, Card, Pack

Named: TypeAlias = Card | Literal["Jo"]
"""A card as a fact, with its copy or without; a joker without its number is `Jo`."""

FactsT = TypeVar("FactsT")
_NAMES = frozenset([*NAMES, "Jo"])


def with_copies(pack: Pack, facts: FactsT) -> FactsT | Card:
    """The facts, in which a face without its copy becomes the first copy that they do not name.

    If they name a card more often than the pack has it, that card.
    """
    named: list[Card] = []

    def note(card: Card) -> Card:
        named.append(card)
        return card

    complete: FactsT = _each_card(facts, note)
    if pack.faces.keys() >= {*named} and len({*named}) == len(named):
        return complete
    free: dict[Card, list[Card]] = {}
    for card, face in pack.faces.items():
        free.setdefault(card if card in named else face.rank + (face.suit or ""), []).append(card)
    excess = next((card for card, count in Counter(named).items() if count > len(free.get(card, ()))), None)
    if excess is None:
        complete = _each_card(facts, lambda card: free[card].pop(0))
    return complete if excess is None else excess


def _each_card(value: Any, become: Callable[[Card], Card]) -> Any:
    """The value, in which each card has become another, in their order."""
    if isinstance(value, Struct):
        return type(value)(*[_each_card(getattr(value, name), become) for name in value.__struct_fields__])
    if isinstance(value, list | tuple):
        return tuple([_each_card(each, become) for each in value])
    return become(value) if value in _NAMES else value
