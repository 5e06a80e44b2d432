"""The intact records of `api-spec/examples/records` are frozen, and hold every form of event that there is.

A form of a payload, or of a section, is which of its members are null and which absent. A list's items have forms of
their own.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

import msgspec

from domain.kernel.event import Payload
from domain.kernel.game import Game
from domain.registry import GAMES
from domain.table.events import EVENTS, events_of
from tests.golden.games import events as golden_events
from tests.golden.games import names as golden_names
from tests.history.forms import SCORED, alternatives, shape, taken
from tests.support.corpus import index
from tests.support.for_each import for_each

TABLE = frozenset(payload.TYPE for payload in EVENTS) - {SCORED}
"""The events that are the same in every game; in each game `deal-scored` is held for its own sake."""
NEVER = {
    ("khanhoo bump-challenged 1 seat", ".meld null"): "a challenge names a meld",
    ("lhombre deal-scored 1 public", ".lines[].seat null"): "L'Hombre has neither bank nor pool",
    ("table table-opened 1 public", ".table.clock null"): "what is as by default is left out",
    ("table table-opened 1 public", ".table.spectator_delay null"): "what is as by default is left out",
}
"""Alternatives that the types allow and no event takes."""


class Form(NamedTuple):
    """A form of a payload or of a section."""

    of: str
    """Whose event it is, its type and schema, and the section's kind or `public`."""
    takes: frozenset[str]


def owner(of: str, type_: str) -> str:
    return "table" if type_ in TABLE else of


@cache
def payloads(of: str) -> Mapping[tuple[str, int], type[Payload]]:
    """The game's payloads of every schema, under all its rules, by type and schema."""

    def of_rules(rules: Game) -> Iterator[type[Payload]]:
        for payload in events_of(rules):
            yield from (*payload.EARLIER, payload)

    return {
        (payload.TYPE, payload.SCHEMA): payload
        for rules in (*GAMES[of].earlier, GAMES[of])
        for payload in of_rules(rules)
    }


@cache
def parts(payload: type[Payload]) -> Mapping[str, Any]:
    """The shapes of its public part and of its sections."""
    return {"public": shape(payload), **{kind: shape(section) for kind, section in payload.SECTIONS.items()}}


def forms(event: Mapping[str, Any]) -> Iterator[Form]:
    """The forms that an event has, as far as its sections are open."""
    payload = payloads(event["game"])[event["type"], event["schema"]]
    name = f"{owner(event['game'], event['type'])} {event['type']} {event['schema']}"
    sealed = frozenset(f"seals {to.partition(':')[0]}" for to in event["seals"])
    yield from forms_of(f"{name} public", event["public"], parts(payload)["public"], sealed)
    for to, section in event["sealed"].items():
        kind = to.partition(":")[0]
        yield from forms_of(f"{name} {kind}", section["data"], parts(payload)[kind])


def forms_of(name: str, value: Any, wanted: Any, sealed: frozenset[str] = frozenset()) -> Iterator[Form]:
    takes = frozenset(taken(value, wanted))
    items = frozenset(each for each in takes if "[]" in each)
    yield Form(name, takes - items | sealed)
    yield from (Form(name, frozenset({each})) for each in items)


@cache
def held() -> frozenset[Form]:
    """The forms that the records hold."""
    lines = (line for one in index().records for line in one.data.splitlines()[1:-1])
    return frozenset(form for line in lines for form in forms(msgspec.json.decode(line)))


def possible(of: str) -> Iterator[tuple[str, str]]:
    """Each alternative that an event of the newest rules may take, and an empty one for each payload and section."""
    for payload in events_of(GAMES[of]):
        name = f"{owner(of, payload.TYPE)} {payload.TYPE} {payload.SCHEMA}"
        for kind, wanted in parts(payload).items():
            yield f"{name} {kind}", ""
            yield from ((f"{name} {kind}", each) for each in alternatives(wanted))
        yield from ((f"{name} public", f"seals {kind}") for kind in payload.SECTIONS)


def missing(of: str, among: Iterable[Form]) -> list[tuple[str, str]]:
    """What is possible in the game and stands in none of these forms."""
    have = {(form.of, each) for form in among for each in ("", *form.takes)}
    return sorted(set(possible(of)) - have - NEVER.keys())


@for_each("of", GAMES)
def test_every_event_is_held_with_each_alternative_of_its_members(of: str) -> None:
    assert missing(of, held()) == [], "add a record that holds these, as CONTRIBUTING.md says"


@for_each("of", GAMES)
def test_every_form_in_a_golden_game_is_held(of: str) -> None:
    shown = {form for name in golden_names(of) for event in golden_events(of, name) for form in forms(event)}
    assert sorted(shown - held()) == [], "add a record that holds these, as CONTRIBUTING.md says"


def test_what_no_record_holds_is_named() -> None:
    others = {form for form in held() if ".sides[].count null" not in form.takes}
    assert missing("don", others) == [("don deal-scored 1 public", ".sides[].count null")]
    others = {form for form in held() if not form.of.startswith("don hand-opened ")}
    assert missing("don", others) == [
        ("don hand-opened 1 public", ""),
        ("don hand-opened 1 public", "seals seat"),
        ("don hand-opened 1 seat", ""),
    ]


def test_what_never_happens_is_in_no_record() -> None:
    assert {(form.of, each) for form in held() for each in form.takes} & NEVER.keys() == set()
