"""Why an act is refused: the rules that it may break, in the order of the rules, each with its own sentence.

Offers alone say what is legal. A refusal is asked for only once they do not describe an act, and explains that.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, TypeAlias, get_args, get_type_hints

from msgspec import Struct

from domain.cards import Card, Pack
from domain.kernel.action import Action, Phase
from domain.seats import Seat

Objection: TypeAlias = Callable[[Any, Seat, Any], str | None]
"""What is wrong with a seat's act in a phase, as a sentence in the game's words; None where it keeps the rule.

It is asked only where the act keeps the rules before, and reads public fields and the seat's own cards alone.
"""


class Refusal(Struct, frozen=True, gc=False):
    """A rule that an act may break, and the sentence that says so."""

    rule: str
    objection: Objection
    fields: tuple[str, ...] = ()
    """The fields of the act that it looks at. A question that leaves one of them open is not judged by it."""
    phase: type[Phase] | None = None
    """The only phase in which it is looked at, if there are others that have a place for the act."""


class Broken(Struct, frozen=True, gc=False):
    """A rule that an act breaks, and what is wrong with the act."""

    rule: str
    detail: str


def every_card(_: Any, _card: Card) -> bool:
    """All cards of the pack, for games that deal from the whole of it at every table."""
    return True


class Refusals(Struct, frozen=True):
    """The rules that a game's acts may break."""

    cards: str
    """The rule that says which cards there are. An act with any other card is refused by it, before all others."""
    acts: Mapping[type[Action], tuple[Refusal, ...]]
    """By type of act, in the order of the rules. Of an act that no offer describes at least one is broken."""
    dealt: Callable[[Any, Card], bool] = every_card
    """Whether a card of the pack is among those that this table plays with."""


def first_broken(
    refusals: Refusals, pack: Pack, state: Phase, seat: Seat, act: type[Action], fields: Mapping[str, Any]
) -> Broken | None:
    """The first rule in the rules' order that every act of this type with these fields breaks.

    None if there is none among those that look at no other field.
    """
    for card in _cards(act, fields):
        if card not in pack.faces or not refusals.dealt(state, card):
            return Broken(refusals.cards, f"{card} is none of the cards of this table")
    # The constructor checks no types, and what is left open is not looked at.
    action = act(**(dict.fromkeys(act.__struct_fields__) | dict(fields)))
    for refusal in refusals.acts[act]:
        if (refusal.phase is None or isinstance(state, refusal.phase)) and fields.keys() >= set(refusal.fields):
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
