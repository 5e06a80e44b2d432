"""An archive of a log in Postgres, and what is in it."""

from collections.abc import Iterable, Sequence
from typing import Any

from domain.record.history import Moment, Reader, record_command
from domain.record.recorded import GENESIS, Recorded
from domain.table.actions import Command
from service.live.archivist import Archivist
from service.observability.metrics import Metrics
from service.store.archive_store import ArchiveStore
from service.store.database import Database
from service.store.log_source import LogSource
from service.store.store import Append, Appended, Store
from service.store.tail import Tail
from tests.support.projecting import LOG, READER, quiet, table_id

TABLES = ("deal", "tally", "played_table", "aside")


async def append(database: Database, commands: Iterable[Sequence[Recorded]]) -> None:
    """Appends the records of each command, where the log has those before them."""
    store, heads = Store(database), dict[str, tuple[int, bytes]]()
    for records in commands:
        first, last = records[0], records[-1]
        version, head = heads.get(first.table, (first.version - 1, GENESIS))
        (outcome,) = await store.append([Append(first.table, version, head, tuple(records))])
        assert isinstance(outcome, Appended), outcome
        heads[first.table] = last.version, last.hash


async def does(database: Database, table: str, command: Command, reader: Reader = READER) -> Sequence[Recorded]:
    """Appends what a command makes at a table."""
    store = Store(database)
    history = reader.history(await store.stream(table))
    assert history is not None
    moment = Moment(history.at, table_id(history.version), bytes(32))
    _, records = record_command(reader.of(history.table), history, command, moment)
    await store.append([Append(table, history.version, history.head, tuple(records))])
    return records


def archivist(database: Database, *, page: int = 4096, reader: Reader = READER) -> Archivist:
    """What keeps the archive of this database."""
    source = LogSource(Store(database), Tail(database))
    return Archivist(ArchiveStore(database), source, reader, Metrics(), LOG, page=page, pace_s=0.0, late_s=0.01)


async def rebuilt(database: Database, page: int = 4096) -> dict[str, Any]:
    """What a new archive of the log has."""
    await archivist(database, page=page).rebuild(quiet)
    return await archived(database)


async def archived(database: Database) -> dict[str, list[str]]:
    """The rows of the archive by table, as text and sorted, without counts of nothing."""
    rows = {}
    for name in TABLES:
        some = " WHERE deals <> 0" if name == "tally" else ""
        query = f"SELECT t::text FROM archive.{name} t{some} ORDER BY 1"  # noqa: S608 (no input in it)
        rows[name] = [text for (text,) in await database.fetch(query)]
    return rows
