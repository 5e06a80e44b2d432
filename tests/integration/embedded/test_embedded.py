"""The embedded servers: what they keep, how they end, and what they refuse."""

import asyncio
import os
import signal
import threading
import time
from contextlib import suppress
from pathlib import Path

import asyncpg
import pytest
from redis.asyncio import Redis
from redis.exceptions import RedisError

from deploy.embedded import EmbeddedError, InUseError, Servers, embedded
from tests.integration.embedded.conftest import Account, Hold, servers_of


async def remember(servers: Servers) -> None:
    """Writes one thing into each server."""
    connection = await asyncpg.connect(servers.database_url)
    await connection.execute("CREATE TABLE kept (word text); INSERT INTO kept VALUES ('spadille')")
    await connection.close()
    async with Redis.from_url(servers.redis_url) as client:
        await client.set("kept", "manille")


async def remembered(servers: Servers) -> tuple[str, bytes | None]:
    """What `remember` wrote."""
    connection = await asyncpg.connect(servers.database_url)
    word = await connection.fetchval("SELECT word FROM kept")
    await connection.close()
    async with Redis.from_url(servers.redis_url) as client:
        return word, await client.get("kept")


def await_end(directory: Path) -> None:
    """Returns when no server works in the directory; fails if that does not come."""
    patience = 2000
    while servers_of(directory):
        patience -= 1
        assert patience, servers_of(directory)
        time.sleep(0.01)


@pytest.mark.parametrize("how", [None, signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=str)
async def test_servers_end_with_their_parent_and_the_next_start_has_the_data(
    hold: Hold, directory: Path, account: Account, how: signal.Signals | None
) -> None:
    first = hold(directory, account)
    await remember(first.up)
    async with Redis.from_url(first.up.redis_url) as client:
        await client.execute_command("WAITAOF", 1, 0, 0)
    assert servers_of(directory)
    first.end(how)
    await_end(directory)
    second = hold(directory, account)
    assert await remembered(second.up) == ("spadille", b"manille")
    assert second.up != first.up
    assert not Path(first.up.redis_url.removeprefix("unix://")).parent.exists()


async def remembered_in_the_end(servers: Servers) -> tuple[str, bytes | None]:
    """What is remembered by servers that are being started again."""
    deadline = time.monotonic() + 30
    while True:
        try:
            return await remembered(servers)
        except (OSError, asyncpg.PostgresError, RedisError):
            assert time.monotonic() < deadline
            await asyncio.sleep(0.02)


@pytest.mark.parametrize("how", [None, signal.SIGTERM, signal.SIGKILL], ids=str)
async def test_servers_that_die_are_started_again_on_the_same_data_and_end_as_the_first_ones_do(
    hold: Hold, directory: Path, account: Account, how: signal.Signals | None
) -> None:
    holder = hold(directory, account)
    await remember(holder.up)
    before = servers_of(directory)
    for pid in before:
        # Children of Postgres may have ended with it.
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    assert await remembered_in_the_end(holder.up) == ("spadille", b"manille")
    assert not set(before) & set(servers_of(directory))
    holder.end(how)
    await_end(directory)
    assert await remembered(hold(directory, account).up) == ("spadille", b"manille")


async def test_a_start_right_after_a_kill_waits_for_the_servers_that_still_die(
    hold: Hold, directory: Path, account: Account
) -> None:
    first = hold(directory, account)
    await remember(first.up)
    first.end(signal.SIGKILL)
    word, _ = await remembered(hold(directory, account).up)
    assert word == "spadille"


async def test_two_directories_are_two_instances_side_by_side(hold: Hold, directory: Path, account: Account) -> None:
    one, other = (hold(directory / name, account) for name in ("one", "other"))
    await remember(one.up)
    await remember(other.up)
    one.end()
    assert await remembered(other.up) == ("spadille", b"manille")


async def test_settings_keep_what_is_committed(hold: Hold, directory: Path, account: Account) -> None:
    servers = hold(directory, account).up
    connection = await asyncpg.connect(servers.database_url)
    settings = {
        name: await connection.fetchval(f"SHOW {name}")
        for name in (
            "fsync",
            "full_page_writes",
            "synchronous_commit",
            "data_checksums",
            "listen_addresses",
            "TimeZone",
        )
    }
    locale = await connection.fetchrow("SELECT datlocprovider, datlocale FROM pg_database WHERE datname = 'codille'")
    await connection.close()
    assert settings == {
        "fsync": "on",
        "full_page_writes": "on",
        "synchronous_commit": "on",
        "data_checksums": "on",
        "listen_addresses": "",
        "TimeZone": "UTC",
    }
    assert tuple(locale) == (b"b", "C.UTF-8")
    async with Redis.from_url(servers.redis_url) as client:
        assert (await client.config_get("appendonly", "maxmemory", "port")) == {
            "appendonly": "yes",
            "maxmemory": "0",
            "port": "0",
        }


async def test_only_the_account_can_enter_the_data_and_the_sockets(
    hold: Hold, directory: Path, account: Account
) -> None:
    servers = hold(directory, account).up
    sockets = Path(servers.redis_url.removeprefix("unix://")).parent
    for private in (directory / "postgres", directory / "valkey", sockets):
        assert private.stat().st_mode & 0o777 == 0o700


def test_a_second_instance_on_the_same_directory_is_refused_and_names_the_first(
    hold: Hold, directory: Path, account: Account
) -> None:
    first = hold(directory, account)
    assert first.up
    second = hold(directory, account)
    assert second.servers is None
    assert f"is in use by process {first.pid}" in second.refusal
    assert "CODILLE_DATA_DIR" in second.refusal


async def test_one_that_shares_uses_the_running_servers_and_leaves_them(
    hold: Hold, directory: Path, account: Account
) -> None:
    first = hold(directory, account)
    guest = hold(directory, account, "share")
    assert guest.up == first.up
    guest.end()
    await remember(first.up)


async def test_a_path_too_long_for_sockets_holds_data(hold: Hold, directory: Path, account: Account) -> None:
    await remember(hold(directory / ("ombre" * 30), account).up)


async def test_a_pid_file_left_by_a_crash_does_not_stop_the_start(
    hold: Hold, directory: Path, account: Account
) -> None:
    first = hold(directory, account)
    await remember(first.up)
    left = (directory / "postgres" / "postmaster.pid").read_text()
    first.end()
    # In a container, another process soon has the number.
    (directory / "postgres" / "postmaster.pid").write_text(left.replace(left.split("\n")[0], str(os.getpid()), 1))
    assert await remembered(hold(directory, account).up) == ("spadille", b"manille")


async def test_an_interrupted_first_start_begins_again(hold: Hold, directory: Path, account: Account) -> None:
    (directory / "postgres.new").mkdir()
    (directory / "postgres.new" / "PG_VERSION").write_text("18\n")
    await remember(hold(directory, account).up)


def test_data_of_another_version_is_refused_with_the_servers_own_words(
    hold: Hold, directory: Path, account: Account
) -> None:
    hold(directory, account).end()
    (directory / "postgres" / "PG_VERSION").write_text("15\n")
    refused = hold(directory, account)
    assert refused.servers is None
    assert "incompatible" in refused.refusal


def test_data_of_another_user_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "postgres").mkdir()
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    with pytest.raises(EmbeddedError, match="belongs to"), embedded(tmp_path):
        pass


def test_a_directory_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(EmbeddedError, match="cannot write in"), embedded(tmp_path / "file" / "data"):
        pass


def test_configured_servers_are_used_as_they_are(tmp_path: Path) -> None:
    with embedded(tmp_path / "data", database_url="postgresql://a/b", redis_url="redis://c") as servers:
        assert servers == Servers("postgresql://a/b", "redis://c")
    assert not (tmp_path / "data").exists()


async def test_what_is_not_configured_is_embedded(tmp_path: Path) -> None:
    with embedded(tmp_path, database_url="postgresql://a/b", durable=False) as servers:
        assert servers.database_url == "postgresql://a/b"
        async with Redis.from_url(servers.redis_url) as client:
            assert await client.ping()
    assert not (tmp_path / "postgres").exists()


def test_two_holders_in_one_process_are_refused_too(tmp_path: Path) -> None:
    url = "postgresql://a/b"
    with embedded(tmp_path, database_url=url), pytest.raises(InUseError), embedded(tmp_path, database_url=url):
        pass


def test_servers_start_from_the_main_thread_only(tmp_path: Path) -> None:
    refusals = []

    def start() -> None:
        try:
            with embedded(tmp_path, database_url="postgresql://a/b"):
                pass
        except EmbeddedError as error:
            refusals.append(str(error))

    thread = threading.Thread(target=start)
    thread.start()
    thread.join()
    assert refusals == ["embedded servers must be started from the main thread"]
