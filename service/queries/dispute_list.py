"""The disputes of all tables, read from the log: they are few, and an index has each.

What a caller may not know of a table is not in its disputes: tables that lists do not show are left out, and of tables
whose spectators follow late, what happened in the running deal (TL-6.1).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, TypeAlias

import msgspec
import structlog
from msgspec import Struct

from domain.record.catalogue import Unreadable
from domain.record.history import Reader, unreadable
from domain.record.recorded import Recorded
from domain.seats import PUBLIC
from domain.table.events import DisputeOpened, SeatTaken, TableOpened
from domain.table.options import DEFAULT, TableOptions
from domain.table.spectators import follow_late
from projections import Page, cursors
from service.commands.spectators import Spectators
from service.queries.disputes import PublishedDispute, disputes
from service.store.store import Store

_LIST = "d"
"""The name of the list in its cursors."""

SCANNED = 200
"""The number of disputes after which the search for one page ends."""

READ_AT_ONCE = 50
"""The fewest disputes that are read together."""

DisputeState: TypeAlias = Literal["open", "ruled", "upheld", "rejected"]

_log = structlog.get_logger()


class _Seat(Struct, frozen=True):
    """The members of `seat-taken` that are the same in all its forms."""

    seat: int
    player: str


_seat = msgspec.json.Decoder(_Seat)


class DisputeList:
    """Reads disputes across tables. Used from one event loop. Its method raises StoreUnavailable and BadCursor."""

    def __init__(self, store: Store, reader: Reader, spectators: Spectators) -> None:
        self._store = store
        self._reader = reader
        self._spectators = spectators

    async def page(
        self,
        player: str,
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
        """
        before = None if cursor is None else cursors.number(_LIST, cursor)
        found: list[tuple[int, bytes]] = []
        batch = max(limit + 1, READ_AT_ONCE)
        for _ in range(0, SCANNED, batch):
            opened = await self._store.disputes_opened(before, game, batch)
            seen = await self._seen(opened, player, arbiter=arbiter)
            for record in opened:
                before = record.position
                dispute = seen.get((record.table, record.version))
                if dispute is not None and _is_wanted(dispute, state, rule):
                    found.append((record.position, msgspec.json.encode(dispute)))
            if len(found) > limit:
                before = found[limit - 1][0]
                break
            if len(opened) < batch:
                before = None
                break
        items = [item for _, item in found[:limit]]
        return Page(items, None if before is None else cursors.cursor(_LIST, str(before)))

    async def _seen(
        self, opened: Sequence[Recorded], player: str, *, arbiter: bool
    ) -> dict[tuple[str, int], PublishedDispute]:
        """Those of these disputes that the player may see, as the player sees them, by table and version."""
        tables = sorted({record.table for record in opened})
        if not tables:
            return {}
        firsts = {record.table: record for record in await self._store.firsts(tables)}
        records = [*await self._store.seated(tables), *await self._store.dispute_events(tables)]
        booked = {
            (record.table, line["version"])
            for record in records
            if record.type == DisputeOpened.TYPE
            for line in msgspec.json.decode(record.public)["lines"]
        }
        known = {(record.table, record.version) for record in records}
        records += await self._store.at_versions(booked - known)
        seen: dict[tuple[str, int], PublishedDispute] = {}
        for table, own in _by_table(records).items():
            try:
                listed = await self._of_table(firsts[table], own, player, arbiter=arbiter)
            except Unreadable as error:
                _log.warning("disputes unreadable", table=table, error=str(error))
                continue
            seen |= {(table, dispute.version): dispute for dispute in listed}
        return seen

    async def _of_table(
        self, first: Recorded, records: Sequence[Recorded], player: str, *, arbiter: bool
    ) -> tuple[PublishedDispute, ...]:
        """A table's disputes as the player sees them. Raises Unreadable."""
        settings = self._settings(first)
        seats = {taken.seat: taken.player for taken in _seats(records)}
        sits = player in seats.values()
        if settings.visibility != "public" and not (sits or arbiter):
            return ()
        if follow_late(settings) and not sits:
            version = await self._spectators.version(first.table, player)
            records = [record for record in records if record.version <= version]
        try:
            return disputes(self._reader, records)
        except Exception as error:  # a bad record must affect its own table alone
            raise unreadable(first.table, error) from error

    def _settings(self, first: Recorded) -> TableOptions:
        """The table's own options. Raises Unreadable."""
        opened = self._reader.read(first, PUBLIC).public
        return opened.table or DEFAULT if isinstance(opened, TableOpened) else DEFAULT


def _is_wanted(dispute: PublishedDispute, state: DisputeState | None, rule: str | None) -> bool:
    states = {None: True, "ruled": dispute.status != "open"}
    return states.get(state, dispute.status == state) and (rule is None or rule in dispute.rules)


def _by_table(records: Sequence[Recorded]) -> Mapping[str, Sequence[Recorded]]:
    """Each table's records in order."""
    tables: dict[str, list[Recorded]] = {}
    for record in sorted(records, key=lambda record: record.position):
        tables.setdefault(record.table, []).append(record)
    return tables


def _seats(records: Sequence[Recorded]) -> Iterator[_Seat]:
    """Who took a seat, in order: the last one has it, since every seat is taken before a line can be disputed."""
    return (_seat.decode(record.public) for record in records if record.type == SeatTaken.TYPE)
