"""Dumps: which records they have, the same lines each time, and how they are served until words are erased."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import zstandard
from msgspec import structs

from domain.record.recorded import Recorded
from domain.table.actions import Entry, OpenDispute, RuleDispute
from domain.table.options import SpectatorDelay, TableOptions
from projections.archive.rows import FOLD
from service.app import create_app
from service.cli.verify import INTACT, run
from service.commands.erasing import erase_text
from service.compute.heavy_reads import HeavyReads
from service.compute.jobs import JobContext
from service.config import Settings
from service.queries import dump_records, exports
from service.queries.dump_files import DumpManifest
from service.queries.dump_records import ArchiveBehind, Dumps
from service.queries.finished_games import FinishedGames
from service.services import Services
from service.store.archive_store import ArchiveStore
from service.store.database import Database
from service.store.store import Store
from service.transparency import SigningKey
from tests.contract.conftest import SECRET, client_of, configured, problem, services_over
from tests.contract.test_pages import BROWSER, page
from tests.contract.test_player_records import player_exports_of
from tests.support.archiving import append, archivist, does, rebuilt
from tests.support.exports import verified
from tests.support.for_each import for_each
from tests.support.postgres import as_service
from tests.support.projecting import EVERYBODY, READER, played, quiet
from tests.support.registry import GAMES

MONTH = "2026-11"
KEY = str(SigningKey(SECRET).verifier)
FIFTEEN_DAYS = 15 * 24 * 60 * 60

SECOND, FIRST = played(1, 500), played(2, 0)
LATE = played(3, 900, TableOptions(spectator_delay=SpectatorDelay(seconds=30)))
HIDDEN = [played(4 + number, 50, TableOptions(visibility=one)) for number, one in enumerate(("private", "unlisted"))]
RUNNING = played(6, 100)[:-9]
RUNNING_LATE = played(7, 100, TableOptions(spectator_delay=SpectatorDelay(seconds=30)))[:-9]
NEXT_MONTH = played(8, FIFTEEN_DAYS)
DUMPED = (FIRST, SECOND, LATE)
"""What is in the dump, in the order in which the games are appended."""


@pytest.fixture
async def database(dsn: str) -> AsyncIterator[Database]:
    async with Database(as_service(dsn)) as database:
        await append(database, [*DUMPED, *HIDDEN, RUNNING, RUNNING_LATE, NEXT_MONTH])
        await rebuilt(database)
        yield database


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "dumps"


@pytest.fixture
def services(database: Database, folder: Path) -> Services:
    services = services_over(database)
    return configured(structs.replace(services.settings, dumps_dir=folder), services)


@pytest.fixture
async def client(services: Services) -> AsyncIterator[httpx.AsyncClient]:
    async with client_of(create_app(services)) as client:
        yield client


def dumps_of(services: Services) -> Dumps:
    log = services.log
    heavy = HeavyReads(JobContext(log.store, log.transparency, services.reader, services.tables.folds), None)
    games = FinishedGames(services.edge.archive)
    return Dumps(games, log.store, log.transparency, services.reader, heavy)


async def dumped(services: Services, folder: Path, month: str = MONTH, licence: str | None = None) -> DumpManifest:
    manifest, left_out = await dumps_of(services).write(month, folder, licence, quiet)
    assert left_out == 0
    return manifest


def lines(folder: Path, manifest: DumpManifest) -> bytes:
    packed = (folder / manifest.file).read_bytes()
    return zstandard.ZstdDecompressor().decompressobj().decompress(packed)


def tables_in(data: bytes) -> list[str]:
    found = [verified(record, KEY) for record in player_exports_of(data)]
    assert {(one.verdict, one.audience) for one in found} <= {("intact", "public")}
    return [str(one.table) for one in found]


async def written(database: Database, game: list[Recorded], reason: str) -> int:
    """The version of a dispute with this reason, which is opened at the table."""
    (opened, *_) = await does(database, game[0].table, OpenDispute(EVERYBODY[0], (), 1, reason))
    await rebuilt(database)
    return opened.version


async def test_a_dump_has_the_finished_games_that_lists_show_in_the_order_of_their_ends(
    services: Services, folder: Path
) -> None:
    manifest = await dumped(services, folder, licence="CC0-1.0")
    data = lines(folder, manifest)
    assert tables_in(data) == [game[0].table for game in DUMPED]
    assert (manifest.records, manifest.events) == (3, sum(map(len, DUMPED)))
    assert (manifest.keys, manifest.licence) == ((KEY,), "CC0-1.0")
    assert run(folder, GAMES, [KEY]) == INTACT
    following = await dumped(services, folder, "2026-12")
    assert tables_in(lines(folder, following)) == [NEXT_MONTH[0].table]
    assert b"licence" not in (folder / following.name).read_bytes()
    empty = await dumped(services, folder, "2026-10")
    assert (empty.records, lines(folder, empty)) == (0, b"")
    assert run(folder, GAMES, [KEY]) == INTACT


async def test_the_lines_stay_the_same_while_none_of_the_tables_changes(
    services: Services, database: Database, folder: Path
) -> None:
    first = await dumped(services, folder)
    await append(database, [played(20, FIFTEEN_DAYS)])
    await rebuilt(database)
    assert await dumped(services, folder) == first


async def test_a_ruling_makes_another_dump(services: Services, database: Database, folder: Path) -> None:
    first = await dumped(services, folder)
    await written(database, FIRST, "wrong")
    entry = Entry(0, 1, 40, "correction", "CR-9.1", "by agreement")
    await does(database, FIRST[0].table, RuleDispute("an arbiter", 1, "upheld", "so be it", (entry,)))
    await rebuilt(database)
    second = await dumped(services, folder)
    assert second.events > first.events
    assert second.size > first.size
    assert b"so be it" in lines(folder, second)
    assert run(folder, GAMES, [KEY]) == INTACT


async def test_where_words_are_erased_it_is_not_served_until_it_is_made_anew(
    services: Services,
    database: Database,
    folder: Path,
    dsn: str,
    client: httpx.AsyncClient,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    version = await written(database, SECOND, "Low Street 5")
    first = await dumped(services, folder)
    assert b"Low Street 5" in lines(folder, first)
    assert (await client.get(f"/archive/dumps/{first.file}")).status_code == 200
    await erase_text(Store(database), READER, dsn, SECOND[0].table, version)
    # While the archive lags behind there is no new dump, and none with these words.
    monkeypatch.setattr(dump_records, "STALL_S", 0.1)
    with pytest.raises(ArchiveBehind):
        await dumped(services, folder)
    await rebuilt(database)
    (outdated,) = (await client.get("/archive/dumps/")).json()["items"]
    assert not outdated["current"]
    for name in (first.file, first.name):
        problem(await client.get(f"/archive/dumps/{name}"), 410, "dump-outdated")
    shown = page(await client.get("/archive/dumps/", headers={"Accept": BROWSER}), 200)
    assert first.file not in shown
    second = await dumped(services, folder)
    assert b"Low Street 5" not in lines(folder, second)
    assert run(folder, GAMES, [KEY]) == INTACT
    assert (await client.get(f"/archive/dumps/{second.file}")).content == (folder / second.file).read_bytes()
    problem(await client.get(f"/archive/dumps/{first.file}"), 404, "no-such-route")


async def test_words_that_are_erased_while_it_is_made_are_not_in_it(
    services: Services, database: Database, folder: Path, dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    version = await written(database, SECOND, "Low Street 5")
    prepared: list[str] = []

    async def export_at(transparency: Any, table: str, *rest: Any) -> Any:
        export = await exports.export_at(transparency, table, *rest)
        if table == SECOND[0].table and not prepared.count(table):
            await erase_text(Store(database), READER, dsn, table, version)
        prepared.append(table)
        return export

    monkeypatch.setattr(dump_records, "export_at", export_at)
    stop = asyncio.Event()
    following = asyncio.create_task(archivist(database).run(stop))
    data = lines(folder, await dumped(services, folder))
    stop.set()
    await following
    assert b"Low Street 5" not in data
    assert tables_in(data) == [game[0].table for game in DUMPED]
    assert prepared.count(SECOND[0].table) == 2


async def test_while_the_archive_is_built_no_dump_is_served(
    services: Services, database: Database, folder: Path, client: httpx.AsyncClient
) -> None:
    manifest = await dumped(services, folder)
    stored = ArchiveStore(database)
    assert await stored.restart((await stored.checkpoint()).point, FOLD, await Store(database).end())
    for path in ("", manifest.name, manifest.file):
        refused = await client.get(f"/archive/dumps/{path}")
        assert "being built" in problem(refused, 503, "unavailable")["detail"]
        assert refused.headers["retry-after"]


async def test_an_archive_that_does_not_follow_the_log_makes_no_dump(
    services: Services, database: Database, folder: Path, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dump_records, "STALL_S", 0.1)
    await append(database, [played(20, 0)])
    with pytest.raises(ArchiveBehind):
        await dumped(services, folder)
    problem(await client.get(f"/archive/dumps/codille-{MONTH}.json"), 404, "no-such-route")
    await rebuilt(database)
    assert (await dumped(services, folder)).records == 4


async def test_programs_get_a_list_and_browsers_a_page(
    services: Services, folder: Path, client: httpx.AsyncClient
) -> None:
    assert (await client.get("/archive/dumps/")).json() == {"items": []}
    manifest = await dumped(services, folder, licence='CC0 "<b>"')
    (item,) = (await client.get("/archive/dumps/")).json()["items"]
    assert item["current"]
    assert item["url"] == f"http://codille.test/archive/dumps/{manifest.file}"
    assert (await client.get(item["manifest_url"])).content == (folder / manifest.name).read_bytes()
    shown = page(await client.get("/archive/dumps/", headers={"Accept": BROWSER}), 200)
    assert f'<a href="{manifest.file}">' in shown
    assert "<b>" not in shown
    assert '<a href="/archive/dumps/">' in page(await client.get("/archive", headers={"Accept": BROWSER}), 200)
    leads = await client.get("/archive/dumps")
    assert (leads.status_code, leads.headers["location"]) == (308, "/archive/dumps/")


async def test_a_file_is_sent_as_it_is_and_revalidated(
    services: Services, folder: Path, client: httpx.AsyncClient
) -> None:
    manifest = await dumped(services, folder)
    path, data = f"/archive/dumps/{manifest.file}", (folder / manifest.file).read_bytes()
    whole = await client.get(path, headers={"Accept-Encoding": "gzip"})
    assert (whole.content, whole.headers["content-type"]) == (data, "application/zstd")
    assert (whole.headers["cache-control"], whole.headers["content-length"]) == ("no-cache", str(len(data)))
    head = await client.head(path)
    assert (head.status_code, head.content, head.headers["content-length"]) == (200, b"", str(len(data)))
    same = await client.get(path, headers={"If-None-Match": whole.headers["etag"]})
    assert (same.status_code, same.content) == (304, b"")


@for_each(
    "path",
    ["codille-2026-11.txt", "codille-2026-10.json", "../../secret.json", "%2e%2e%2fx",
     "secret.json", "codille-secret.json", ".left.part",
     "/", "codille-2026-11.json/", "CODILLE-2026-11.JSON", "a/b", "%00"],
)  # fmt: skip
async def test_there_is_nothing_else(services: Services, folder: Path, client: httpx.AsyncClient, path: str) -> None:
    await dumped(services, folder)
    for place in (folder, folder.parent):
        for name in ("secret.json", "secret.json", "codille-secret.json", ".left.part"):
            (place / name).write_text("{}")
    url = httpx.URL("http://codille.test").copy_with(raw_path=f"/archive/dumps/{path}".encode())
    answer = await client.get(url)
    assert answer.status_code in (400, 404), (path, answer.status_code)


async def test_without_a_folder_no_dumps_are_served(database: Database) -> None:
    async with client_of(create_app(services_over(database, settings=Settings(rate_limit=None)))) as client:
        for path in ("/archive/dumps/", f"/archive/dumps/codille-{MONTH}.json"):
            problem(await client.get(path), 404, "no-such-route")
