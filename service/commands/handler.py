"""Command handling, in five steps: load the table, decide, append, answer; or refuse after a look at the log.

Nothing is locked across processes. An accepted command needs no look-up: the append itself checks whether the table is
still where the decision left it. A refusal is never based on the cache alone: first, one query reads the stream's head
and the key's receipt, and if the head has moved, the table is folded and the command decided again.
"""

import secrets
import time
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace
from structlog.typing import FilteringBoundLogger

from domain.fair.seeds import SEED_BYTES
from domain.kernel.game import Game
from domain.kernel.offers import Offer
from domain.kernel.rejection import Rejected
from domain.record.history import History, Reader, record_command, record_opening
from domain.record.recorded import GENESIS, Recorded
from domain.table.actions import (
    Act,
    ActAsBot,
    ActFor,
    BotSeat,
    Command,
    EraseText,
    ExpireTable,
    OpenTable,
    RuleDispute,
    RunOut,
)
from domain.table.decide import act
from domain.table.events import Rematch
from domain.table.options import DEFAULT, TableOptions
from domain.table.seat_offers import offers
from domain.table.state import seat_of
from service.commands.cache import LockedTable, NoSuchTable, TableCache
from service.commands.spectators import Spectators
from service.moments import Timeout, moment, new_id
from service.store.database import StoreUnavailable
from service.store.store import Append, Appended, Conflict, Duplicate, KeyReused, Receipt, Store
from service.store.writer import Writer

TIMEOUT_S = 10.0
"""Seconds that a command may take, including the waits for its table and for Postgres."""

ATTEMPTS = 16
"""How often a command is decided again while others keep moving its table, before it fails as unavailable."""


class PreconditionFailed(Exception):
    """The table is at `version`, which is not one that the command was meant for."""

    def __init__(self, version: int) -> None:
        super().__init__(f"the table is at version {version}")
        self.version = version


class KeyConflict(Exception):
    """The idempotency key was used before with another request."""


class Refused(Exception):
    """The domain refuses the command at `version`, where the player has these offers.

    `unseen` says that the player follows late, and that the table as the player sees it does not refuse the command.
    """

    def __init__(self, rejected: Rejected, version: int, offers: Sequence[Offer], *, unseen: bool = False) -> None:
        super().__init__(str(rejected))
        self.rejected = rejected
        self.version = version
        self.offers = offers
        self.unseen = unseen


class CommandResult(Struct, frozen=True):
    """The records that a command led to."""

    table: str
    records: tuple[Recorded, ...]
    replayed: bool
    """Whether the command was handled before; then these are the records of that time."""
    history: History | None
    """The table after the command; None when replayed."""


class CommandHandler:
    """Handles commands. Used from one event loop. Every method raises `StoreUnavailable` on an outage."""

    def __init__(
        self,
        store: Store,
        writer: Writer,
        reader: Reader,
        tables: TableCache,
        spectators: Spectators,
        log: FilteringBoundLogger,
    ) -> None:
        self._store = store
        self._writer = writer
        self._reader = reader
        self._tables = tables
        self._spectators = spectators
        self._log: FilteringBoundLogger = log.bind()

    async def handle(
        self, table: str, command: Command, *, expected: tuple[int, ...] | None = None, receipt: Receipt | None = None
    ) -> CommandResult:
        """Decides the command and appends its records; `expected` are the versions that the table may be at.

        A cancelled caller's command may still be appended. Raises NoSuchTable, PreconditionFailed, Refused,
        KeyConflict.
        """
        started = time.perf_counter()
        try:
            with Timeout(TIMEOUT_S):
                async with self._tables.locked(table) as locked:
                    result = await self._handle_locked(locked, command, expected, receipt)
        except TimeoutError as error:
            raise StoreUnavailable("the command took too long") from error
        self._log_result(result, command, started)
        return result

    async def _handle_locked(
        self, locked: LockedTable, command: Command, expected: tuple[int, ...] | None, receipt: Receipt | None
    ) -> CommandResult:
        """Runs the five steps, again whenever the table has moved in between."""
        table, at = locked.table, moment()
        for _ in range(ATTEMPTS):
            history, late = locked.history or await self._tables.catch_up(locked), False
            try:
                if expected is not None:
                    await self._require(history, command, expected)
                if history.table.table_options.spectator_delay is not None:
                    late = await self._decided_late(history, command, at.at)
                after, records = record_command(self._reader.of(history.table), history, command, at)
            except (Rejected, PreconditionFailed) as refusal:
                earlier = await self._refuse(locked, history, command, receipt, refusal, late=late)
                if earlier is not None:
                    return earlier
                continue
            match await self._writer.submit(Append(table, history.table.version, history.head, records, receipt)):
                case Appended(records):
                    locked.history = after
                    return CommandResult(table, records, replayed=False, history=after)
                case Duplicate() as duplicate:
                    return await self._replay(duplicate.table, duplicate.first, duplicate.last)
                case KeyReused():
                    raise KeyConflict
                case Conflict():
                    await self._tables.catch_up(locked)
        raise StoreUnavailable("the table is too busy")

    async def _require(self, history: History, command: Command, expected: tuple[int, ...]) -> None:
        """Raises PreconditionFailed unless the caller sees the table at one of these versions."""
        version = await self._version(history, command)
        if version not in expected:
            raise PreconditionFailed(version)

    async def _decided_late(self, history: History, command: Command, at: str) -> bool:
        """Whether the caller is behind the table. Raises Rejected if it refuses the command as the caller sees it."""
        caller = _caller(command)
        if not caller or seat_of(history.table, caller) is not None:
            return False
        seen = (await self._spectators.seen_of(history, caller)).table
        if seen.version == history.version:
            return False
        # Outside the house's fold nobody knows the opener.
        act(self._reader.of(seen), replace(seen, opener=history.table.opener), command, at)
        return True

    async def _version(self, history: History, command: Command) -> int:
        """The table's version as the caller sees it."""
        caller = _caller(command)
        return await self._spectators.version_of(history, caller) if caller else history.version

    async def _refuse(
        self,
        locked: LockedTable,
        history: History,
        command: Command,
        receipt: Receipt | None,
        refusal: Rejected | PreconditionFailed,
        *,
        late: bool,
    ) -> CommandResult | None:
        """Raises the refusal if it holds at the head of the log; returns None if the table has moved.

        A command that was handled before gets its first result.
        """
        table = locked.table
        head, kept = await self._store.head_and_receipt(table, receipt.scope if receipt else None)
        if kept is not None and receipt is not None:
            if kept.digest != receipt.digest:
                raise KeyConflict from refusal
            return await self._replay(kept.table, kept.first, kept.last)
        if head is None:
            locked.history = None
            raise NoSuchTable(table) from refusal
        if (head.version, head.hash) != (history.version, history.head):
            await self._tables.catch_up(locked)
            return None
        if isinstance(refusal, PreconditionFailed):
            raise refusal
        self._log.debug(
            "action refused", table=table, type=_command_type(command), code=refusal.code, rule=refusal.rule
        )
        version = await self._version(history, command)
        detail = self._reader.of(history.table).pack.written(refusal.detail)
        rejected = Rejected(refusal.code, detail, refusal.rule)
        raise Refused(rejected, version, self._offers(history, command), unseen=late) from refusal

    def _offers(self, history: History, command: Command) -> Sequence[Offer]:
        """The offers for the seat of a refused act."""
        seat = seat_of(history.table, command.player) if isinstance(command, Act) else None
        return () if seat is None else offers(self._reader.of(history.table), history.table, seat)

    async def open(
        self,
        player: str,
        game: Game,
        deals: int,
        options: object,
        receipt: Receipt | None,
        table_options: TableOptions = DEFAULT,
        rematch: Rematch | None = None,
        bots: tuple[BotSeat, ...] = (),
        table: str | None = None,
    ) -> CommandResult:
        """Opens a table, with its bots, of a new id or this one; `table_options` are the options of the table itself.

        Raises Refused, KeyConflict.
        """
        table, at = table or new_id(), moment()
        command = OpenTable(player, deals, options, secrets.token_bytes(SEED_BYTES), table_options, rematch, bots)
        try:
            history, records = record_opening(game, table, command, at)
        except Rejected as rejected:
            _, kept = await self._store.head_and_receipt(table, receipt.scope if receipt else None)
            if kept is not None:
                raise KeyConflict from rejected
            raise Refused(rejected, 0, ()) from rejected
        try:
            with Timeout(TIMEOUT_S):
                outcome = await self._writer.submit(Append(table, 0, GENESIS, records, receipt))
        except TimeoutError as error:
            raise StoreUnavailable("the command took too long") from error
        match outcome:
            case Appended(records):
                async with self._tables.locked(table) as locked:
                    locked.history = history
                return CommandResult(table, records, replayed=False, history=history)
            case Duplicate() as duplicate:
                return await self._replay(duplicate.table, duplicate.first, duplicate.last)
            case KeyReused():
                raise KeyConflict
            case Conflict():
                raise StoreUnavailable("a new table's id was in use")

    async def _replay(self, table: str, first: int, last: int) -> CommandResult:
        """The result of the same command when it was first handled."""
        records = await self._store.stream(table, first - 1, last)
        return CommandResult(table, tuple(records), replayed=True, history=None)

    def _log_result(self, result: CommandResult, command: Command, started: float) -> None:
        """Logs one line for a command. Repetitions go to `debug`: they are no actions, and a client may send any
        number.
        """
        log = self._log.debug if result.replayed else self._log.info
        log(
            "action",
            table=result.table,
            type=_command_type(command),
            actor=result.records[0].actor,
            action=result.records[0].action,
            version=result.records[-1].version,
            replayed=result.replayed,
            duration_ms=round((time.perf_counter() - started) * 1000, 3),
        )


def _caller(command: Command) -> str:
    """The player who gives the command; empty for one without a player."""
    match command:
        case RuleDispute():
            return command.arbiter
        case OpenTable():
            return command.opener
        case RunOut() | ActFor() | ActAsBot() | ExpireTable() | EraseText():
            return ""
        case _:
            return command.player


def _command_type(command: Command) -> str:
    """The command's name for the log line: an action's own type, or the table's verb."""
    match command:
        case Act() | ActAsBot():
            return str(command.action.__struct_config__.tag)
        case _:
            return type(command).__name__
