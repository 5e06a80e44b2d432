"""Offers: what a seat may do now. They build actions, check them before they are sent, and list or pick legal ones.

A field of a kind that this version does not know takes any value, and is passed on as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice
from random import Random
from typing import TYPE_CHECKING, Any, NewType, TypeAlias

if TYPE_CHECKING:
    from codille_client.words import Words

Action = NewType("Action", dict[str, Any])
"""An action as it is sent: its type, and the values of its fields. Games' own types take it for one of theirs."""
Field: TypeAlias = Mapping[str, Any]
"""A field as it is served."""

PLAIN = {"None": "none", "True": "true", "False": "false"}
CHANCE = Random()
SETS = 64
"""The number of lists that a field of sets takes, among which one is picked."""


class Offer:
    """An action that may be taken now. Every combination of values that its fields admit is legal."""

    def __init__(self, wire: Mapping[str, Any]) -> None:
        self.wire = wire
        self.type: str = wire["type"]
        self.fields: Mapping[str, Field] = wire.get("fields", {})

    def act(self, **values: Any) -> Action:
        """The action with these values. A field with a single value need not be named, nor one that may be left out.

        Raises ValueError if the offer does not have such a field, or a field does not take its value.
        """
        for name in values.keys() - self.fields.keys():
            raise ValueError(f"{self.type} has no field {name}; it has {', '.join(self.fields) or 'none'}")
        action = Action({"type": self.type})
        for name, field in self.fields.items():
            only = field.get("one_of", ())
            value = values.get(name, only[0] if len(only) == 1 else None)
            if not admits(field, value):
                raise ValueError(f"{name} of {self.type} must be {limits(field)}, not {value!r}")
            if value is not None:
                action[name] = value
        return action

    def admits(self, action: Mapping[str, Any]) -> bool:
        """Whether this is the offer of the action."""
        surplus = [value for name, value in action.items() if name != "type" and name not in self.fields]
        fits = all(admits(field, action.get(name)) for name, field in self.fields.items())
        return action["type"] == self.type and fits and all(value in (None, [], ()) for value in surplus)

    def choices(self, limit: int = 1000) -> Iterator[Action]:
        """The legal actions, each once, up to this number. A field of free text has one value."""
        for values in islice(_combined(list(self.fields.items())), limit):
            yield Action({"type": self.type, **values})

    def random(self, chance: Random = CHANCE) -> Action:
        """A legal action, picked by chance; every value that a field lists may be picked."""
        picked = {name: _pick(field, chance) for name, field in self.fields.items()}
        return Action({"type": self.type, **{name: value for name, value in picked.items() if value is not None}})

    def describe(self, words: Words | None = None) -> str:
        """The offer in words, those of the game if they are given."""
        label = words.label(self.type) if words else self.type
        wanted = {name: field for name, field in self.fields.items() if field.get("one_of") not in ([None], [[]])}
        fields = [f"{name.replace('_', ' ')} {limits(field, name, words)}" for name, field in wanted.items()]
        return ": ".join(filter(None, [label, "; ".join(fields)]))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Offer) and self.wire == other.wire

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Offer({self.describe()})"


def admits(field: Field, value: Any) -> bool:
    """Whether the field takes the value. A value that is left out is None, and counts as an empty list."""
    match field:
        case {"one_of": [*values]}:
            return any(_equal(value, each) for each in values)
        case {"some_of": [*values], "min": int(least), "max": int(most)}:
            chosen = _distinct(value)
            return chosen is not None and least <= len(chosen) <= most and chosen <= {*values}
        case {"sets_of": {"values": values, "total": int(total), "with": beside, "min": int(least)}}:
            chosen = _distinct(value)
            if chosen is None or len(chosen) < least or not chosen <= values.keys():
                return False
            numbers = sorted([*beside, *(values[card] for card in chosen)], reverse=True)
            return sum(numbers) % total == 0 and next(_sets(numbers, (), total), None) is not None
        case {"text": {"min": int(least), "max": int(most)}}:
            return isinstance(value, str) and least <= len(value) <= most and not any(map(_is_control, value))
        case _:
            return True


def limits(field: Field, name: str = "", words: Words | None = None) -> str:
    """What a field takes, in words."""

    def say(value: Any) -> str:
        if isinstance(value, list):
            return f"[{', '.join(map(say, value))}]"
        return words.value(value, name) if words else PLAIN.get(repr(value), str(value))

    def number(least: int, most: int) -> str:
        return str(least) if least == most else f"{least} to {most}"

    match field:
        case {"one_of": [*values]}:
            return f"{'one of ' if len(values) > 1 else ''}{', '.join(map(say, values))}"
        case {"some_of": [*values], "min": least, "max": most}:
            return f"{number(least, most)} of {', '.join(map(say, values))}"
        case {"sets_of": {"values": values, "total": total, "with": beside, "min": least}}:
            known = f" with {', '.join(map(str, beside))}" if beside else ""
            return f"{least} or more of {', '.join(map(say, values))} that make sets of {total}{known}"
        case {"text": {"min": least, "max": most}}:
            return f"a text of {number(least, most)} characters"
        case _:
            return "a value"


def _pick(field: Field, chance: Random) -> Any:
    match field:
        case {"some_of": [*values], "min": int(least), "max": int(most)}:
            return chance.sample(values, chance.randint(least, most))
        case _:
            listed = [*islice(_values(field), SETS)] if "sets_of" in field else [*_values(field)]
            return chance.choice(listed)


def _combined(fields: Sequence[tuple[str, Field]]) -> Iterator[dict[str, Any]]:
    if not fields:
        yield {}
        return
    (name, field), *rest = fields
    for value in _values(field):
        for others in _combined(rest):
            yield others if value is None else {name: value} | others


def _values(field: Field) -> Iterator[Any]:
    """The values of a field, as far as they can be listed; of a kind that is not known its examples, or None."""
    match field:
        case {"one_of": [*values]}:
            yield from values
        case {"some_of": [*values], "min": int(least), "max": int(most)}:
            for length in range(least, most + 1):
                yield from map(list, combinations(values, length))
        case {"sets_of": {"values": values, "total": int(total), "with": beside, "min": int(least)}}:
            seen: set[frozenset[str]] = set()
            cards = sorted(values.items(), key=lambda item: item[1], reverse=True)
            for chosen in _sets(sorted(beside, reverse=True), cards, total):
                if len(chosen) >= least and frozenset(chosen) not in seen:
                    seen.add(frozenset(chosen))
                    yield [card for card in values if card in chosen]
        case {"text": {"min": int(least)}}:
            yield "-" * least
        case _:
            yield from _examples(field) or [None]


def _examples(field: Field) -> Sequence[Any]:
    """The examples of a field of a kind that is not known, beside its kind or within it."""
    within = [value.get("examples") for value in field.values() if isinstance(value, Mapping)]
    return next((found for found in (field.get("examples"), *within) if isinstance(found, list)), ())


def _sets(bound: Sequence[int], cards: Sequence[tuple[str, int]], total: int) -> Iterator[tuple[str, ...]]:
    """The choices of cards that form sets of the total together with the numbers that must be in some set."""
    if not bound:
        yield ()
    for at, (first, number) in enumerate([("", bound[0])] if bound else cards):
        others = [("", each) for each in bound[1:]] + [*(cards if bound else cards[at + 1 :])]
        for taken in _sums(others, total - number):
            left = [item for place, item in enumerate(others) if place not in taken]
            still, free = [value for card, value in left if not card], [item for item in left if item[0]]
            chosen = tuple(card for card in (first, *(others[place][0] for place in taken)) if card)
            for more in _sets(still, free, total):
                yield (*chosen, *more)


def _sums(items: Sequence[tuple[str, int]], missing: int, start: int = 0) -> Iterator[tuple[int, ...]]:
    """The places of items that add up to what is missing."""
    if missing == 0:
        yield ()
    for place in range(start, len(items)):
        if items[place][1] <= missing:
            for rest in _sums(items, missing - items[place][1], place + 1):
                yield (place, *rest)


def _equal(value: Any, offered: Any) -> bool:
    if isinstance(offered, list):
        chosen = _distinct(value)
        return chosen is not None and chosen == {*offered}
    # In Python alone, true is 1.
    return isinstance(value, bool) is isinstance(offered, bool) and bool(value == offered)


def _distinct(value: Any) -> set[Any] | None:
    """The items of a list; None if it is not a list, or has an item twice."""
    if value is None:
        return set()
    if not isinstance(value, list | tuple):
        return None
    items = set(value)
    return items if len(items) == len(value) else None


def _is_control(character: str) -> bool:
    return character < " " or "\x7f" <= character <= "\x9f"
