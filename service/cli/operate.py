"""An operator's work directly on the service's servers: players, tokens, read models, records.

The embedded servers are shared with a running service. Without one, they run for as long as the work takes.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from deploy.embedded import Servers, embedded
from domain.record.history import Reader
from domain.record.recorded import Recorded
from projections.rebuild import Progress
from projections.tasks import cancel_and_wait
from service.cli import replay
from service.commands import erasing
from service.commands.cache import NoSuchTable
from service.compute.heavy_reads import HeavyReads
from service.compute.jobs import JobContext
from service.config import PREFIX, Settings, load_registry
from service.live.archivist import Archivist
from service.queries.archive_search import ArchiveSearch
from service.queries.dump_files import DumpManifest
from service.queries.dump_records import Dumps
from service.queries.finished_games import FinishedGames
from service.run.schema import bring_up_to_date, left_to_do
from service.run.serve_error import ServeError
from service.services import Services
from service.store.accounts import Accounts
from service.store.archive_store import ArchiveStore
from service.store.database import Database
from service.store.erasure import NotTheOwner
from service.store.rules_in_use import tables_of_unknown_rules
from service.watchers import open_projector
from service.wiring import open_services

T = TypeVar("T")


def servers(settings: Settings) -> AbstractContextManager[Servers]:
    """The servers in the settings.

    Raises ServeError if there is no data yet, and EmbeddedError if the embedded servers do not start.
    """
    if settings.database_url is None and not (settings.data_dir / "postgres").is_dir():
        raise ServeError(
            f"there is no data in {settings.data_dir.absolute()}: start the service there with `codille serve`, "
            f"or name its directory in {PREFIX}DATA_DIR or its database in {PREFIX}DATABASE_URL"
        )
    return _shared(settings, settings.redis_url)


def _shared(settings: Settings, redis_url: str | None) -> AbstractContextManager[Servers]:
    """The servers in the settings, with Redis at this URL."""
    return embedded(
        settings.data_dir,
        database_url=settings.database_url,
        owner_url=settings.database_owner_url,
        redis_url=redis_url,
        share=True,
    )


def with_services(settings: Settings, work: Callable[[Services, Servers], Awaitable[T]]) -> T:
    """Runs the work on the services of these settings and their servers, and returns its result.

    Raises what `servers` raises, and StoreUnavailable or ReadModelsUnavailable on an outage.
    """
    with servers(settings) as running:
        if settings.database_url is None:
            bring_up_to_date(running)

        async def run() -> T:
            async with open_services(settings, running.database_url, running.redis_url) as services:
                return await work(services, running)

        return asyncio.run(run())


def migrate(settings: Settings) -> tuple[list[str], list[str], int]:
    """Creates or updates the schema. Raises ServeError.

    Returns the migrations that were run, the statements for an administrator of Postgres, and the number of tables
    whose pinned rules are unknown here.
    """
    # Migrations need no read models, so any address will do for them.
    with _shared(settings, settings.redis_url or "unused") as running:
        owner, reader = _owner_url(running), Reader(load_registry(settings.registry))
        run, left = bring_up_to_date(running), left_to_do(running)
        return run, left, asyncio.run(tables_of_unknown_rules(owner, reader))


def as_owner(settings: Settings, work: Callable[[Accounts], Awaitable[T]]) -> T:
    """Runs the work on the accounts as the owner, who may grant any scope.

    Raises ServeError if the owner's URL is unknown, what `servers` raises, and StoreUnavailable.
    """
    with servers(settings) as running:
        owner = _owner_url(running)
        if settings.database_url is None:
            bring_up_to_date(running)

        async def run() -> T:
            async with Database(owner, owner=True, connections=1) as database:
                return await work(Accounts(database))

        return asyncio.run(run())


def _owner_url(running: Servers) -> str:
    if running.owner_url is None:
        raise ServeError(f"only the owner of the database may do this: name its address in {PREFIX}DATABASE_OWNER_URL")
    return running.owner_url


def rebuild(settings: Settings, progress: Progress) -> None:
    """Rebuilds the read models from the log and switches to them.

    Raises RebuildRunning if another rebuild is in progress, RebuildFailed, and what `with_services` raises.
    """

    async def work(services: Services, running: Servers) -> None:
        async with open_projector(services, running.redis_url) as projector:
            await projector.rebuild(progress)

    with_services(settings, work)


def rebuild_archive(settings: Settings, progress: Progress) -> None:
    """Builds the archive anew from the log.

    Raises ArchiveOfLaterVersion and GapInLog, and what `with_services` raises.
    """

    async def work(services: Services, _: Servers) -> None:
        log = services.log
        stored = ArchiveStore(log.database)
        await Archivist(stored, log.source, services.reader, services.metrics, services.logger).rebuild(progress)

    with_services(settings, work)


def dump_archive(settings: Settings, month: str, folder: Path, progress: Progress) -> tuple[DumpManifest, int]:
    """Writes the dump of a month, as YYYY-MM, into the folder. The archive follows the log meanwhile.

    Returns the manifest, and how many tables were left out since this version cannot read their records. Raises
    ArchiveBehind and GapInLog, NoKey and LogAltered, OSError, and what `with_services` raises.
    """

    async def work(services: Services, _: Servers) -> tuple[DumpManifest, int]:
        log, tables = services.log, services.tables
        games = FinishedGames(ArchiveSearch(log.database, services.players.accounts, services.reader))
        heavy = HeavyReads(JobContext(log.store, log.transparency, services.reader, tables.folds), None)
        dumps = Dumps(games, log.store, log.transparency, services.reader, heavy)
        stored = ArchiveStore(log.database)
        keeper = Archivist(stored, log.source, services.reader, services.metrics, services.logger)
        following = asyncio.create_task(keeper.run(asyncio.Event()))
        try:
            return await dumps.write(month, folder, settings.dump_licence, progress)
        finally:
            await cancel_and_wait(following)

    return with_services(settings, work)


def erase_text(settings: Settings, table: str, version: int) -> int:
    """Erases an event's text, and returns the version of the event that records it.

    Raises ServeError if the owner's URL is unknown or another role's, and as `erasing.erase_text`.
    """

    async def work(services: Services, running: Servers) -> int:
        return await erasing.erase_text(services.log.store, services.reader, _owner_url(running), table, version)

    return _from_the_log(settings, work)


def erase_words(settings: Settings, player: str | None) -> dict[str, erasing.ErasedWords]:
    """Erases a player's profile and words, or without a player the words of all who asked for it.

    Returns what was erased, by player. Raises ServeError if there is no such player, or if the owner's URL is unknown
    or another role's, and as `erasing.erase_words`.
    """

    async def work(services: Services, running: Servers) -> dict[str, erasing.ErasedWords]:
        owner = _owner_url(running)
        if player is not None and not await services.players.accounts.erase(player, datetime.now(UTC), words=True):
            raise ServeError(f"there is no player {player}")
        asked = await services.players.accounts.words_asked() if player is None else [player]
        return {one: await erasing.erase_words(services.log.store, services.reader, owner, one) for one in asked}

    return _from_the_log(settings, work)


def _from_the_log(settings: Settings, work: Callable[[Services, Servers], Awaitable[T]]) -> T:
    """As `with_services`, for work that erases from the log. Raises ServeError if that is not the owner's."""
    try:
        return with_services(settings, work)
    except NotTheOwner as error:
        raise ServeError(
            f"only the owner of the log may erase from it; name its role in {PREFIX}DATABASE_OWNER_URL"
        ) from error


def recorded(settings: Settings, table: str) -> replay.Recording:
    """The recording of a table, from the database. Raises NoSuchTable if there is none."""

    async def work(services: Services, _: Servers) -> replay.Recording:
        records: list[Recorded] = await services.log.store.stream(table)
        if not records:
            raise NoSuchTable("no table has this id")
        known = await services.players.accounts.players(replay.players(replay.from_records(records)))
        profiles = {player.id: replay.display_name(player.name) for player in known.values()}
        return replay.from_log(records, load_registry(settings.registry), profiles)

    return with_services(settings, work)
