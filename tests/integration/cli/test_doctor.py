"""`codille doctor`: each fault is provoked, and named with what to do; where all is well there is nothing to do."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import asyncpg
import msgspec
import pytest

from projections.connection import connect
from service.cli import doctor_checks
from service.cli.doctor import Result, examine
from service.store.database import Database
from service.transparency import Keyring, Transparency
from service.transparency.keys import FILE
from tests.support.postgres import Databases, as_service
from tests.support.redis import Valkey

KEY, OTHER_KEY = "0f" * 32, "f0" * 32
PASSWORD = "geheim"
NOWHERE = f"postgresql://codille_service:{PASSWORD}@127.0.0.1:1/codille"
CHECKS = {
    "settings",
    "games",
    "versions",
    "clients",
    "keys",
    "disk",
    "Postgres",
    "roles",
    "clocks",
    "pooler",
    "Redis",
    "eviction",
}


@pytest.fixture(autouse=True)
def room(monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk of the tests has enough room."""
    monkeypatch.setattr(doctor_checks, "ROOM", 0)


@pytest.fixture
async def settings(dsn: str, redis_server: str, tmp_path: Path) -> dict[str, str]:
    """Those of a service with which nothing is wrong."""
    # A copy of a database lacks what `migrate` took from everybody in the original.
    await execute(dsn, f"REVOKE TEMPORARY ON DATABASE {name_of(dsn)} FROM PUBLIC")
    return {
        "DATABASE_URL": as_service(dsn),
        "DATABASE_OWNER_URL": dsn,
        "REDIS_URL": redis_server,
        "DATA_DIR": str(tmp_path / "data"),
        "SIGNING_KEY": KEY,
    }


async def examined(settings: Mapping[str, str], clock: Callable[[], float] = time.time) -> list[Result]:
    """The results, without a secret in any of them."""
    environ = {f"CODILLE_{name}": text for name, text in settings.items()}
    results = await asyncio.to_thread(examine, environ, clock)
    text = msgspec.json.encode(results).decode()
    assert [secret for secret in (PASSWORD, KEY, OTHER_KEY) if secret in text] == []
    return results


async def wrong(settings: Mapping[str, str]) -> dict[str, str]:
    """What is wrong, and what to do, by the check."""
    return named(await examined(settings))


def named(results: Sequence[Result]) -> dict[str, str]:
    """The same of these results."""
    findings: dict[str, str] = {}
    for one in results:
        if one.to_do:
            findings[one.check] = f"{findings.get(one.check, '')}{one.text}: {one.to_do}\n"
    return findings


def name_of(dsn: str) -> str:
    """The name of the database."""
    return dsn.partition("?")[0].rpartition("/")[2]


async def execute(dsn: str, *statements: str) -> None:
    connection = await asyncpg.connect(dsn)
    for statement in statements:
        await connection.execute(statement)
    await connection.close()


async def announce(dsn: str, key: str, tmp_path: Path) -> None:
    """Makes the key the log's first."""
    async with Database(as_service(dsn)) as database:
        assert await Transparency(database, Keyring(bytes.fromhex(key), tmp_path, make=False)).announced()


async def test_where_all_is_well_there_is_nothing_to_do(settings: dict[str, str], dsn: str, tmp_path: Path) -> None:
    for role in ("all", "api", "projector", "webhooks", "bots"):
        results = await examined(settings | {"ROLE": role})
        assert [one for one in results if one.to_do] == []
        assert {one.check for one in results} == CHECKS
    await announce(dsn, KEY, tmp_path)
    assert await wrong(settings) == {}


async def test_before_the_first_start_nothing_is_wrong_that_the_start_mends(
    settings: dict[str, str], empty_dsn: str, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    assert await wrong({"DATA_DIR": str(data)}) == {}
    assert not data.exists()
    new = settings | {"DATABASE_URL": as_service(empty_dsn), "DATABASE_OWNER_URL": empty_dsn}
    assert await wrong(new) == {}
    assert "codille migrate" in (await wrong(new | {"ROLE": "projector"}))["versions"]


async def test_it_says_where_clients_are_let_in(settings: dict[str, str]) -> None:
    cases = {
        "players let clients in at http://127.0.0.1:8000/authorize": {},
        "players let clients in at https://cards.example/authorize": {"PUBLIC_URL": "https://cards.example"},
        "no client can be let in: CODILLE_PUBLIC_URL is not set": {"HOST": "0.0.0.0"},
        "this role lets no client in": {"ROLE": "bots"},
    }
    for text, others in cases.items():
        results = await examined(settings | others)
        assert [one.text for one in results if one.check == "clients"] == [text]


async def test_what_is_wrong_with_a_setting_hides_nothing_else(
    settings: dict[str, str], dsn: str, tmp_path: Path
) -> None:
    with_file = settings | {"SIGNING_KEY": ""}
    data = tmp_path / "data"
    data.mkdir()
    cases: Sequence[tuple[dict[str, str], dict[str, str]]] = (
        ({"PROT": "1"}, {"settings": "CODILLE_PROT is not a setting; did you mean CODILLE_PORT"}),
        ({"PORT": "x", "SIGNING_KEY": KEY[1:]}, {"settings": "64 hexadecimal digits", "keys": "cannot be read"}),
        ({"DATABASE_URL": f"mysql://{PASSWORD}@h", "DATABASE_OWNER_URL": ""}, {"settings": "a URL that begins with"}),
        ({"DATABASE_URL": f"postgresql://u:{PASSWORD}/@h/d"}, {"settings": "%2F"}),
        ({"REDIS_URL": "", "ROLE": "api"}, {"settings": "CODILLE_REDIS_URL is needed"}),
        ({"REGISTRY": "nowhere:GAMES"}, {"games": "CODILLE_REGISTRY must be"}),
        ({"SPEC_DIR": str(tmp_path)}, {"games": "CODILLE_SPEC_DIR must be a folder"}),
        ({"DATABASE_URL": dsn}, {"roles": "names the role postgres, which is a superuser: The service connects only"}),
        ({"STANDBY_URL": dsn}, {"roles": "CODILLE_STANDBY_URL: the address of Postgres names the role postgres"}),
        ({"DATABASE_DIRECT_URL": dsn}, {"roles": "CODILLE_DATABASE_DIRECT_URL: "}),
        ({"DATABASE_OWNER_URL": as_service(dsn)}, {"roles": "codille_service may neither make nor change the schema"}),
        ({"DATABASE_URL": NOWHERE}, {"Postgres": "Postgres at 127.0.0.1:1 cannot be used: nothing listens there"}),
        ({"STANDBY_URL": NOWHERE}, {"Postgres": "CODILLE_STANDBY_URL"}),
        (
            {"DATABASE_URL": dsn.replace("//postgres@", f"//locked_nobody:{PASSWORD}@")},
            {"Postgres": 'password authentication failed for user "locked_nobody": mend the address'},
        ),
        ({"REDIS_URL": f"redis://:{PASSWORD}@127.0.0.1:1"}, {"Redis": "127.0.0.1:1 cannot be used"}),
        ({"REDIS_URL": f"redis+sentinel://:{PASSWORD}@h/name/x"}, {"Redis": "CODILLE_REDIS_URL cannot be read"}),
    )
    whole = {one.check for one in await examined(settings)}
    for changed, expected in cases:
        results = await examined(settings | changed)
        found = named(results)
        assert found.keys() == expected.keys(), (changed, found)
        assert [text for check, text in expected.items() if text not in found[check]] == [], found
        lost = whole - {one.check for one in results}
        postgres, redis = {"Postgres", "roles", "clocks", "pooler"}, {"Redis", "eviction"}
        assert lost <= (postgres if "DATABASE_URL" in changed else redis if "REDIS_URL" in changed else set()), changed
    (data / FILE).write_text("nonsense")
    (data / FILE).chmod(0o600)
    assert "does not hold a signing key" in (await wrong(with_file))["keys"]
    (data / FILE).write_text(KEY)
    (data / FILE).chmod(0o640)
    assert f"chmod 600 {data / FILE}" in (await wrong(with_file))["keys"]
    (data / FILE).chmod(0o600)
    assert await wrong(with_file) == {}
    await announce(dsn, OTHER_KEY, tmp_path)
    for own in (settings, with_file):
        assert "the log is signed with" in (await wrong(own))["keys"]
    (data / FILE).unlink()
    assert "there is no signing key" in (await wrong(with_file))["keys"]


async def test_each_right_too_many_or_too_few_is_named_and_each_other_fault_of_a_database(
    settings: dict[str, str], dsn: str
) -> None:
    database = name_of(dsn)
    function = "FUNCTION codille.reissue"
    cases = (
        ("REVOKE SELECT ON codille.event FROM codille_service", "roles", "codille.event: run `codille migrate`"),
        ("GRANT INSERT ON codille.event TO codille_service", "roles", "may change codille.event"),
        (f"GRANT EXECUTE ON {function} TO codille_service", "roles", "may call codille.reissue"),
        ("REVOKE EXECUTE ON FUNCTION codille.append FROM codille_service", "roles", "may not call codille.append"),
        ("REVOKE USAGE ON SCHEMA codille FROM codille_service", "roles", "may not use the schema codille"),
        ("GRANT UPDATE ON archive.deal TO codille_service", "roles", "may change archive.deal"),
        ("REVOKE SELECT ON archive.tally FROM codille_service", "roles", "may not read archive.tally"),
        ("REVOKE EXECUTE ON FUNCTION archive.advance_archive FROM codille_service", "roles", "archive.advance_archive"),
        ("GRANT EXECUTE ON FUNCTION archive.count_deals TO codille_service", "roles", "may call archive.count_deals"),
        (f"GRANT TEMPORARY ON DATABASE {database} TO PUBLIC", "roles", f"REVOKE TEMPORARY ON DATABASE {database}"),
        ("INSERT INTO codille.schema_version VALUES (99, 99)", "versions", "start a program that knows 99"),
        (f"ALTER DATABASE {database} SET default_transaction_read_only = on", "disk", "the server takes no writes"),
    )
    plain = {name: text for name, text in settings.items() if name != "DATABASE_OWNER_URL"}
    for statement, check, text in cases:
        await execute(dsn, statement)
        found = await wrong(plain)
        assert text in found[check], (statement, found)
        assert "Redis" not in found
        undone = {
            "REVOKE": statement.replace("REVOKE", "GRANT").replace(" FROM ", " TO "),
            "GRANT": statement.replace("GRANT", "REVOKE").replace(" TO ", " FROM "),
            "INSERT": "DELETE FROM codille.schema_version WHERE number = 99",
            "ALTER": statement.replace("= on", "= off"),
        }
        await execute(dsn, "SET default_transaction_read_only = off", undone[statement.split()[0]])
    assert await wrong(plain) == {}
    await execute(dsn, "DELETE FROM codille.schema_migration WHERE number = 1")
    assert "run `codille migrate`" in (await wrong(plain))["versions"]


async def test_a_database_that_cannot_hold_any_text_is_named(settings: dict[str, str], databases: Databases) -> None:
    async with databases.empty() as empty:
        name = name_of(empty)
        other = empty.replace(name, f"{name}x")
        await execute(empty, f"CREATE DATABASE {name}x ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
        try:
            found = await wrong(settings | {"DATABASE_URL": as_service(other), "DATABASE_OWNER_URL": other})
            assert "the database has the encoding LATIN1" in found["versions"]
        finally:
            await execute(empty, f"DROP DATABASE {name}x WITH (FORCE)")


async def test_each_fault_of_redis_is_named(settings: dict[str, str], own_valkey: Valkey) -> None:
    async def say(*command: object) -> None:
        async with connect(own_valkey.url) as redis:
            await redis.execute_command(*command)

    own = settings | {"REDIS_URL": own_valkey.url}
    assert await wrong(own) == {}
    await say("CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
    found = await wrong(own)
    assert found.keys() == {"eviction"}
    assert "Redis evicts by allkeys-lru: set `maxmemory-policy noeviction`" in found["eviction"]
    await say("CONFIG", "SET", "maxmemory-policy", "noeviction")
    await say("REPLICAOF", "127.0.0.1", "1")
    assert "Redis is a replica: name the primary" in (await wrong(own))["disk"]


async def test_servers_that_are_too_old_other_times_and_a_disk_without_room_are_named(
    settings: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, ahead in (("+5.0", -5.0), ("-5.0", 5.0)):
        apart = [one for one in await examined(settings, lambda: time.time() + ahead) if one.to_do]  # noqa: B023
        assert [one.check for one in apart] == ["clocks", "clocks"]
        assert all(f"is {name} s from the one here" in one.text and "chrony" in (one.to_do or "") for one in apart)
    for name, check in (("POSTGRES", "versions"), ("REDIS", "versions"), ("ROOM", "disk")):
        with monkeypatch.context() as patched:
            patched.setattr(doctor_checks, name, 2**60)
            assert (await wrong(settings)).keys() == {check}


async def test_a_key_that_cannot_be_kept_is_named(settings: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    # Root may write anywhere.
    monkeypatch.setattr(doctor_checks.os, "access", lambda *_: False)
    assert "no key can be kept in" in (await wrong(settings | {"SIGNING_KEY": ""}))["keys"]
