"""Recorded games: each is read, checked and decided anew, and together they show all that can happen."""

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import pairwise

import pytest

from domain.audit.auditor import audit
from domain.record.recorded import GENESIS, rehash
from domain.seats import HOUSE
from domain.table.actions import Act
from domain.table.events import DealScored, TablePayload, TextErased, events_of
from domain.table.seat_offers import offers
from domain.table.view import to_act
from tests.golden.games import events, file, names, played, recordings, records, seen_late, written
from tests.golden.labels import TABLE_EVENTS, Golden, labels
from tests.golden.wanted import GOLDEN, LATE, SHORTEST, TABLES
from tests.support.checker import violations
from tests.support.games import READER, read

each = pytest.mark.parametrize("golden", GOLDEN.values(), ids=lambda golden: golden.name)

CHANGED = """{of}: its recorded games are not what their acts lead to now.
  make golden-diff GAME={of} BASE=main          shows the first event that differs from the one before the change
  python -m tests.lab.golden.refresh {of}          writes the results anew, where the change is meant"""

NEWER = """{of}: its recorded games are of earlier rules than the newest.
  python -m tests.lab.golden.refresh --newest {of}  plays them under the newest, after one was kept whole:
  python -m tests.lab.golden.keep {of} NAME         at the commit before the change"""


def every(test: Callable[[Golden, str], None]) -> Callable[[Golden], None]:
    """Runs the test with each recorded game of a game; its failure names each one that failed."""

    @each
    def of_a_game(golden: Golden) -> None:
        failures: list[Exception] = []
        for name in names(golden.name):
            try:
                test(golden, name)
            except Exception as failure:  # another one's turn
                failure.add_note(f"in the recorded game {golden.name} {name}")
                failures.append(failure)
        if failures:
            raise ExceptionGroup(CHANGED.format(of=golden.name), failures)

    of_a_game.__name__ = test.__name__
    return of_a_game


@each
def test_the_acts_lead_to_the_recorded_results(golden: Golden) -> None:
    of = golden.name
    kept, now = file(of).read_text(encoding="utf-8"), written([played(of, name) for name in names(of)])
    assert now.splitlines() == kept.splitlines(), CHANGED.format(of=of)
    assert now == kept


@every
def test_the_hash_chain_is_whole(golden: Golden, name: str) -> None:
    previous = GENESIS
    for record in records(golden.name, name):
        assert record.hash == rehash(record, previous)
        previous = record.hash


@every
def test_the_records_tell_of_the_table_that_was_decided_on(golden: Golden, name: str) -> None:
    assert read(records(golden.name, name)) == played(golden.name, name).history


@each
def test_the_rules_are_the_newest(golden: Golden) -> None:
    rules = {one.rules for one in recordings(golden.name).values()}
    assert rules == {golden.live.game.rulebook.version}, NEWER.format(of=golden.name)


@every
def test_actions_are_told_from_events(golden: Golden, name: str) -> None:
    one = played(golden.name, name)
    for step, (record, *automatic) in zip(one.recording.steps, one.made[1:], strict=True):
        made = READER.read(record)
        if isinstance(step.command, Act) and not isinstance(made.public, TablePayload):
            assert one.game.decider.action_of(made) == step.command.action
        for other in map(READER.read, automatic):
            own = isinstance(other.public, tuple(one.game.events)) and not isinstance(other.public, DealScored)
            if own and other.actor == HOUSE:
                assert one.game.decider.action_of(other) is None


@each
def test_nobody_must_act_while_an_event_follows_automatically(golden: Golden) -> None:
    of, known, due = golden.name, set[tuple[str, str]](), dict[tuple[str, str], tuple[int, ...]]()
    for name in names(of):
        recorded = records(of, name)
        for one, follows in pairwise(recorded):
            kinds = (one.type, follows.type)
            if follows.action == one.action and follows.actor == HOUSE and kinds not in known:
                known.add(kinds)
                table = read(recorded[: one.version]).table
                due[kinds] = to_act(golden.live.game, table)
                # Offers may be asked of any fold. Talk is open at any time, and so is a race.
                for seat in range(golden.live.game.course.seats(table.options)):
                    offers(golden.live.game, table, seat)
    assert known
    assert {kinds: seats for kinds, seats in due.items() if seats} == {}


@every
def test_the_audit_finds_it_intact(golden: Golden, name: str) -> None:
    assert audit(READER, records(golden.name, name)).verdict == "intact"


@every
def test_all_is_as_the_rules_make_it(golden: Golden, name: str) -> None:
    if name in TABLES:
        return  # no game that came to its end
    happened = events(golden.name, name)
    assert violations([event | {"position": event["version"]} for event in happened]) == []


@every
def test_nothing_is_lost_between_accounts(golden: Golden, name: str) -> None:
    happened = events(golden.name, name)
    booked = [event["public"].get("lines", ()) for event in happened if event["type"] != "dispute-opened"]
    assert [sum(line["amount"] for line in lines) for lines in booked] == [0] * len(booked)


@every
def test_every_line_says_what_is_true_on_its_account(golden: Golden, name: str) -> None:
    # An amount in the text has no sign, since one text stands on both accounts; the line's own amount has.
    happened = events(golden.name, name)
    for event in happened:
        lines = event["public"].get("lines", ()) if event["type"] != "dispute-opened" else ()
        for own, other in zip(lines[::2], lines[1::2], strict=True):
            assert own["text"] == other["text"]
            assert not re.search(r"(?<!\w)[+\-−]\d", own["text"]), own["text"]
            assert own["events"] == other["events"] == sorted(set(own["events"]))
            assert 0 < own["events"][-1] <= event["version"]
            if event["type"] == "deal-scored":
                assert {happened[version - 1]["deal"] for version in own["events"]} == {event["deal"]}


@each
def test_the_games_show_all_that_is_wanted(golden: Golden) -> None:
    shown = {label for name in names(golden.name) for label in labels(golden, events(golden.name, name))}
    assert sorted(golden.shows - shown) == []


@pytest.mark.parametrize("name", LATE)
def test_tl_6_1_spectators_see_a_running_deal_late(name: str) -> None:
    happened, recorded = events(SHORTEST, name), seen_late(played(SHORTEST, name))
    delay = happened[0]["public"]["table"]["spectator_delay"]
    first, at = None, [datetime.fromisoformat(event["at"]) for event in happened]
    for event, seen in zip(happened, recorded, strict=True):
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
        actions = [one["action"] for one in happened[:version]]
        ends = [end for end in range(first, version + 1) if actions[end:] == [] or actions[end] != actions[end - 1]]
        assert seen == max(ends[0], *(end for end in ends if end <= reached), 0)
        assert seen < version or len(ends) == 1
    assert {event["deal"] for event in happened[: max(recorded)]} >= {1, 2}


def test_every_game_has_golden_games() -> None:
    assert [name for name in GOLDEN if not names(name)] == []
    assert [name for name, golden in GOLDEN.items() if golden.name != name] == []


@each
def test_all_that_can_happen_is_wanted(golden: Golden) -> None:
    # What was erased could not be said again, so no game is played anew in which something was.
    erasing = {TextErased.TYPE}
    types = {payload.TYPE for payload in events_of(golden.live.game)} - erasing
    assert types == {*TABLE_EVENTS, *golden.events}
    assert {label for label in golden.wanted - golden.can_happen if label.startswith("line ")} == set()


def test_the_games_are_small() -> None:
    texts = [file(of).read_text(encoding="utf-8") for of in GOLDEN]
    assert sum(len(text.encode()) for text in texts) < 40_000 * len(GOLDEN)
    assert max(len(row) for text in texts for row in text.splitlines()) < 400
