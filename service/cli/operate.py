"""What an operator does beside the service, on the same servers: players, tokens, read models, records.

While the service runs, its embedded servers are shared; while it does not, they are started for as long as it takes.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from deploy.embedded import Servers, embedded
from domain.record.recorded import Recorded
from projections.rebuild import Progress
from service.cli import replay
from service.cli.narrator import Event
from service.commands import erasing
from service.commands.handler import NoSuchTable
from service.config import PREFIX, Settings
from service.run.errors import ServeError
from service.run.schema import bring_up_to_date, owner_url
from service.wiring import Services, open_services

T = TypeVar("T")


@contextmanager
def servers(settings: Settings) -> Iterator[Servers]:
    """The servers of these settings. Raises ServeError where there is no data yet, and EmbeddedError."""
    if settings.database_url is None and not (settings.data_dir / "postgres").is_dir():
        raise ServeError(
            f"there is no data in {settings.data_dir.absolute()}: start the service there with `codille serve`, "
            f"or name its directory in {PREFIX}DATA_DIR or its database in {PREFIX}DATABASE_URL"
        )
    with embedded(
        settings.data_dir, database_url=settings.database_url, redis_url=settings.redis_url, share=True
    ) as found:
        yield found


def with_services(settings: Settings, work: Callable[[Services], Awaitable[T]]) -> T:
    """Does the work on the services that the settings describe, and answers its result.

    Raises what `servers` raises, and what the store and the read models raise when they cannot be reached.
    """
    with servers(settings) as found:
        if settings.database_url is None:
            bring_up_to_date(settings, found.database_url)

        async def run() -> T:
            async with open_services(settings, found.database_url, found.redis_url) as services:
                return await work(services)

        return asyncio.run(run())


def migrate(settings: Settings) -> list[str]:
    """Brings the schema up to date, laying it out where there is none, and answers what was run. Raises ServeError."""
    # No read models are needed for this, so wherever they are will do.
    with embedded(
        settings.data_dir, database_url=settings.database_url, redis_url=settings.redis_url or "unused", share=True
    ) as found:
        return bring_up_to_date(settings, found.database_url)


def rebuild(settings: Settings, progress: Progress) -> None:
    """Builds the read models anew from the log and switches to them. Raises RebuildRunning and RebuildFailed too."""

    async def work(services: Services) -> None:
        await services.projector.rebuild(progress)

    with_services(settings, work)


def erase_text(settings: Settings, table: str, version: int) -> int:
    """Erases the words of an event and answers the version of the event that tells so. See `erasing.erase_text`."""
    with servers(settings) as found:
        if settings.database_url is None:
            bring_up_to_date(settings, found.database_url)

        async def run() -> int:
            async with open_services(settings, found.database_url, found.redis_url) as services:
                owner = owner_url(settings, found.database_url)
                return await erasing.erase_text(services.store, services.reader, owner, table, version)

        return asyncio.run(run())


def recorded(settings: Settings, table: str) -> tuple[list[Event], dict[str, str]]:
    """A table's events as anyone may see them, and its players' names by id. Raises NoSuchTable."""

    async def work(services: Services) -> tuple[list[Event], dict[str, str]]:
        records: list[Recorded] = await services.tables.records(table)
        if not records:
            raise NoSuchTable("no table has this id")
        events = replay.from_records(records)
        found = await services.accounts.players(sorted(replay.players(events)))
        return events, {player.id: replay.named(player.name) for player in found.values()}

    return with_services(settings, work)
