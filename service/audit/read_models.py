"""What the read models serve, held against what the log says."""

from collections.abc import Iterator, Sequence
from typing import Protocol

import msgspec
from msgspec import Struct

from domain.record.history import Reader
from domain.record.recorded import Recorded
from domain.seats import PUBLIC, Audience, seat_audience
from domain.table.events import lines_of
from domain.table.state import Table
from domain.table.view import view
from projections import ledgers
from service.queries.tables import Page, Stored

BEHIND_S = 1.0
"""How long read models that are behind a table are waited for."""


class Served(Struct, frozen=True):
    """What came of holding a table's read models against its record."""

    differences: tuple[str, ...] = ()
    behind: bool = False
    """They have not come to the table's version, and were held against the one that they show."""
    there: bool = True
    """Whether there are any: those of finished tables leave after a while."""


class Summarised(Struct, frozen=True):
    """What lists say of a table."""

    table: str
    version: int
    status: str
    deal: int | None
    players: tuple[str | None, ...]
    totals: tuple[int, ...]
    winners: tuple[int, ...] | None

    @classmethod
    def of(cls, table: Table) -> "Summarised":
        """As the log says."""
        return cls(table.table, table.version, table.status, table.deal, table.players, table.totals, table.winners)


class TableModels(Protocol):
    """The read models of tables. Every method raises `ReadModelsUnavailable` on an outage."""

    async def view(self, table: str, audience: Audience) -> Stored | None:
        """The view of an audience."""

    async def ledger(self, table: str) -> Stored | None:
        """A table's books."""

    async def wait(self, table: str, version: int, timeout: float) -> bool:  # noqa: ASYNC109 (running out of time is an answer)
        """Whether the table's read models have come to the version within so many seconds."""

    async def tables(self, *, cursor: str | None = None, limit: int = 50) -> Page:
        """Tables, newest first."""


async def served(models: TableModels, reader: Reader, records: Sequence[Recorded]) -> Served:
    """Holds a table's views and ledger against its record. Raises ReadModelsUnavailable."""
    table = records[0].table
    last = records[-1].version
    public = await models.view(table, PUBLIC)
    if public is None or public.version < last:
        await models.wait(table, last, BEHIND_S)
        public = await models.view(table, PUBLIC)
    if public is None:
        return Served(there=False)
    state = reader.fold(None, records)
    if state is None or public.version > last:
        return Served(behind=True)
    differences: list[str] = []
    behind = public.version < last
    for audience in (PUBLIC, *map(seat_audience, range(len(state.players)))):
        stored = await models.view(table, audience)
        if stored is None or stored.version > last:
            # The table has moved on meanwhile, or its read models have just left.
            continue
        told = reader.fold(None, records[: stored.version], audience)
        if told is not None and msgspec.json.encode(view(reader.of(told), told)) != stored.body:
            differences.append(f"the view of {audience} at version {stored.version}")
    ledger = await models.ledger(table)
    if ledger is not None and ledger.version <= last and _ledger(reader, records[: ledger.version]) != ledger.body:
        differences.append(f"the ledger at version {ledger.version}")
    return Served(tuple(differences), behind)


def _ledger(reader: Reader, records: Sequence[Recorded]) -> bytes:
    """The ledger as it is to be served."""
    lines = b""
    for record in records:
        lines = ledgers.booked(lines, record, lines_of(reader.read(record).public))
    table = reader.fold(None, records)
    assert table is not None, "there is at least one record"  # noqa: S101 (for the type checker)
    stored = ledgers.stored(lines, table, reader.of(table).unit)
    return ledgers.served(records[-1].version, stored)


async def listed(models: TableModels) -> tuple[dict[str, Summarised], list[str]]:
    """What the lists say of every table that they hold, and what in them is nothing. Raises ReadModelsUnavailable."""
    found: dict[str, Summarised] = {}
    broken: list[str] = []
    cursor: str | None = None
    while True:
        page = await models.tables(cursor=cursor, limit=200)
        for item in page.items:
            try:
                one = msgspec.json.decode(item, type=Summarised)
            except msgspec.DecodeError as error:
                broken.append(f"an item cannot be read: {error}")
                continue
            found[one.table] = one
        cursor = page.next
        if cursor is None:
            return found, broken


def differing(recorded: Summarised, listed: Summarised | None) -> Iterator[str]:
    """In what a list differs from the log, both at one version."""
    if listed is None or listed.version != recorded.version:
        return
    for name in recorded.__struct_fields__:
        if getattr(recorded, name) != getattr(listed, name):
            yield f"{name} in the lists: {getattr(listed, name)!r}, in the log: {getattr(recorded, name)!r}"
