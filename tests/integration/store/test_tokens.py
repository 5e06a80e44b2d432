"""Tokens that end, are rotated, and are recovered."""

import asyncio
import secrets
from collections.abc import Callable, Coroutine
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

import asyncpg
import pytest
from msgspec import structs

from service.store.accounts import (
    Accounts,
    Bearer,
    HandoverClaimed,
    HashedToken,
    Issued,
    LesserToken,
    Spent,
    TokenMetadata,
    UnknownPlayer,
    UnknownToken,
)
from service.store.database import Database
from service.store.migrate import FOR_THE_OWNER, READABLE, migrate, sql_files
from service.store.revocations import Revocations
from service.store.store import KeyReused
from tests.integration.store.test_accounts import AT, LATER, new_token, registered
from tests.support.log import new_id, receipt
from tests.support.postgres import Owner

RECOVERY = "codille_recovery_of-the-first-registration"
MOMENT = timedelta(microseconds=1)


def new_hash() -> bytes:
    return secrets.token_bytes(32)


def digest(secret: str) -> bytes:
    return sha256(secret.encode()).digest()


async def recoverable(accounts: Accounts) -> tuple[str, HashedToken]:
    player, token = new_id(), new_token()
    await accounts.register(player, "Ana", token, AT, recovery=digest(RECOVERY))
    return player, token


async def test_a_token_is_valid_until_it_ends(accounts: Accounts) -> None:
    player, own = await registered(accounts)
    token = structs.replace(new_token(), name="my bot", expires_at=LATER)
    await accounts.add_token(player, token, AT, by=own.id)
    last = LATER - MOMENT
    assert await accounts.token(token.hash, last) == Bearer(player, ("play",), token.id, LATER)
    assert await accounts.token_of(player, token.id, last) == TokenMetadata(
        token.id, player, ("play",), AT, last, "my bot", LATER, None
    )
    assert await accounts.token(token.hash, LATER) is None
    assert [one.id for one in await accounts.tokens(player, LATER)] == [own.id]
    assert await accounts.token_of(player, token.id, LATER) is None
    assert not await accounts.revoke(token.id, player, LATER)
    assert await accounts.rotate(player, token.id, new_hash(), LATER, by=own.id) == UnknownToken()
    assert await accounts.add_token(player, new_token(), LATER, by=token.id) == UnknownPlayer()


async def test_a_token_that_has_ended_is_not_given_again(accounts: Accounts) -> None:
    player, _ = await registered(accounts)
    token = structs.replace(new_token(), expires_at=LATER)
    await accounts.add_token(player, token, AT, receipt("key"))
    unlimited = await accounts.add_token(player, new_token(), AT, receipt("key"))
    assert unlimited == KeyReused()
    again = await accounts.add_token(player, structs.replace(new_token(), expires_at=LATER), LATER, receipt("key"))
    assert again == Spent(player, token.id)


async def test_a_rotated_token_has_another_secret_and_else_stays(accounts: Accounts) -> None:
    player, token = await registered(accounts)
    await accounts.token(token.hash, AT)
    second = new_hash()
    assert await accounts.rotate(player, token.id, second, LATER, by=token.id) == Issued(
        player, token.id, replayed=False
    )
    assert await accounts.tokens(player, LATER) == [
        TokenMetadata(token.id, player, ("play",), AT, None, rotated_at=LATER)
    ]
    assert await accounts.token(token.hash, LATER) is None
    assert await accounts.token(second, LATER) == Bearer(player, ("play",), token.id)
    assert [one.last_used_at for one in await accounts.tokens(player, LATER)] == [LATER]


async def test_a_rotation_may_set_another_end(accounts: Accounts) -> None:
    player, token = await registered(accounts)
    await accounts.rotate(player, token.id, new_hash(), AT, by=token.id, expires_at=LATER)
    await accounts.rotate(player, token.id, new_hash(), AT, by=token.id)
    assert [one.expires_at for one in await accounts.tokens(player, AT)] == [LATER]


async def test_rotating_again_with_a_key_until_the_secret_is_used(accounts: Accounts) -> None:
    player, own = await registered(accounts)
    token, second, third = new_token(), new_hash(), new_hash()
    await accounts.add_token(player, token, AT)
    await accounts.token(token.hash, AT)

    async def rotate(hashed: bytes, body: str = "{}") -> object:
        return await accounts.rotate(player, token.id, hashed, AT, receipt("key", body), by=own.id)

    assert await rotate(second) == Issued(player, token.id, replayed=False)
    assert await rotate(new_hash(), "[]") == KeyReused()
    assert await rotate(third) == Issued(player, token.id, replayed=True)
    assert await accounts.present([token.hash, second, third], AT) == {third: Bearer(player, ("play",), token.id)}
    assert await rotate(new_hash()) == Spent(player, token.id)
    assert await accounts.token(third, AT) is not None


async def test_only_ones_own_tokens_are_rotated_and_with_a_valid_one(accounts: Accounts) -> None:
    player, token = await registered(accounts)
    stranger, theirs = await registered(accounts)
    spare = new_token()
    await accounts.add_token(player, spare, AT)
    assert await accounts.rotate(stranger, token.id, new_hash(), AT, by=theirs.id) == UnknownToken()
    assert await accounts.rotate(player, token.id, new_hash(), AT, by=theirs.id) == UnknownToken()
    await accounts.revoke(spare.id, player, AT)
    assert await accounts.rotate(player, token.id, new_hash(), AT, by=spare.id) == UnknownToken()
    assert await accounts.rotate(player, spare.id, new_hash(), AT, by=token.id) == UnknownToken()
    assert await accounts.token(token.hash, AT) is not None


async def test_the_services_role_rotates_no_arbiters_token_without_its_secret(
    accounts: Accounts, owners_accounts: Accounts
) -> None:
    player, own = await registered(accounts)
    secret, ending = "codille_of-the-arbiter", "codille_of-the-arbiter-for-a-while"
    arbiter = HashedToken(new_id(), digest(secret), ("play", "arbiter"))
    await owners_accounts.grant_token(player, arbiter, AT)
    await owners_accounts.grant_token(
        player, HashedToken(new_id(), digest(ending), ("arbiter", "play"), None, LATER), AT
    )
    for presented in (None, "codille_guessed", ending):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await accounts.rotate(player, arbiter.id, new_hash(), AT, by=own.id, secret=presented)
    assert isinstance(await accounts.rotate(player, arbiter.id, new_hash(), AT, by=arbiter.id, secret=secret), Issued)


async def test_recovering_gives_one_token_in_place_of_all(accounts: Accounts, owners_accounts: Accounts) -> None:
    player, first = await recoverable(accounts)
    arbiter, new = new_token("arbiter"), new_token()
    await owners_accounts.grant_token(player, arbiter, AT)
    assert await accounts.recover(player, RECOVERY, new, new_hash(), LATER) == Issued(player, new.id, replayed=False)
    assert await accounts.present([first.hash, arbiter.hash, new.hash], LATER) == {
        new.hash: Bearer(player, ("play",), new.id)
    }


async def test_only_the_players_own_secret_recovers(accounts: Accounts, owner: Owner) -> None:
    player, token = await recoverable(accounts)
    without, _ = await registered(accounts)
    erased, _ = await recoverable(accounts)
    await accounts.erase(erased, AT)
    for who, secret in (
        (player, f"{RECOVERY}x"), (player, digest(RECOVERY).hex()), (player, token.id), (without, RECOVERY),
        (without, ""), (erased, RECOVERY), (new_id(), RECOVERY),
    ):  # fmt: skip
        assert await accounts.recover(who, secret, new_token(), new_hash(), AT) == UnknownPlayer()
    assert await accounts.token(token.hash, AT) is not None
    kept = await owner.fetchval("SELECT count(*) FROM codille.player WHERE id = $1 AND recovery_hash IS NULL", erased)
    assert kept == 1


async def test_a_recovery_is_repeated_until_its_token_is_used(accounts: Accounts) -> None:
    player, _ = await recoverable(accounts)
    tokens, recoveries = [new_token() for _ in range(4)], ["codille_recovery_second", "codille_recovery_third"]
    for token, recovery in zip(tokens, recoveries, strict=False):
        assert isinstance(await accounts.recover(player, RECOVERY, token, digest(recovery), AT), Issued)
    assert await accounts.token(tokens[0].hash, AT) is None
    assert await accounts.recover(player, recoveries[0], tokens[2], new_hash(), AT) == UnknownPlayer()
    assert await accounts.token(tokens[1].hash, AT) is not None
    assert await accounts.recover(player, RECOVERY, tokens[2], new_hash(), AT) == UnknownPlayer()
    assert isinstance(await accounts.recover(player, recoveries[1], tokens[3], new_hash(), AT), Issued)


async def test_recovering_with_a_key(accounts: Accounts) -> None:
    player, _ = await recoverable(accounts)
    first, second = new_token(), new_token()
    key = receipt("key")
    assert await accounts.recover(player, f"{RECOVERY}x", new_token(), new_hash(), AT, key) == UnknownPlayer()
    assert await accounts.recover(player, RECOVERY, first, new_hash(), AT, key) == Issued(
        player, first.id, replayed=False
    )
    again = await accounts.recover(player, RECOVERY, second, new_hash(), AT, key)
    assert again == Issued(player, second.id, replayed=True)
    other = await accounts.recover(player, RECOVERY, new_token(), new_hash(), AT, receipt("key", "[]"))
    assert other == KeyReused()
    assert await accounts.present([first.hash, second.hash], AT) == {second.hash: Bearer(player, ("play",), second.id)}
    assert await accounts.recover(player, RECOVERY, new_token(), new_hash(), AT, key) == Spent(player, first.id)


async def test_of_several_recoveries_at_once_one_token_stays(accounts: Accounts) -> None:
    player, first = await recoverable(accounts)
    tokens = [new_token() for _ in range(8)]
    await asyncio.gather(*(accounts.recover(player, RECOVERY, token, new_hash(), AT) for token in tokens))
    assert len(await accounts.present([first.hash, *(token.hash for token in tokens)], AT)) == 1


async def test_nothing_that_a_lost_token_began_outlasts_the_recovery(accounts: Accounts) -> None:
    player, lost = await recoverable(accounts)
    spare, new = new_token(), new_token()
    await accounts.add_token(player, spare, AT)
    added, rotated = [new_token() for _ in range(6)], [new_hash() for _ in range(3)]
    calls: list[Callable[[], Coroutine[Any, Any, object]]] = [
        lambda: accounts.recover(player, RECOVERY, new, new_hash(), AT),
        *(lambda token=token: accounts.add_token(player, token, AT, by=lost.id) for token in added),
        *(lambda one=one: accounts.rotate(player, spare.id, one, AT, by=lost.id) for one in rotated),
    ]
    await asyncio.gather(*(calls[number % len(calls)]() for number in range(5, 5 + len(calls))))
    assert [one.id for one in await accounts.tokens(player, AT)] == [new.id]
    assert list(await accounts.present([spare.hash, *(token.hash for token in added), *rotated], AT)) == []


async def test_every_process_hears_of_rotations_and_recoveries(database: Database, accounts: Accounts) -> None:
    heard: asyncio.Queue[bytes | None] = asyncio.Queue()
    player, first = await recoverable(accounts)
    second = new_hash()
    async with asyncio.timeout(60), Revocations(database, heard.put_nowait, beat_s=0.05):
        assert await heard.get() is None
        await accounts.rotate(player, first.id, second, AT, by=first.id)
        assert await heard.get() == first.hash
        await accounts.recover(player, RECOVERY, new_token(), new_hash(), AT)
        assert await heard.get() == second


async def test_a_player_is_renamed(accounts: Accounts) -> None:
    player, _ = await registered(accounts)
    assert await accounts.rename(player, "Bo")
    profile = await accounts.player(player)
    assert profile is not None
    assert profile.name == "Bo"
    await accounts.erase(player, AT)
    assert not await accounts.rename(player, "Cy")
    assert not await accounts.rename(new_id(), "Cy")
    profile = await accounts.player(player)
    assert profile is not None
    assert profile.name is None


async def test_a_token_in_use_that_was_recovered_away_ends_nothing(accounts: Accounts) -> None:
    player, own = await recoverable(accounts)
    recovered = new_token()
    await accounts.recover(player, RECOVERY, recovered, new_hash(), AT)
    assert not await accounts.revoke(recovered.id, player, AT, by=own.id)
    assert not await accounts.erase(player, AT, by=own.id)
    assert await accounts.token(recovered.hash, AT) is not None
    assert await accounts.erase(player, AT, by=recovered.id)


async def test_the_operators_token_is_no_lesser_one_and_the_operator_needs_none(
    accounts: Accounts, owners_accounts: Accounts
) -> None:
    player, own = await registered(accounts)
    added, granted = new_token(), new_token("play", "arbiter")
    await accounts.add_token(player, added, AT, by=own.id)
    await owners_accounts.grant_token(player, granted, AT)
    with pytest.raises(LesserToken):
        await accounts.revoke(granted.id, player, AT, by=added.id)
    with pytest.raises(LesserToken):
        await accounts.erase(player, AT, by=added.id)
    assert await accounts.revoke(own.id, player, AT, by=granted.id)
    assert await accounts.revoke(granted.id, player, AT)
    assert await accounts.erase(player, AT)


async def test_of_tokens_from_before_the_first_and_the_recovered_may_erase(
    empty_dsn: str, admin: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    migrations = sql_files("migrations")
    names = [migration.name.partition("_")[2] for migration in migrations]
    earlier = migrations[: names.index("added_tokens")]
    granted = [function for function in sql_files("sql") if function.name in FOR_THE_OWNER]
    with monkeypatch.context() as then:
        # A table of today that there was not then.
        then.setattr("service.store.migrate.READABLE", [table for table in READABLE if table != "report"])
        await migrate(empty_dsn, migrations=earlier, functions=granted)
    ids = sorted(new_id() for _ in range(7))
    for player, recovered in ((ids[0], None), (ids[1], ids[5])):
        await admin.execute("INSERT INTO codille.player VALUES ($1, 'Ada', now())", player)
        await admin.execute("UPDATE codille.player SET recovered_token = $2 WHERE id = $1", player, recovered)
    for token, player in zip(ids[2:], (ids[0], ids[0], ids[1], ids[1], ids[1]), strict=True):
        await admin.execute(
            "INSERT INTO codille.token (id, hash, player_id, scopes, created_at) VALUES ($1, $2, $3, '{play}', now())",
            token, new_hash(), player,
        )  # fmt: skip
    await migrate(empty_dsn)
    rows = await admin.fetch("SELECT id::text FROM codille.token WHERE NOT added ORDER BY id")
    assert [token for (token,) in rows] == [ids[2], ids[4], ids[5]]


PROOF = bytes(range(32))
SOON = AT + timedelta(minutes=2)


async def offered(accounts: Accounts, name: str = "7KQ", proof: bytes = PROOF) -> tuple[str, HashedToken]:
    player, token = await registered(accounts)
    made = await accounts.offer_handover(player, name, sha256(proof).digest(), SOON, AT, by=token.id)
    assert made == "offered"
    return player, token


async def claimed(
    accounts: Accounts, proof: bytes = PROOF, at: datetime = AT, name: str = "7KQ"
) -> HandoverClaimed | Spent | KeyReused | UnknownPlayer:
    return await accounts.claim_handover(name, proof, new_token(), at, most_tries=5)


async def test_a_code_is_valid_for_its_time_and_its_name_for_one_player(accounts: Accounts) -> None:
    await offered(accounts, "AAA")
    player, token = await registered(accounts)
    digest = sha256(PROOF).digest()
    assert await accounts.offer_handover(player, "AAA", digest, SOON, AT, by=token.id) == "taken"
    assert isinstance(await claimed(accounts, at=SOON - MOMENT, name="AAA"), HandoverClaimed)
    await offered(accounts, "CCC")
    assert await claimed(accounts, at=SOON, name="CCC") == UnknownPlayer()
    later = SOON + timedelta(minutes=2)
    await offered(accounts, "DDD")
    assert await accounts.offer_handover(player, "DDD", digest, later, SOON, by=token.id) == "offered"
    assert await accounts.offer_handover(player, "EEE", digest, later, SOON, by=new_id()) == "unknown"


async def test_wrong_tries_at_once_are_all_counted(accounts: Accounts) -> None:
    await offered(accounts, "FFF")
    wrong = [claimed(accounts, secrets.token_bytes(32), name="FFF") for _ in range(5)]
    assert await asyncio.gather(*wrong) == [UnknownPlayer()] * 5
    assert await claimed(accounts, name="FFF") == UnknownPlayer()


async def test_a_code_at_once_gives_one_token(accounts: Accounts) -> None:
    player, _ = await offered(accounts, "HHH")
    outcomes = await asyncio.gather(*(claimed(accounts, name="HHH") for _ in range(4)))
    assert sum(isinstance(one, HandoverClaimed) for one in outcomes) == 1
    assert len(await accounts.tokens(player, AT)) == 2


async def test_who_reads_what_the_service_reads_cannot_trade_a_code(accounts: Accounts, database: Database) -> None:
    await offered(accounts, "JJJ")
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await database.fetch("SELECT * FROM codille.handover")
    assert await claimed(accounts, sha256(PROOF).digest(), name="JJJ") == UnknownPlayer()
