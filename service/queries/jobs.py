"""Jobs: what is computed from the log for one answer and takes long. A job is a function of a `JobContext`.

Jobs and their arguments are pickled on the way to the process that does them, and so are their results.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from msgspec import Struct

from domain.kernel.game import Game
from domain.record.history import Reader
from service.config import load_registry
from service.queries.folds import KeptFolds
from service.store.database import Database
from service.store.store import Store
from service.transparency import Transparency


class JobContext(Struct, frozen=True):
    """What jobs read."""

    store: Store
    transparency: Transparency
    """In a process of its own, without a key."""
    reader: Reader
    folds: KeptFolds


class Setup(Struct, frozen=True):
    """What a process needs to know to do jobs."""

    database_url: str
    registry: str


@asynccontextmanager
async def opened(setup: Setup) -> AsyncIterator[JobContext]:
    """The context of the jobs of one process, which does them one by one."""
    games: Mapping[str, Game] = load_registry(setup.registry)
    async with Database(setup.database_url, connections=1) as database:
        store, reader = Store(database), Reader(games)
        transparency = Transparency(database, None)
        yield JobContext(store, transparency, reader, KeptFolds(store, reader))
