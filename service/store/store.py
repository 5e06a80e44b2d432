"""The log: append to tables' streams, read them back by table and by position."""

from typing import TYPE_CHECKING

from msgspec import Struct, structs

from domain.record.recorded import Recorded
from service.store.records import COLUMNS, recorded

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from asyncpg import Connection, Record

    from service.store.database import Database


class Receipt(Struct, frozen=True):
    """What makes a request idempotent."""

    scope: bytes
    """32 bytes: SHA-256 over the caller, the operation (method and path) and the client's key."""
    digest: bytes
    """32 bytes: SHA-256 of the canonical request body."""


class Append(Struct, frozen=True):
    """One command's events, for a table that is expected at `version` with `head`."""

    table: str
    version: int
    """0: the table is new."""
    head: bytes
    """The hash of the event at `version`; GENESIS when new."""
    events: tuple[Recorded, ...]
    """At least one, with versions from `version` + 1 on. The last one's hash tells this command from all others, as
    an action's id in it does."""
    receipt: Receipt | None = None


class Appended(Struct, frozen=True):
    """The events stand in the log."""

    first: int
    last: int
    position: int
    """Of the first event; the others follow without a gap."""

    def placed(self, events: "Sequence[Recorded]") -> "list[Recorded]":
        """The command's events with their places in the log."""
        return [structs.replace(event, position=position) for position, event in enumerate(events, self.position)]


class Duplicate(Struct, frozen=True):
    """The receipt's command was appended before: these versions of this table."""

    table: str
    first: int
    last: int


class KeyReused(Struct, frozen=True):
    """The receipt's scope was used with another digest."""


class Conflict(Struct, frozen=True):
    """The table is not where it was expected; it is here (0 and GENESIS: there is none)."""

    version: int
    head: bytes


Outcome = Appended | Duplicate | KeyReused | Conflict


class Head(Struct, frozen=True):
    """The end of a table's stream."""

    version: int
    hash: bytes


class StoredReceipt(Struct, frozen=True):
    """What a receipt says: the versions that a command appended to a table, and its body's digest."""

    table: str
    first: int
    last: int
    digest: bytes


_APPEND = "SELECT * FROM codille.append($1, $2)"
_STREAM = f"""
    SELECT {COLUMNS} FROM codille.event
    WHERE table_id = $1 AND version > $2::bigint AND ($3::bigint IS NULL OR version <= $3::bigint)
    ORDER BY version LIMIT $4
"""  # noqa: S608 (no input in it)
_LOG = f"SELECT {COLUMNS} FROM codille.event WHERE position > $1 ORDER BY position LIMIT $2"  # noqa: S608 (as above)
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
_LOOK = """
    SELECT s.version, s.head, r.table_id::text AS table_id, r.first, r.last, r.digest
    FROM (SELECT) AS once
    LEFT JOIN codille.stream s ON s.id = $1
    LEFT JOIN codille.receipt r ON r.scope = $2
"""
_END = "SELECT position FROM codille.log WHERE shard = 0"


class Store:
    """The log over a database. Every method raises `StoreUnavailable` on an outage or a timeout.

    Tables are named by UUIDs in text; anything else is a `ValueError` (`asyncpg.DataError`).
    """

    def __init__(self, database: "Database") -> None:
        self._database = database

    async def append(self, commands: "Sequence[Append]") -> list[Outcome]:
        """Appends each command's events or none of them, and answers for each in order.

        One call of one SQL function, unless a table is named by several commands: then they go one call after the
        other. A command sent again is answered as the first time.
        """
        outcomes: dict[int, Outcome] = {}
        waiting = dict(enumerate(commands))
        while waiting:
            by_table: dict[str, int] = {}
            for n, command in waiting.items():
                by_table.setdefault(command.table, n)
            batch = {n: waiting.pop(n) for n in by_table.values()}
            rows = await self._database.fetch(_APPEND, *_arguments(list(batch.values())))
            outcomes.update(zip(batch, map(_outcome, rows), strict=True))
        return [outcomes[n] for n in range(len(commands))]

    async def stream(
        self, table: str, after: int = 0, upto: int | None = None, limit: int | None = None
    ) -> list[Recorded]:
        """A table's events after a version, up to another one, at most `limit` of them, in order."""
        return [recorded(row) for row in await self._database.fetch(_STREAM, table, after, upto, limit)]

    async def heads(self, tables: "Sequence[str]") -> dict[str, Head]:
        """The heads of those of these tables that there are."""
        rows = await self._database.fetch(_HEADS, tables)
        return {table: Head(version, head) for table, version, head in rows}

    async def ends(self, tables: "Collection[str]", position: int) -> "list[tuple[str, int, int]]":
        """Of each of these tables the last version, and the last deal that has begun (or 0), at a place in the log."""
        return [tuple(row) for row in await self._database.fetch(_ENDS, tables, position)]

    async def head_and_receipt(self, table: str, scope: bytes | None) -> tuple[Head | None, StoredReceipt | None]:
        """A table's head and what a receipt's scope was used for, both at one moment."""
        (row,) = await self._database.fetch(_LOOK, table, scope)
        version, head, of, first, last, digest = row
        return (
            None if version is None else Head(version, head),
            None if of is None else StoredReceipt(of, first, last, digest),
        )

    async def log(self, after: int, limit: int) -> list[Recorded]:
        """The events of all tables after a position, at most `limit` of them, without gaps."""
        return [recorded(row) for row in await self._database.fetch(_LOG, after, limit)]

    async def end(self) -> int:
        """The last position given; 0 when nothing was recorded."""
        ((position,),) = await self._database.fetch(_END)
        return int(position)

    async def ping(self) -> None:
        """Returns when Postgres answers."""
        await self._database.fetch("SELECT 1")


async def append_on(connection: "Connection", command: Append) -> Outcome:
    """Appends one command on this connection, within its transaction; raises the driver's errors."""
    (row,) = await connection.fetch(_APPEND, *_arguments([command]))
    return _outcome(row)


def _arguments(commands: "list[Append]") -> "tuple[list[object], list[object]]":
    """What `codille.append` takes, each `codille.command` and `codille.new_event` as a tuple."""
    appended: list[object] = []
    events: list[object] = []
    for number, command in enumerate(commands, 1):
        receipt = command.receipt
        appended.append(
            (
                command.table,
                command.version,
                command.head,
                len(command.events),
                command.events[-1].hash,
                receipt and receipt.scope,
                receipt and receipt.digest,
            )
        )
        # The log gives the position.
        events += [(number, *structs.astuple(event)[:-1]) for event in command.events]
    return appended, events


def _outcome(row: "Record") -> Outcome:
    outcome, table, first, last, head, position = row
    match outcome:
        case "appended":
            return Appended(first, last, position)
        case "duplicate":
            return Duplicate(table, first, last)
        case "key-reused":
            return KeyReused()
        case "conflict":
            return Conflict(last, head)
        case _:
            raise ValueError(f"codille.append answered {outcome!r}")
