"""The event record: hash, seals and envelope, recomputed here with the standard library and `rfc8785`."""

import hmac
import json
from hashlib import sha256
from typing import Any

import msgspec
import pytest
import rfc8785

from domain.audit.auditor import audit
from domain.record.catalogue import UnknownEvent
from domain.record.envelope import served
from domain.record.history import Moment, Reader, record_command, record_opening
from domain.record.recorded import GENESIS, Recorded, rehash, seal, sections
from domain.table.actions import OpenTable, TakeSeat
from tests.support.for_each import for_each
from tests.support.games import (
    GAME,
    OPENER,
    READER,
    SEED,
    TABLE,
    Live,
    chance,
    declared,
    exchange_nothing,
    finished,
    moment,
    read,
)


@pytest.fixture(scope="module")
def live() -> Live:
    """A whole game."""
    return finished(Live.started(entropies=(b"a", None, b"c")), chance("record"))


def hashed(record: Recorded, previous: bytes) -> bytes:
    """The hash by a plain reading of the record's layout."""
    header: dict[str, Any] = {
        "previous": previous.hex(),
        "table": record.table,
        "game": record.game,
        "version": record.version,
        "deal": record.deal,
        "type": record.type,
        "schema": record.schema,
        "at": record.at,
        "actor": record.actor,
        "action": record.action,
        "public": sha256(record.public).hexdigest(),
        "seals": json.loads(record.seals),
    }
    return sha256(b"codille-event-v1\n" + rfc8785.dumps(header)).digest()


def test_each_event_is_chained_to_the_one_before(live: Live) -> None:
    previous = GENESIS
    for number, record in enumerate(live.records, 1):
        assert record.version == number
        assert record.hash == hashed(record, previous) == rehash(record, previous)
        previous = record.hash


def test_sections_open_their_commitments(live: Live) -> None:
    sealed_events = 0
    for record in live.records:
        seals, opened = json.loads(record.seals), json.loads(record.sealed)
        assert set(seals) == set(opened)
        for audience, section in opened.items():
            sealed_events += 1
            salt = bytes.fromhex(section["salt"])
            assert len(salt) == 32
            assert seals[audience] == sha256(salt + rfc8785.dumps(section["data"])).hexdigest()
    assert sealed_events > 10


def test_salts_are_drawn_from_chance_one_a_version_and_audience() -> None:
    key = bytes(range(32))
    _, opened = seal(key, 7, {"seat:1": [1], "house": [2]})
    salts = {audience: section.salt for audience, section in sections(opened).items()}
    assert salts == {
        audience: hmac.new(key, f"salt 7 {audience}".encode(), sha256).hexdigest() for audience in ("house", "seat:1")
    }
    assert seal(key, 7, {}) == (b"{}", b"{}")


def test_what_is_stored_is_canonical(live: Live) -> None:
    for record in live.records:
        for stored in (record.public, record.seals, record.sealed):
            assert rfc8785.dumps(json.loads(stored)) == stored


@pytest.mark.parametrize(
    "change",
    [
        {"table": TABLE.replace("1", "2")},
        {"game": "ombre"},
        {"version": 3},
        {"deal": 2},
        {"deal": None},
        {"type": "bid-passed"},
        {"schema": 2},
        {"at": "2026-11-20T10:00:00.000001Z"},
        {"actor": "house"},
        {"action": None},
        {"public": b'{"seat":1}'},
        {"seals": b'{"seat:1":"00"}'},
    ],
)
def test_every_part_of_the_envelope_is_hashed(live: Live, change: dict[str, Any]) -> None:
    live_again = Live.started()
    live_again.do("bid", contract="play")
    record, before = live_again.records[-1], live_again.records[-2]
    assert rehash(record, before.hash) == record.hash
    assert rehash(msgspec.structs.replace(record, **change), before.hash) != record.hash
    assert rehash(record, GENESIS) != record.hash


def test_the_position_is_outside_the_hash() -> None:
    record = Live.opened().records[0]
    assert rehash(msgspec.structs.replace(record, position=90211), GENESIS) == record.hash


ENVELOPE = [
    "table", "game", "version", "position", "deal", "type", "schema", "at", "actor", "action", "public", "seals",
    "sealed", "hash",
]  # fmt: skip


@pytest.mark.parametrize("audience", ["public", "seat:0", "seat:1", "seat:2", "house"])
def test_the_envelope_as_served(live: Live, audience: str) -> None:
    for record in live.records:
        envelope = json.loads(served(msgspec.structs.replace(record, position=5), audience, over=False))
        assert list(envelope) == ENVELOPE
        assert envelope["position"] == 5
        assert envelope["hash"] == record.hash.hex()
        assert set(envelope["seals"]) == set(sections(record.sealed))
        may = {audience, "public"} if audience != "house" else set(envelope["seals"])
        assert set(envelope["sealed"]) == may & set(envelope["seals"])
        everything = json.loads(served(record, audience, over=True))
        assert set(everything["sealed"]) == set(envelope["seals"])
        assert everything["sealed"] == json.loads(record.sealed)


def test_stored_bytes_are_served_as_they_are(live: Live) -> None:
    for record in live.records:
        envelope = served(record, "house", over=True)
        assert record.public in envelope
        assert record.seals in envelope
        assert record.sealed in envelope


def test_talk_is_sealed_for_the_public_so_that_it_can_be_erased() -> None:
    live, plan = declared("nolo-ouvert", bonus="talking")
    exchange_nothing(live, plan)
    live.act(1, "talk", text="hearts, né?")
    envelope = json.loads(served(live.records[-1], "public", over=False))
    assert envelope["public"] == {"seat": 1}
    assert envelope["sealed"]["public"]["data"] == {"text": "hearts, né?"}


def test_time_action_and_actor_come_in_with_the_command() -> None:
    live = Live.started()
    version, seat = live.version, live.turn
    live.do("pass")
    record = live.records[-1]
    assert (record.at, record.action) == (moment(version).at, moment(version).action)
    assert (record.actor, record.deal) == (f"seat:{seat}", 1)


def test_actors_and_deals_of_a_game(live: Live) -> None:
    house = {
        "table-opened", "game-started", "cards-dealt", "casco-forced", "talon-turned", "hand-exposed", "trick-won",
        "deal-scored", "game-finished",
    }  # fmt: skip
    deal: int | None = None
    for record in live.records:
        public = json.loads(record.public)
        assert record.actor == ("house" if record.type in house else f"seat:{public['seat']}")
        deal = public["deal"] if record.type == "cards-dealt" else deal
        assert record.deal == deal
        deal = None if record.type == "deal-scored" else deal


def test_a_table_begins_with_its_opening(live: Live) -> None:
    with pytest.raises(UnknownEvent, match="seat-taken opens no table"):
        READER.opened(live.records[1])


def test_unknown_events_fail_loudly() -> None:
    record = Live.opened().records[0]
    for change in ({"type": "cards-burnt"}, {"schema": 2}, {"game": "whist"}):
        with pytest.raises(UnknownEvent):
            READER.read(msgspec.structs.replace(record, **change))
    with pytest.raises(UnknownEvent):
        Reader({}).read(record)


EARLY = "2020-02-29T23:59:59.999999Z"


def test_a_table_is_not_opened_before_the_time_in_its_id() -> None:
    """The clock was put back between the two."""
    command = OpenTable(OPENER, 3, GAME.options(), SEED)
    for at, recorded in ((EARLY, "2025-05-24T01:54:49.472000Z"), (moment(0).at, moment(0).at)):
        history, (record,) = record_opening(GAME, TABLE, command, Moment(at, moment(0).action, bytes(32)))
        assert (record.at, history.at) == (recorded, recorded)
        assert audit(READER, [record]).verdict == "intact"


def test_nothing_is_recorded_before_the_events_that_it_follows() -> None:
    """The clock was put back, or another machine's is behind."""
    live = Live.opened()
    for known in (live.history, read(live.records)):
        _, (record,) = record_command(GAME, known, TakeSeat(OPENER), Moment(EARLY, moment(1).action, bytes(32)))
        assert record.at == live.records[-1].at
        assert audit(READER, [*live.records, record]).verdict == "intact"


@for_each(
    "at, text",
    [
        ("2026-02-29T10:00:00.000000Z", "no such time"),
        ("2026-11-20T24:00:00.000000Z", "no such time"),
        ("2026-11-20T10:60:00.000000Z", "no such time"),
        ("2026-11-20T23:59:60.000000Z", "no such time"),
        ("0000-11-20T10:00:00.000000Z", "no such time"),
        ("2026-11-20T10:00:00.0Z", "no such time"),
        ("2026-11-20T09:59:59.999999Z", "earlier than that of the event before"),
    ],
)
def test_times_that_cannot_be_are_altered(at: str, text: str) -> None:
    live = Live.opened()
    live.command(TakeSeat(OPENER))
    opened, taken = live.records
    changed = msgspec.structs.replace(taken, at=at)
    changed = msgspec.structs.replace(changed, hash=rehash(changed, opened.hash))
    (failed,) = [check for check in audit(READER, [opened, changed]).checks if not check.passed]
    assert (failed.name, failed.events, failed.recorded) == ("envelope", (2,), at)
    assert text in failed.text


@pytest.mark.parametrize(
    ("table", "text"),
    [
        ("01b00000-0000-7000-8000-000000000001", "earlier than that in the table's id"),
        ("ffffffff-ffff-7000-8000-000000000001", "the form of table"),
        ("01970000-0000-4000-8000-000000000001", "the form of table"),
    ],
)
def test_a_table_whose_id_is_not_older_is_altered(table: str, text: str) -> None:
    (opened,) = Live.opened().records
    changed = msgspec.structs.replace(opened, table=table)
    changed = msgspec.structs.replace(changed, hash=rehash(changed, GENESIS))
    (failed,) = [check for check in audit(READER, [changed]).checks if not check.passed]
    assert (failed.name, failed.events) == ("envelope", (1,))
    assert text in failed.text


def test_an_event_without_an_action_is_altered() -> None:
    (opened,) = Live.opened().records
    changed = msgspec.structs.replace(opened, action=None)
    changed = msgspec.structs.replace(changed, hash=rehash(changed, GENESIS))
    (failed,) = [check for check in audit(READER, [changed]).checks if not check.passed]
    assert (failed.name, failed.events) == ("envelope", (1,))
    assert "the form of action" in failed.text
