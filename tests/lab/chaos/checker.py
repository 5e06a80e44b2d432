"""Holds what clients were told against the log, and the log against the rules.

Imports nothing of the service: tables are folded with the domain, from the rows of the log.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any

import asyncpg
import msgspec

from domain.audit.auditor import audit
from domain.kernel.event import Event, Payload
from domain.kernel.ledger import PLAYER, Line
from domain.kernel.rejection import Rejected
from domain.record.catalogue import Unreadable
from domain.record.envelope import served
from domain.record.history import Reader
from domain.record.merkle import GrowingTree
from domain.record.note import parse_checkpoint
from domain.record.recorded import Recorded
from domain.seats import HOUSE, PUBLIC, Audience, seat_audience
from domain.table.actions import Act
from domain.table.clock import micros
from domain.table.deadlines import deadline_of
from domain.table.decide import act
from domain.table.events import CardsDealt, DealScored, GameFinished, SeatTaken
from domain.table.seat_offers import offers
from domain.table.spectators import visible
from domain.table.state import Table, evolve
from domain.table.talk import actions_of
from domain.table.view import to_act, view
from tests.lab.chaos.memory import HELD_BACK, Call, Listening, Memory, Notice

REFUSED = range(400, 500)
STALE = 412

LISTED = ("game", "status", "deals", "deal", "players", "totals", "winners", "version")
"""What the list of tables says of each."""
ENDINGS = {DealScored.TYPE, GameFinished.TYPE}
"""The events that end a deal."""

NOTIFIED = {"game-started": "game-started", "deal-scored": "deal-scored", "game-finished": "game-over"}
"""The events of which players are notified, besides their turn."""

LATE_S = 3
"""Seconds after which a deadline has not been met. The log is read when nothing has happened for longer."""

_ROWS = """
    SELECT table_id::text, game, version, deal, type, schema,
        to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
        actor, action::text, public, seals, sealed, hash, position
    FROM codille.event ORDER BY position
"""


class Log(msgspec.Struct, frozen=True):
    """The whole log as it was read in one transaction."""

    records: Sequence[Recorded]
    heads: dict[str, tuple[int, bytes]]
    """The last version and hash of each table, as its stream has them."""
    end: int
    """The position that the counter has."""
    checkpoints: Sequence[str]
    """The signed notes."""
    at: int
    """When it was read, in microseconds since 1970."""


async def read_log(dsn: str) -> Log:
    """Reads the log of this database."""
    connection = await asyncpg.connect(dsn)
    try:
        async with connection.transaction(isolation="repeatable_read", readonly=True):
            rows = await connection.fetch(_ROWS)
            streams = await connection.fetch("SELECT id::text, version, head FROM codille.stream")
            end = await connection.fetchval("SELECT position FROM codille.log")
            notes = await connection.fetch("SELECT note FROM codille.checkpoint ORDER BY size")
            at = await connection.fetchval("SELECT (extract(epoch FROM now()) * 1000000)::bigint")
    finally:
        await connection.close()
    heads = {table: (version, head) for table, version, head in streams}
    return Log([Recorded(*row) for row in rows], heads, end, [note.decode() for (note,) in notes], at)


def by_table(log: Log) -> defaultdict[str, list[Recorded]]:
    """The log's events by table."""
    records: defaultdict[str, list[Recorded]] = defaultdict(list)
    for record in log.records:
        records[record.table].append(record)
    return records


def check_log(log: Log) -> Iterator[str]:
    """What is wrong with the log as a whole: its positions, heads and checkpoints."""
    positions = [record.position for record in log.records]
    if positions != list(range(1, len(positions) + 1)):
        yield "positions have gaps or repetitions"
    if log.end != len(positions):
        yield f"the counter is at {log.end}, the log at {len(positions)}"
    last = {record.table: (record.version, record.hash) for record in log.records}
    if last != log.heads:
        yield "heads of streams are not the last events"
    signed = dict(map(parse_checkpoint, log.checkpoints))
    tree = GrowingTree()
    for size in range(len(log.records) + 1):
        if size:
            tree.add(log.records[size - 1].hash)
        if size in signed and signed.pop(size) != tree.root():
            yield f"the checkpoint of size {size} has another root than the log"
    if signed:
        yield f"checkpoints are of sizes that the log does not have: {sorted(signed)}"


def check(reader: Reader, log: Log, memory: Memory) -> Iterator[str]:
    """Everything that is wrong, of the log and of what clients were told."""
    yield from memory.raised
    yield from check_log(log)
    records = by_table(log)
    calls: defaultdict[str, list[Call]] = defaultdict(list)
    for call in memory.calls:
        calls[call.table].append(call)
    streams: defaultdict[str, list[Listening]] = defaultdict(list)
    for stream in memory.streams:
        streams[stream.table].append(stream)
    tables = _tables(reader, records)
    yield from check_deadlines(reader, tables.values(), log.at)
    for table in {*calls, *streams}:
        for fault in check_table(reader, records[table], calls[table], streams[table], memory.begun.get(table, 0)):
            yield f"{table}: {fault}"
    for table in records.keys() - {*calls, *streams}:
        yield from (f"{table}: {fault}" for fault in check_record(reader, records[table]))
    lines = booked(reader, log.records)
    for player, told in memory.statements.items():
        for fault in check_statement(lines[player], told):
            yield f"player {player}: {fault}"
    yield from check_boards(totals(reader, log), memory.boards)
    yield from check_list(tables.values(), memory.lists)
    yield from check_notices(reader, {table: records[table] for table in tables}, memory)


def _tables(reader: Reader, records: Mapping[str, Sequence[Recorded]]) -> dict[str, Table]:
    """The tables in the end. Of those whose records have gaps or cannot be read, others say what is wrong."""
    tables: dict[str, Table] = {}
    for table, own in records.items():
        if own and _whole(own):
            with suppress(Unreadable):
                tables[table] = reader.history(own).table
    return tables


def check_notices(reader: Reader, records: Mapping[str, Sequence[Recorded]], memory: Memory) -> Iterator[str]:
    """Every notice of a subscribed player came at least once, always under the same id, and no other came."""
    due = {notice for own in records.values() for notice in notices(reader, own) if notice.player in memory.subscribed}
    yield from (f"{notice} never came" for notice in due - memory.notices.keys())
    yield from (f"{notice} came and is not due" for notice in memory.notices.keys() - due)
    yield from (f"{notice} came as {ids}" for notice, ids in memory.notices.items() if len(ids) > 1)


def notices(reader: Reader, records: Sequence[Recorded]) -> Iterator[Notice]:
    """What players are to be notified of in a table's record."""
    table = reader.opened(records[0])
    game = reader.of(table)
    for record in records[1:]:
        before, table = table, evolve(game, table, reader.read(record))
        kinds = [NOTIFIED[record.type]] if record.type in NOTIFIED else []
        began = set(to_act(game, table)) - set(to_act(game, before))
        for seat, player in enumerate(table.players):
            both = [*kinds, *(["your-turn"] if seat in began else [])]
            yield from (Notice(record.table, record.version, kind, str(player)) for kind in both)


class Booked(msgspec.Struct, frozen=True, order=True):
    """A booked line of a player."""

    table: str
    version: int
    amount: int


def booked(reader: Reader, records: Iterable[Recorded]) -> defaultdict[str, list[Booked]]:
    """All booked lines, by player."""
    lines: defaultdict[str, list[Booked]] = defaultdict(list)
    for record in records:
        for line in getattr(reader.read(record, PUBLIC).public, "lines", ()):
            if isinstance(line, Line) and line.account.startswith(PLAYER):
                lines[line.account.removeprefix(PLAYER)].append(Booked(record.table, record.version, line.amount))
    return lines


def totals(reader: Reader, log: Log) -> Mapping[str, Mapping[str, int]]:
    """By game the sum of each player's lines, of those tables that lists show, and at which no bot was a player."""
    games, apart = {record.table: record.game for record in log.records}, set[str]()
    for record in log.records:
        with_bot = record.type == SeatTaken.TYPE and getattr(reader.read(record, PUBLIC).public, "opponent", None)
        if with_bot or (record.version == 1 and reader.opened(record).table_options.visibility != "public"):
            apart.add(record.table)
    sums: defaultdict[str, defaultdict[str, int]] = defaultdict(lambda: defaultdict(int))
    for player, lines in booked(reader, log.records).items():
        for line in lines:
            if line.table not in apart:
                sums[games[line.table]][player] += line.amount
    return sums


def check_boards(due: Mapping[str, Mapping[str, int]], boards: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    """A leaderboard has the total of each player. Who was booked nothing has 0, or is not there."""
    for game, told in boards.items():
        wrong = {player: total for player, total in told.items() if total != due[game].get(player, 0)}
        missing = due[game].keys() - told.keys()
        if wrong or missing:
            yield f"the leaderboard of {game} has {wrong} and lacks {sorted(missing)}: {dict(due[game])} is right"


def check_list(tables: Iterable[Table], told: Sequence[Any]) -> Iterator[str]:
    """The list of tables has each once, as its record says, but for those that it does not show, or shows late."""
    listed: defaultdict[str, list[Any]] = defaultdict(list)
    for one in told:
        listed[one["table"]].append(one)
    for table in tables:
        if table.table_options.visibility == "public" and table.table_options.spectator_delay is None:
            own, true = listed[table.table], _plain({name: getattr(table, name) for name in LISTED})
            if len(own) != 1 or own[0] != own[0] | true:
                yield f"{table.table} is listed as {own}, and is {true}"


def check_statement(lines: Sequence[Booked], told: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """A statement has each booked line once, and balances that add up; lines of tables with bots count nothing."""
    if sorted(lines) != sorted(Booked(one["table"], one["version"], one["amount"]) for one in told):
        yield f"{len(lines)} lines were booked, the statement has {len(told)}, or others"
    balances: defaultdict[str, int] = defaultdict(int)
    for one in reversed(told):
        balances[one["game"]] += 0 if one["bots"] else one["amount"]
        if one["balance"] != balances[one["game"]]:
            yield f"the balance after {one['table']} {one['version']} is {one['balance']}, not {balances[one['game']]}"
            return


def check_record(reader: Reader, records: Sequence[Recorded]) -> Iterator[str]:
    """What is wrong with the record of one table."""
    verdict = audit(reader, records)
    if verdict.verdict != "intact":
        yield f"the audit: {[check.text for check in verdict.checks if not check.passed][:3]}"


def check_table(
    reader: Reader, records: Sequence[Recorded], calls: Sequence[Call], streams: Sequence[Listening], begun: int = 0
) -> Iterator[str]:
    """What is wrong with one table: its record, what clients did there, and what they were told.

    Clients came after the version `begun`: what others did before was told to nobody.
    """
    if not _whole(records):
        yield "versions have gaps or repetitions"
        return
    yield from check_record(reader, records)
    yield from check_statuses(calls)
    yield from check_acts(records, calls, begun)
    yield from check_order(calls)
    yield from _check_answers(reader, records, calls, begun)
    for stream in streams:
        yield from check_stream(records, stream, last_seen(reader, records, stream.seat))


def check_deadlines(reader: Reader, tables: Iterable[Table], at: int) -> Iterator[str]:
    """No deadline of a table has passed at this time, in microseconds since 1970, without its consequence."""
    for table in tables:
        due = deadline_of(reader.of(table), table)
        if due is not None and at - micros(due.at) > LATE_S * 1_000_000:
            yield f"{table.table}: the time ran out at {due.at}, and nothing came of it"


def _whole(records: Sequence[Recorded]) -> bool:
    """Whether these are all events of a table up to the last, each once."""
    return [record.version for record in records] == list(range(1, len(records) + 1))


def check_statuses(calls: Iterable[Call]) -> Iterator[str]:
    """An act is taken or refused, what a client may read is read, or the client is asked to come again.

    The service never answers with an error of its own.
    """
    acted, read = {201, *REFUSED, *HELD_BACK}, {200, *HELD_BACK}
    for call in calls:
        if call.answered is not None and call.status not in (acted if call.kind == "act" else read):
            yield f"{call.kind} by {call.seat} was answered {call.status}: {call.answer}"


def check_acts(records: Sequence[Recorded], calls: Sequence[Call], begun: int = 0) -> Iterator[str]:
    """Each acknowledged act stands in the record once, with what its answer says, and no other act of a client does."""
    acknowledged: dict[str, Call] = {}
    told: dict[int, str] = {}
    for call in calls:
        if call.kind != "act" or call.status != 201:
            continue
        if (first := acknowledged.get(call.key)) is not None:
            if first.answer != call.answer:
                yield f"the act of key {call.key} was answered in two ways"
            continue
        acknowledged[call.key] = call
        events = call.answer["events"]
        versions = [event["version"] for event in events]
        if versions != list(range(versions[0], call.answer["version"] + 1)):
            yield f"the answer to key {call.key} has the events {versions}"
        elif versions[-1] > len(records):
            yield f"the act of key {call.key} was acknowledged at {versions[0]} and is lost"
        else:
            audience = PUBLIC if call.seat is None else seat_audience(call.seat)
            own = [_served(records[version - 1], audience) for version in versions]
            if own != events:
                yield f"the answer to key {call.key} has other events than the record at {versions}"
        if versions[0] in told:
            yield f"the acts of keys {told[versions[0]]} and {call.key} were acknowledged with one event"
        told[versions[0]] = call.key
    seats = {seat_audience(call.seat) for call in calls if call.kind == "act" and call.seat is not None}
    first = {record.version for before, record in pairwise(records) if record.action != before.action}
    for record in records[begun:]:
        if record.version in first and record.deal is not None and record.actor in seats and record.version not in told:
            yield f"the act of {record.actor} at {record.version} was never acknowledged, and is no forgotten one"


def check_order(calls: Sequence[Call]) -> Iterator[str]:
    """Answers agree with the order in which clients asked and were answered.

    Whatever was answered before a request was sent is known to all: a later act comes after it, a refusal is not
    judged before it, and a read with `min_version` has at least that version.
    """
    answered = sorted(
        (call.answered, call.version) for call in calls if call.answered and call.version and _tells(call)
    )
    times = [time for time, _ in answered]
    floors: list[int] = []
    for _, version in answered:
        floors.append(max(version, floors[-1] if floors else 0))
    sent: dict[str, int] = {}
    for call in calls:
        if call.kind == "act":
            sent[call.key] = min(call.asked, sent.get(call.key, call.asked))
    for call in calls:
        version = call.version
        if call.answered is None or version is None:
            continue
        asked = sent[call.key] if call.kind == "act" else call.asked
        before = bisect_right(times, asked)
        floor = floors[before - 1] if before else 0
        if call.kind == "act" and call.status == 201:
            first = call.answer["events"][0]["version"]
            if first <= floor:
                yield f"the act of key {call.key} stands at {first}, and {floor} was known before it was sent"
        elif call.kind == "act" and version < floor and not call.replayed:
            yield f"the act of key {call.key} was refused at {version}, and {floor} was known before it was sent"
        elif call.kind != "act" and call.least is not None and call.status == 200 and version < call.least:
            yield f"a client that knew version {call.least} was answered {call.kind} of version {version}"


def _tells(call: Call) -> bool:
    """Whether the answer says how far the table has come: a replay says how it was."""
    return call.kind != "replay" and (call.status < 300 or (call.kind == "act" and call.status in REFUSED))


def _check_answers(reader: Reader, records: Sequence[Recorded], calls: Sequence[Call], begun: int) -> Iterator[str]:
    """What was read at a version is the fold at that version, what was refused there the domain refuses there, and
    what was acknowledged is what was asked for.
    """
    due: defaultdict[int, list[Call]] = defaultdict(list)
    acts: dict[int, Call] = {}
    for call in calls:
        if call.kind == "act" and call.status == 201:
            acts[call.answer["events"][0]["version"]] = call
        if call.version is not None and call.answered is not None:
            if not 0 < call.version <= len(records):
                yield f"an answer to {call.kind} names version {call.version}"
            due[call.version].append(call)
    audiences: list[Audience] = [
        HOUSE,
        PUBLIC,
        *sorted({seat_audience(call.seat) for call in calls if call.seat is not None}),
    ]
    folds: dict[Audience, Table] = {}
    action: str | None = None
    for record in records:
        if record.actor == "clock" and record.action != action and record.version > begun:
            due_at = deadline_of(reader.of(folds[HOUSE]), folds[HOUSE])
            if due_at is None or record.at < due_at.at:
                yield f"the clock acted at version {record.version}, and no time had run out"
        action = record.action
        if (acknowledged := acts.get(record.version)) is not None:
            fault = _misrecorded(reader, folds[HOUSE], acknowledged, record)
            if fault is not None:
                yield f"the act of key {acknowledged.key} at version {record.version}: {fault}"
        for audience in audiences:
            if audience in folds:
                game = reader.of(folds[audience])
                folds[audience] = evolve(game, folds[audience], reader.read(record, audience))
            else:
                folds[audience] = reader.opened(record, audience)
        for call in due[record.version]:
            fault = _misread(reader, folds, call) if call.status == 200 else _misjudged(reader, folds, call)
            if fault is not None:
                yield f"{call.kind} by {call.seat} at version {record.version}: {fault}"


def _misread(reader: Reader, folds: dict[Audience, Table], call: Call) -> str | None:
    """What is wrong with what was read."""
    table = folds[PUBLIC if call.seat is None else seat_audience(call.seat)]
    game = reader.of(table)
    if call.at is not None and call.at != call.version:
        return f"it was asked for at version {call.at}"
    match call.kind:
        case "view" | "replay":
            audience = PUBLIC if call.seat is None else seat_audience(call.seat)
            true = _plain(view(game, table, audience))
            return _differing(true, call.answer)
        case "offers":
            own = () if call.seat is None else offers(game, table, call.seat)
            true = {"version": table.version, "you": call.seat, "to_act": to_act(game, table)}
            return _differing(_plain(true | {"offers": [offer.describe() for offer in own]}), call.answer)
        case "ledger":
            booked = {each["account"]: each["balance"] for each in call.answer["balances"] if each["balance"]}
            own = {f"player:{player}": total for player, total in zip(table.players, table.totals, strict=True)}
            true = {account: amount for account, amount in (own | dict(table.accounts)).items() if amount}
            return None if booked == true else f"the balances are {booked}, booked were {true}"
    return None


def _differing(true: Any, told: Any) -> str | None:
    names = {name for name in {*true, *told} if true.get(name) != told.get(name)}
    return f"{sorted(names)} differ" if names else None


def _misjudged(reader: Reader, folds: dict[Audience, Table], call: Call) -> str | None:
    """What is wrong with a refusal."""
    if call.kind != "act" or call.status not in REFUSED:
        return None
    if call.status == STALE:
        return None if call.expected != call.version else f"it is stale, and was sent for version {call.expected}"
    try:
        _acted(reader, folds[HOUSE], call)
    except msgspec.ValidationError:
        return None
    except Rejected as rejected:
        said, true = (call.answer["code"], call.answer.get("rule")), (rejected.code, rejected.rule)
        return None if said == true else f"it was refused as {said}, and the rules refuse it as {true}"
    return f"{call.body} was refused as {call.answer['code']}, and the rules allow it"


def _misrecorded(reader: Reader, table: Table, call: Call, record: Recorded) -> str | None:
    """What is wrong with the event that was recorded for an act."""
    try:
        due, event = _acted(reader, table, call), reader.read(record)
    except (msgspec.ValidationError, Rejected) as refusal:
        return f"{call.body} was taken, and the rules refuse it: {refusal}"
    same = (due.public, due.sealed, due.actor) == (event.public, event.sealed, event.actor)
    return None if same else f"{call.body} was asked for, and {event.public} is recorded"


def _acted(reader: Reader, table: Table, call: Call) -> Event[Payload]:
    """What an act comes to at this table. Raises ValidationError and Rejected."""
    game, player = reader.of(table), None if call.seat is None else table.players[call.seat]
    return act(game, table, Act(str(player), msgspec.convert(call.body, actions_of(game))))


def last_seen(reader: Reader, records: Sequence[Recorded], seat: int | None) -> int:
    """The last version that a seat's stream brings, or with None a spectator's, who may follow a deal late (TL-6.1)."""
    delay = reader.opened(records[0]).table_options.spectator_delay
    if seat is not None or delay is None or not delay.events:
        return len(records)
    dealt = max((record.version for record in records if record.type == CardsDealt.TYPE), default=len(records) + 1)
    running = records[dealt - 1 :]
    if any(record.type in ENDINGS for record in running):
        return len(records)
    last_of_acts = [record.version for record, after in pairwise(running) if record.action != after.action]
    ends = [version - dealt + 1 for version in [*last_of_acts, *([len(records)] if running else [])]]
    return dealt - 1 + visible(delay, (), ends, 0)


def check_stream(records: Sequence[Recorded], stream: Listening, last: int) -> Iterator[str]:
    """A stream has brought its audience every event once, in order, up to this last one."""
    audience = PUBLIC if stream.seat is None else seat_audience(stream.seat)
    events = [frame.data for frame in stream.frames if frame.kind == "event"]
    versions = [event["version"] for event in events]
    if versions != list(range(1, last + 1)):
        wrong = next((n for n, version in enumerate(versions, 1) if n != version), len(versions) + 1)
        yield f"the stream of {audience} should have brought version {wrong}: {versions[max(0, wrong - 3) : wrong + 2]}"
        return
    more = [*(record.action == after.action for record, after in pairwise(records)), False]
    for record, event, follows in zip(records[:last], events, more[:last], strict=True):
        if event != _served(record, audience) | {"more": follows}:
            yield f"the stream of {audience} has another event than the record at {record.version}"
            return


def forgotten(calls: Iterable[Call]) -> list[Call]:
    """The last attempt of each act that no client knows the end of."""
    acts = {call.key: call for call in calls if call.kind == "act"}
    known = {call.key for call in calls if call.kind == "act" and (call.status == 201 or call.status in REFUSED)}
    return [call for key, call in acts.items() if key not in known]


def _served(record: Recorded, audience: Audience) -> Any:
    """The event as the audience gets it when it happens."""
    return msgspec.json.decode(served(record, audience, over=False))


def _plain(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))
