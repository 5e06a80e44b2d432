"""Offers: the acts open to a seat now, and the one source of legality.

An action is legal exactly when some offer describes it. Each field of an offer carries the rule that limits it. If no
offer describes an action, the game's refusals say which rule it breaks.

A field is of one of five kinds. Each kind admits values, describes itself as JSON, and picks a value; `offer_from_wire`
reads the description back. So a client of this project plays any game without looking at the JSON.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from operator import itemgetter
from typing import Any, TypeAlias

from msgspec import Struct

from domain.kernel.rejection import Code, Rejected

Choice: TypeAlias = str | int | bool | None
Item: TypeAlias = str | int
"""An item of a list: a card, or the number of something on the table."""

Chance: TypeAlias = Callable[[int], int]
"""A source of chance: given n ≥ 1, a number from 0 to n − 1, as `Random.randrange` gives."""

MOST_LISTS = 512
"""The most lists that a field may offer one by one. Larger choices must be split into several fields."""
MOST_CARDS = 40
"""The most values in a field of sets. With `MOST_TOTAL` it bounds the time that judging a choice takes."""
MOST_TOTAL = 31
MOST_EXAMPLES = 8

REMARKS = ("Lead low, I have the rest.", "Trumps, please.", "Patience.", "Now!", "Let it go.")
"""The texts to pick from for a text field."""


class OneOf(Struct, frozen=True, gc=False):
    """The field takes one of these values."""

    values: tuple[Choice, ...]
    rule: str

    def admits(self, value: object) -> bool:
        """Whether the value is one of the field's values."""
        return value in self.values

    def describe(self) -> dict[str, object]:
        """The field on the wire."""
        return {"one_of": self.values}

    def pick(self, draw: Chance) -> Choice:
        """One of the values; each is equally likely."""
        return self.values[draw(len(self.values))]

    def __str__(self) -> str:
        if self.values == (None,):
            return "left out"
        return _name(self.values[0]) if len(self.values) == 1 else "one of " + ", ".join(map(_name, self.values))


class OneOfLists(Struct, frozen=True, gc=False):
    """The field takes one of these lists, its items in any order. An empty list may be left out.

    Raises ValueError if there are more than `MOST_LISTS`, or an item is in a list twice.
    """

    values: tuple[tuple[Item, ...], ...]
    rule: str

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

    def pick(self, draw: Chance) -> tuple[Item, ...]:
        """One of the lists; each is equally likely."""
        return self.values[draw(len(self.values))]

    def __str__(self) -> str:
        return "one of " + ", ".join(f"[{', '.join(map(str, value))}]" for value in self.values)


class SomeOf(Struct, frozen=True, gc=False):
    """The field takes a list of `min` to `max` distinct values among these."""

    values: tuple[str, ...]
    min: int
    max: int
    rule: str

    def admits(self, value: object) -> bool:
        """Whether the value is such a list."""
        chosen = _distinct(value)
        return chosen is not None and self.min <= len(chosen) <= self.max and chosen.issubset(self.values)

    def describe(self) -> dict[str, object]:
        """The field on the wire."""
        return {"some_of": self.values, "min": self.min, "max": self.max}

    def pick(self, draw: Chance) -> tuple[str, ...]:
        """Such a list: its length is drawn first, then each value from those left."""
        rest = list(self.values)
        return tuple(rest.pop(draw(len(rest))) for _ in range(self.min + draw(self.max - self.min + 1)))

    def __str__(self) -> str:
        if not self.max:
            return "left out"
        number = str(self.min) if self.min == self.max else f"{self.min} to {self.max}"
        return f"{number} of {', '.join(self.values)}"


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
    rule: str

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

    def pick(self, draw: Chance) -> tuple[str, ...]:
        """One of the examples, each equally likely; while 1 is drawn from two, another set is added."""
        chosen = self.examples[draw(len(self.examples))]
        while draw(2):
            others = {card: number for card, number in self.values.items() if card not in chosen and draw(2)}
            more = next(_choices(_items(others), self.total, 1), None)
            if more is None:
                break
            chosen += more
        return chosen

    def __str__(self) -> str:
        least = f"{self.min} or more" if self.min else "none or more"
        beside = f" with {', '.join(map(str, self.beside))}" if self.beside else ""
        return f"{least} of {', '.join(self.values) or 'no cards'} that make up{beside} sets of {self.total}"


class Text(Struct, frozen=True, gc=False):
    """The field takes a text of `min` to `max` Unicode code points without control characters."""

    min: int
    max: int
    rule: str

    def admits(self, value: object) -> bool:
        """Whether the value is such a text."""
        return isinstance(value, str) and self.min <= len(value) <= self.max and not any(map(_is_control, value))

    def describe(self) -> dict[str, object]:
        """The field on the wire."""
        return {"text": {"min": self.min, "max": self.max}}

    def pick(self, draw: Chance) -> str:
        """One of `REMARKS`, shortened or padded to an admitted length."""
        return REMARKS[draw(len(REMARKS))][: self.max].ljust(self.min, ".")

    def __str__(self) -> str:
        return f"a text of {self.min} to {self.max} characters without control characters"


Field: TypeAlias = OneOf | OneOfLists | SomeOf | SetsOf | Text


class Offer(Struct, frozen=True, gc=False):
    """An action that may be taken now; every combination of values that its fields admit is accepted."""

    type: str
    fields: dict[str, Field] = {}

    def describe(self) -> dict[str, object]:
        """The offer on the wire, without the rules."""
        return {"type": self.type, "fields": {name: field.describe() for name, field in self.fields.items()}}

    def admits(self, fields: Mapping[str, object]) -> bool:
        """Whether each field admits its value, and no other field has a value."""
        offered = self.fields
        for name, field in offered.items():
            if not field.admits(fields.get(name)):
                return False
        return fields.keys() <= offered.keys() or not _extra(offered, fields)

    def pick(self, draw: Chance) -> dict[str, object]:
        """An action that the offer describes, as a client sends it."""
        return {"type": self.type} | {name: field.pick(draw) for name, field in self.fields.items()}


def sets_of(
    values: Mapping[str, int],
    total: int,
    rule: str,
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
    items = _items(values, beside)
    # The shortest choices come first, then those with one set more.
    choices = chain(_choices(items, total, least), _choices(items, total, least + 1))
    distinct = dict.fromkeys(map(frozenset, islice(choices, 4 * MOST_EXAMPLES)))
    examples = tuple(tuple(card for card in values if card in chosen) for chosen in islice(distinct, MOST_EXAMPLES))
    return SetsOf(values, total, tuple(beside), least, examples, rule) if examples else None


def splits(numbers: Sequence[int], total: int) -> bool:
    """Whether the numbers, each at least 1, can be split into sets that each add up to the total."""
    refuted: set[_Items] = set()

    def split(items: _Items) -> bool:
        # The greatest number must be in some set. Trying it first leaves the fewest ways.
        if not items:
            return True
        if items in refuted:
            return False
        if any(split(left) for left in _left(items[1:], total - items[0][0])):
            return True
        refuted.add(items)
        return False

    return sum(numbers) % total == 0 and split(_items({}, numbers))


def offer_from_wire(wire: Mapping[str, Any]) -> Offer:
    """The offer that `describe` turned into this JSON, without its rules. Raises ValueError if a field is of another
    kind.
    """
    return Offer(wire["type"], {name: field_from_wire(field) for name, field in wire["fields"].items()})


def field_from_wire(wire: Mapping[str, Any]) -> Field:
    """The field that `describe` turned into this JSON, without its rules. Raises ValueError if it is of another
    kind.
    """
    match wire:
        case {"one_of": [list() | tuple(), *_] as lists}:
            return OneOfLists(tuple(map(tuple, lists)), "")
        case {"one_of": [*values]}:
            return OneOf(tuple(values), "")
        case {"some_of": [*values], "min": int(least), "max": int(most)}:
            return SomeOf(tuple(values), least, most, "")
        case {"sets_of": {"values": values, "total": total, "with": beside, "min": least, "examples": examples}}:
            return SetsOf(values, total, tuple(beside), least, tuple(map(tuple, examples)), "")
        case {"text": {"min": int(least), "max": int(most)}}:
            return Text(least, most, "")
        case _:
            raise ValueError(f"an offer has a field of an unknown kind: {wire}")


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


def pick_seldom_done(offers: Sequence[Offer], draw: Chance, done: Counter[str]) -> dict[str, object]:
    """An action described by one of the offers, picked by how seldom it was done.

    One action is picked from each offer; the one that `done` counts least is returned and counted. If nobody must act
    and acts can be undone and repeated, this brings a client that knows no rules to an end.
    """
    picked = [offer.pick(draw) for offer in offers]
    first = draw(len(picked))
    least = min((*picked[first:], *picked[:first]), key=lambda action: done[str(action)])
    done[str(least)] += 1
    return least


class _Refusal(Struct, frozen=True, gc=False):
    """The reason why one offer does not describe an action."""

    name: str
    """The first field that the offer refuses, or else the first that it does not have."""
    field: Field | None
    admitted: int
    """The number of fields that it admits before that one."""
    extra: bool
    """Whether the action has a field that the offer does not have."""


def require(offers: Sequence[Offer], type: str, fields: Mapping[str, object], rule: str) -> None:
    """Checks that one of the offers describes the action. Raises Rejected, with the rule that was broken, if none does.

    `rule` is cited if no offer has the action's type. Otherwise the refusal names a field of the nearest offer: among
    the offers with all the fields given, or else among all, the one that admits the most fields before its first
    refusal. It lists the values that this offer, and all that refuse the same field after as many, would take.
    """
    if described(offers, type, fields):
        return
    refusals = [_refusal(offer, fields) for offer in offers if offer.type == type]
    if not refusals:
        raise Rejected(Code.RULE_VIOLATION, f"{type} is not open to this seat now", rule)
    nearest = max(refusals, key=lambda refusal: (not refusal.extra, refusal.admitted))
    name = nearest.name
    if nearest.field is None:
        raise Rejected(Code.RULE_VIOLATION, f"{type} takes no {name} here", rule)
    alike = [
        refusal.field
        for refusal in refusals
        if refusal.field is not None and (refusal.name, refusal.admitted) == (name, nearest.admitted)
    ]
    raise Rejected(Code.RULE_VIOLATION, f"{name} must be {_any_of(alike)}", nearest.field.rule)


def _refusal(offer: Offer, fields: Mapping[str, object]) -> _Refusal:
    """The reason why the offer does not describe these fields."""
    extra = _extra(offer.fields, fields)
    for admitted, (name, field) in enumerate(offer.fields.items()):
        if not field.admits(fields.get(name)):
            return _Refusal(name, field, admitted, bool(extra))
    return _Refusal(extra[0], None, len(offer.fields), extra=True)


def _any_of(fields: Sequence[Field]) -> str:
    """The values that at least one of the fields admits, in words."""
    choices = [field for field in fields if isinstance(field, OneOf)]
    if len(choices) == len(fields):
        return str(OneOf(tuple(dict.fromkeys(value for field in choices for value in field.values)), ""))
    return " or ".join(dict.fromkeys(map(str, fields)))


def _name(value: Choice) -> str:
    return "null" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


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


_Items: TypeAlias = tuple[tuple[int, str], ...]
"""Values, high to low, each with its card; the card is empty for a value that is not chosen but must be in a set."""


def _items(values: Mapping[str, int], beside: Iterable[int] = ()) -> _Items:
    """The items of these cards and values, those of `beside` first."""
    cards = sorted(((number, card) for card, number in values.items()), key=itemgetter(0), reverse=True)
    return (*((number, "") for number in sorted(beside, reverse=True)), *cards)


def _left(items: _Items, missing: int) -> Iterator[_Items]:
    """The items left after taking some that add up to `missing`. Among cards of equal value the first are taken."""
    if missing == 0:
        yield items
        return
    tried = set()
    for index, (number, card) in enumerate(items):
        if number <= missing and (number, not card) not in tried:
            tried.add((number, not card))
            for left in _left(items[index + 1 :], missing - number):
                yield items[:index] + left


def _choices(items: _Items, total: int, least: int) -> Iterator[tuple[str, ...]]:
    """The choices of cards that form such sets with the values beside them, in no more sets than `least` cards need."""
    bound = bool(items) and not items[0][1]
    if not bound and least <= 0:
        yield ()
        return
    tried = set()
    for index, (number, card) in enumerate(items[:1] if bound else items):
        if number <= total and number not in tried:
            tried.add(number)
            for left in _left(items[index + 1 :], total - number):
                kept = {name for _, name in left}
                taken = tuple(
                    name for name in (card, *(name for _, name in items[index + 1 :])) if name and name not in kept
                )
                yield from (taken + more for more in _choices(left, total, least - len(taken)))
