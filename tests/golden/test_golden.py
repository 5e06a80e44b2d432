"""Recorded games: each is read, checked and decided anew, and together they show all that can happen."""

import re
from datetime import datetime, timedelta
from functools import cache
from typing import Literal, get_args, get_origin, get_type_hints

import msgspec
import pytest

from domain.audit.auditor import audit
from domain.record.recorded import GENESIS, rehash
from domain.table.actions import Act
from domain.table.events import TablePayload, TextErased, events_of
from tests.golden.again import command_of, decided_anew
from tests.golden.playing import TABLE_EVENTS, Golden, labels, option_label
from tests.golden.record import GOLDEN, LATE, SHORTEST, TABLES, folder, game, names, records
from tests.support.checker import violations
from tests.support.games import READER, read

each = pytest.mark.parametrize("golden", GOLDEN.values(), ids=lambda golden: golden.name)
every = pytest.mark.parametrize(
    ("golden", "name"),
    [pytest.param(golden, name, id=f"{golden.name} {name}") for golden in GOLDEN.values() for name in names(golden)],
)


@every
def test_the_hash_chain_is_whole(golden: Golden, name: str) -> None:
    previous = GENESIS
    for record in records(game(golden.name, name)["events"]):
        assert record.hash == rehash(record, previous)
        previous = record.hash


@every
def test_the_game_ends_as_recorded(golden: Golden, name: str) -> None:
    expected = game(golden.name, name)
    table = read(records(expected["events"])).table
    assert list(table.totals) == expected["totals"]
    assert (None if table.winners is None else list(table.winners)) == expected["winners"]
    assert msgspec.to_builtins(table.options) == expected["options"]
    scores = [event["public"] for event in expected["events"] if event["type"] == "deal-scored"]
    assert [score["outcome"] for score in scores] == expected["outcomes"]


@every
def test_every_action_decided_anew_makes_the_recorded_events(golden: Golden, name: str) -> None:
    events = game(golden.name, name)["events"]
    recorded = records(events)
    history, again = decided_anew(golden, golden.live.game, events)
    assert list(again) == recorded
    assert read(recorded) == history


@every
def test_actions_are_told_from_events(golden: Golden, name: str) -> None:
    players: dict[int, str] = {}
    events = game(golden.name, name)["events"]
    for event, record in zip(events, records(events), strict=True):
        if event["actor"].startswith("seat:"):
            command, made = command_of(golden, golden.live.game, event, players), READER.read(record)
            if isinstance(command, Act) and not isinstance(made.public, TablePayload):
                assert golden.live.game.decider.action_of(made) == command.action


@every
def test_the_audit_finds_it_intact(golden: Golden, name: str) -> None:
    assert audit(READER, records(game(golden.name, name)["events"])).verdict == "intact"


@every
def test_all_is_as_the_rules_make_it(golden: Golden, name: str) -> None:
    if name in TABLES:
        return  # no game that came to its end
    events = game(golden.name, name)["events"]
    assert violations([event | {"position": event["version"]} for event in events]) == []
    if golden.check is not None:
        golden.check(events)


@every
def test_nothing_is_lost_between_accounts(golden: Golden, name: str) -> None:
    events = game(golden.name, name)["events"]
    booked = [event["public"].get("lines", ()) for event in events if event["type"] != "dispute-opened"]
    assert [sum(line["amount"] for line in lines) for lines in booked] == [0] * len(booked)


@every
def test_every_line_says_what_is_true_on_its_account(golden: Golden, name: str) -> None:
    # An amount in the text has no sign, since one text stands on both accounts; the line's own amount has.
    events = game(golden.name, name)["events"]
    for event in events:
        lines = event["public"].get("lines", ()) if event["type"] != "dispute-opened" else ()
        for own, other in zip(lines[::2], lines[1::2], strict=True):
            assert own["text"] == other["text"]
            assert not re.search(r"(?<!\w)[+\-−]\d", own["text"]), own["text"]
            assert own["events"] == other["events"] == sorted(set(own["events"]))
            assert 0 < own["events"][-1] <= event["version"]
            if event["type"] == "deal-scored":
                assert {events[version - 1]["deal"] for version in own["events"]} == {event["deal"]}


@pytest.mark.parametrize(
    ("golden", "label"),
    [
        pytest.param(golden, label, id=f"{golden.name} {label}")
        for golden in GOLDEN.values()
        for label in sorted(golden.shows)
    ],
)
def test_some_game_shows(golden: Golden, label: str) -> None:
    assert any(label in shown(golden.name, name) for name in names(golden))


@cache
def shown(of: str, name: str) -> set[str]:
    """What the game shows."""
    return labels(GOLDEN[of], game(of, name)["events"])


@pytest.mark.parametrize("name", LATE)
def test_tl_6_1_spectators_see_a_running_deal_late(name: str) -> None:
    recorded = game(SHORTEST, name)
    events, delay = recorded["events"], recorded["events"][0]["public"]["table"]["spectator_delay"]
    first, at = None, [datetime.fromisoformat(event["at"]) for event in events]
    for event, seen in zip(events, recorded["seen"], strict=True):
        version = event["version"]
        if event["type"] == "cards-dealt":
            first = version
        if event["type"] in ("deal-scored", "game-finished"):
            first = None
        if first is None:
            assert seen == version
            continue
        if "events" in delay:
            reached = version - delay["events"]
        else:
            reached = sum(at[version - 1] - one >= timedelta(seconds=delay["seconds"]) for one in at[:version])
        actions = [one["action"] for one in events[:version]]
        ends = [end for end in range(first, version + 1) if actions[end:] == [] or actions[end] != actions[end - 1]]
        assert seen == max(ends[0], *(end for end in ends if end <= reached), 0)
        assert seen < version or len(ends) == 1
    assert {event["deal"] for event in events[: max(recorded["seen"])]} >= {1, 2}


def test_every_game_has_golden_games() -> None:
    assert [name for name, golden in GOLDEN.items() if not names(golden)] == []
    assert [name for name, golden in GOLDEN.items() if golden.name != name] == []


@each
def test_all_that_can_happen_is_wanted(golden: Golden) -> None:
    # What was erased could not be said again, so no game is played anew in which something was.
    erasing = {TextErased.TYPE}
    types = {payload.TYPE for payload in events_of(golden.live.game)} - erasing
    assert types == {*TABLE_EVENTS, *golden.events}
    possible = set(golden.possible())
    assert possible <= golden.wanted
    assert {label for label in golden.wanted - possible if label.startswith("line ")} == set()
    for name, option in get_type_hints(golden.live.game.options).items():
        values = get_args(option) if get_origin(option) is Literal else (True, False) if option is bool else ()
        assert {option_label(name, value) for value in values} <= golden.wanted


def test_the_games_are_small() -> None:
    assert sum(path.stat().st_size for of in GOLDEN for path in folder(of).glob("*.json")) < 1_200_000 * len(GOLDEN)
