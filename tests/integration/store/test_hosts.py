"""A database with standbys: the service finds the primary, and finds it again after a failover."""

import asyncio
import gc
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from service.store.database import Database, StoreUnavailable
from service.store.hosts import Hosts
from tests.support.postgres import Postgres, binaries
from tests.support.waiting import PATIENCE_S

WRITE = "INSERT INTO written VALUES (current_setting('unix_socket_directories')) RETURNING by"
STANDBY = "ALTER SYSTEM SET default_transaction_read_only = on"
PRIMARY = ("SET default_transaction_read_only = off", "ALTER SYSTEM RESET default_transaction_read_only")
RELOAD = "SELECT pg_reload_conf()"


@pytest.fixture(scope="module")
def hosts() -> Iterator[list[Postgres]]:
    """Two servers that know nothing of each other; the first one refuses to write, as a standby does."""
    servers = [Postgres(binaries()) for _ in range(2)]
    try:
        for server in servers:
            server.start()
            server.execute("CREATE TABLE written (by text)")
        become(servers[0], STANDBY)
        yield servers
    finally:
        for server in servers:
            server.remove()


def become(server: Postgres, *statements: str) -> None:
    server.execute(*statements, RELOAD)


def address(*folders: Path) -> str:
    return f"postgresql://postgres@/postgres?host={','.join(map(str, folders))}"


@contextmanager
def silent(folder: Path) -> Iterator[Path]:
    """A host that takes connections and says nothing."""
    folder.mkdir()
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(folder / ".s.PGSQL.5432"))
        listening.listen()
        yield folder


async def home_of(connection: "asyncpg.Connection[asyncpg.Record]") -> str:
    try:
        return str(await connection.fetchval("SELECT current_setting('unix_socket_directories')"))
    finally:
        await connection.close()


async def test_a_standby_is_passed_over(hosts: list[Postgres]) -> None:
    folders = [host.socket.parent for host in hosts]
    assert await home_of(await Hosts(address(*folders)).connect()) == str(folders[1])
    assert await home_of(await Hosts(f"{address(*folders)}&target_session_attrs=any").connect()) == str(folders[0])
    assert await home_of(await Hosts(address(folders[0])).connect()) == str(folders[0])


class Watch:
    """Keeps what is reported of outages."""

    def __init__(self) -> None:
        self.failures: list[tuple[str, str]] = []

    def failed(self, cause: str, reason: str) -> None:
        self.failures.append((cause, reason))

    def answered(self) -> None:
        """Nothing is kept of it."""


async def test_of_an_outage_postgres_own_message_is_reported(hosts: list[Postgres]) -> None:
    standby, primary = (host.socket.parent for host in hosts)
    roles = ("full LOGIN CONNECTION LIMIT 0", "locked_out LOGIN PASSWORD 'right'")
    await asyncio.to_thread(hosts[1].execute, *(f"CREATE ROLE {role}" for role in roles))
    await asyncio.to_thread(hosts[0].execute, PRIMARY[0], "CREATE ROLE full LOGIN")
    cases = (
        (
            address(primary, standby).replace("postgres@", "full@"),
            "too-many-connections",
            "too many connections for role",
        ),
        (address(primary).replace("postgres@", "locked_out:wrong@"), "failing", "password authentication failed"),
        (address(primary).replace("@/postgres", "@/none"), "failing", 'database "none" does not exist'),
        (address(standby, standby), "read-only", "match the target"),
    )
    try:
        for dsn, cause, reason in cases:
            watch = Watch()
            async with Database(dsn, owner=True, watch=watch) as database:
                with pytest.raises(StoreUnavailable, match=reason):
                    await database.fetch("SELECT 1")
            assert [(failed, reason in text) for failed, text in watch.failures] == [(cause, True)]
    finally:
        await asyncio.to_thread(hosts[1].execute, *(f"DROP ROLE {role.split()[0]}" for role in roles))
        await asyncio.to_thread(hosts[0].execute, PRIMARY[0], "DROP ROLE full")


async def test_hosts_that_are_gone_or_silent_cost_little(hosts: list[Postgres], tmp_path: Path) -> None:
    with silent(tmp_path / "s") as quiet:
        several = Hosts(address(tmp_path / "none", quiet, hosts[1].socket.parent))
        for _ in range(2):
            assert await home_of(await several.connect(timeout=2.0)) == str(hosts[1].socket.parent)
        with pytest.raises(TimeoutError):
            await Hosts(address(tmp_path / "none", quiet)).connect(timeout=0.2)


async def test_after_a_failover_no_connection_to_the_former_primary_is_used(hosts: list[Postgres]) -> None:
    folders = [host.socket.parent for host in hosts]
    async with Database(address(*folders), owner=True, connections=3) as database:
        rows = await asyncio.gather(*(database.fetch(WRITE) for _ in range(3)))
        assert {by for ((by,),) in rows} == {str(folders[1])}
        await asyncio.to_thread(become, hosts[1], STANDBY)
        await asyncio.to_thread(become, hosts[0], *PRIMARY)
        try:
            for _ in range(3):
                with suppress(StoreUnavailable):
                    await database.fetch(WRITE)
            rows = await asyncio.gather(*(database.fetch(WRITE) for _ in range(3)))
            assert {by for ((by,),) in rows} == {str(folders[0])}
        finally:
            await asyncio.to_thread(become, hosts[1], *PRIMARY)
            await asyncio.to_thread(become, hosts[0], STANDBY)


async def test_a_primary_whose_writes_wait_in_vain_gives_way_to_another(hosts: list[Postgres]) -> None:
    """A former primary that nobody could tell takes connections, and its commits wait for ever."""
    folders = [host.socket.parent for host in hosts]
    await asyncio.to_thread(become, hosts[0], *PRIMARY)
    holding = await asyncpg.connect(hosts[0].dsn())
    try:
        async with (
            holding.transaction(),
            Database(address(*folders), owner=True, connections=3, command_s=0.5) as database,
        ):
            await holding.execute("LOCK TABLE written")
            failed = await asyncio.gather(*(database.fetch(WRITE) for _ in range(3)), return_exceptions=True)
            assert [isinstance(one, StoreUnavailable) for one in failed] == [True] * 3
            rows = await asyncio.gather(*(database.fetch(WRITE) for _ in range(3)))
            assert {by for ((by,),) in rows} == {str(folders[1])}
    finally:
        await holding.close()
        await asyncio.to_thread(become, hosts[0], STANDBY)


async def test_connections_to_a_host_that_stands_still_are_given_up_without_a_word(hosts: list[Postgres]) -> None:
    folders, complaints = [host.socket.parent for host in hosts], list[dict[str, Any]]()
    asyncio.get_running_loop().set_exception_handler(lambda _, complaint: complaints.append(complaint))
    await asyncio.to_thread(become, hosts[0], *PRIMARY)
    try:
        async with Database(address(*folders), owner=True, connections=3, command_s=0.5) as database:
            rows = await asyncio.gather(*(database.fetch(WRITE) for _ in range(3)))
            assert {by for ((by,),) in rows} == {str(folders[0])}
            hosts[0].freeze()
            with pytest.raises(StoreUnavailable):
                await database.fetch(WRITE)
            rows = await asyncio.gather(*(database.fetch(WRITE) for _ in range(3)))
            assert {by for ((by,),) in rows} == {str(folders[1])}
            async with asyncio.timeout(PATIENCE_S):
                while len(asyncio.all_tasks()) > 1:  # noqa: ASYNC110 (the driver's own tasks)
                    await asyncio.sleep(0.02)
        # Only then does the loop hear of a task whose error nobody has taken.
        gc.collect()
        assert complaints == []
    finally:
        hosts[0].thaw()
        await asyncio.to_thread(become, hosts[0], STANDBY)
