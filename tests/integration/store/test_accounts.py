"""Players and their tokens."""

import asyncio
import secrets
from datetime import UTC, datetime, timedelta
from hashlib import sha256

import asyncpg
import pytest

from service.store.accounts import (
    Accounts,
    Bearer,
    HashedToken,
    Issued,
    PlayerProfile,
    Spent,
    TokenMetadata,
    UnknownPlayer,
)
from service.store.database import Database
from service.store.revocations import Revocations
from service.store.store import KeyReused
from tests.support.log import new_id, receipt
from tests.support.postgres import disconnect

AT = datetime(2026, 11, 20, 10, 0, 0, 123456, tzinfo=UTC)
LATER = AT + timedelta(hours=2)


def new_token(*scopes: str) -> HashedToken:
    return HashedToken(new_id(), secrets.token_bytes(32), scopes or ("play",))


async def registered(accounts: Accounts) -> tuple[str, HashedToken]:
    player, token = new_id(), new_token()
    await accounts.register(player, "Ana", token, AT)
    return player, token


async def test_a_player_registers_with_a_token(accounts: Accounts) -> None:
    player, token = new_id(), new_token()
    assert await accounts.register(player, "Ana", token, AT) == Issued(player, token.id, replayed=False)
    assert await accounts.player(player) == PlayerProfile(player, "Ana", AT, None)
    assert await accounts.token(token.hash, AT) == Bearer(player, ("play",), token.id)


@pytest.mark.parametrize("scopes", [("arbiter",), ("play", "admin")])
async def test_the_services_role_gives_nobody_more_than_play(
    accounts: Accounts, database: Database, scopes: tuple[str, ...]
) -> None:
    player, own = await registered(accounts)
    wanted = new_token(*scopes)
    for given in (
        accounts.register(new_id(), "Eve", wanted, AT),
        accounts.add_token(player, wanted, AT),
        accounts.add_token(player, wanted, AT, secret="codille_guessed"),
        accounts.add_token(player, wanted, AT, secret=own.hash.decode("latin-1").replace("\0", "")),
        accounts.grant_token(player, wanted, AT),
        database.fetch(
            "SELECT codille.reissue($1, $1, $2, $3, NULL, now(), true)", bytes(32), wanted.hash, list(wanted.scopes)
        ),
    ):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await given
    assert await accounts.token(wanted.hash, AT) is None
    assert [token.scopes for token in await accounts.tokens(player, AT)] == [("play",)]


async def test_a_token_hands_on_the_scopes_that_it_has(accounts: Accounts, owners_accounts: Accounts) -> None:
    player, _ = await registered(accounts)
    stranger, _ = await registered(accounts)
    secret = "codille_of-the-arbiter"
    arbiter = HashedToken(new_id(), sha256(secret.encode()).digest(), ("play", "arbiter"))
    await owners_accounts.grant_token(player, arbiter, AT)
    second = new_token("arbiter")
    assert isinstance(await accounts.add_token(player, second, AT, secret=secret), Issued)
    assert await accounts.token(second.hash, AT) == Bearer(player, ("arbiter",), second.id)
    for of, scopes in ((player, ("arbiter", "admin")), (stranger, ("arbiter",))):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await accounts.add_token(of, new_token(*scopes), AT, secret=secret)
    await accounts.revoke(arbiter.id, player, AT)
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await accounts.add_token(player, new_token("arbiter"), AT, secret=secret)


async def test_a_token_is_not_renewed_by_one_that_may_less(accounts: Accounts, owners_accounts: Accounts) -> None:
    player, _ = await registered(accounts)
    secret = "codille_of-the-arbiter"
    await owners_accounts.grant_token(
        player, HashedToken(new_id(), sha256(secret.encode()).digest(), ("play", "arbiter")), AT
    )
    unused = new_token("play", "arbiter")
    await accounts.add_token(player, unused, AT, receipt("key", "{}"), secret=secret)
    assert await accounts.add_token(player, new_token(), AT, receipt("key", "{}")) == KeyReused()
    assert await accounts.token(unused.hash, AT) is not None


async def test_nobody_is_given_anothers_token_for_the_key_alone(accounts: Accounts) -> None:
    player, first, second = new_id(), new_token(), new_token()
    await accounts.register(player, "Ana", first, AT, receipt("key"))
    assert await accounts.register(new_id(), "Ana", second, AT, receipt("key")) == Spent(player, first.id)
    assert await accounts.token(second.hash, AT) is None
    assert await accounts.token(first.hash, AT) is not None


async def test_unknown_players_and_tokens(accounts: Accounts) -> None:
    assert await accounts.player(new_id()) is None
    assert await accounts.players([]) == {}
    assert await accounts.token(bytes(32), AT) is None
    assert await accounts.tokens(new_id(), AT) == []
    assert not await accounts.revoke(new_id(), new_id(), AT)
    assert not await accounts.erase(new_id(), AT)
    assert await accounts.add_token(new_id(), new_token(), AT) == UnknownPlayer()


async def test_registering_again_replaces_a_token_never_used(accounts: Accounts) -> None:
    player, first, second = new_id(), new_token(), new_token()
    await accounts.register(player, "Ana", first, AT, receipt("key"))
    again = await accounts.register(new_id(), "Ana", second, AT, receipt("key"), renewable=True)
    assert again == Issued(player, first.id, replayed=True)
    assert await accounts.token(first.hash, AT) is None
    assert await accounts.token(second.hash, AT) == Bearer(player, ("play",), first.id)
    assert len(await accounts.directory(None, 10)) == 1


async def test_registering_again_after_use_is_refused(accounts: Accounts) -> None:
    player, first = new_id(), new_token()
    await accounts.register(player, "Ana", first, AT, receipt("key"))
    await accounts.token(first.hash, AT)
    again = await accounts.register(new_id(), "Ana", new_token(), AT, receipt("key"), renewable=True)
    assert again == Spent(player, first.id)
    assert await accounts.token(first.hash, AT) is not None


async def test_registering_again_with_another_body_is_refused(accounts: Accounts) -> None:
    await accounts.register(new_id(), "Ana", new_token(), AT, receipt("key", "Ana"))
    assert await accounts.register(new_id(), "Bo", new_token(), AT, receipt("key", "Bo")) == KeyReused()


async def test_registering_concurrently_with_one_key_makes_one_player(accounts: Accounts) -> None:
    tokens = [new_token() for _ in range(8)]
    outcomes = await asyncio.gather(
        *(accounts.register(new_id(), "Ana", token, AT, receipt("key"), renewable=True) for token in tokens)
    )
    assert sum(not outcome.replayed for outcome in outcomes if isinstance(outcome, Issued)) == 1
    assert len({outcome.player for outcome in outcomes if isinstance(outcome, Issued)}) == 1
    assert len(await accounts.present([token.hash for token in tokens], AT)) == 1


async def test_tokens_are_added_and_listed(accounts: Accounts, owners_accounts: Accounts) -> None:
    player, first = await registered(accounts)
    second = new_token("admin")
    assert await owners_accounts.grant_token(player, second, LATER) == Issued(player, second.id, replayed=False)
    await accounts.token(second.hash, LATER)
    listed = [
        TokenMetadata(first.id, player, ("play",), AT, None),
        TokenMetadata(second.id, player, ("admin",), LATER, LATER),
    ]
    assert await accounts.tokens(player, AT) == sorted(listed, key=lambda token: token.id)
    assert len(await accounts.tokens(player, AT, limit=1)) == 1
    assert await accounts.tokens(player, AT, after=max(first.id, second.id)) == []


async def test_adding_a_token_again(accounts: Accounts) -> None:
    player, _ = await registered(accounts)
    first, second = new_token(), new_token()
    await accounts.add_token(player, first, AT, receipt("key"))
    assert await accounts.add_token(player, second, AT, receipt("key")) == Issued(player, first.id, replayed=True)
    await accounts.token(second.hash, AT)
    assert await accounts.add_token(player, new_token(), AT, receipt("key")) == Spent(player, first.id)
    assert await accounts.add_token(player, new_token(), AT, receipt("key", "[]")) == KeyReused()
    assert len(await accounts.tokens(player, AT)) == 2


async def test_a_revoked_token_is_not_valid(accounts: Accounts) -> None:
    player, token = await registered(accounts)
    stranger, _ = await registered(accounts)
    assert not await accounts.revoke(token.id, stranger, AT)
    assert await accounts.revoke(token.id, player, AT)
    assert not await accounts.revoke(token.id, player, AT)
    assert await accounts.token(token.hash, AT) is None
    assert await accounts.tokens(player, AT) == []


async def test_a_revoked_token_is_not_given_again(accounts: Accounts) -> None:
    player, token = new_id(), new_token()
    await accounts.register(player, "Ana", token, AT, receipt("key"))
    await accounts.revoke(token.id, player, AT)
    again = await accounts.register(new_id(), "Ana", new_token(), AT, receipt("key"), renewable=True)
    assert again == Spent(player, token.id)


async def test_erasing_takes_the_name_and_the_tokens(accounts: Accounts) -> None:
    player, token = await registered(accounts)
    await accounts.add_token(player, new_token(), AT)
    assert await accounts.erase(player, LATER)
    assert not await accounts.erase(player, LATER)
    assert await accounts.player(player) == PlayerProfile(player, None, AT, LATER)
    assert await accounts.tokens(player, AT) == []
    assert await accounts.token(token.hash, LATER) is None
    assert await accounts.add_token(player, new_token(), LATER) == UnknownPlayer()


async def test_several_tokens_are_presented_at_once(accounts: Accounts) -> None:
    known = [(await registered(accounts)) for _ in range(3)]
    answers = await accounts.present([token.hash for _, token in known] + [bytes(32)], AT)
    assert answers == {token.hash: Bearer(player, ("play",), token.id) for player, token in known}


@pytest.mark.parametrize(("minutes", "kept"), [(59, AT), (61, AT + timedelta(minutes=61))])
async def test_the_last_use_is_kept_to_the_hour(accounts: Accounts, minutes: int, kept: datetime) -> None:
    player, token = await registered(accounts)
    await accounts.token(token.hash, AT)
    await accounts.token(token.hash, AT + timedelta(minutes=minutes))
    assert [each.last_used_at for each in await accounts.tokens(player, AT)] == [kept]


async def test_every_process_hears_of_revocations(dsn: str, database: Database, accounts: Accounts) -> None:
    heard: asyncio.Queue[bytes | None] = asyncio.Queue()
    player, first = await registered(accounts)
    second, third, fourth = new_token(), new_token(), new_token()
    await accounts.add_token(player, second, AT, receipt("key"))
    async with asyncio.timeout(20), Revocations(database, heard.put_nowait, beat_s=0.05):
        assert await heard.get() is None
        await accounts.revoke(first.id, player, AT)
        assert await heard.get() == first.hash
        await accounts.add_token(player, third, AT, receipt("key"))
        assert await heard.get() == second.hash
        await accounts.add_token(player, fourth, AT)
        await accounts.erase(player, AT)
        assert {await heard.get(), await heard.get()} == {third.hash, fourth.hash}
        await disconnect(dsn)
        assert await heard.get() is None
