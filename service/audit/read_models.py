"""The audit of the read models: what they serve, compared with what follows from the log."""

from collections.abc import Iterator, Mapping, Sequence

import msgspec
from msgspec import Struct

from domain.record.history import Reader
from domain.record.recorded import Recorded
from domain.seats import PUBLIC, seat_audience
from domain.table.state import Table
from domain.table.view import view
from projections import ReadModels
from projections.ledgers import ledger_of
from service.audit.differences import Difference

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

    def differences(self, lists: Mapping[str, "ListedTable"]) -> Iterator[Difference]:
        """The differences between the lists and this table, at the same version."""
        listed = lists.get(self.table)
        if listed is None or listed.version != self.version:
            return
        for name in self.__struct_fields__:
            if getattr(self, name) != getattr(listed, name):
                text = f"{name} in the lists: {getattr(listed, name)!r}, in the log: {getattr(self, name)!r}"
                yield Difference(f"table {self.table}", "lists", text)


async def compare_table(models: ReadModels, reader: Reader, records: Sequence[Recorded]) -> Comparison:
    """Compares a table's views and ledger with its record of at least one event.

    Raises ReadModelsUnavailable on an outage.
    """
    table = records[0].table
    last = records[-1].version
    public = await models.view(table, PUBLIC)
    if public is None or public.version < last:
        await models.wait(table, last, BEHIND_S)
        public = await models.view(table, PUBLIC)
    if public is None:
        return Comparison(present=False)
    state = reader.fold(None, records)
    if state is None or public.version > last:
        return Comparison(behind=True)
    wrong: list[str] = []
    for audience in (PUBLIC, *map(seat_audience, range(len(state.players)))):
        stored = await models.view(table, audience)
        if stored is None or stored.version > last:
            # The table has moved on, or its read models have just been removed.
            continue
        expected = reader.fold(None, records[: stored.version], audience)
        if expected is not None and msgspec.json.encode(view(reader.of(expected), expected, audience)) != stored.body:
            wrong.append(f"the view of {audience} at version {stored.version}")
    ledger = await models.ledger(table)
    if ledger is not None and ledger.version <= last and _ledger(reader, records[: ledger.version]) != ledger.body:
        wrong.append(f"the ledger at version {ledger.version}")
    differences = tuple(Difference(f"table {table}", "read models", text) for text in wrong)
    return Comparison(differences, behind=public.version < last)


def _ledger(reader: Reader, records: Sequence[Recorded]) -> bytes:
    """The ledger as it should be served."""
    table = reader.fold(None, records)
    assert table is not None, "there is at least one record"  # noqa: S101 (for the type checker)
    return ledger_of(table, reader.of(table).unit)


async def read_lists(models: ReadModels) -> tuple[dict[str, ListedTable], list[Difference]]:
    """Every table as the lists show it, and the items that cannot be read.

    Raises ReadModelsUnavailable on an outage.
    """
    tables: dict[str, ListedTable] = {}
    broken: list[Difference] = []
    cursor: str | None = None
    while True:
        page = await models.tables(cursor=cursor, limit=LIST_PAGE)
        for item in page.items:
            try:
                one = msgspec.json.decode(item, type=ListedTable)
            except msgspec.DecodeError as error:
                broken.append(Difference("the lists", "lists", f"an item cannot be read: {error}"))
                continue
            tables[one.table] = one
        cursor = page.next
        if cursor is None:
            return tables, broken
