"""Why an act is refused: the rules that it may break, in the order of the rules, each with its own sentence.

Offers alone say what is legal. A refusal explains an act that no offer describes.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, TypeAlias, get_args, get_type_hints

from msgspec import Struct

from domain.cards import Card, Pack
from domain.kernel.action import Action, Phase
from domain.seats import Seat

Objection: TypeAlias = Callable[[Any, Seat, Any], str | None]
"""The fault of a seat's act in a phase, as a sentence in the game's words; None if the act keeps the rule.

Called only if the act keeps the rules before. Reads public fields and the seat's own cards alone.
"""


class Refusal(Struct, frozen=True, gc=False):
    """A rule that an act may break, and the sentence for it."""

    rule: str
    objection: Objection
    fields: tuple[str, ...] = ()
    """The fields of the act that it reads. It does not judge a question that leaves one of them open."""
    phase: type[Phase] | None = None
    """The only phase in which the rule applies, if the act exists in other phases too."""


class Broken(Struct, frozen=True, gc=False):
    """A rule that an act breaks, and the fault of the act."""

    rule: str
    detail: str


def every_card(_: Any, _card: Card) -> bool:
    """True: every table of the game deals from the whole pack."""
    return True


class Refusals(Struct, frozen=True):
    """The rules that a game's acts may break."""

    cards: str
    """The rule that lists the cards. It refuses an act with any other card before all other rules."""
    acts: Mapping[type[Action], tuple[Refusal, ...]]
    """The rules by type of act, in the order of the rules. An act that no offer describes breaks at least one."""
    dealt: Callable[[Any, Card], bool] = every_card
    """Whether this table plays with the card of the pack."""


def first_broken(
    refusals: Refusals, pack: Pack, state: Phase, seat: Seat, act: type[Action], fields: Mapping[str, Any]
) -> Broken | None:
    """The first rule in the rules' order that every act of this type with these fields breaks.

    None if no rule that reads only these fields is broken.
    """
    for card in _cards(act, fields):
        if card not in pack.faces or not refusals.dealt(state, card):
            return Broken(refusals.cards, f"{card} is none of the cards of this table")
    # The constructor checks no types, and no rule reads a field that is left open.
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
