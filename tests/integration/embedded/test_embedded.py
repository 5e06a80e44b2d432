"""The embedded servers: what they keep, how they end, and what they refuse."""

import asyncio
import os
import pwd
import signal
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import asyncpg
import pytest
from redis.asyncio import Redis
from redis.exceptions import RedisError

from deploy.embedded import EmbeddedError, InUseError, Servers, embedded
from deploy.embedded.account import nobody
from deploy.embedded.home import give
from tests.integration.embedded.conftest import Account, Hold, Holder, servers_of


async def remember(servers: Servers) -> None:
    """Writes one thing into each server."""
    connection = await asyncpg.connect(servers.owner_url)
    await connection.execute("CREATE TABLE kept (word text); INSERT INTO kept VALUES ('spadille')")
    await connection.close()
    async with Redis.from_url(servers.redis_url) as client:
        await client.set("kept", "manille")


async def remembered(servers: Servers) -> tuple[str, bytes | None]:
    """What `remember` wrote."""
    connection = await asyncpg.connect(servers.owner_url)
    word = await connection.fetchval("SELECT word FROM kept")
    await connection.close()
    async with Redis.from_url(servers.redis_url) as client:
        return word, await client.get("kept")


def sockets_of(servers: Servers) -> Path:
    """The directory of the Valkey's socket."""
    return Path(urlsplit(servers.redis_url).path).parent


def await_end(directory: Path) -> None:
    """Returns when no server works in the directory; fails if that does not come."""
    patience = 2000
    while servers_of(directory):
        patience -= 1
        assert patience, servers_of(directory)
        time.sleep(0.01)


@pytest.mark.parametrize("how", [None, signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=str)
async def test_servers_end_with_their_parent_and_the_next_start_has_the_data(
    hold: Hold, used: Path, account: Account, how: signal.Signals | None
) -> None:
    first = hold(used, account)
    await remember(first.up)
    async with Redis.from_url(first.up.redis_url) as client:
        await client.execute_command("WAITAOF", 1, 0, 0)
    assert servers_of(used)
    first.end(how)
    await_end(used)
    second = hold(used, account)
    assert await remembered(second.up) == ("spadille", b"manille")
    assert second.up != first.up
    assert not sockets_of(first.up).exists()


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
    hold: Hold, used: Path, account: Account, how: signal.Signals | None
) -> None:
    holder = hold(used, account)
    await remember(holder.up)
    before = servers_of(used)
    for pid in before:
        # Children of Postgres may have ended with it.
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    assert await remembered_in_the_end(holder.up) == ("spadille", b"manille")
    assert not set(before) & set(servers_of(used))
    holder.end(how)
    await_end(used)
    assert await remembered(hold(used, account).up) == ("spadille", b"manille")


async def test_a_start_right_after_a_kill_waits_for_the_servers_that_still_die(
    hold: Hold, used: Path, account: Account
) -> None:
    first = hold(used, account)
    await remember(first.up)
    first.end(signal.SIGKILL)
    word, _ = await remembered(hold(used, account).up)
    assert word == "spadille"


async def test_two_directories_are_two_instances_side_by_side(hold: Hold, directory: Path, account: Account) -> None:
    one, other = (hold(directory / name, account) for name in ("one", "other"))
    await remember(one.up)
    await remember(other.up)
    one.end()
    assert await remembered(other.up) == ("spadille", b"manille")


async def test_settings_keep_what_is_committed(shared: tuple[Path, Holder]) -> None:
    servers = shared[1].up
    connection = await asyncpg.connect(servers.owner_url)
    settings = {
        name: await connection.fetchval(f"SHOW {name}")
        for name in (
            "fsync",
            "full_page_writes",
            "synchronous_commit",
            "data_checksums",
            "listen_addresses",
            "TimeZone",
            "recovery_init_sync_method",
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
        "recovery_init_sync_method": "syncfs" if sys.platform == "linux" else "fsync",
    }
    assert tuple(locale) == (b"b", "C.UTF-8")
    async with Redis.from_url(servers.redis_url) as client:
        assert (await client.config_get("appendonly", "maxmemory", "port")) == {
            "appendonly": "yes",
            "maxmemory": "0",
            "port": "0",
        }


async def test_only_the_account_can_enter_the_data_and_the_sockets(shared: tuple[Path, Holder]) -> None:
    directory, holder = shared
    for private in (directory / "postgres", directory / "valkey", sockets_of(holder.up)):
        assert private.stat().st_mode & 0o777 == 0o700


def test_a_second_instance_on_the_same_directory_is_refused_and_names_the_first(
    hold: Hold, shared: tuple[Path, Holder], account: Account
) -> None:
    directory, first = shared
    assert first.up
    second = hold(directory, account)
    assert second.servers is None
    assert f"is in use by process {first.pid}" in second.refusal
    assert "CODILLE_DATA_DIR" in second.refusal


async def test_one_that_shares_uses_the_running_servers_and_leaves_them(
    hold: Hold, shared: tuple[Path, Holder], account: Account
) -> None:
    directory, first = shared
    guest = hold(directory, account, "share")
    assert guest.up == first.up
    guest.end()
    await remember(first.up)


async def test_a_path_too_long_for_sockets_holds_data(hold: Hold, directory: Path, account: Account) -> None:
    await remember(hold(directory / ("ombre" * 30), account).up)


async def test_a_pid_file_left_by_a_crash_does_not_stop_the_start(hold: Hold, used: Path, account: Account) -> None:
    first = hold(used, account)
    await remember(first.up)
    left = (used / "postgres" / "postmaster.pid").read_text()
    first.end()
    # In a container, another process soon has the number.
    (used / "postgres" / "postmaster.pid").write_text(left.replace(left.split("\n")[0], str(os.getpid()), 1))
    assert await remembered(hold(used, account).up) == ("spadille", b"manille")


async def test_an_interrupted_first_start_begins_again(hold: Hold, directory: Path, account: Account) -> None:
    (directory / "postgres.new").mkdir()
    (directory / "postgres.new" / "PG_VERSION").write_text("18\n")
    await remember(hold(directory, account).up)


def test_data_of_another_version_is_refused_with_the_servers_own_words(
    hold: Hold, used: Path, account: Account
) -> None:
    (used / "postgres" / "PG_VERSION").write_text("15\n")
    refused = hold(used, account)
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
    with embedded(tmp_path, database_url="postgresql://a/b") as servers:
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


def password_files(directory: Path) -> list[Path]:
    return sorted(directory.glob("*.password"))


def shown_to_other_users(directory: Path) -> bytes:
    """The arguments of the servers of the directory. Processes of Postgres may end meanwhile."""
    shown = b""
    for pid in servers_of(directory):
        with suppress(OSError):
            shown += Path(f"/proc/{pid}/cmdline").read_bytes()
    return shown


async def refused(url: str) -> bool:
    """Whether Postgres lets nobody in at this address."""
    try:
        connection = await asyncpg.connect(url)
    except (asyncpg.InvalidPasswordError, asyncpg.InvalidAuthorizationSpecificationError):
        return True
    await connection.close()
    return False


async def only_with_passwords(servers: Servers) -> bool:
    """Whether each server is open with its password, and closed without it and with another."""
    owner = servers.owner_url or ""
    for url in (servers.database_url, owner):
        password = urlsplit(url).password or ""
        if not password or await refused(url):
            return False
        if not (await refused(url.replace(password, "")) and await refused(url.replace(password, "guess"))):
            return False
    password = urlsplit(servers.redis_url).password or ""
    for url in (servers.redis_url.replace(f":{password}@", ""), servers.redis_url.replace(password, "guess")):
        async with Redis.from_url(url, protocol=2) as client:
            with pytest.raises(RedisError, match=r"Authentication required|invalid username-password"):
                await client.ping()
    async with Redis.from_url(servers.redis_url) as client:
        return bool(await client.ping())


async def test_every_connection_needs_a_password_that_the_owner_of_the_data_alone_can_read(
    hold: Hold, directory: Path, account: Account
) -> None:
    first = hold(directory, account)
    assert await only_with_passwords(first.up)
    files = password_files(directory)
    assert [path.name for path in files] == ["owner.password", "service.password", "valkey.password"]
    assert {path.stat().st_mode & 0o777 for path in files} == {0o600}
    passwords = {path.read_text().strip() for path in files}
    assert len(passwords) == 3
    assert passwords == {urlsplit(url or "").password for url in first.up}
    assert not [password for password in passwords if password.encode() in shown_to_other_users(directory)]
    first.end()
    assert {urlsplit(url or "").password for url in hold(directory, account).up} == passwords


async def test_the_services_role_owns_nothing_and_becomes_nobody(shared: tuple[Path, Holder]) -> None:
    connection = await asyncpg.connect(shared[1].up.database_url)
    for statement in ("SET ROLE postgres", "SET SESSION AUTHORIZATION postgres", "CREATE TABLE own ()"):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await connection.execute(statement)
    await connection.close()


async def test_a_password_whose_file_is_gone_is_replaced(hold: Hold, used: Path, account: Account) -> None:
    first = hold(used, account)
    await remember(first.up)
    first.end()
    for path in password_files(used):
        path.unlink()
    second = hold(used, account)
    assert await remembered(second.up) == ("spadille", b"manille")
    assert await only_with_passwords(second.up)
    assert second.up.owner_url != first.up.owner_url


def as_before(directory: Path, account: Account) -> None:
    """Turns the data into what an earlier version left: open to everyone at the socket, and under root `nobody`'s."""
    (directory / "postgres" / "pg_hba.conf").write_text("local all all trust\n")
    for path in password_files(directory):
        path.unlink()
    if os.geteuid() == 0 and not account:
        for server in ("postgres", "valkey"):
            give(directory / server, nobody())


async def test_data_of_an_earlier_version_are_kept_and_locked(hold: Hold, used: Path, account: Account) -> None:
    first = hold(used, account)
    await remember(first.up)
    owner = await asyncpg.connect(first.up.owner_url)
    await owner.execute("DROP ROLE codille_service")
    await owner.close()
    first.end()
    as_before(used, account)
    second = hold(used, account)
    assert await remembered(second.up) == ("spadille", b"manille")
    assert await only_with_passwords(second.up)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives servers a user id of their own")
@pytest.mark.parametrize("earlier", [False, True], ids=["new data", "data of an earlier version"])
def test_started_by_root_the_servers_have_a_user_id_that_no_program_shares(
    hold: Hold, tmp_path: Path, earlier: bool
) -> None:
    directory = tmp_path / "data"
    first = hold(directory, [])
    if earlier:
        first.end()
        as_before(directory, [])
        assert hold(directory, []).up
    running = servers_of(directory)
    assert running
    (uid,) = {Path(f"/proc/{pid}").stat().st_uid for pid in running}
    with pytest.raises(KeyError):
        pwd.getpwuid(uid)
    owners = {path.lstat().st_uid for server in ("postgres", "valkey") for path in (directory / server).rglob("*")} | {
        (directory / server).stat().st_uid for server in ("postgres", "valkey")
    }
    # Root writes which passwords are asked for.
    assert owners <= {uid, 0}
    assert {path.stat().st_uid for path in password_files(directory)} == {0}
