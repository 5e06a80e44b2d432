"""Picking an action from offers, knowing nothing of any game."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

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


def _value(limits: Mapping[str, Any], rng: random.Random, early: float) -> object:
    match dict(limits):
        case {"one_of": [*values]}:
            return _one(values, rng, early)
        case {"some_of": [*values], "min": least, "max": most}:
            return rng.sample(values, rng.randint(least, most))
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
