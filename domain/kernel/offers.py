"""Offers: the acts open to a seat now, and the one source of legality.

An action is legal exactly when some offer describes it. If none does, the rows of the game say which rule it breaks.

A field is of one of five kinds. Each kind admits values and describes itself as JSON.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, TypeAlias

from msgspec import Struct

from domain.kernel.sums import choices, splits

Choice: TypeAlias = str | int | bool | None
Item: TypeAlias = str | int
"""An item of a list: a card, or the number of something on the table."""

MOST_LISTS = 512
"""The most lists that a field may offer one by one. Larger choices must be split into several fields."""
MOST_CARDS = 40
"""The most values in a field of sets. With `MOST_TOTAL` it bounds the time that judging a choice takes."""
MOST_TOTAL = 31
MOST_EXAMPLES = 8


class OneOf(Struct, frozen=True, gc=False):
    """The field takes one of these values."""

    values: tuple[Choice, ...]

    def admits(self, value: object) -> bool:
        """Whether the value is one of the field's values."""
        return value in self.values

    def describe(self) -> dict[str, object]:
        """The field on the wire."""
        return {"one_of": self.values}


class OneOfLists(Struct, frozen=True, gc=False):
    """The field takes one of these lists, its items in any order. An empty list may be left out.

    Raises ValueError if there are more than `MOST_LISTS`, or an item is in a list twice.
    """

    values: tuple[tuple[Item, ...], ...]

    def __post_init__(self) -> None:
        if len(self.values) > MOST_LISTS:
            raise ValueError(f"{len(self.values)} lists are more than {MOST_LISTS}")
        if any(len(set(value)) < len(value) for value in self.values):
            raise ValueError("an item is in a list twice")

    def admits(self, value: object) -> bool:
        """Whether the value is one of the lists, in any order."""
        chosen = _distinct(value)
        return chosen is not None and any(len(each) == len(chosen) and chosen.issuperset(each) for each in self.values)

    def describe(self) -> dict[str, object]:
        """The field on the wire."""
        return {"one_of": self.values}


class SomeOf(Struct, frozen=True, gc=False):
    """The field takes a list of `min` to `max` distinct values among these."""

    values: tuple[str, ...]
    min: int
    max: int

    def admits(self, value: object) -> bool:
        """Whether the value is such a list."""
        chosen = _distinct(value)
        return chosen is not None and self.min <= len(chosen) <= self.max and chosen.issubset(self.values)

    def describe(self) -> dict[str, object]:
        """The field on the wire."""
        return {"some_of": self.values, "min": self.min, "max": self.max}


class SetsOf(Struct, frozen=True, gc=False):
    """The field takes at least `min` distinct cards whose values, together with `beside`, form sets.

    Each set adds up to `total`, and every chosen value and every one of `beside` is in exactly one set. The function
    `sets_of` makes the field, with one to `MOST_EXAMPLES` examples.
    """

    values: Mapping[str, int]
    total: int
    beside: tuple[int, ...]
    min: int
    examples: tuple[tuple[str, ...], ...]

    def admits(self, value: object) -> bool:
        """Whether the value is such a list."""
        chosen = _distinct(value)
        return (
            chosen is not None
            and len(chosen) >= self.min
            and chosen <= self.values.keys()
            and splits([*self.beside, *(self.values[str(card)] for card in chosen)], self.total)
        )

    def describe(self) -> dict[str, object]:
        """The field on the wire."""
        described = {"values": self.values, "total": self.total, "with": self.beside, "min": self.min}
        return {"sets_of": described | {"examples": self.examples}}


class Text(Struct, frozen=True, gc=False):
    """The field takes a text of `min` to `max` Unicode code points without control characters."""

    min: int
    max: int

    def admits(self, value: object) -> bool:
        """Whether the value is such a text."""
        return isinstance(value, str) and self.min <= len(value) <= self.max and not any(map(_is_control, value))

    def describe(self) -> dict[str, object]:
        """The field on the wire."""
        return {"text": {"min": self.min, "max": self.max}}

    def __str__(self) -> str:
        return f"a text of {self.min} to {self.max} characters without control characters"


Field: TypeAlias = OneOf | OneOfLists | SomeOf | SetsOf | Text


class Offer(Struct, frozen=True, gc=False):
    """An action that may be taken now; every combination of values that its fields admit is accepted."""

    type: str
    fields: dict[str, Field] = {}

    def describe(self) -> dict[str, Any]:
        """The offer on the wire."""
        return {"type": self.type, "fields": {name: field.describe() for name, field in self.fields.items()}}

    def admits(self, fields: Mapping[str, object]) -> bool:
        """Whether each field admits its value, and no other field has a value."""
        offered = self.fields
        for name, field in offered.items():
            if not field.admits(fields.get(name)):
                return False
        return fields.keys() <= offered.keys() or not _extra(offered, fields)


def sets_of(
    values: Mapping[str, int],
    total: int,
    *,
    beside: Sequence[int] = (),
    least: int = 0,
) -> SetsOf | None:
    """The field for `least` or more of these cards in such sets, with examples; None if no cards form them.

    Raises ValueError if there are more than `MOST_CARDS` values, one is less than 1, or the total not in 1 to
    `MOST_TOTAL`.
    """
    if len(values) + len(beside) > MOST_CARDS:
        raise ValueError(f"{len(values)} cards, with {len(beside)} values beside them, are more than {MOST_CARDS}")
    if not 1 <= total <= MOST_TOTAL:
        raise ValueError(f"the total {total} is not in 1 to {MOST_TOTAL}")
    if any(number < 1 for number in (*values.values(), *beside)):
        raise ValueError("a value is less than 1")
    distinct = dict.fromkeys(map(frozenset, islice(choices(values, total, least, beside), 4 * MOST_EXAMPLES)))
    examples = tuple(tuple(card for card in values if card in chosen) for chosen in islice(distinct, MOST_EXAMPLES))
    return SetsOf(values, total, tuple(beside), least, examples) if examples else None


def described(offers: Iterable[Offer], type: str, fields: Mapping[str, object]) -> bool:
    """Whether one of the offers describes the action of this type with these fields, which makes it legal."""
    for offer in offers:
        if offer.type == type and offer.admits(fields):
            return True
    return False


def asked_about(offers: Iterable[Offer], type: str, fields: Mapping[str, object]) -> tuple[Offer, ...]:
    """The offers of this type, reduced to the fields named here."""
    return tuple(
        Offer(type, {name: field for name, field in offer.fields.items() if name in fields})
        for offer in offers
        if offer.type == type
    )


def _is_control(character: str) -> bool:
    return character < " " or "\x7f" <= character <= "\x9f"


def _extra(offered: Mapping[str, Field], fields: Mapping[str, object]) -> list[str]:
    """The names of the fields that have a value and are not offered."""
    return [name for name, value in fields.items() if name not in offered and value not in (None, ())]


def _distinct(value: object) -> frozenset[Item] | None:
    """The items of a list; null counts as an empty list. None if it is not a list or repeats an item."""
    if value is None:
        return frozenset()
    if not isinstance(value, (tuple, list)):
        return None
    items = frozenset(value)
    return items if len(items) == len(value) else None
