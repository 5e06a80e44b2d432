"""The log: appending to tables' streams, and reading events by table and by position."""

from collections.abc import Collection, Sequence

from asyncpg import Connection, Record
from msgspec import Struct, structs

from domain.record.recorded import Recorded
from domain.table.events import CardsDealt, DisputeOpened, DisputeRuled, LedgerCorrected, SeatTaken, SubstituteSeated
from service.store.database import Database
from service.store.records import COLUMNS, END, recorded


class Receipt(Struct, frozen=True):
    """Identifies a request, so that it is carried out once."""

    scope: bytes
    """32 bytes: SHA-256 over the caller, the operation (method and path) and the client's key."""
    digest: bytes
    """32 bytes: SHA-256 of the canonical request body."""


def scope_and_digest(receipt: Receipt | None) -> tuple[bytes | None, bytes | None]:
    """The two arguments by which functions of the database know a request; None for one without a receipt."""
    return (None, None) if receipt is None else (receipt.scope, receipt.digest)


class Append(Struct, frozen=True):
    """The records of one command, to be appended to a table that is expected at `version` with `head`."""

    table: str
    version: int
    """0 for a new table."""
    head: bytes
    """The hash of the event at `version`; GENESIS for a new table."""
    records: tuple[Recorded, ...]
    """At least one, with versions from `version` + 1 on. The hash of the last one identifies the command, since it
    covers the action's id."""
    receipt: Receipt | None = None


class Appended(Struct, frozen=True):
    """The records are in the log."""

    records: tuple[Recorded, ...]
    """The command's records with their positions, which have no gaps."""


class Duplicate(Struct, frozen=True):
    """The receipt's command was appended before, as these versions of this table."""

    table: str
    first: int
    last: int


class KeyReused(Struct, frozen=True):
    """The receipt's scope was used before with another digest."""


class Conflict(Struct, frozen=True):
    """The table is not at the expected version and head."""


Outcome = Appended | Duplicate | KeyReused | Conflict


class Head(Struct, frozen=True):
    """The end of a table's stream."""

    version: int
    hash: bytes


class StreamEnd(Struct, frozen=True):
    """A table's last event: its type, and the deal it belongs to."""

    table: str
    type: str | None
    deal: int | None


class StoredReceipt(Struct, frozen=True):
    """A receipt in the log: the versions that a command appended to a table, and the digest of its body."""

    table: str
    first: int
    last: int
    digest: bytes


_APPEND = "SELECT * FROM codille.append($1, $2)"
_DEAL_START = f"""
    SELECT version FROM codille.event
    WHERE table_id = $1 AND ($2::bigint IS NULL OR version <= $2::bigint) AND type = '{CardsDealt.TYPE}'
    ORDER BY version DESC LIMIT 1
"""  # noqa: S608 (no input in it)
_STREAM = f"""
    SELECT {COLUMNS} FROM codille.event
    WHERE table_id = $1 AND version > $2::bigint AND ($3::bigint IS NULL OR version <= $3::bigint)
    ORDER BY version LIMIT $4
"""  # noqa: S608 (no input in it)
_STREAM_OF_TYPES = f"""
    SELECT {COLUMNS} FROM codille.event
    WHERE table_id = $1 AND version > $2::bigint AND version <= $3::bigint AND type = ANY ($5::text[])
    ORDER BY version LIMIT $4
"""  # noqa: S608 (no input in it)
_POSITIONS = """
    SELECT position FROM codille.event WHERE table_id = $1 AND version > $2::bigint AND version <= $3::bigint
    ORDER BY version
"""
_OUTLINE = f"""
    SELECT {COLUMNS} FROM codille.event
    WHERE table_id = $1 AND ($2::bigint IS NULL OR version <= $2::bigint)
      AND (type <> ALL ($3::text[]) OR version >= coalesce(({_DEAL_START}), 0))
    ORDER BY version
"""  # noqa: S608 (as above)
_LAST_DEAL = """
    SELECT deal FROM codille.event WHERE table_id = $1 AND version <= $2 AND deal IS NOT NULL
    ORDER BY version DESC LIMIT 1
"""
_LOG = f"SELECT {COLUMNS} FROM codille.event WHERE position > $1 ORDER BY position LIMIT $2"  # noqa: S608 (as above)
_SELECTED = f"""
    SELECT {COLUMNS} FROM codille.event
    WHERE position > $1 AND position <= $2 AND (table_id = ANY ($3::uuid[]) OR type = ANY ($4::text[]))
    ORDER BY position LIMIT $5
"""  # noqa: S608 (as above)
_HEADS = "SELECT id::text, version, head FROM codille.stream WHERE id = ANY ($1::uuid[])"
_ENDS = """
    SELECT t.id::text, head.version, coalesce(last.deal, 0)
    FROM unnest($1::uuid[]) AS t (id),
    LATERAL (
        SELECT version FROM codille.event WHERE table_id = t.id AND position <= $2 ORDER BY version DESC LIMIT 1
    ) AS head
    LEFT JOIN LATERAL (
        SELECT deal FROM codille.event WHERE table_id = t.id AND position <= $2 AND deal IS NOT NULL
        ORDER BY version DESC LIMIT 1
    ) AS last ON true
"""
_NEWEST = """
    SELECT page.id::text, last.type, last.deal
    FROM (
        SELECT id, version FROM codille.stream WHERE $1::uuid IS NULL OR id < $1::uuid ORDER BY id DESC LIMIT $2
    ) AS page
    LEFT JOIN codille.event last ON last.table_id = page.id AND last.version = page.version
    ORDER BY page.id DESC
"""
_FIRSTS = f"SELECT {COLUMNS} FROM codille.event WHERE table_id = ANY ($1::uuid[]) AND version = 1"  # noqa: S608 (as above)
_SEATED = f"""
    SELECT {COLUMNS} FROM codille.event WHERE table_id = ANY ($1::uuid[]) AND type = '{SeatTaken.TYPE}'
    UNION ALL
    SELECT {COLUMNS} FROM codille.event WHERE table_id = ANY ($1::uuid[]) AND type = '{SubstituteSeated.TYPE}'
"""  # noqa: S608 (as above)
_DISPUTES_OPENED = f"""
    SELECT {COLUMNS} FROM codille.event
    WHERE type = '{DisputeOpened.TYPE}' AND ($1::bigint IS NULL OR position < $1) AND ($2::text IS NULL OR game = $2)
    ORDER BY position DESC LIMIT $3
"""  # noqa: S608 (as above)
_RULINGS = f"""
    SELECT {COLUMNS} FROM codille.event
    JOIN unnest($1::uuid[], $2::int[]) AS wanted (id, number) ON table_id = id
    WHERE type IN ('{DisputeRuled.TYPE}', '{LedgerCorrected.TYPE}')
      AND (convert_from(public, 'UTF8')::json ->> 'dispute')::int = number
"""  # noqa: S608 (as above)
_AT_VERSIONS = f"""
    SELECT {COLUMNS} FROM codille.event
    JOIN unnest($1::uuid[], $2::int[]) AS wanted (id, at_version) ON table_id = id AND version = at_version
"""  # noqa: S608 (as above)
_HEAD_AND_RECEIPT = """
    SELECT s.version, s.head, r.table_id::text AS table_id, r.first, r.last, r.digest
    FROM (SELECT) AS once
    LEFT JOIN codille.stream s ON s.id = $1
    LEFT JOIN codille.receipt r ON r.scope = $2
"""


class Store:
    """The log in a database. Every method raises `StoreUnavailable` on an outage or a timeout.

    Table ids are UUIDs as text; any other text raises a ValueError (`asyncpg.DataError`).
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def append(self, commands: Sequence[Append]) -> list[Outcome]:
        """Appends each command's records, all or none, and returns the outcomes in order.

        The commands go in one call of one SQL function, except that several commands for one table go in successive
        calls. A command sent again has the same outcome as the first time.
        """
        outcomes: dict[int, Outcome] = {}
        waiting = dict(enumerate(commands))
        while waiting:
            by_table: dict[str, int] = {}
            for n, command in waiting.items():
                by_table.setdefault(command.table, n)
            batch = {n: waiting.pop(n) for n in by_table.values()}
            rows = await self._database.fetch(_APPEND, *_arguments(list(batch.values())))
            outcomes.update(zip(batch, map(_outcome, rows, batch.values()), strict=True))
        return [outcomes[n] for n in range(len(commands))]

    async def stream(
        self, table: str, after: int = 0, upto: int | None = None, limit: int | None = None
    ) -> list[Recorded]:
        """A table's events after one version up to another, at most `limit`, in order."""
        return [recorded(row) for row in await self._database.fetch(_STREAM, table, after, upto, limit)]

    async def stream_of_types(
        self, table: str, types: Sequence[str], after: int, upto: int, limit: int
    ) -> list[Recorded]:
        """A table's events of these types after one version up to another, at most `limit`, in order."""
        return [recorded(row) for row in await self._database.fetch(_STREAM_OF_TYPES, table, after, upto, limit, types)]

    async def positions(self, table: str, after: int, upto: int) -> list[int]:
        """The positions of a table's events after one version up to another, in order."""
        return [position for (position,) in await self._database.fetch(_POSITIONS, table, after, upto)]

    async def outline(self, table: str, passing: Sequence[str], upto: int | None = None) -> list[Recorded]:
        """A table's events up to a version, in order; only the last deal includes events of the `passing` types.

        Their fold equals the fold of all events if no effect of the `passing` types survives its deal.
        """
        return [recorded(row) for row in await self._database.fetch(_OUTLINE, table, upto, passing)]

    async def deal_start(self, table: str, version: int) -> int:
        """The version of the last event up to `version` that begins a deal; 0 if there is none."""
        rows = await self._database.fetch(_DEAL_START, table, version)
        return int(rows[0][0]) if rows else 0

    async def last_deal(self, table: str, version: int) -> int:
        """The number of the last deal up to `version`; 0 if there is none."""
        rows = await self._database.fetch(_LAST_DEAL, table, version)
        return int(rows[0][0]) if rows else 0

    async def heads(self, tables: Sequence[str]) -> dict[str, Head]:
        """The heads of these tables by id, without unknown tables."""
        rows = await self._database.fetch(_HEADS, tables)
        return {table: Head(version, head) for table, version, head in rows}

    async def opening(self, table: str) -> Recorded | None:
        """A table's first event; None for an unknown table."""
        return next(iter(await self.stream(table, 0, 1)), None)

    async def ends(self, tables: Collection[str], position: int) -> list[tuple[str, int, int]]:
        """For each of these tables its id, last version and last deal begun (0: none) at a position of the log."""
        return [tuple(row) for row in await self._database.fetch(_ENDS, tables, position)]

    async def newest(self, before: str | None, limit: int) -> list[StreamEnd]:
        """The ends of at most `limit` tables, newest first; with `before`, of those opened before that table."""
        return [StreamEnd(*row) for row in await self._database.fetch(_NEWEST, before, limit)]

    async def firsts(self, tables: Sequence[str]) -> list[Recorded]:
        """The first events of these tables, in any order."""
        return [recorded(row) for row in await self._database.fetch(_FIRSTS, tables)]

    async def seated(self, tables: Sequence[str]) -> list[Recorded]:
        """The events that seated players and bots at these tables, in any order."""
        return [recorded(row) for row in await self._database.fetch(_SEATED, tables)]

    async def disputes_opened(self, before: int | None, game: str | None, limit: int) -> list[Recorded]:
        """The events that opened disputes, newest first: before a position, and of a game, if these are given."""
        rows = await self._database.fetch(_DISPUTES_OPENED, before, game, limit)
        return [recorded(row) for row in rows]

    async def rulings(self, disputes: Collection[tuple[str, int]]) -> list[Recorded]:
        """The events that ruled on these disputes, by table and number, and corrected ledgers, in any order."""
        tables, numbers = [table for table, _ in disputes], [number for _, number in disputes]
        return [recorded(row) for row in await self._database.fetch(_RULINGS, tables, numbers)]

    async def at_versions(self, wanted: Collection[tuple[str, int]]) -> list[Recorded]:
        """The events of these tables and versions, in any order."""
        tables, versions = [table for table, _ in wanted], [version for _, version in wanted]
        return [recorded(row) for row in await self._database.fetch(_AT_VERSIONS, tables, versions)]

    async def head_and_receipt(self, table: str, scope: bytes | None) -> tuple[Head | None, StoredReceipt | None]:
        """A table's head and the receipt with this scope, read at the same moment; each None if there is none."""
        (row,) = await self._database.fetch(_HEAD_AND_RECEIPT, table, scope)
        version, head, of, first, last, digest = row
        return (
            None if version is None else Head(version, head),
            None if of is None else StoredReceipt(of, first, last, digest),
        )

    async def log(self, after: int, limit: int) -> list[Recorded]:
        """The events of all tables after a position, at most `limit`, without gaps."""
        return [recorded(row) for row in await self._database.fetch(_LOG, after, limit)]

    async def selected(
        self, after: int, upto: int, tables: Collection[str], types: Collection[str], limit: int
    ) -> list[Recorded]:
        """The events after a position up to another that are of these tables or types, at most `limit`."""
        rows = await self._database.fetch(_SELECTED, after, upto, list(tables), list(types), limit)
        return [recorded(row) for row in rows]

    async def end(self) -> int:
        """The last position; 0 for an empty log."""
        ((position,),) = await self._database.fetch(END)
        return int(position)

    async def ping(self) -> None:
        """Returns if Postgres answers, and raises StoreUnavailable otherwise."""
        await self._database.fetch("SELECT 1")

    async def check_writing(self) -> None:
        """Returns if Postgres can write to its disk, and raises StoreUnavailable with the cause otherwise."""
        await self._database.call("codille.check_writing")


async def append_on(connection: Connection, command: Append) -> Outcome:
    """Appends one command within this connection's transaction. Raises the driver's errors."""
    (row,) = await connection.fetch(_APPEND, *_arguments([command]))
    return _outcome(row, command)


def _arguments(commands: list[Append]) -> tuple[list[object], list[object]]:
    """The arguments of `codille.append`, with each `codille.command` and `codille.new_event` as a tuple."""
    appended: list[object] = []
    events: list[object] = []
    for number, command in enumerate(commands, 1):
        receipt, tip = command.receipt, command.records[-1].hash
        once = (receipt and receipt.scope, receipt and receipt.digest)
        appended.append((command.table, command.version, command.head, len(command.records), tip, *once))
        # All fields but the position, which `append` assigns.
        events += [(number, *structs.astuple(record)[:-1]) for record in command.records]
    return appended, events


def _outcome(row: Record, command: Append) -> Outcome:
    outcome, table, first, last, _, position = row
    match outcome:
        case "appended":
            return Appended(
                tuple([structs.replace(record, position=n) for n, record in enumerate(command.records, position)])
            )
        case "duplicate":
            return Duplicate(table, first, last)
        case "key-reused":
            return KeyReused()
        case "conflict":
            return Conflict()
        case _:
            raise ValueError(f"codille.append answered {outcome!r}")
