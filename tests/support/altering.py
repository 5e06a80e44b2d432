"""Records of finished games in which something is altered, hashes and seals made anew."""

import copy
import random
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from tests.support.checker import violations
from tests.support.checker.chance import GENESIS, event_hash, seal
from tests.support.habits import Habits
from tests.support.picking import repeatable
from tests.support.recording import Envelope, habitual

Path = tuple[str | int, ...]
"""Where a value stands in an event."""
Facts = Mapping[str, Collection[str]]
"""By type of event, the fields that follow from the rules, the seeds and the players' choices."""
Breach = Callable[[list[Envelope]], bool]
"""Alters the events of a game; whether there was an occasion."""
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


def places(event: Envelope, facts: Facts) -> list[Path]:
    """Where the facts of an event stand."""
    names = facts.get(event["type"], ())
    return [
        path
        for path in leaves(event)
        if path in (("deal",), ("actor",))
        or (path[0] == "public" and path[1] in names and path[-1] != "text")
        or (path[0] == "sealed" and path[2] == "data" and path[3] in names)
    ]


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


def rewritten(events: Sequence[Envelope], place: int, path: Path, values: Values, rng: random.Random) -> list[Envelope]:
    """The game with one value of one event another, as a house could tell it that rewrites history."""
    altered = [{**event} for event in events]
    altered[place] = copy.deepcopy(events[place])
    owner: Any = altered[place]
    for step in path[:-1]:
        owner = owner[step]
    owner[path[-1]] = another(owner[path[-1]], values, rng)
    return forge(altered)


def unnoticed(habits: Habits, number: int, facts: Facts, values: Values, each: int = 3) -> list[tuple[str, Path]]:
    """Of a few facts of every type in a game, those that could be rewritten and nothing was found wrong."""
    rng = repeatable(number)
    events = habitual(habits, number)
    by_type: dict[str, list[tuple[int, Path]]] = {}
    for place, event in enumerate(events):
        by_type.setdefault(event["type"], []).extend((place, path) for path in places(event, facts))
    return [
        (type_, path)
        for type_, alterable in by_type.items()
        for place, path in rng.sample(alterable, min(each, len(alterable)))
        if not violations(rewritten(events, place, path, values, rng))
    ]


def moved(habits: Habits, number: int, at_once: Collection[str] = ()) -> list[int]:
    """The places at which an event could be left out, doubled or moved, and nothing was found wrong.

    Before the start of the game players may take their seats in any order, and later do what stands in `at_once`.
    """
    events = habitual(habits, number)
    start = next(place for place, event in enumerate(events) if event["type"] == "game-started")
    return [
        place
        for place in repeatable(number).sample(range(start, len(events) - 1), 5)
        for other in (
            events[:place] + events[place + 1 :],
            [*events[:place], events[place], *events[place:]],
            [*events[:place], events[place + 1], events[place], *events[place + 2 :]],
        )
        if not {each["type"] for each in other[place : place + 2]} <= {*at_once} or len(other) != len(events)
        if not violations(forge([{**event} for event in other]))
    ]


def breached(habits: Habits, breach: Breach, enough: int = 2) -> Iterator[list[str]]:
    """What is found wrong in games in which this breach is committed."""
    found = 0
    for number in range(250):
        events = habitual(habits, number)
        if breach(events):
            yield violations(forge(events))
            found += 1
        if found == enough:
            return
    assert found, "no game gave an occasion"


# looking for occasions


def deals(events: Sequence[Envelope]) -> list[list[int]]:
    """The places of the events of each deal, from the dealing to the score."""
    by_deal: dict[int, list[int]] = {}
    for place, event in enumerate(events):
        if event["deal"] is not None:
            by_deal.setdefault(event["deal"], []).append(place)
    return list(by_deal.values())


def of_type(events: Sequence[Envelope], within: Sequence[int], *types: str) -> list[int]:
    """Those places where an event of these types stands."""
    return [place for place in within if events[place]["type"] in types]


def act(events: Sequence[Envelope], place: int, type_: str, **public: object) -> Envelope:
    """An act of a seat as it might stand before this place, with an action id and a time of its own."""
    seat = public["seat"]
    event = copy.deepcopy(events[place])
    action = f"{place:08x}-0000-7000-8000-{'f' * 12}"
    return event | {
        "type": type_,
        "schema": 1,
        "public": public,
        "sealed": {},
        "actor": f"seat:{seat}",
        "action": action,
    }


def follow_up(events: list[Envelope], place: int) -> None:
    """Gives the event at this place, which follows by itself, the action and time of the one before."""
    events[place] |= {name: events[place - 1][name] for name in ("action", "at")}


def pay_more(events: list[Envelope], place: int, line: int) -> None:
    """One chip more in a line and its counter-line, and the totals to match, here and later."""
    public = events[place]["public"]
    pair = public["lines"][line // 2 * 2 : line // 2 * 2 + 2]
    for one, sign in zip(pair, (1, -1), strict=True):
        one["amount"] += sign
        if one["seat"] is not None:
            for later in events[place:]:
                if "totals" in later["public"]:
                    later["public"]["totals"][one["seat"]] += sign


# breaches of the rules that many games have


def one_more(events: list[Envelope]) -> bool:
    """A player gets one more in the first deal that pays."""
    paying = [deal[-1] for deal in deals(events) if events[deal[-1]]["public"]["lines"]]
    if paying:
        pay_more(events, paying[0], 0)
    return bool(paying)


def stopped_too_soon(events: list[Envelope]) -> bool:
    """A deal that is played to its last trick is scored without it."""
    for deal in deals(events):
        tricks = of_type(events, deal, "trick-won")
        last = range(tricks[-2] + 1, deal[-1]) if len(tricks) > 1 else ()
        if last and {events[place]["type"] for place in last} == {"card-played", "trick-won"}:
            del events[last[0] : deal[-1]]
            follow_up(events, last[0])
            return True
    return False
