"""Recorded games: each is read, checked and decided anew, and together they show all that can happen."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, get_args, get_type_hints

import msgspec
import pytest

from domain.audit import audit
from domain.games.crocodile.contracts import BONUSES, CONTRACTS, RESULTS
from domain.games.crocodile.meta import Options
from domain.kernel.canonical import canonical
from domain.kernel.ledger import LineAt
from domain.kernel.record import GENESIS, Recorded, rehash
from domain.record import Moment, acting, opening
from domain.table.actions import (
    Act,
    CloseTable,
    Command,
    LeaveSeat,
    OpenDispute,
    OpenTable,
    RuleDispute,
    TakeSeat,
)
from domain.table.events import EVENTS, TextErased
from tests.golden.labels import EVENT_TYPES, LINE_RULES, WANTED, Served, labels
from tests.support.crocodile import CONTRACTS as FACTS
from tests.support.crocodile import DECLARED, SILENT, trick_winner, verdict
from tests.support.games import GAME, OPENER, READER, moment, parsed, read

NAMES = sorted(path.stem for path in (Path(__file__).parent / "games").glob("*.json"))


PLAIN = ("table", "game", "version", "deal", "type", "schema", "at", "actor", "action")


@cache
def game(name: str) -> dict[str, Any]:
    """The recorded game."""
    loaded: dict[str, Any] = json.loads((Path(__file__).parent / "games" / f"{name}.json").read_text(encoding="utf-8"))
    return loaded


def records(events: list[Served]) -> list[Recorded]:
    """The records as they stood in the log."""
    return [
        Recorded(
            **{name: event[name] for name in PLAIN},
            public=canonical(event["public"]),
            seals=canonical(event["seals"]),
            sealed=canonical(event["sealed"]),
            hash=bytes.fromhex(event["hash"]),
        )
        for event in events
    ]


@pytest.mark.parametrize("name", NAMES)
def test_the_hash_chain_is_whole(name: str) -> None:
    previous = GENESIS
    for record in records(game(name)["events"]):
        assert record.hash == rehash(record, previous)
        previous = record.hash


@pytest.mark.parametrize("name", NAMES)
def test_the_game_ends_as_recorded(name: str) -> None:
    expected = game(name)
    table = read(records(expected["events"])).table
    assert list(table.totals) == expected["totals"]
    assert (None if table.winners is None else list(table.winners)) == expected["winners"]
    assert msgspec.to_builtins(table.options) == expected["options"]
    scores = [event["public"] for event in expected["events"] if event["type"] == "deal-scored"]
    assert [score["outcome"] for score in scores] == expected["outcomes"]


def named(public: dict[str, Any]) -> dict[str, Any]:
    """What is named with a declaration."""
    return {"trump": public["trump"], "bonus": public["bonus"]}


def asked(event: Served, players: dict[int, str]) -> Command:
    """What was asked for, told from what happened."""
    public = event["public"]
    if event["type"] == "dispute-ruled":
        arbiter = event["actor"].removeprefix("arbiter:")
        return RuleDispute(arbiter, public["dispute"], public["ruling"], event["sealed"]["public"]["data"]["text"])
    seat = public["seat"]
    match event["type"]:
        case "dispute-opened":
            lines = tuple(LineAt(**place) for place in public["lines"])
            return OpenDispute(players[seat], lines, None, event["sealed"]["public"]["data"]["reason"])
        case "seat-taken":
            players[seat] = public["player"]
            entropy = public["entropy"]
            return TakeSeat(public["player"], seat, None if entropy is None else bytes.fromhex(entropy))
        case "seat-left":
            return LeaveSeat(players[seat])
        case "table-closed":
            return CloseTable(OPENER)
        case _:
            return Act(players[seat], parsed(action_of(event)))


def action_of(event: Served) -> dict[str, Any]:
    """The action as it stood on the wire, told from what happened."""
    public = event["public"]
    own = event["sealed"].get(f"seat:{public['seat']}", {}).get("data")
    told: dict[str, Callable[[], dict[str, Any]]] = {
        "bid-made": lambda: {"type": "bid", "contract": public["contract"]},
        "bid-passed": lambda: {"type": "pass"},
        "contract-declared": lambda: {"type": "declare", "contract": public["contract"]} | named(public),
        "casco-taken": lambda: {"type": "take-casco", "keep": own["kept"]},
        "casco-laid": lambda: {"type": "lay-casco", "lay": public["cards"]} | named(public),
        "priority-offered": lambda: {"type": "offer-priority"},
        "priority-answered": lambda: {"type": "answer-priority", "accept": public["accepted"]},
        "cards-exchanged": lambda: {"type": "exchange", "discard": own["discarded"], "take": public["taken"]},
        "card-played": lambda: {"type": "play", "card": public["card"]},
        "deal-conceded": lambda: {"type": "concede"},
        "table-talk": lambda: {"type": "talk", "text": event["sealed"]["public"]["data"]["text"]},
    }
    return told[event["type"]]()


@pytest.mark.parametrize("name", NAMES)
def test_every_action_decided_anew_makes_the_recorded_events(name: str) -> None:
    events = game(name)["events"]
    recorded = records(events)
    first = events[0]
    secret = first["sealed"]["house"]["data"]
    options = msgspec.convert(first["public"]["options"], Options)
    command = OpenTable(secret["opener"], first["public"]["deals"], options, bytes.fromhex(secret["seed"]))
    history, again = opening(GAME, first["table"], command, Moment(first["at"], first["action"], moment(0).chance))
    players: dict[int, str] = {}
    while len(again) < len(recorded):
        event = events[len(again)]
        at = Moment(event["at"], event["action"], moment(len(again)).chance)
        history, more = acting(GAME, history, asked(event, players), at)
        again = (*again, *more)
    assert list(again) == recorded
    assert read(recorded) == history


@pytest.mark.parametrize("name", NAMES)
def test_actions_are_told_from_events(name: str) -> None:
    players: dict[int, str] = {}
    for event, record in zip(game(name)["events"], records(game(name)["events"]), strict=True):
        if event["actor"].startswith("seat:"):
            command = asked(event, players)
            if isinstance(command, Act):
                assert GAME.asked(READER.read(record)) == command.action


@pytest.mark.parametrize("name", NAMES)
def test_the_audit_finds_it_intact(name: str) -> None:
    assert audit(READER, records(game(name)["events"])).verdict == "intact"


@pytest.mark.parametrize("name", NAMES)
def test_tricks_and_scores_are_those_of_the_rules(name: str) -> None:
    options = game(name)["options"]
    of_deal: list[Served] = []
    for event in game(name)["events"]:
        if event["type"] == "cards-dealt":
            of_deal = []
        of_deal.append(event)
        if event["type"] == "deal-scored":
            check_score(of_deal, options)


def check_score(events: list[Served], options: dict[str, str]) -> None:
    """Asserts that tricks and lines of a deal are what the rules make of its cards."""
    declaration = next(event["public"] for event in events if event["type"] in ("contract-declared", "casco-laid"))
    turned = [event["public"]["trump"] for event in events if event["type"] == "talon-turned"]
    trump = turned[0] if turned else declaration["trump"]
    trick: list[tuple[int, str]] = []
    winners = []
    for event in events:
        if event["type"] == "card-played":
            trick.append((event["public"]["seat"], event["public"]["card"]))
        if event["type"] == "trick-won":
            assert event["public"]["seat"] == trick_winner(trick, trump)
            winners.append((event["public"]["seat"] - declaration["seat"]) % 3)
            trick = []
    contract, bonus = declaration.get("contract", "casco"), declaration["bonus"]
    value = FACTS[contract].value
    score = events[-1]["public"]
    lines = [(line["rule"], line["amount"]) for line in score["lines"] if line["seat"] is not None]
    unit = 1 if bonus == "talking" else value
    if score["outcome"] == "conceded":
        expected = [("CR-9.11", -value), *([("CR-10.2", -DECLARED[bonus] * unit)] if bonus else [])]
    else:
        told = verdict(
            [*winners, *[0] * (9 - len(winners))],
            positive=FACTS[contract].positive,
            bonus=bonus,
            contraprimeras=options["contraprimeras"],
            stacking=options["bonus_stacking"],
        )
        assert score["outcome"] == told.outcome
        expected = [(told.rule, told.factor * value)]
        expected += [] if told.declared is None else [("CR-10.2", told.declared * unit)]
        expected += [("CR-10.3", factor * value) for _, factor in told.silent]
    assert lines == expected


@pytest.mark.parametrize("label", sorted(WANTED))
def test_some_game_shows(label: str) -> None:
    assert any(label in shown(name) for name in NAMES)


@cache
def shown(name: str) -> set[str]:
    """What the game shows."""
    return labels(game(name)["events"])


def test_all_that_can_happen_is_wanted() -> None:
    # What was erased could not be said again, so no game is played anew in which something was.
    erasing = {TextErased.TYPE}
    assert {payload.TYPE for payload in (*EVENTS, *GAME.events)} - erasing == set(EVENT_TYPES)
    assert {row.rule for row in RESULTS} | {"CR-10.2", "CR-10.3"} == set(LINE_RULES)
    for row in CONTRACTS.values():
        for result in RESULTS:
            if result.positive is row.positive or (result.positive is None and row.concede):
                assert f"{row.contract} {result.outcome}" in WANTED
    for bonus in BONUSES.values():
        assert {f"{bonus.bonus} made", f"{bonus.bonus} failed"} <= WANTED
        assert bonus.silent is None or f"silent {bonus.bonus}" in WANTED
    assert set(SILENT) == {name for name, row in BONUSES.items() if row.silent is not None}
    for option in get_type_hints(Options).values():
        assert {f"options {value}" for value in get_args(option)} <= WANTED


def test_the_games_are_small() -> None:
    assert sum(path.stat().st_size for path in (Path(__file__).parent / "games").glob("*.json")) < 3_000_000
