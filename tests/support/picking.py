"""Offers as they are read by a client that knows the interface's document and no game.

It shares nothing with the service's own code, so that tests compare two readings of the same words.
"""

import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, TypeGuard

Action = dict[str, Any]
Offers = Sequence[Mapping[str, Any]]

LETTERS = "abc xyz äß Ωж 中文 🂮 \"\\/ '<&> \u2028"


@dataclass(frozen=True)
class Temper:
    """How a player picks: nothing in it names a rule, and at rest every pick is as likely as another.

    `readiness` says by type of action how readily it is picked against others, 1 where nothing is said. `early` leans
    towards the first of several values (up to 1: always the first) or the last (down to -1: always the last).
    `wishes` are values by name of field, nearly always, to the degree of `obstinacy`, taken where they are offered.
    """

    readiness: Mapping[str, float] = field(default_factory=dict)
    early: float = 0.0
    wishes: Mapping[str, object] = field(default_factory=dict)
    obstinacy: float = 0.99


def repeatable(seed: int) -> random.Random:
    """Chance that is the same in every run."""
    return random.Random(seed)  # noqa: S311 - nothing secret is drawn from it


LEANINGS: Mapping[str, Sequence[float]] = {
    "pass": (0.1, 0.5, 1.0, 20.0),
    "concede": (0.0, 0.02, 1.0),
    "offer-priority": (1.0, 5.0),
    "talk": (0.1, 20.0),
}


def temper_of(rng: random.Random, leanings: Mapping[str, Sequence[float]] = LEANINGS) -> Temper:
    """How a player leans: to some types of action more than to others, to bid and play high or low."""
    readiness = {type: rng.choice(degrees) for type, degrees in leanings.items()}
    return Temper(readiness, rng.choice((-0.7, 0.0, 0.4, 0.7)))


def whose(offered: Mapping[int, Offers], rng: random.Random, tempers: Sequence[Temper]) -> int:
    """The seat that acts next, of those that are offered something: rather one that is ready for what it is offered."""
    ready = {
        seat: max(tempers[seat].readiness.get(offer["type"], 1.0) for offer in offers)
        for seat, offers in offered.items()
        if offers
    }
    weights = [min(1.0, degree) for degree in ready.values()]
    return rng.choices(list(ready), weights if any(weights) else None)[0]


def pick(offers: Offers, rng: random.Random, temper: Temper | None = None) -> Action:
    """One of the actions that these offers describe."""
    temper = temper or Temper()
    types = list(dict.fromkeys(offer["type"] for offer in offers))
    weights = [temper.readiness.get(each, 1.0) for each in types]
    chosen = rng.choices(types, weights if any(weights) else None)[0]
    open_ = [each for each in offers if each["type"] == chosen]
    granted = [sum(_grants(each, name, value) for name, value in temper.wishes.items()) for each in open_]
    best = [each for each, number in zip(open_, granted, strict=True) if number == max(granted)]
    offer = _one(best, rng, temper.early)
    action: Action = {"type": offer["type"]}
    for name, limits in offer["fields"].items():
        wished = name in temper.wishes and _grants(offer, name, temper.wishes[name]) and rng.random() < temper.obstinacy
        value = temper.wishes[name] if wished else _value(limits, rng, temper.early)
        # What would be null or empty may be left out.
        if value not in (None, []) or rng.random() < 0.5:
            action[name] = value
    return action


def _grants(offer: Mapping[str, Any], name: str, value: object) -> bool:
    return value in offer["fields"].get(name, {}).get("one_of", ())


def describes(offer: Mapping[str, Any], action: Action) -> bool:
    """Whether the offer describes the action. A field that is null or empty may be left out."""
    if offer["type"] != action["type"]:
        return False
    given = {name: value for name, value in action.items() if name != "type" and value is not None and value != []}
    if not given.keys() <= offer["fields"].keys():
        return False
    return all(fits(limits, given.get(name)) for name, limits in offer["fields"].items())


def fits(limits: Mapping[str, Any], value: object) -> bool:
    """Whether the field, as it is offered, takes the value; None where it was left out."""
    match dict(limits):
        case {"one_of": [[*_], *_] as lists}:
            return any(_is_list(value, each) and len(value or []) == len(each) for each in lists)
        case {"one_of": [*values]}:
            return any(value == each and isinstance(value, bool) == isinstance(each, bool) for each in values)
        case {"some_of": [*values], "min": least, "max": most}:
            return _is_list(value, values) and least <= len(value or []) <= most
        case {"sets_of": {"values": values, "total": total, "with": beside, "min": least}}:
            if not _is_list(value, values) or len(value or []) < least:
                return False
            return _divides([*beside, *(values[card] for card in value or [])], total)
        case {"text": {"min": least, "max": most}}:
            text = isinstance(value, str) and least <= len(value) <= most
            return text and not any(ord(letter) < 32 or 127 <= ord(letter) < 160 for letter in value)
        case _:
            raise ValueError(f"a field of no known kind: {limits}")


def _is_list(value: object, among: Collection[str] | None = None) -> TypeGuard[list[Any] | None]:
    """Whether it is a list without repetition, of nothing else but these."""
    if value is None:
        return True
    distinct = isinstance(value, list) and all(value.count(item) == 1 for item in value)
    return distinct and (among is None or all(item in among for item in value))


def _divides(numbers: list[int], total: int) -> bool:
    """Whether all of these numbers can be divided into sets that add up to the total. Tries every set of the first."""
    if not numbers:
        return True
    first, *others = range(len(numbers))
    return any(
        numbers[first] + sum(numbers[place] for place in rest) == total
        and _divides([numbers[place] for place in others if place not in rest], total)
        for size in range(len(numbers))
        for rest in combinations(others, size)
    )


def _value(limits: Mapping[str, Any], rng: random.Random, early: float) -> object:
    match dict(limits):
        case {"one_of": [*values]}:
            value = _one(values, rng, early)
            return rng.sample(value, len(value)) if isinstance(value, list) else value
        case {"some_of": [*values], "min": least, "max": most}:
            return rng.sample(values, rng.randint(least, most))
        case {"sets_of": {"values": values, "examples": [*examples]}}:
            # Sums are tried by luck for a while; failing that, an example is taken.
            tries = (rng.sample(list(values), rng.randint(0, min(6, len(values)))) for _ in range(20))
            return next((cards for cards in tries if fits(limits, cards)), _one(examples, rng, early))
        case {"text": {"min": least, "max": most}}:
            length = rng.choice([least, most, rng.randint(least, most)])
            return "".join(rng.choices(LETTERS, k=length))
        case _:
            raise ValueError(f"a field of no known kind: {limits}")


def _one(values: list[Any], rng: random.Random, early: float) -> Any:
    for value in values if early > 0 else values[::-1]:
        if rng.random() < abs(early):
            return value
    return rng.choice(values)
