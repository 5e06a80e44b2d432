"""Reads tables: from the read models if they are new enough, otherwise by folding the log. Both give the same."""

from collections.abc import Awaitable, Callable, Sequence

import msgspec
from msgspec import UNSET, Struct

from domain.kernel.table_view import TableView
from domain.record.disclosure import Disclosure
from domain.record.envelope import served
from domain.record.history import History, Reader
from domain.record.recorded import Recorded
from domain.seats import HOUSE, PUBLIC, Audience
from domain.table.state import Table
from domain.table.view import view
from projections.ledgers import ledger_of
from projections.models import ReadModels, ReadModelsUnavailable, Stored
from service.commands.cache import NoSuchTable, TableCache
from service.commands.spectators import Spectators
from service.compute.byte_cache import Made
from service.compute.heavy_reads import HeavyReads, Spending
from service.compute.jobs import JobContext
from service.store.store import Store

LAG_S = 0.25
"""Seconds that a read waits for read models that are behind, before it folds the log."""

MOST_STEPS = 100
"""The most versions in one replay of a range. Each step has a whole view."""


class ReplayStep(Struct, frozen=True):
    """One version in a replay of a range."""

    version: int
    event: msgspec.Raw
    changed: tuple[str, ...]
    """The fields of the view that differ from the previous version."""
    view: TableView


class TableQueries:
    """Reads tables for the interface. Used from one event loop. Every method raises `StoreUnavailable` on an outage."""

    def __init__(
        self,
        tables: TableCache,
        spectators: Spectators,
        store: Store,
        models: ReadModels,
        reader: Reader,
        heavy: HeavyReads,
    ) -> None:
        self._tables = tables
        self._spectators = spectators
        self._store = store
        self.models = models
        self._reader = reader
        self._heavy = heavy

    async def view(self, table: str, audience: Audience, spending: Spending, min_version: int = 0) -> Stored:
        """The audience's newest view, at least at `min_version` and at the version that this process knows.

        The public's view is the one at the horizon (TL-6.1). Raises NoSuchTable, and Busy and JobLost for a replayed
        view: of a game that is over, or for spectators who follow late.
        """
        if audience == PUBLIC and await self._spectators.late(table):
            return await self.replayed(table, await self._spectators.version(table, ""), PUBLIC, spending)
        stored = await self._newest(table, min_version, lambda models: models.view(table, audience))
        if stored is not None:
            return stored
        history = await self._tables.current(table)
        if history.table.over:
            return await self.replayed(table, history.version, audience, spending)
        return await self.view_at(table, None, audience)

    async def replayed(self, table: str, version: int, audience: Audience, spending: Spending) -> Stored:
        """The audience's view at an earlier version, cached. Raises Busy and JobLost."""
        # It never changes: views have no words that can be erased.
        body = await self._heavy.kept(
            ("view", table, version, audience),
            lambda: self._heavy.run(spending, replay_view, table, version, audience, events=version),
        )
        return Stored(version, body)

    async def steps(self, history: History, first: int, last: int, audience: Audience, spending: Spending) -> bytes:
        """The steps of a range of versions, as JSON. For the house, events include the sections open now.

        `history` is the table as the caller sees it now. Raises Busy and JobLost.
        """
        table, disclosure = history.table.table, Disclosure.of_table(history.table)
        return await self._heavy.kept(
            ("steps", table, history.head, history.table.texts, first, last, audience),
            lambda: self._heavy.run(
                spending, replay_steps, table, first, last, audience, disclosure, events=last - first + 1
            ),
        )

    async def ledger(self, table: str, player: str, min_version: int = 0) -> Stored:
        """The table's ledger as the player sees the table, at least at `min_version` and at what this process knows.

        Raises NoSuchTable.
        """
        stored = None
        if not await self._spectators.late(table):
            stored = await self._newest(table, min_version, lambda models: models.ledger(table))
        ledger = stored or self._ledger((await self._spectators.seen(table, player)).table)
        # Lines refer to events by version; the template gives the address of the view at a version.
        return Stored(ledger.version, b'{"replay":"/v1/tables/%b/replay/{version}",' % table.encode() + ledger.body[1:])

    async def _newest(
        self, table: str, min_version: int, read: Callable[[ReadModels], Awaitable[Stored | None]]
    ) -> Stored | None:
        """The read models' answer, if it is new enough within `LAG_S`; otherwise None."""
        known = self._tables.known.peek(table)
        floor = max(min_version, 0 if known is None else known.table.version)
        try:
            stored = await read(self.models)
            # The read models drop games that ended long ago; waiting would not bring them back.
            if (stored is None and (await self._tables.current(table)).table.status in ("open", "playing")) or (
                stored is not None and stored.version < floor
            ):
                await self.models.wait(table, floor, LAG_S)
                stored = await read(self.models)
        except ReadModelsUnavailable:
            return None
        return stored if stored is not None and stored.version >= floor else None

    async def view_at(self, table: str, version: int | None, audience: Audience) -> Stored:
        """The audience's view at a version (None: the newest), folded from the log. Raises NoSuchTable."""
        return self.view_after(await self._recorded(table, version), audience)

    def view_after(self, records: Sequence[Recorded], audience: Audience) -> Stored:
        """The audience's view after these records, which are the table's first."""
        table = self._reader.fold(None, records, audience)
        return Stored(table.version, msgspec.json.encode(view(self._reader.of(table), table, audience)))

    async def house_at(self, table: str, version: int) -> Table:
        """The house's fold at a version, from the log. Raises NoSuchTable."""
        return self._reader.fold(None, await self._recorded(table, version))

    def _ledger(self, table: Table) -> Stored:
        return Stored(table.version, ledger_of(table, self._reader.of(table).unit))

    async def _recorded(self, table: str, upto: int | None) -> list[Recorded]:
        """The table's events up to a version that a fold needs. Raises NoSuchTable."""
        records = await self._store.outline(table, self._reader.passing, upto)
        if not records:
            raise NoSuchTable(table)
        return records


async def replay_view(context: JobContext, table: str, version: int, audience: Audience) -> Made:
    """A job: the audience's view of a table at a version, as JSON. Raises NoSuchTable."""
    history = await context.folds.at(table, version, audience)
    if history is None:
        raise NoSuchTable(table)
    state = history.table
    return Made(msgspec.json.encode(view(context.reader.of(state), state, audience)))


async def replay_steps(
    context: JobContext, table: str, first: int, last: int, audience: Audience, disclosure: Disclosure
) -> Made:
    """A job: the steps of a range of versions, as JSON. For the house, events include the sections open now."""
    reader = context.reader
    history = await context.folds.at(table, first - 1, audience)
    state = history.table if history else None
    before = view(reader.of(state), state, audience) if state else None
    steps: list[ReplayStep] = []
    for record in await context.store.stream(table, first - 1, last):
        state = reader.fold(state, (record,), audience)
        over = audience == HOUSE and disclosure.opens(record)
        event = served(record, PUBLIC if audience == HOUSE else audience, over=over)
        after = view(reader.of(state), state, audience)
        steps.append(ReplayStep(record.version, msgspec.Raw(event), changed_fields(before, after), after))
        before = after
    return Made(msgspec.json.encode(steps))


def changed_fields(before: TableView | None, after: TableView) -> tuple[str, ...]:
    """The fields in which a view differs from the previous one; all of them for a table's first view."""
    was = UNSET if before is None else before
    return tuple(name for name in after.__struct_fields__ if getattr(after, name) != getattr(was, name, UNSET))
