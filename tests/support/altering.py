"""Records of finished games in which something is altered, hashes and seals made anew."""

import copy
import random
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from tests.support.checker.chance import GENESIS, event_hash, seal
from tests.support.recording import Envelope

Path = tuple[str | int, ...]
"""Where a value stands in an event."""
Values = Sequence[Collection[object]]
"""Sets of values that may stand in each other's place."""


def forge(events: list[Envelope]) -> list[Envelope]:
    """The events with versions, seals and hashes made anew, as a house could that rewrites history."""
    previous = GENESIS
    for place, event in enumerate(events, 1):
        event["version"], event["position"] = place, 7 * place
        event["seals"] = {audience: seal(section) for audience, section in event["sealed"].items()}
        event["hash"] = previous = event_hash(event, previous)
    return events


def leaves(value: object, path: Path = ()) -> Iterator[Path]:
    if isinstance(value, dict):
        for name, member in value.items():
            yield from leaves(member, (*path, name))
    elif isinstance(value, list):
        for place, member in enumerate(value):
            yield from leaves(member, (*path, place))
    else:
        yield path


def another(old: object, values: Values, rng: random.Random) -> object:
    """Another value of the same kind."""
    for kind in values:
        if old in kind:
            return rng.choice([value for value in kind if value != old])
    match old:
        case bool():
            return not old
        case int():
            return old + rng.choice([-1, 1])
        case None:
            return 0
        case str() if old[-1:].isdigit():
            return old[:-1] + str((int(old[-1]) + 1) % 10)
        case str():
            return old[:-1] + ("a" if old[-1:] != "a" else "b")
        case _:
            raise TypeError(f"no leaf: {old!r}")


def alter(event: Envelope, path: Path, values: Values, rng: random.Random) -> None:
    """Puts another value of the same kind at the path."""
    owner: Any = event
    for step in path[:-1]:
        owner = owner[step]
    owner[path[-1]] = another(owner[path[-1]], values, rng)


def rewritten(events: Sequence[Envelope], place: int, path: Path, values: Values, rng: random.Random) -> list[Envelope]:
    """The game with one value of one event another, as a house could tell it that rewrites history."""
    altered = [{**event} for event in events]
    altered[place] = copy.deepcopy(events[place])
    alter(altered[place], path, values, rng)
    return forge(altered)
