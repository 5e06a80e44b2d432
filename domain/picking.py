"""Offers in the hands of a client: read back from the wire, and an action picked from them.

So a client of this project plays any game without knowing its rules or looking at the JSON.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, assert_never

from domain.kernel.offers import Field, Offer, OneOf, OneOfLists, SetsOf, SomeOf, Text
from domain.kernel.sums import choices

Chance: TypeAlias = Callable[[int], int]
"""A source of chance: given n ≥ 1, a number from 0 to n − 1, as `Random.randrange` gives."""

REMARKS = ("Lead low, I have the rest.", "Trumps, please.", "Patience.", "Now!", "Let it go.")
"""The texts to pick from for a text field."""


def pick(offer: Offer, draw: Chance) -> dict[str, object]:
    """An action that the offer describes, as a client sends it."""
    return {"type": offer.type} | {name: pick_value(field, draw) for name, field in offer.fields.items()}


def pick_value(field: Field, draw: Chance) -> object:
    """A value that the field admits.

    Of listed values and lists, each is equally likely. A list of some values has its length drawn first, then each
    value from those left. Sets are one of the examples; while 1 is drawn from two, another set is added. A text is one
    of `REMARKS`, shortened or padded to an admitted length.
    """
    match field:
        case OneOf(values) | OneOfLists(values):
            return values[draw(len(values))]
        case SomeOf(values):
            rest = list(values)
            return tuple(rest.pop(draw(len(rest))) for _ in range(field.min + draw(field.max - field.min + 1)))
        case SetsOf():
            return _sets(field, draw)
        case Text():
            return REMARKS[draw(len(REMARKS))][: field.max].ljust(field.min, ".")
        case _:
            assert_never(field)


def _sets(field: SetsOf, draw: Chance) -> tuple[str, ...]:
    chosen = field.examples[draw(len(field.examples))]
    while draw(2):
        others = {card: number for card, number in field.values.items() if card not in chosen and draw(2)}
        more = next(choices(others, field.total, 1), None)
        if more is None:
            break
        chosen += more
    return chosen


def pick_seldom_done(offers: Sequence[Offer], draw: Chance, done: Counter[str]) -> dict[str, object]:
    """An action described by one of the offers, picked by how seldom it was done.

    One action is picked from each offer; the one that `done` counts least is returned and counted. If nobody must act
    and acts can be undone and repeated, this brings a client that knows no rules to an end.
    """
    picked = [pick(offer, draw) for offer in offers]
    first = draw(len(picked))
    least = min((*picked[first:], *picked[:first]), key=lambda action: done[str(action)])
    done[str(least)] += 1
    return least


def offer_from_wire(wire: Mapping[str, Any]) -> Offer:
    """The offer that `describe` turned into this JSON. Raises ValueError if a field is of another kind."""
    return Offer(wire["type"], {name: field_from_wire(field) for name, field in wire["fields"].items()})


def field_from_wire(wire: Mapping[str, Any]) -> Field:
    """The field that `describe` turned into this JSON. Raises ValueError if it is of another kind."""
    match wire:
        case {"one_of": [list() | tuple(), *_] as lists}:
            return OneOfLists(tuple(map(tuple, lists)))
        case {"one_of": [*values]}:
            return OneOf(tuple(values))
        case {"some_of": [*values], "min": int(least), "max": int(most)}:
            return SomeOf(tuple(values), least, most)
        case {"sets_of": {"values": values, "total": total, "with": beside, "min": least, "examples": examples}}:
            return SetsOf(values, total, tuple(beside), least, tuple(map(tuple, examples)))
        case {"text": {"min": int(least), "max": int(most)}}:
            return Text(least, most)
        case _:
            raise ValueError(f"an offer has a field of an unknown kind: {wire}")
