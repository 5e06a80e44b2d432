"""PgBouncer, which pools transactions, between the service and Postgres."""

import asyncio
import subprocess
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import httpx
import pytest

from service.cli.doctor import examine
from service.store.database import Database, StoreUnavailable, WrongAddress
from service.store.hosts import Hosts
from tests.support.followers import Follower
from tests.support.games import chance
from tests.support.pgbouncer import PROGRAM, PgBouncer, pgbouncer
from tests.support.picking import pick
from tests.support.postgres import Databases, as_service
from tests.support.receivers import receiving
from tests.support.service import CODILLE, SHARED, environment, running
from tests.support.timekeeping import until_it
from tests.support.waiting import PATIENCE_S, until

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="pgbouncer is neither installed nor unpacked")

OPEN = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'"
TOLERANT = "ignore_startup_parameters = statement_timeout"


@pytest.fixture(scope="module")
def pooler(databases: Databases) -> Iterator[PgBouncer]:
    """One that nothing stops."""
    with pgbouncer(databases.home) as pooler:
        yield pooler


async def test_a_game_is_played_to_its_end_by_processes_of_all_roles(
    databases: Databases, dsn: str, empty_redis: str, tmp_path: Path
) -> None:
    with pgbouncer(databases.home) as pooler:
        settings = SHARED | {
            "CODILLE_DATABASE_URL": pooler.through(as_service(dsn)),
            "CODILLE_DATABASE_DIRECT_URL": as_service(dsn),
            "CODILLE_DATABASE_OWNER_URL": dsn,
            "CODILLE_STANDBY_URL": pooler.through(as_service(dsn)),
            "CODILLE_REDIS_URL": empty_redis,
            "CODILLE_WORKERS": "2",
            "CODILLE_BOT_PROCESSES": "1",
        }
        with running(tmp_path / "data", settings=settings) as service:
            async with (
                receiving() as receiver,
                httpx.AsyncClient(base_url=f"{service.url}/v1", timeout=PATIENCE_S, trust_env=False) as http,
            ):
                token = (await http.post("/players", json={"name": "Ada"})).json()["token"]
                http.headers["Authorization"] = f"Bearer {token}"
                hook = {"url": receiver.url, "events": ["game-over"]}
                assert (await http.post("/webhooks", json=hook)).status_code == 201
                opened = {"game": "ombre", "deals": 3, "bots": {"1": "quick", "2": "random"}}
                path = f"/tables/{(await http.post('/tables', json=opened)).json()['table']}"
                streams = [
                    Follower(lambda: service.url, f"/v1{path}/events/stream", token),
                    Follower(lambda: service.url, "/v1/players/me/stream", token, after=None),
                ]
                try:
                    assert (await http.post(f"{path}/seats", json={"seat": 0})).status_code == 201
                    await play(http, path, upto=30)
                    await asyncio.to_thread(pooler.kill)
                    refused = await http.post("/tables", json=opened)
                    assert (refused.status_code, refused.json()["code"]) == (503, "unavailable")
                    assert int(refused.headers["retry-after"]) >= 1
                    assert (await http.get(f"{service.url}/health/ready")).status_code == 503
                    await asyncio.to_thread(pooler.start)
                    await play(http, path)
                    last = (await http.get(path)).json()["version"]
                    await until(lambda: streams[0].ids[-1:] == [last])
                    assert streams[0].ids == list(range(1, last + 1))
                    await until(lambda: "game-over" in str(streams[1].frames[-3:]))
                finally:
                    for stream in streams:
                        stream.stop()
                await receiver.until(lambda one: bool(one.received))
                # The process with the key signs it, as this one asks through Postgres.
                record = await http.get(f"{path}/export")
                assert record.status_code == 200, record.text
                async with asyncio.timeout(PATIENCE_S):
                    # What met the outage goes on at its next look.
                    while (await http.get(f"{service.url}/health/ready")).json()["halted"]:  # noqa: ASYNC110 (as said)
                        await asyncio.sleep(0.1)
        (tmp_path / "record").write_bytes(record.content)
        for command in (["verify", "--unpinned", str(tmp_path / "record")], ["audit"], ["migrate"]):
            ended = await asyncio.to_thread(codille, *command, **settings)
            assert ended.returncode == 0, ended.stdout + ended.stderr


async def play(http: httpx.AsyncClient, path: str, upto: int | None = None) -> None:
    """Acts for the first seat up to a version, or to the game's end. Waits out an outage."""
    while True:
        table = await http.get(path)
        if table.status_code == 200:
            view = table.json()
            if view["status"] == "finished" or (upto is not None and view["version"] >= upto):
                return
            offered = await http.get(f"{path}/offers")
            if offered.status_code == 200 and 0 in offered.json()["to_act"]:
                action = pick(offered.json()["offers"], chance(view["version"]))
                acted = await http.post(f"{path}/actions", json=action)
                assert acted.status_code in (200, 201, 409, 503), acted.text
                continue
        await asyncio.sleep(0.02)


def codille(*command: str, **settings: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [CODILLE, *command],
        env=environment(Path(), settings),
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


async def test_queries_are_independent_of_the_session_that_they_get(pooler: PgBouncer, dsn: str) -> None:
    async with Database(pooler.through(as_service(dsn)), statement_s=3) as database:
        query = "SELECT pg_backend_pid(), current_setting('statement_timeout'), $1::int, pg_sleep(0.001)"
        rows = [rows[0] for rows in await asyncio.gather(*(database.fetch(query, n) for n in range(200)))]
        assert len({row[0] for row in rows}) > 1
        assert [(row[1], row[2]) for row in rows] == [("3s", n) for n in range(200)]
        # Neither a mistake nor a caller that gives up leaves a transaction open.
        with pytest.raises(asyncpg.DivisionByZeroError):
            await database.fetch("SELECT 1/0")
        with pytest.raises(asyncpg.DataError):
            await database.fetch("SELECT $1::uuid", "nonsense")
        asked = [asyncio.create_task(database.fetch("SELECT pg_sleep(0.002)")) for _ in range(60)]
        for number, one in enumerate(asked):
            for _ in range(number):
                await asyncio.sleep(0)
            one.cancel()
        outcomes = await asyncio.gather(*asked, return_exceptions=True)
        assert all(isinstance(one, list | asyncio.CancelledError) for one in outcomes), outcomes
        async with Database(as_service(dsn)) as direct:
            await until_it(lambda: nobody_holds(direct))
        assert await database.fetch("SELECT 1") == [(1,)]


async def nobody_holds(database: Database) -> bool:
    """Whether no transaction is open that nothing is done in."""
    return not await database.fetch(OPEN)


async def test_a_pooler_that_the_address_does_not_mention_is_named(
    databases: Databases, dsn: str, tmp_path: Path
) -> None:
    for more in ("", TOLERANT):
        with pgbouncer(databases.home, more) as pooler:
            address = pooler.through(as_service(dsn), "")
            async with Database(address) as database:
                with pytest.raises(WrongAddress, match="pgbouncer=true"):
                    await database.check_sessions()
            for settings in (
                {"CODILLE_DATABASE_URL": address},
                {"CODILLE_DATABASE_URL": as_service(dsn), "CODILLE_STANDBY_URL": address},
            ):
                settings |= {"CODILLE_REDIS_URL": "redis://127.0.0.1:1", "CODILLE_DATA_DIR": str(tmp_path)}
                ended = await asyncio.to_thread(codille, "serve", **settings)
                assert ended.returncode == 1
                assert "pgbouncer=true" in ended.stderr.splitlines()[-1]
                assert "Traceback" not in ended.stderr
                findings = [one for one in await asyncio.to_thread(examine, settings) if one.to_do]
                assert any("leads through PgBouncer" in one.text for one in findings), findings
                assert any("add the parameter pgbouncer=true" in str(one.to_do) for one in findings), findings
    # What pools sessions works as it is.
    with pgbouncer(databases.home, f"{TOLERANT}\npool_mode = session") as pooler:
        async with Database(pooler.through(as_service(dsn), "")) as database:
            await database.check_sessions()
            assert await database.fetch("SELECT 1") == [(1,)]


async def test_sessions_that_are_another_callers_are_an_outage_that_says_what_to_do(
    databases: Databases, dsn: str
) -> None:
    with pgbouncer(databases.home, TOLERANT) as pooler:
        async with Database(pooler.through(as_service(dsn), "")) as database:
            queries = (database.fetch(f"SELECT {n % 7}, pg_sleep(0.001)") for n in range(200))
            outcomes = await asyncio.gather(*queries, return_exceptions=True)
    refused = [one for one in outcomes if isinstance(one, BaseException)]
    assert refused
    assert all(isinstance(one, StoreUnavailable) for one in refused), refused
    assert any(isinstance(one, WrongAddress) and "pgbouncer=true" in str(one) for one in refused)


async def test_of_several_poolers_the_one_before_the_primary_is_used(databases: Databases, dsn: str) -> None:
    standby = "connect_query = 'SET default_transaction_read_only = on'"
    with pgbouncer(databases.home) as primary, pgbouncer(databases.home, databases=standby) as reading:
        folders = ",".join(str(one.home) for one in (reading, primary))
        hosts = Hosts(f"{as_service(dsn).partition('?')[0]}?host={folders}&pgbouncer=true")
        connection = await hosts.connect()
        try:
            assert hosts.first == 1
            assert hosts.pooled
        finally:
            await connection.close()
