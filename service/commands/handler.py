"""Command handling: a table's state from cache or log, a decision, one append.

Nothing is locked across processes. An accepted action needs no look-up: the append itself knows whether the table is
still where the decision found it. A refusal is never given from the cache alone: before it goes out, one query reads
the stream's head and the key's receipt, and a moved head is folded and decided again.
"""

import asyncio
import secrets
import time
from collections import OrderedDict
from collections.abc import Sequence

from msgspec import Struct
from structlog.typing import FilteringBoundLogger

from domain.fair.seeds import SEED_BYTES
from domain.kernel.game import Game
from domain.kernel.offers import Offer
from domain.kernel.rejection import Rejected
from domain.record.history import History, Moment, Reader, record_command, record_opening
from domain.record.recorded import GENESIS, Recorded
from domain.seats import Seat
from domain.table.actions import Act, Command, OpenTable
from domain.table.offers import offers
from domain.table.state import seat_of
from projections.gather import Gather
from service.commands.deadline import Deadline
from service.commands.ids import moment, new_id
from service.store.database import StoreUnavailable
from service.store.store import Append, Appended, Conflict, Duplicate, Head, KeyReused, Receipt, Store
from service.store.writer import Writer

DEADLINE_S = 10.0
"""How long a command may take, waiting for its table and for Postgres included."""

ATTEMPTS = 16
"""How often a command is decided anew when others keep moving its table, before the client is asked to come again."""


class NoSuchTable(Exception):
    """There is no table of this id."""


class PreconditionFailed(Exception):
    """The table is not at the version that the command was meant for, but at `version`."""

    def __init__(self, version: int) -> None:
        super().__init__(f"the table is at version {version}")
        self.version = version


class KeyConflict(Exception):
    """The idempotency key was used before with another request."""


class Refused(Exception):
    """The domain refuses the command at `version`, where the player has these offers."""

    def __init__(self, rejected: Rejected, version: int, offers: Sequence[Offer]) -> None:
        super().__init__(str(rejected))
        self.rejected = rejected
        self.version = version
        self.offers = offers


class Answer(Struct, frozen=True):
    """What a command came to."""

    table: str
    records: tuple[Recorded, ...]
    replayed: bool
    """The same command was handled before; these are its records of then."""
    history: History | None
    """The table after the command; None when replayed."""


class _Entry:
    """A table in the cache. Commands for one table go one after the other within a process."""

    __slots__ = ("history", "lock", "users")

    def __init__(self) -> None:
        self.lock: asyncio.Lock | None = None
        """There while the table has users: many tables are kept, and few are in use."""
        self.history: History | None = None
        self.users = 0

    async def enter(self) -> None:
        """Waits for those who came before."""
        self.users += 1
        if self.lock is None:
            self.lock = asyncio.Lock()
        try:
            await self.lock.acquire()
        except BaseException:
            self._gone()
            raise

    def leave(self) -> None:
        """Lets the next one in."""
        assert self.lock is not None, "who leaves has entered"  # noqa: S101 (for the type checker)
        self.lock.release()
        self._gone()

    def _gone(self) -> None:
        self.users -= 1
        if not self.users:
            self.lock = None


class Tables:
    """Handles commands, and knows tables as of the head of the log. Used from one event loop.

    At most `capacity` tables stay in the cache. Every method raises `StoreUnavailable` on an outage.
    """

    def __init__(
        self, store: Store, writer: Writer, reader: Reader, log: FilteringBoundLogger, *, capacity: int = 20_000
    ) -> None:
        self._store = store
        self._writer = writer
        self._reader = reader
        self._log: FilteringBoundLogger = log.bind()
        self._capacity = capacity
        self._entries: OrderedDict[str, _Entry] = OrderedDict()
        self._heads: Gather[str, Head | None] = Gather(self._look_up)

    def known(self, table: str) -> int:
        """The newest version of the table that this process knows of; 0 if none."""
        entry = self._entries.get(table)
        return entry.history.version if entry and entry.history else 0

    async def current(self, table: str) -> History:
        """The table as of the head of the log at some moment after the call. Raises NoSuchTable."""
        head = await self._heads.get(table)
        if head is None:
            raise NoSuchTable(table)
        known = self._entries.get(table)
        if known is not None and known.history is not None and known.history.version >= head.version:
            return known.history
        async with self._entered(table) as entry:
            if entry.history is None or entry.history.version < head.version:
                await self._catch_up(table, entry)
            assert entry.history is not None, "a stream with a head has events"  # noqa: S101 (for the type checker)
            return entry.history

    async def _look_up(self, tables: Sequence[str]) -> dict[str, Head | None]:
        found = await self._store.heads(tables)
        return {table: found.get(table) for table in tables}

    async def seat(self, table: str, player: str) -> Seat | None:
        """The player's seat at the table. Raises NoSuchTable. A no is as of the head of the log."""
        entry = self._entries.get(table)
        if entry is not None and entry.history is not None:
            seat = seat_of(entry.history.table, player)
            if seat is not None:
                return seat
        return seat_of((await self.current(table)).table, player)

    async def records(
        self, table: str, after: int = 0, upto: int | None = None, limit: int | None = None
    ) -> list[Recorded]:
        """The table's records from the log, after a version, up to another, at most `limit`."""
        return await self._store.stream(table, after, upto, limit)

    async def open(self, player: str, game: Game, deals: int, options: object, receipt: Receipt | None) -> Answer:
        """Opens a table. Raises Refused, KeyConflict."""
        table, at = new_id(), moment()
        command = OpenTable(player, deals, options, secrets.token_bytes(SEED_BYTES))
        try:
            history, records = record_opening(game, table, command, at)
        except Rejected as rejected:
            _, kept = await self._store.head_and_receipt(table, receipt.scope if receipt else None)
            if kept is not None:
                raise KeyConflict from rejected
            raise Refused(rejected, 0, ()) from rejected
        match await self._writer.submit(Append(table, 0, GENESIS, records, receipt)):
            case Appended() as appended:
                async with self._entered(table) as entry:
                    entry.history = history
                return Answer(table, tuple(appended.placed(records)), replayed=False, history=history)
            case Duplicate() as duplicate:
                return await self._replayed(duplicate.table, duplicate.first, duplicate.last)
            case KeyReused():
                raise KeyConflict
            case Conflict():
                raise StoreUnavailable("a new table's id was in use")

    async def command(
        self, table: str, command: Command, *, expected: int | None = None, receipt: Receipt | None = None
    ) -> Answer:
        """Decides the command and appends what follows.

        `expected` is the version that the table must be at. Raises NoSuchTable, PreconditionFailed, Refused,
        KeyConflict.
        """
        started = time.perf_counter()
        try:
            with Deadline(DEADLINE_S):
                async with self._entered(table) as entry:
                    answer = await self._decided(table, entry, command, expected, receipt)
        except TimeoutError as error:
            raise StoreUnavailable("the command took too long") from error
        self._tell(answer, command, started)
        return answer

    async def _decided(
        self, table: str, entry: _Entry, command: Command, expected: int | None, receipt: Receipt | None
    ) -> Answer:
        at = moment()
        for _ in range(ATTEMPTS):
            if entry.history is None:
                await self._catch_up(table, entry)
            answer = await self._attempt(table, entry, command, at, expected, receipt)
            if answer is not None:
                return answer
        raise StoreUnavailable("the table is too busy")

    async def _attempt(
        self,
        table: str,
        entry: _Entry,
        command: Command,
        at: Moment,
        expected: int | None,
        receipt: Receipt | None,
    ) -> Answer | None:
        """One decision and one append; None when the table has moved and the command is to be decided again."""
        history = entry.history
        if history is None:
            raise NoSuchTable(table)
        game = self._reader.of(history.table)
        try:
            if expected is not None and expected != history.version:
                raise PreconditionFailed(history.version)
            after, records = record_command(game, history, command, at)
        except (Rejected, PreconditionFailed) as error:
            return await self._refuse(table, entry, history, command, receipt, error)
        match await self._writer.submit(Append(table, history.version, history.head, records, receipt)):
            case Appended() as appended:
                entry.history = after
                return Answer(table, tuple(appended.placed(records)), replayed=False, history=after)
            case Duplicate() as duplicate:
                return await self._replayed(duplicate.table, duplicate.first, duplicate.last)
            case KeyReused():
                raise KeyConflict
            case Conflict():
                await self._catch_up(table, entry)
                return None

    async def _refuse(
        self,
        table: str,
        entry: _Entry,
        history: History,
        command: Command,
        receipt: Receipt | None,
        error: Rejected | PreconditionFailed,
    ) -> Answer | None:
        """Raises the refusal if it holds at the head of the log; None if the table has moved."""
        head, kept = await self._store.head_and_receipt(table, receipt.scope if receipt else None)
        if kept is not None and receipt is not None:
            if kept.digest != receipt.digest:
                raise KeyConflict from error
            return await self._replayed(kept.table, kept.first, kept.last)
        if head is None:
            entry.history = None
            raise NoSuchTable(table) from error
        if (head.version, head.hash) != (history.version, history.head):
            await self._catch_up(table, entry)
            return None
        if isinstance(error, PreconditionFailed):
            raise error
        own: Sequence[Offer] = ()
        if isinstance(command, Act):
            seat = seat_of(history.table, command.player)
            if seat is not None:
                own = offers(self._reader.of(history.table), history.table, seat)
        self._log.info("action refused", table=table, type=_type(command), code=error.code, rule=error.rule)
        raise Refused(error, history.version, own) from error

    async def _catch_up(self, table: str, entry: _Entry) -> None:
        """Folds what the log has beyond the cache. Raises NoSuchTable."""
        known = entry.history
        records = await self._store.stream(table, known.version if known else 0)
        entry.history = self._reader.history(records, known)
        if entry.history is None:
            raise NoSuchTable(table)

    async def _replayed(self, table: str, first: int, last: int) -> Answer:
        records = await self._store.stream(table, first - 1, last)
        return Answer(table, tuple(records), replayed=True, history=None)

    def _entered(self, table: str) -> "_Entered":
        entry = self._entries.get(table)
        if entry is None:
            entry = self._entries[table] = _Entry()
        self._entries.move_to_end(table)
        return _Entered(self, table, entry)

    def left(self, table: str, entry: _Entry) -> None:
        """A user of the entry is done: forget what the log does not know, and what is too much."""
        if entry.history is None and not entry.users:
            self._entries.pop(table, None)
        while len(self._entries) > self._capacity:
            oldest, candidate = next(iter(self._entries.items()))
            if candidate.users:
                break
            del self._entries[oldest]

    def _tell(self, answer: Answer, command: Command, started: float) -> None:
        """One line an action."""
        self._log.info(
            "action",
            table=answer.table,
            type=_type(command),
            actor=answer.records[0].actor,
            action=answer.records[0].action,
            version=answer.records[-1].version,
            replayed=answer.replayed,
            duration_ms=round((time.perf_counter() - started) * 1000, 3),
        )


class _Entered:
    """Holds a table's lock, and its entry in the cache, for as long as a command takes."""

    __slots__ = ("_entry", "_table", "_tables")

    def __init__(self, tables: Tables, table: str, entry: _Entry) -> None:
        self._tables = tables
        self._table = table
        self._entry = entry

    async def __aenter__(self) -> _Entry:
        await self._entry.enter()
        return self._entry

    async def __aexit__(self, *exception: object) -> None:
        self._entry.leave()
        self._tables.left(self._table, self._entry)


def _type(command: Command) -> str:
    """The command's name for the log line: an action's own type, or the table's verb."""
    return str(command.action.__struct_config__.tag) if isinstance(command, Act) else type(command).__name__
