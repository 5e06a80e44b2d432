"""Clients' tokens and codes as the functions of the database keep them."""

from datetime import timedelta

import asyncpg
import pytest

from service.store.accounts import Accounts
from service.store.client_tokens import ClientGrant, ClientTokens, CodeReused, Consent
from service.store.database import Database
from service.store.migrate import FOR_THE_OWNER, migrate, sql_files
from tests.integration.store.test_accounts import AT, new_token, registered
from tests.integration.store.test_tokens import digest, new_hash
from tests.support.log import new_id
from tests.support.postgres import Owner, as_service

CLIENT = "https://client.example/in"
MINUTE = timedelta(minutes=1)


def consent(*scopes: str) -> Consent:
    return Consent(CLIENT, CLIENT, digest("verifier"), scopes, AT + timedelta(days=90))


async def test_which_tokens_of_before_let_clients_in(empty_dsn: str, admin: Owner) -> None:
    """Those of registration and of the last recovery, as far as they are known; none that is revoked."""
    earlier = [one for one in sql_files("migrations") if one.number < 22]
    await migrate(
        empty_dsn, migrations=earlier, functions=[one for one in sql_files("sql") if one.name in FOR_THE_OWNER]
    )
    players, tokens = sorted(new_id() for _ in range(3)), sorted(new_id() for _ in range(7))
    # The first has a token from registration, one that was added, and one of the operator's; the second has recovered;
    # the third's first one is revoked.
    rows = (
        (tokens[0], players[0], False, None), (tokens[1], players[0], True, None), (tokens[2], players[0], False, None),
        (tokens[3], players[1], False, AT), (tokens[4], players[1], False, None),
        (tokens[5], players[2], False, AT), (tokens[6], players[2], False, None),
    )  # fmt: skip
    for player in players:
        await admin.execute("INSERT INTO codille.player (id, name, created_at) VALUES ($1, 'Ada', $2)", player, AT)
    await admin.execute("UPDATE codille.player SET recovered_token = $1 WHERE id = $2", tokens[4], players[1])
    for token, player, added, gone in rows:
        await admin.execute(
            "INSERT INTO codille.token (id, hash, player_id, scopes, created_at, added, revoked_at)"
            " VALUES ($1, $2, $3, '{play}', $4, $5, $6)",
            token, new_hash(), player, AT, added, gone,
        )  # fmt: skip
    await migrate(empty_dsn)
    async with Database(as_service(empty_dsn)) as database:
        clients = ClientTokens(database)
        outcomes = [
            await clients.consent(player, new_hash(), consent("read"), AT + MINUTE, AT, by=token)
            for token, player, _, _ in rows
        ]
    assert outcomes == ["consented", "lesser", "lesser", "unknown", "consented", "unknown", "lesser"]


async def test_the_service_gives_no_client_a_scope_of_a_players(database: Database) -> None:
    player, own = await registered(Accounts(database))
    for scopes in (("play",), ("read", "arbiter"), ("admin",)):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await ClientTokens(database).consent(player, new_hash(), consent(*scopes), AT + MINUTE, AT, by=own.id)


async def test_a_code_is_kept_for_an_hour_to_notice_that_it_is_used_again(database: Database) -> None:
    accounts, clients = Accounts(database), ClientTokens(database)
    player, own = await registered(accounts)
    code, token = new_hash(), new_token()
    await clients.consent(player, code, consent("read"), AT + MINUTE, AT, by=own.id)
    given = await clients.exchange(code, CLIENT, CLIENT, digest("verifier"), token, AT)
    assert given == ClientGrant(player, ("read",), AT + timedelta(days=90))
    # Its minute is over, and whoever presents it again ends the token.
    again = await clients.exchange(code, CLIENT, CLIENT, digest("verifier"), new_token(), AT + timedelta(minutes=30))
    assert again == CodeReused(player)
    assert await accounts.token(token.hash, AT + timedelta(minutes=30)) is None
    later = AT + timedelta(hours=2)
    await clients.consent(player, new_hash(), consent("read"), later + MINUTE, later, by=own.id)
    assert await clients.exchange(code, CLIENT, CLIENT, digest("verifier"), new_token(), later) is None
