"""Records that are sent as files: verified, and stepped through as tables of this service are. Nothing is stored."""

from collections.abc import AsyncGenerator, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from domain.audit.auditor import audit_deals
from domain.audit.verification import Conforming, event_in, header_in, verify
from domain.kernel.table_view import TableView
from domain.record.catalogue import Unreadable
from domain.record.export import with_line_feeds
from domain.record.history import Reader
from domain.record.recorded import Recorded
from domain.seats import HOUSE, PUBLIC, Audience, seat_audience
from domain.table.events import CardsDealt, DealScored, GameFinished
from domain.table.state import Table
from domain.table.view import view
from projections.ledgers import Balance, ledger_of
from service.compute.heavy_reads import HeavyReads, Spending
from service.compute.jobs import JobContext
from service.describe.conforming import conforming
from service.describe.shared_fields import BALANCES, UNIT, Json, Version
from service.queries.deal_audits import AuditCheck, DealAudit
from service.queries.table_queries import changed_fields
from service.transparency.keys import ed25519

STEPS = 50
"""The number of steps in a piece of the answer."""

MOST_DEALS = 200
"""The most deals whose audits are answered: more than a table can have."""

MOST_FAILURES = 100
"""The most failed checks that are answered; one altered event may fail many."""


class RecordVerification(Struct, frozen=True):
    """What the verification of a file came to."""

    verdict: Annotated[
        Literal["intact", "unpinned", "altered", "unknown", "unreadable"],
        Meta(
            description="`intact`: nothing is wrong, and this service's log has signed it. `unpinned`: nothing is "
            "wrong, but the log that signed it is another one, which anybody may have made. `altered`: a check "
            "failed. `unknown`: no check failed, but this service does not know the rules, or an event. `unreadable`: "
            "the file is no export of a table."
        ),
    ]
    table: Annotated[str | None, Meta(description="The table that the file names; null if it names none.")]
    game: Annotated[str | None, Meta(description="The game of its first event; null if there is no event.")]
    audience: Annotated[str | None, Meta(description="The audience that it was exported for; null if it names none.")]
    events: Annotated[int, Meta(ge=0, description="The number of events in it.")]
    checks: Annotated[tuple[AuditCheck, ...], Meta(description="The checks, those of the file and of its events.")]
    omitted: Annotated[int, Meta(ge=0, description=f"The failed checks beyond {MOST_FAILURES}, which are left out.")]
    unchecked: Annotated[tuple[str, ...], Meta(description="What could not be checked, and why.")]
    line_ends: Annotated[
        str | None,
        Meta(description="That the lines do not end as they were exported, which is no fault; null if they do."),
    ]


class RecordLedger(Struct, frozen=True):
    """The ledger that follows from the events of a file."""

    version: Version
    unit: Annotated[str, UNIT]
    balances: Annotated[tuple[Balance, ...], BALANCES]
    lines: tuple[Json, ...]


class RecordAudit(Struct, frozen=True):
    """The audit of a deal in a file."""

    deal: Annotated[int, Meta(description="The deal's number.")]
    audit: DealAudit


class RecordStep(Struct, frozen=True):
    """An event in a file, and the view after it."""

    version: Annotated[int, Meta(ge=1, description="The event's number in the file, from 1: its version, if intact.")]
    event: Annotated[Json, Meta(description="The event as the file has it.")]
    changed: Annotated[tuple[str, ...], Meta(description="The fields of the view that differ from the step before.")]
    view: Annotated[
        Json | None, Meta(description="The view of the file's audience; null if the event cannot be followed here.")
    ]


class Follower(Struct, frozen=True):
    """The steps before the next one: the fold of their events by the audience whose views the steps have."""

    audience: Audience | None
    """None if the events cannot be followed here."""
    table: Table | None = None
    version: int = 0
    """The number of steps."""


class NoSuchSeat(Exception):
    """The table in a file has no seat of this number; the argument is the number of its seats."""


class CheckedRecord(Struct, frozen=True):
    """What is answered of a file before its steps, and who follows the events."""

    frames: bytes
    over: int
    """The number of lines after the first up to which every deal is over; 0 if it does not matter."""
    before: Follower
    """Follows the events up to there."""
    after: Follower
    """Follows those after them."""


async def record_pieces(
    heavy: HeavyReads, keys: Sequence[str], data: bytes, eyes: str, spending: Spending
) -> AsyncGenerator[bytes, None]:
    """The answer about a file, in pieces that are made as they are read; `keys` are those of this service's log.

    `eyes` are an audience, `all`, or `me` for the file's own. The first piece raises Busy, Left and NoSuchSeat, and all
    raise JobLost; then the answer is incomplete.
    """
    checked = await heavy.run(spending, check_record, data, keys, eyes, events=data.count(b"\n"))
    lines = [line for line in with_line_feeds(data).split(b"\n")[1:] if line]
    del data
    yield checked.frames
    follower, start = checked.before, 0
    while start < len(lines):
        # What holds no event follows the last of them.
        if start == checked.over:
            follower = checked.after
        end = min(start + STEPS, checked.over) if start < checked.over else start + STEPS
        frames, follower = await heavy.run(
            spending, record_steps, lines[start:end], follower, events=end - start, refusable=False
        )
        start = end
        yield frames


async def check_record(context: JobContext, data: bytes, keys: Sequence[str], eyes: str) -> CheckedRecord:
    """A job: the verification of a file, with the keys of this service's log if the file names one of them; then the
    table, its ledger and the audits of its deals, as far as the events can be followed. Raises NoSuchSeat.
    """
    reader = context.reader
    lines = with_line_feeds(data).split(b"\n")
    own = [key for key in keys if key.encode() in lines[-2]]
    verification = verify(data, reader, ed25519, _conforming(reader), own)
    failed = [check for check in verification.checks if not check.passed]
    shown = [check for check in verification.checks if check.passed] + failed[:MOST_FAILURES]
    served = RecordVerification(
        checks=tuple([AuditCheck(**msgspec.structs.asdict(check)) for check in shown]),
        omitted=len(failed[MOST_FAILURES:]),
        **{name: getattr(verification, name) for name in _TAKEN},
    )
    frames = [frame("verification", served)]
    events = {number: record for number, line in enumerate(filter(None, lines[1:]), 1) if (record := event_in(line))}
    records = list(events.values())
    header = header_in(lines[0])
    audience = None if header is None else _audience(reader, records, header.audience)
    if audience is None:
        return CheckedRecord(frames[0], 0, Follower(None), Follower(None))
    table = _followed(reader, records, audience)
    frames += _of_table(reader, records, audience, table)
    over = _over(records)
    chosen = audience if eyes == "me" else HOUSE if eyes == "all" else eyes
    if chosen == audience:
        return CheckedRecord(b"".join(frames), 0, Follower(audience), Follower(audience))
    if chosen not in (HOUSE, PUBLIC, *map(seat_audience, range(len(table.players)))):
        raise NoSuchSeat(len(table.players))
    after = Follower(audience, _followed(reader, records[:over], audience) if over else None, over)
    return CheckedRecord(b"".join(frames), [0, *events][over], Follower(chosen), after)


_TAKEN = ("verdict", "table", "game", "audience", "events", "unchecked", "line_ends")
"""The members of a verification that are served as they are."""


async def record_steps(context: JobContext, lines: Sequence[bytes], follower: Follower) -> tuple[bytes, Follower]:
    """A job: the steps of these lines, and who follows the next. Lines without an event have none. Raises nothing.

    From the first event that cannot be followed there are no views.
    """
    reader, audience, table, version = context.reader, follower.audience, follower.table, follower.version
    before = None if table is None or audience is None else view(reader.of(table), table, audience)
    frames = []
    for line in lines:
        record = event_in(line)
        if record is None:
            continue
        version, after = version + 1, None
        changed: tuple[str, ...] = ()
        if audience is not None:
            try:
                table, after = _next(reader, table, record, audience)
                changed = changed_fields(before, after)
            except Exception:  # nothing that a file holds may end the answer
                audience, table, after = None, None, None
            before = after
        step = {"version": version, "event": msgspec.Raw(line), "changed": changed, "view": after}
        frames.append(frame("step", step))
    return b"".join(frames), Follower(audience, table, version)


def _next(reader: Reader, before: Table | None, record: Recorded, audience: Audience) -> tuple[Table, TableView]:
    """The table after an event, and the audience's view of it. Raises whatever an event that does not fit makes."""
    table = reader.fold(before, (record,), audience)
    return table, view(reader.of(table), table, audience)


def frame(kind: str, data: Any) -> bytes:
    """A line of the answer."""
    return b'{"frame":"%b","data":%b}\n' % (kind.encode(), msgspec.json.encode(data))


@lru_cache(maxsize=1)
def _conforming(reader: Reader) -> Conforming:
    """Making the schemas of a game takes longer than verifying a record."""
    return conforming(reader.games)


def _audience(reader: Reader, records: Sequence[Recorded], named: str) -> Audience | None:
    """The audience that a file names, if its first event opens a table with such a seat, under rules known here."""
    try:
        seats = len(reader.opened(records[0]).players) if records else 0
    except Unreadable:
        return None
    return named if seats and named in (PUBLIC, *map(seat_audience, range(seats))) else None


def _of_table(reader: Reader, records: Sequence[Recorded], audience: Audience, table: Table) -> Iterator[bytes]:
    """The table, its ledger, and the audits of the deals that are over."""
    game = reader.of(table)
    try:
        shown = [frame("table", view(game, table, audience))]
        shown.append(frame("ledger", msgspec.Raw(ledger_of(table, game.unit))))
    except Exception:  # as below
        return
    yield from shown
    deals = list(_deals_over(records))[:MOST_DEALS]
    for deal, audited in zip(deals, audit_deals(reader, records, deals, audience), strict=True):
        yield frame("audit", RecordAudit(deal, DealAudit.of(audited)))


def _followed(reader: Reader, records: Sequence[Recorded], audience: Audience) -> Table:
    """The table after the last event that can be followed. The first can be."""
    table = reader.opened(records[0], audience)
    try:
        return reader.fold(table, records[1:], audience)
    except Unreadable:
        pass
    for record in records[1:]:
        try:
            table = reader.fold(table, (record,), audience)
        except Unreadable:
            break
    return table


def _over(records: Sequence[Recorded]) -> int:
    """The number of events up to which every deal is over."""
    dealt = max((number for number, record in enumerate(records) if record.type == CardsDealt.TYPE), default=0)
    ends = (DealScored.TYPE, GameFinished.TYPE)
    if not dealt or any(record.type in ends for record in records[dealt:]):
        return len(records)
    return max((number for number, record in enumerate(records[:dealt], 1) if record.type in ends), default=0)


def _deals_over(records: Iterable[Recorded]) -> Iterator[int]:
    """The deals that are over, each once."""
    begun: dict[int, None] = {}
    over: dict[int, None] = {}
    for record in records:
        if record.deal is not None:
            begun[record.deal] = None
        if record.type == GameFinished.TYPE:
            over |= begun
        elif record.type == DealScored.TYPE and record.deal is not None:
            over[record.deal] = None
    yield from over
