"""Why an act is refused: the first of its rules that it breaks, with the row's sentence.

Offers alone say what is legal. A refusal explains an act that no offer describes.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, get_args, get_type_hints

from msgspec import Struct

from domain.cards import Card, Pack
from domain.kernel.action import Action, Phase
from domain.kernel.acts import Acts
from domain.seats import Seat


class Broken(Struct, frozen=True, gc=False):
    """A rule that an act breaks, and the fault of the act."""

    rule: str
    detail: str


def first_broken(
    acts: Acts, pack: Pack, state: Phase, seat: Seat, act: type[Action], fields: Mapping[str, Any]
) -> Broken | None:
    """The first rule in the rules' order that every act of this type with these fields breaks.

    None if no rule that reads only these fields is broken.
    """
    for card in _cards(act, fields):
        if card not in pack.faces or not acts.dealt(state, card):
            return Broken(acts.cards, f"{card} is none of the cards of this table")
    # The constructor checks no types, and no rule reads a field that is left open.
    action = act(**(dict.fromkeys(act.__struct_fields__) | dict(fields)))
    whole = len(fields) == len(act.__struct_fields__)
    for refusal in acts.refusals[act]:
        here = refusal.phase is None or isinstance(state, refusal.phase)
        if here and (whole or fields.keys() >= set(refusal.fields)):
            detail = refusal.objection(state, seat, action)
            if detail is not None:
                return Broken(refusal.rule, detail)
    return None


def _cards(act: type[Action], fields: Mapping[str, Any]) -> Iterator[Card]:
    """The cards that the fields name."""
    for name in _card_fields(act):
        match fields.get(name):
            case str() as card:
                yield card
            case tuple() | list() as cards:
                yield from cards
            case _:
                pass


@cache
def _card_fields(act: type[Action]) -> tuple[str, ...]:
    """The act's fields that name a card, or a list of cards."""
    hints = get_type_hints(act)
    return tuple(name for name in act.__struct_fields__ if _names_cards(hints[name]))


def _names_cards(hint: Any) -> bool:
    return hint == Card or any(map(_names_cards, get_args(hint)))
