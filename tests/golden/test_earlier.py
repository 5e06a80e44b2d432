"""Recorded games under earlier versions of their rules: they are judged, and played on, by those they began with.

They stand in `tests/games/<game>/earlier/`, as they were recorded when their rules were the newest. Nothing writes them
again.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import astuple, replace

from domain.audit.acts import command_of as audited
from domain.audit.auditor import audit
from domain.kernel.event import Event, Payload
from domain.kernel.game import Game
from domain.record.history import History, Moment, record_command
from domain.record.recorded import Recorded
from domain.seats import CLOCK
from domain.table.actions import Act, Command
from domain.table.deadlines import deadline_of
from domain.table.events import SeatTaken, SeatTaken1
from domain.table.state import Table
from tests.golden.games import as_recorded
from tests.support.checker import violations
from tests.support.games import READER, moment, read

GAMES = Path(__file__).parents[1] / "games"
EARLIER = sorted(GAMES.glob("*/earlier/*.json"))

every = pytest.mark.parametrize("path", EARLIER, ids=lambda path: f"{path.parts[-3]} {path.stem}")


def recorded(path: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


def rules_of(path: Path) -> Game:
    """The game under the rules that the recorded game began with."""
    return READER.of(read(as_recorded(recorded(path)["events"])).table)


def command_of(game: Game, table: Table, record: Recorded) -> Command:
    """The command that made the record, as its event tells it."""
    due = deadline_of(game, table)
    if due and record.actor == CLOCK:
        return due.command
    event = READER.read(record)
    command = audited(game, table, event)
    if command is not None:
        return command
    action = game.decider.action_of(event)
    assert action is not None
    return Act(table.players[event.public.seat] or "", action)  # type: ignore[attr-defined] # every act names it


def decided_anew(game: Game, whole: Sequence[Recorded], kept: int) -> tuple[History, tuple[Recorded, ...]]:
    """The table and its records, made from the commands once more; the first `kept` records are read as they stand."""
    again = tuple(whole[:kept])
    history = read(again)
    while len(again) < len(whole):
        history, more = decided_next(game, history, whole[len(again)])
        again = (*again, *more)
    return history, again


def decided_next(game: Game, history: History, record: Recorded) -> tuple[History, tuple[Recorded, ...]]:
    """The table after the command that made the record, and what the command makes now."""
    at = Moment(record.at, record.action, moment(history.version).chance)
    return record_command(game, history, command_of(game, history.table, record), at)


def deals_begun(events: list[dict[str, Any]]) -> Iterator[int]:
    """The number of events before the first act of each deal."""
    return (place + 1 for place, event in enumerate(events) if event["type"] == "cards-dealt")


def test_there_are_games_under_the_first_rules_of_boston() -> None:
    rules = [rules_of(path) for path in EARLIER if path.parts[-3] == "boston"]
    assert {game.rulebook.version for game in rules} >= {1}


@every
def test_its_rules_are_not_the_newest(path: Path) -> None:
    rules, newest = rules_of(path), READER.games[path.parts[-3]]
    assert rules in newest.earlier
    assert recorded(path)["events"][0]["public"]["rules_digest"] == rules.rulebook.digest() != newest.rulebook.digest()


@every
def test_it_is_intact(path: Path) -> None:
    assert audit(READER, as_recorded(recorded(path)["events"])).verdict == "intact"


@every
def test_the_independent_checker_knows_its_rules(path: Path) -> None:
    assert violations([event | {"position": event["version"]} for event in recorded(path)["events"]]) == []


@every
def test_it_ends_as_recorded(path: Path) -> None:
    told = recorded(path)
    table = read(as_recorded(told["events"])).table
    assert list(table.totals) == told["totals"]
    assert table.winners is not None
    assert list(table.winners) == told["winners"]


@every
def test_its_commands_make_the_same_events_again(path: Path) -> None:
    events = recorded(path)["events"]
    whole, rules, before = as_recorded(events), rules_of(path), next(deals_begun(events))
    history, again = decided_anew(rules, whole, before)
    assert list(again) == whole
    assert history == read(whole)
    kept = 1
    while kept < before:
        # Seats are taken in another form now, so what follows has other hashes.
        _, (made, *more) = decided_next(rules, read(whole[:kept]), whole[kept])
        told = [READER.read(record) for record in whole[kept : kept + 1 + len(more)]]
        assert [READER.read(record) for record in (made, *more)] == list(map(in_todays_form, told))
        kept += len(told)


def in_todays_form(event: Event[Payload]) -> Event[Payload]:
    """The event as it would be recorded now."""
    public = event.public
    return replace(event, public=SeatTaken(*astuple(public), None)) if type(public) is SeatTaken1 else event


@every
def test_a_running_game_goes_on_by_the_rules_that_it_began_with(path: Path) -> None:
    events = recorded(path)["events"]
    rules = rules_of(path)
    for kept in deals_begun(events):
        _, again = decided_anew(rules, as_recorded(events), kept)
        assert list(again) == as_recorded(events)
