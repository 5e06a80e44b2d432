"""The audit of the read models: what they serve, compared with what follows from the log."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence

import msgspec
from msgspec import Struct

from domain.record.history import Reader
from domain.record.recorded import Recorded
from domain.seats import PUBLIC, seat_audience
from domain.table.events import CardsDealt
from domain.table.spectators import follow_late
from domain.table.state import Table
from domain.table.view import view
from projections.checkpoint import LogPoint
from projections.ledgers import ledger_of
from projections.models import Page, ReadModels
from service.audit.checks import Difference

BEHIND_S = 1.0
"""Seconds that the audit waits for read models that are behind a table."""

LIST_PAGE = 200


class Comparison(Struct, frozen=True):
    """A table's read models compared with its record."""

    differences: tuple[Difference, ...] = ()
    behind: bool = False
    """Whether they have not reached the table's version. They were then compared at their own version."""
    present: bool = True
    """Whether they exist: those of finished tables are removed after a while."""


class ListedTable(Struct, frozen=True):
    """A table as the lists show it."""

    table: str
    version: int
    status: str
    deal: int | None
    players: tuple[str | None, ...]
    totals: tuple[int, ...]
    winners: tuple[int, ...] | None

    @classmethod
    def of(cls, table: Table) -> "ListedTable":
        """The table as they should show it, by the log."""
        return cls(table.table, table.version, table.status, table.deal, table.players, table.totals, table.winners)

    def differences(self, lists: Mapping[str, "ListedTable"], *, reached: bool) -> Iterator[Difference]:
        """The differences between the lists and this table, at the same version.

        `reached` says that the lists have come to this version, or to a later one.
        """
        listed = lists.get(self.table)
        if listed is None or listed.version != self.version:
            if reached and (listed is None or listed.version < self.version):
                text = (
                    "it is missing" if listed is None else f"it is as at version {listed.version}, not {self.version}"
                )
                yield Difference(f"table {self.table}", "lists", f"{text} in the lists")
            return
        for name in self.__struct_fields__:
            if getattr(self, name) != getattr(listed, name):
                text = f"{name} in the lists: {getattr(listed, name)!r}, in the log: {getattr(self, name)!r}"
                yield Difference(f"table {self.table}", "lists", text)


def shown(reader: Reader, records: Sequence[Recorded]) -> Table | None:
    """The table as lists and statements show it after these records.

    While a deal is running at a table with `spectator_delay`, it is shown as before the deal (TL-6.1).
    """
    if not records:
        return None
    table = reader.fold(None, records)
    if table.running_deal is None or not follow_late(table.table_options):
        return table
    dealt = next(place for place in reversed(range(len(records))) if records[place].type == CardsDealt.TYPE)
    return reader.fold(None, records[:dealt])


def of_another_log(missing: LogPoint) -> Difference:
    """The difference that the read models stand at this point, which the log does not have."""
    text = f"they are of another log: they stand at position {missing.position}, at an event with the hash "
    return Difference(
        "the read models", "read models", f"{text}{missing.hash.hex()}, which this log does not have there"
    )


async def compare_table(
    models: ReadModels, reader: Reader, records: Sequence[Recorded], reached: int = 0
) -> Comparison:
    """Compares a table's views and ledger with its record of at least one event.

    All read models have reached the position `reached`. Raises ReadModelsUnavailable on an outage.
    """
    table = records[0].table
    last = records[-1].version
    public = await models.view(table, PUBLIC)
    if public is None or public.version < last:
        await models.wait(table, last, BEHIND_S)
        public = await models.view(table, PUBLIC)
    state = reader.fold(None, records)
    if public is None:
        missing = not state.over and records[-1].position <= reached
        difference = Difference(f"table {table}", "read models", "its views are missing")
        return Comparison((difference,) if missing else (), present=False)
    if public.version > last:
        return Comparison(behind=True)
    wrong: list[str] = []
    for audience in (PUBLIC, *map(seat_audience, range(len(state.players)))):
        stored = await models.view(table, audience)
        if stored is None or stored.version == 0 or stored.version > last:
            # The table has moved on, or its read models have just been removed.
            continue
        expected = reader.fold(None, records[: stored.version], audience)
        if msgspec.json.encode(view(reader.of(expected), expected, audience)) != stored.body:
            wrong.append(f"the view of {audience} at version {stored.version}")
    ledger = await models.ledger(table)
    if ledger is not None and ledger.version <= last and _ledger(reader, records[: ledger.version]) != ledger.body:
        wrong.append(f"the ledger at version {ledger.version}")
    differences = tuple(Difference(f"table {table}", "read models", text) for text in wrong)
    return Comparison(differences, behind=public.version < last)


def _ledger(reader: Reader, records: Sequence[Recorded]) -> bytes:
    """The ledger as it should be served."""
    table = reader.fold(None, records)
    return ledger_of(table, reader.of(table).unit)


async def read_lists(models: ReadModels) -> tuple[dict[str, ListedTable], list[Difference]]:
    """Every table as the lists show it, and the items that cannot be read.

    Raises ReadModelsUnavailable on an outage.
    """
    tables: dict[str, ListedTable] = {}
    broken: list[Difference] = []
    async for item in items_of(models.tables):
        try:
            one = msgspec.json.decode(item, type=ListedTable)
        except msgspec.DecodeError as error:
            broken.append(Difference("the lists", "lists", f"an item cannot be read: {error}"))
            continue
        tables[one.table] = one
    return tables, broken


async def items_of(read: Callable[..., Awaitable[Page]]) -> AsyncIterator[bytes]:
    """All items of a list, page by page."""
    cursor: str | None = None
    while True:
        page = await read(cursor=cursor, limit=LIST_PAGE)
        for item in page.items:
            yield item
        cursor = page.next
        if cursor is None:
            return
