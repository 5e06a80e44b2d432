"""The disputes of all tables, read from the log: they are few, and an index has each.

What a caller may not know of a table is not in its disputes: tables that lists do not show are left out, and of tables
whose spectators follow late, what happened in the running deal (TL-6.1).
"""

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

import msgspec
import structlog
from msgspec import Struct

from domain.kernel.ledger import LineAt
from domain.record.catalogue import Unreadable
from domain.record.history import Reader, unreadable
from domain.record.recorded import Recorded
from domain.seats import PUBLIC
from domain.table.events import DisputeOpened, DisputeRuled, LedgerCorrected, SeatTaken, TableOpened
from domain.table.options import DEFAULT
from domain.table.spectators import follow_late
from projections import cursors
from projections.models import Page
from service.commands.spectators import Spectators
from service.compute.heavy_reads import Spending
from service.queries.disputes import PublishedDispute, disputes
from service.store.store import Store

SCANNED = 200
"""The number of disputes after which the search for one page ends."""

STEP_S, LOADED_S = 0.0005, 0.00001
"""CPU seconds of a step of the search, and of each event that it loads, in Postgres and here, as measured."""

DisputeState: TypeAlias = Literal["open", "ruled", "upheld", "rejected"]

_NUMBERED = (DisputeOpened.TYPE, DisputeRuled.TYPE, LedgerCorrected.TYPE)

_log = structlog.get_logger()


class _Seat(Struct, frozen=True):
    """The members of `seat-taken` that are the same in all its forms."""

    seat: int
    player: str


class _Opened(Struct, frozen=True):
    """The members of `dispute-opened` that say what belongs to it."""

    dispute: int
    lines: tuple[LineAt, ...]


class _Numbered(Struct, frozen=True):
    """The number that the events of a dispute have in common, and the ruling of the one that rules on it."""

    dispute: int
    ruling: str | None = None


_seat = msgspec.json.Decoder(_Seat)
_opened = msgspec.json.Decoder(_Opened)
_numbered = msgspec.json.Decoder(_Numbered)


class DisputeList:
    """Reads disputes across tables. Used from one event loop. Its method raises StoreUnavailable and BadCursor."""

    def __init__(self, store: Store, reader: Reader, spectators: Spectators) -> None:
        self._store = store
        self._reader = reader
        self._spectators = spectators

    async def page(
        self,
        player: str,
        spending: Spending,
        *,
        arbiter: bool,
        state: DisputeState | None = None,
        game: str | None = None,
        rule: str | None = None,
        cursor: str | None = None,
        limit: int = 50,
    ) -> Page:
        """Disputes of this state, game and rule that the player may see, the newest first. An empty id has no seat.

        A page may have fewer than `limit` and yet a next one, at which the search goes on after `SCANNED` disputes.
        What is loaded counts as `spending`.
        """
        before = None if cursor is None else cursors.number(cursors.DISPUTES, cursor)
        found: list[bytes] = []
        more, searched, batch = True, 0, limit
        while more and len(found) < limit and searched < SCANNED:
            # One more, which tells whether there is a next page.
            opened = await self._store.disputes_opened(before, game, batch + 1)
            more, opened = len(opened) > batch, opened[:batch]
            seen = await self._seen(opened, player, spending, arbiter=arbiter, state=state)
            for number, record in enumerate(opened, 1):
                before = record.position
                dispute = seen.get((record.table, record.version))
                if dispute is not None and (rule is None or rule in dispute.rules):
                    found.append(msgspec.json.encode(dispute))
                    if len(found) == limit:
                        more = more or number < len(opened)
                        break
            searched += len(opened)
            # As many as were searched, so that a long search has few steps and a short one loads little.
            batch = min(max(limit - len(found), searched), SCANNED)
        return Page(found, cursors.cursor(cursors.DISPUTES, str(before)) if more else None)

    async def _seen(
        self,
        opened: Sequence[Recorded],
        player: str,
        spending: Spending,
        *,
        arbiter: bool,
        state: DisputeState | None,
    ) -> dict[tuple[str, int], PublishedDispute]:
        """Those of these disputes that the player may see and that have this state, by table and version."""
        tables = sorted({record.table for record in opened})
        if not tables:
            return {}
        parts = {(record.table, record.version): _opened.decode(record.public) for record in opened}
        firsts = {record.table: record for record in await self._store.firsts(tables)}
        seated = await self._store.seated(tables)
        rulings = await self._store.rulings([(table, part.dispute) for (table, _), part in parts.items()])
        visible: list[Recorded] = []
        for table, own in _by_table([*opened, *seated, *rulings]).items():
            try:
                visible += _of_state(await self._visible(firsts[table], own, player, arbiter=arbiter), state)
            except Unreadable as error:
                _log.warning("disputes unreadable", table=table, error=str(error))
        known = {(record.table, record.version) for record in visible}
        booked = {
            (table, line.version)
            for (table, version), part in parts.items()
            if (table, version) in known
            for line in part.lines
        }
        lines = await self._store.at_versions(booked - known)
        spending.add(STEP_S + LOADED_S * sum(map(len, (opened, firsts, seated, rulings, lines))))
        seen: dict[tuple[str, int], PublishedDispute] = {}
        for table, own in _by_table([*lines, *visible]).items():
            try:
                listed = disputes(self._reader, own)
            except Exception as error:  # a bad record must affect its own table alone
                _log.warning("disputes unreadable", table=table, error=str(unreadable(table, error)))
                continue
            seen |= {(table, dispute.version): dispute for dispute in listed}
        return seen

    async def _visible(
        self, first: Recorded, records: Sequence[Recorded], player: str, *, arbiter: bool
    ) -> Sequence[Recorded]:
        """Those of a table's records that the player sees. Raises Unreadable."""
        opened = self._reader.read(first, PUBLIC).public
        table_options = opened.table or DEFAULT if isinstance(opened, TableOpened) else DEFAULT
        taken = (_seat.decode(record.public) for record in records if record.type == SeatTaken.TYPE)
        # The last one who took a seat has it, since every seat is taken before a line can be disputed.
        sits = player in {each.seat: each.player for each in taken}.values()
        if table_options.visibility != "public" and not (sits or arbiter):
            return ()
        if follow_late(table_options) and not sits:
            version = await self._spectators.version(first.table, player)
            return [record for record in records if record.version <= version]
        return records


def _of_state(records: Sequence[Recorded], state: DisputeState | None) -> Sequence[Recorded]:
    """A table's records, without those of disputes of another state."""
    if state is None:
        return records
    parts = {record.version: _numbered.decode(record.public) for record in records if record.type in _NUMBERED}
    ruled = {part.dispute: part.ruling for part in parts.values() if part.ruling is not None}

    def is_wanted(part: _Numbered | None) -> bool:
        ruling = "open" if part is None else ruled.get(part.dispute, "open")
        return part is None or state == ruling or (state == "ruled" and ruling != "open")

    return [record for record in records if is_wanted(parts.get(record.version))]


def _by_table(records: Sequence[Recorded]) -> Mapping[str, Sequence[Recorded]]:
    """Each table's records in order."""
    tables: dict[str, list[Recorded]] = {}
    for record in sorted(records, key=lambda record: record.position):
        tables.setdefault(record.table, []).append(record)
    return tables
