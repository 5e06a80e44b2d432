"""What `api-spec/record.md` says of games and events is what the code has."""

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path

import msgspec

from domain.games.solo.events import GameScored
from domain.kernel.event import Payload
from domain.kernel.game import Game
from domain.record.export import FORMAT
from domain.registry import GAMES
from domain.seats import CLOCK, HOUSE
from domain.table.events import EVENTS, LedgerCorrected, SeatResumed, SeatTaken
from tests.golden.games import events as golden_events
from tests.golden.games import names as golden_names
from tests.support.for_each import for_each
from tests.support.helpers import helper

DOCUMENT = (Path(__file__).parents[3] / "api-spec" / "record.md").read_text()
EVENTS_OF: Mapping[str, tuple[type[Payload], ...]] = {
    "A table": EVENTS,
    **{each.title: each.events for each in GAMES.values()},
}


def rows(heading: str) -> list[list[str]]:
    """The cells of the table after this line, without its head."""
    _, _, rest = DOCUMENT.partition(f"\n{heading}\n")
    lines = rest.lstrip("\n").split("\n\n")[0].splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def quoted(text: str) -> list[str]:
    return re.findall("`([^`]+)`", text)


@for_each("title", EVENTS_OF)
def test_every_event_stands_there_with_its_members(title: str) -> None:
    documented = [
        (*quoted(type_), int(schema), quoted(public), [kind.partition(":")[0] for kind in sections.split("; ") if kind])
        for type_, _, schema, public, sections in rows(f"**{title}**")
    ]
    assert documented == [
        (payload.TYPE, payload.SCHEMA, list(payload.__struct_encode_fields__), list(payload.SECTIONS))
        for payload in EVENTS_OF[title]
    ]


@for_each("title", EVENTS_OF)
def test_the_members_of_sections_stand_there(title: str) -> None:
    documented = [quoted(sections) for *_, sections in rows(f"**{title}**")]
    assert documented == [
        [field for section in payload.SECTIONS.values() for field in section.__struct_encode_fields__]
        for payload in EVENTS_OF[title]
    ]


def actors(type_: str, of: str) -> Iterator[str]:
    """Who did events of this type in the recorded games; `follows` where it followed by itself."""
    for name in golden_names(of):
        events = golden_events(of, name)
        for before, event in pairwise(events):
            # The clock and bots do for a seat what the seat itself may do.
            for_seat = event["actor"].startswith(("clock", "bot:")) and "seat" in event["public"]
            if event["type"] == type_ and not for_seat:
                # Bots are seated together with the opening of their table, but do not follow from it.
                follows = event["action"] == before["action"] and type_ != SeatTaken.TYPE
                yield "follows" if follows else event["actor"].partition(":")[0]


@for_each("title", EVENTS_OF)
def test_what_follows_by_itself_stands_there(title: str) -> None:
    words = {"a seat": "seat", "an arbiter": "arbiter", "the house": HOUSE, "the clock": CLOCK, "follows": "follows"}
    of = [name for name, each in GAMES.items() if title in ("A table", each.title)]
    (due,) = re.findall(r"\| due \| when \|\n(.*?)\n\n", DOCUMENT + "\n\n", re.DOTALL)
    follow = {
        type_
        for row in due.splitlines()
        for type_, _, only in re.findall(r"`([^`]+)`( \(([^)]+)\))?", row.split("|")[1])
        if not only or title in only.split(", ")
    }
    for (type_, who, *_), payload in zip(rows(f"**{title}**"), EVENTS_OF[title], strict=True):
        said = {words[each] for each in who.replace(", or ", ",").split(",")}
        done = {actor for name in of for actor in actors(payload.TYPE, name)}
        assert done <= said, type_
        # That a player is back by an act that needs no turn is shown by the toy alone.
        unseen = {HOUSE, "seat", "follows"} if payload is SeatResumed else {HOUSE, "seat"}
        assert said - done <= unseen, type_
        assert ("follows" in said) == (payload.TYPE in follow), type_
    assert LedgerCorrected.TYPE in follow


def test_every_schema_is_the_one_that_is_named() -> None:
    types = {*EVENTS, *(payload for each in GAMES.values() for payload in each.events)}
    assert {payload for payload in types if payload.SCHEMA == 2} == {LedgerCorrected, SeatTaken, GameScored}
    assert all(payload.SCHEMA == 1 + len(payload.EARLIER) <= 2 for payload in types)
    assert "1 but where section 17 says 2" in DOCUMENT


def test_every_digest_of_before_stands_there() -> None:
    for each in GAMES.values():
        for digest in (digest for version in (*each.earlier, each) for digest in version.rulebook.also):
            assert f"| {each.title} | `{digest}` |" in DOCUMENT


def test_every_game_stands_there_with_its_seats_deals_and_cards() -> None:
    documented = {name: cells for _, name, *cells in rows("high to low by the game's plain order:")}
    assert [*documented] == [f"`{name}`" for name in GAMES]
    for name, each in GAMES.items():
        seats, deals, cards, _ = documented[f"`{name}`"]
        assert int(cards) == len(each.pack)
        for options in helper(name, "habits").option_sets:
            check_course(each, options, seats, deals)


def check_course(each: Game, options: Mapping[str, object], seats: str, deals: str) -> None:
    chosen = msgspec.convert(options, each.options)
    number = each.course.seats(chosen)
    if "`players`" in seats:
        assert (getattr(chosen, "players", None), str(number) in seats) == (number, True)
    else:
        assert int(seats) == number
    single, _, several = deals.rpartition(", or ")
    numbers = [int(one) for one in re.findall(r"\d+", several.replace("`players`", str(number)))]
    least, most, steps = (*numbers, *numbers, 1) if deals.startswith("exactly ") else numbers
    agreed = each.course.deals(chosen)
    said = [count for count in range(1, 200) if (least <= count <= most and count % steps == 0) or str(count) == single]
    assert said == [count for count in range(1, 200) if agreed.allows(count)]


def test_the_format_of_an_export_is_the_one_that_is_named() -> None:
    assert f'"format": "{FORMAT}"' in DOCUMENT
