"""Games of every kind under a clock, with players who are late, absent, leave or want to end: all find the same."""

import random
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import msgspec
import pytest

from domain.audit.auditor import audit
from domain.record.envelope import enveloped
from domain.record.recorded import Recorded
from domain.seats import HOUSE
from domain.table.following import says_why_itself
from tests.golden.games import as_recorded
from tests.golden.games import events as golden_events
from tests.golden.wanted import GOLDEN, TABLES
from tests.property.strategies import of_each_game
from tests.support.altering import forge, leaves, rewritten
from tests.support.checker import violations
from tests.support.games import READER, Live, chance
from tests.support.lively import lively
from tests.support.repetition import times

Envelope = dict[str, Any]

many = pytest.mark.parametrize("number", range(times(2)))


def served(events: list[Recorded]) -> list[Envelope]:
    """The events as everybody may read them when the game is over, at positions of a log."""
    opened = (enveloped(record, HOUSE, over=True) for record in events)
    plain = [msgspec.json.decode(msgspec.json.encode(envelope)) for envelope in opened]
    return [event | {"position": 7 * place} for place, event in enumerate(plain, 1)]


def recorded(events: list[Envelope]) -> list[Recorded]:
    """The records that were served so."""
    return list(as_recorded(events))


def failed(events: list[Recorded]) -> list[str]:
    return [check.text for check in audit(READER, events).checks if not check.passed]


@many
@of_each_game
def test_the_audit_and_who_knows_the_document_alone_find_nothing_wrong(tables: type[Live], number: int) -> None:
    live = lively(tables, number)
    assert failed(live.records) == []
    assert violations(served(live.records)) == []


@of_each_game
def test_all_see_the_same_clocks_and_who_has_left(tables: type[Live]) -> None:
    live = lively(tables, 0)
    every = 1 + live.version // 40
    of_house = list(live.views("house", every))
    for audience in live.audiences:
        for own, house in zip(live.views(audience, every), of_house, strict=True):
            for name in ("to_act", "deadlines", "clocks", "leaving", "table_options", "winners", "status"):
                assert own.get(name) == house.get(name), (own["version"], audience)


@of_each_game
def test_a_fold_that_skips_earlier_deals_is_the_same(tables: type[Live]) -> None:
    live = lively(tables, 1)
    at_once = READER.fold(None, live.records)
    one_by_one = None
    for record in live.records:
        one_by_one = READER.fold(one_by_one, (record,))
    assert at_once == one_by_one == live.table


@pytest.mark.parametrize("name", [name for name in TABLES if name != "left-and-closed"])
@pytest.mark.parametrize("of", GOLDEN)
def test_the_recorded_tables_are_as_the_document_has_them(of: str, name: str) -> None:
    assert violations(forge([{**event} for event in golden_events(of, name)])) == []


FACTS = {
    "cards-dealt": ("clocks",),
    "end-proposed": ("seat",),
    "seat-abandoned": ("seat",),
    "seat-taken-over": ("seat",),
    "seat-resumed": ("seat",),
    "substitute-seated": ("seat",),
    "game-finished": ("winners", "reason", "seed", "totals"),
}
"""What in these events follows from the rules of a table."""


def alterations(events: list[Envelope], rng: random.Random) -> Iterator[tuple[str, Callable[[], list[Envelope]]]]:
    """What makes the record with one thing altered at a time that the rules of a table make, hashes made anew."""
    own, substituted = bots_in(events)
    for place, event in enumerate(events):
        public, actor = event["public"], event["actor"]
        for field in FACTS.get(event["type"], ()):
            # A game's own reason for its end is words.
            if public.get(field) and (field != "reason" or says_why_itself(public[field])):
                path = ("public", field, *next(leaves(public[field])))
                yield f"{event['type']} {field}", partial(rewritten, events, place, path, (), rng)
        if actor == "clock" and "seat" in public:
            yield "too early", partial(at_the_last, events, place)
            # A bot might have taken the mildest act itself.
            if public["seat"] not in own | substituted:
                yield "the clock's", partial(acted_by, f"bot:{public['seat']}", events, place)
        if event["type"] in ("seat-taken-over", "seat-resumed"):
            yield f"no {event['type']}", partial(without, events, place)
        if actor.startswith("bot:"):
            # Nor does a bot that acts late always differ from the clock.
            if public["seat"] not in own | substituted:
                yield "a bot's", partial(acted_by, "clock", events, place)
            yield "a person's", partial(acted_by, f"seat:{public['seat']}", events, place)
            if public["seat"] in own:
                yield "a person's at a bot's seat", partial(acted_by, f"seat:{public['seat']}", events, place)


def bots_in(events: list[Envelope]) -> tuple[set[int], set[int]]:
    """The seats of bots that take part as players, and those at which some play on for others."""
    own = {one["public"]["seat"] for one in events if one["type"] == "seat-taken" and one["public"]["opponent"]}
    return own, {one["public"]["seat"] for one in events if one["type"] == "substitute-seated"}


def acted_by(actor: str, events: list[Envelope], place: int) -> list[Envelope]:
    """The event at this place made by another."""
    return forge([one | {"actor": actor} if at == place else {**one} for at, one in enumerate(events)])


def without(events: list[Envelope], place: int) -> list[Envelope]:
    """The event at this place left out."""
    return forge([{**one} for at, one in enumerate(events) if at != place])


def at_the_last(events: list[Envelope], place: int) -> list[Envelope]:
    """The act at this place, and what follows it, at the time of the event before: far too early."""
    action, at = events[place]["action"], events[place - 1]["at"]
    return forge([one | {"at": at} if one["action"] == action else {**one} for one in events])


@of_each_game
def test_whatever_is_altered_of_it_is_found(tables: type[Live]) -> None:
    rng, seen = chance(("altered", tables.game.name)), set[str]()
    for number in range(times(2)):
        events = served(lively(tables, number).records)
        for what, alteration in alterations(events, rng):
            if what in seen:
                continue
            seen.add(what)
            altered = alteration()
            assert violations(altered) != [], what
            assert failed(recorded(altered)) != [], what
    assert "too early" in seen
