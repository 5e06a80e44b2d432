"""Jobs: computations from the log for one response that take long. A job is a function of a `JobContext`.

Jobs and their arguments are pickled on the way to the process that runs them, and so are their results.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from msgspec import Struct

from domain.record.history import Reader
from service.compute.folds import KeptFolds
from service.config import load_registry
from service.store.database import Database
from service.store.standby import open_reads
from service.store.store import Store
from service.transparency import Transparency


class JobContext(Struct, frozen=True):
    """The services that jobs read from."""

    store: Store
    transparency: Transparency
    """Without a key in a job process."""
    reader: Reader
    folds: KeptFolds


class Setup(Struct, frozen=True):
    """The settings of a job process."""

    database_url: str
    registry: str
    standby_url: str | None = None


@asynccontextmanager
async def opened(setup: Setup) -> AsyncIterator[JobContext]:
    """The context of the jobs of one process, which runs them one by one."""
    reader = Reader(load_registry(setup.registry))
    async with (
        Database(setup.database_url, connections=1) as database,
        open_reads(database, setup.standby_url) as store,
    ):
        yield JobContext(store, Transparency(database, None), reader, KeptFolds(store, reader))
