"""What a token made, and what that made in turn, ends with it, and no later."""

import asyncio
import secrets
from collections.abc import Callable, Coroutine
from datetime import timedelta
from hashlib import sha256
from typing import Any

import pytest
from msgspec import Struct, structs

from service.store.accounts import Accounts, HandoverClaimed, HashedToken, Issued, MadeByToken, UnknownPlayer
from service.store.database import Database
from service.store.invitations import Invitations, id_of
from service.store.migrate import FOR_THE_OWNER, migrate, sql_files
from service.store.revocations import Revocations
from service.store.webhook_store import Added, TooManyWebhooks, UnknownWebhook, WebhookStore
from tests.integration.store.test_accounts import AT, LATER, new_token, registered
from tests.integration.store.test_tokens import MOMENT, PROOF, RECOVERY, SOON, digest, new_hash, recoverable
from tests.support.for_each import for_each
from tests.support.log import new_id, receipt
from tests.support.postgres import Owner, as_service

URL = "https://bot.example/hook"


class Things(Struct, frozen=True):
    """What one token made: a token, a webhook, an invitation to a table, and a code."""

    token: HashedToken
    webhook: str
    table: str
    invitation: bytes
    code: str

    @property
    def listed(self) -> set[MadeByToken]:
        """As a rotation lists them, but for the code."""
        return {
            MadeByToken("token", self.token.id, None),
            MadeByToken("webhook", self.webhook, None),
            MadeByToken("invitation", id_of(self.invitation), self.table),
        }


class World:
    """The accounts' tables, as the service's role uses them."""

    def __init__(self, database: Database) -> None:
        self.accounts = Accounts(database)
        self.webhooks = WebhookStore(database)
        self.invitations = Invitations(database, ttl_s=0.0)

    async def webhook(self, player: str, by: str | None) -> str:
        added = await self.webhooks.add(player, new_id(), None, URL, ["your-turn"], bytes(32), AT, by=by)
        assert isinstance(added, Added)
        return added.id

    async def things(self, player: str, by: str) -> Things:
        """Has the token make one of each."""
        token, table, invitation, code = new_token(), new_id(), new_hash(), secrets.token_hex(4)
        assert isinstance(await self.accounts.add_token(player, token, AT, by=by), Issued)
        webhook = await self.webhook(player, by)
        assert await self.invitations.add(table, invitation, player, AT, by=by) == "made"
        made = await self.accounts.offer_handover(player, code, sha256(PROOF).digest(), SOON, AT, by=by)
        assert made == "offered"
        return Things(token, webhook, table, invitation, code)

    async def left(self, player: str, *made: Things, at: Any = AT) -> list[str]:
        """What is still valid of these. Only the last code can be, since a player has one at a time."""
        left: list[str] = []
        for number, one in enumerate(made):
            if await self.accounts.token(one.token.hash, at):
                left.append(f"token {number}")
            if await self.webhooks.one(player, one.webhook, at):
                left.append(f"webhook {number}")
            if await self.invitations.of_table(one.table, at):
                left.append(f"invitation {number}")
        claimed = await self.accounts.claim_handover(made[-1].code, PROOF, new_token(), at, most_tries=5)
        return left + (["code"] if isinstance(claimed, HandoverClaimed) else [])


@pytest.fixture
def world(database: Database) -> World:
    return World(database)


async def recovered(world: World, player: str, _: HashedToken) -> object:
    return await world.accounts.recover(player, RECOVERY, new_token(), new_hash(), AT)


async def erased(world: World, player: str, own: HashedToken) -> object:
    return await world.accounts.erase(player, AT, by=own.id)


async def revoked(world: World, player: str, own: HashedToken) -> object:
    return await world.accounts.revoke(own.id, player, AT, by=own.id)


async def revoked_by_the_operator(world: World, player: str, own: HashedToken) -> object:
    return await world.accounts.revoke(own.id, player, AT)


async def rotated(world: World, player: str, own: HashedToken) -> object:
    return await world.accounts.rotate(player, own.id, new_hash(), AT, by=own.id, end_made=True)


ENDS: list[Callable[[World, str, HashedToken], Coroutine[Any, Any, object]]] = [
    recovered, erased, revoked, revoked_by_the_operator, rotated,
]  # fmt: skip


@for_each("end", ENDS)
async def test_what_a_token_made_and_that_made_in_turn_ends_with_it(
    world: World, end: Callable[[World, str, HashedToken], Coroutine[Any, Any, object]]
) -> None:
    player, own = await recoverable(world.accounts)
    first = await world.things(player, own.id)
    claimed = new_token()
    await world.accounts.claim_handover(first.code, PROOF, claimed, AT, most_tries=5)
    made = [first, await world.things(player, first.token.id), await world.things(player, claimed.id)]
    made.append(await world.things(player, made[1].token.id))
    stranger, theirs = await registered(world.accounts)
    other = await world.things(stranger, theirs.id)
    assert await end(world, player, own)
    assert await world.left(player, *made) == []
    assert await world.accounts.token(claimed.hash, AT) is None
    assert len(await world.left(stranger, other)) == 4


async def test_what_another_token_made_goes_on(world: World, owners_accounts: Accounts) -> None:
    player, own = await registered(world.accounts)
    granted, lent = new_token("play", "arbiter"), new_token()
    await owners_accounts.grant_token(player, granted, AT)
    await world.accounts.add_token(player, lent, AT, by=own.id)
    theirs, made, last = [await world.things(player, one.id) for one in (granted, lent, own)]
    assert await world.accounts.revoke(lent.id, player, AT, by=own.id)
    assert await world.left(player, theirs, made, last) == [
        "token 0", "webhook 0", "invitation 0", "token 2", "webhook 2", "invitation 2", "code",
    ]  # fmt: skip
    # The operator gives a token to the player, and no token of the player's makes it.
    spare = new_token()
    await world.accounts.add_token(player, spare, AT)
    assert await world.accounts.revoke(own.id, player, AT)
    assert await world.accounts.token(spare.hash, AT) is not None
    assert await world.accounts.token(granted.hash, AT) is not None


async def test_a_rotation_lists_what_the_token_made(world: World) -> None:
    player, own = await registered(world.accounts)
    lent, other = new_token(), new_token()
    await world.accounts.add_token(player, lent, AT, by=own.id)
    await world.accounts.add_token(player, other, AT, by=own.id)
    first = await world.things(player, lent.id)
    second = await world.things(player, first.token.id)
    await world.things(player, other.id)
    code = await world.accounts.offer_handover(player, "9KQ", sha256(PROOF).digest(), SOON, AT, by=lent.id)
    assert code == "offered"
    expected = first.listed | second.listed | {MadeByToken("code", None, None)}
    for key, end_made, made in (("", False, expected), ("key", True, expected), ("key", True, set())):
        issued = await world.accounts.rotate(
            player, lent.id, new_hash(), AT, receipt(key) if key else None, by=own.id, end_made=end_made
        )
        assert isinstance(issued, Issued)
        assert set(issued.made) == made
        assert len(issued.made) == len(made)
    assert await world.accounts.token_of(player, lent.id, AT)
    assert await world.left(player, first, second) == []
    assert len(await world.accounts.tokens(player, AT)) == 4


async def test_nothing_ends_later_than_what_made_it(world: World) -> None:
    player, own = await registered(world.accounts)
    lent = structs.replace(new_token(), expires_at=LATER)
    await world.accounts.add_token(player, lent, AT, by=own.id)
    first = await world.things(player, lent.id)
    made = [first, await world.things(player, first.token.id)]
    assert [one.expires_at for one in await world.accounts.tokens(player, AT)] == [None, LATER, LATER, LATER]
    assert await world.left(player, *made, at=LATER) == []
    sooner = AT + timedelta(hours=1)
    await world.accounts.rotate(player, lent.id, new_hash(), AT, by=own.id, expires_at=sooner)
    assert [one.expires_at for one in await world.accounts.tokens(player, AT)] == [None, sooner, sooner, sooner]
    assert len(await world.left(player, *made, at=sooner - MOMENT)) == 6
    assert await world.left(player, *made, at=sooner) == []
    # What has ended takes no place of others.
    for _ in range(8):
        await world.webhook(player, own.id)
    for at, outcome in ((AT, TooManyWebhooks), (sooner, Added)):
        one = await world.webhooks.add(player, new_id(), None, URL, ["your-turn"], bytes(32), at, by=own.id)
        assert isinstance(one, outcome)


async def test_a_code_does_not_outlive_the_end_of_the_token_by_which_it_was_asked_for(world: World) -> None:
    player, own = await registered(world.accounts)
    lent = structs.replace(new_token(), expires_at=AT + timedelta(seconds=30))
    await world.accounts.add_token(player, lent, AT, by=own.id)
    made = await world.things(player, lent.id)
    claimed = await world.accounts.claim_handover(
        made.code, PROOF, new_token(), AT + timedelta(seconds=30), most_tries=5
    )
    assert claimed == UnknownPlayer()


async def test_a_secret_that_a_token_gave_ends_with_it(world: World) -> None:
    """A thief with a copied token gets no secret of another one's, nor of a webhook, that outlives the token."""
    player, own = await registered(world.accounts)
    stolen, others = new_token(), [new_token() for _ in range(2)]
    for token in (stolen, *others):
        await world.accounts.add_token(player, token, AT, by=own.id)
    taken, kept = new_hash(), new_hash()
    await world.accounts.rotate(player, others[0].id, taken, AT, by=stolen.id)
    await world.accounts.rotate(player, others[1].id, kept, AT, by=others[1].id)
    hooks = [await world.webhook(player, own.id) for _ in range(4)]
    assert await world.webhooks.change(player, hooks[0], AT, url="https://thief.example/", by=stolen.id)
    assert isinstance(await world.webhooks.rotate(player, hooks[1], bytes(32), AT, AT, by=stolen.id), Added)
    assert await world.webhooks.change(player, hooks[2], AT, name="mine", url=URL, enabled=True, by=stolen.id)
    assert await world.accounts.revoke(stolen.id, player, AT, by=own.id)
    assert await world.accounts.token(taken, AT) is None
    assert await world.accounts.token(kept, AT) is not None
    assert [one.id for one in await world.webhooks.list(player, AT, None, 10)] == sorted(hooks[2:])


async def test_tokens_that_rotate_each_other_end_together(world: World) -> None:
    player, own = await registered(world.accounts)
    one, other = new_token(), new_token()
    await world.accounts.add_token(player, one, AT, by=own.id)
    await world.accounts.add_token(player, other, AT, by=one.id)
    await world.accounts.rotate(player, one.id, new_hash(), AT, by=other.id)
    await world.accounts.rotate(player, one.id, new_hash(), AT, by=one.id, end_made=True)
    assert [each.id for each in await world.accounts.tokens(player, AT)] == [own.id, one.id]
    await world.accounts.rotate(player, one.id, new_hash(), AT, by=own.id)
    made = await world.things(player, one.id)
    await world.accounts.rotate(player, one.id, new_hash(), AT, by=made.token.id)
    assert await world.accounts.revoke(made.token.id, player, AT, by=own.id)
    assert [each.id for each in await world.accounts.tokens(player, AT)] == [own.id]


async def test_nothing_is_made_by_a_token_that_has_ended(world: World) -> None:
    player, own = await registered(world.accounts)
    lent = new_token()
    await world.accounts.add_token(player, lent, AT, by=own.id)
    hook = await world.webhook(player, own.id)
    await world.accounts.revoke(lent.id, player, AT)
    refused = await world.webhooks.add(player, new_id(), None, URL, ["your-turn"], bytes(32), AT, by=lent.id)
    assert refused == UnknownWebhook()
    assert await world.invitations.add(new_id(), new_hash(), player, AT, by=lent.id) == "unknown"
    assert not await world.webhooks.change(player, hook, AT, url="https://thief.example/", by=lent.id)
    assert await world.webhooks.rotate(player, hook, bytes(32), AT, AT, by=lent.id) == UnknownWebhook()


@for_each("end", ENDS[:3])
async def test_nothing_that_is_made_at_the_same_time_goes_on(
    world: World, end: Callable[[World, str, HashedToken], Coroutine[Any, Any, object]]
) -> None:
    player, own = await recoverable(world.accounts)
    lent, tables = new_token(), [new_id() for _ in range(4)]
    await world.accounts.add_token(player, lent, AT, by=own.id)
    calls: list[Callable[[], Coroutine[Any, Any, object]]] = [
        lambda: end(world, player, own),
        *(lambda: world.accounts.add_token(player, new_token(), AT, by=lent.id) for _ in range(4)),
        *(
            lambda: world.webhooks.add(player, new_id(), None, URL, ["your-turn"], bytes(32), AT, by=lent.id)
            for _ in range(4)
        ),
        *(lambda table=table: world.invitations.add(table, new_hash(), player, AT, by=lent.id) for table in tables),
        lambda: world.accounts.offer_handover(player, "LLL", sha256(PROOF).digest(), SOON, AT, by=lent.id),
    ]
    await asyncio.gather(*(calls[number % len(calls)]() for number in range(7, 7 + len(calls))))
    assert len(await world.accounts.tokens(player, AT)) == int(end is recovered)
    assert await world.webhooks.list(player, AT, None, 20) == []
    assert [await world.invitations.of_table(table, AT) for table in tables] == [()] * 4
    claimed = await world.accounts.claim_handover("LLL", PROOF, new_token(), AT, most_tries=5)
    assert claimed == UnknownPlayer()


async def test_every_process_hears_of_what_ends_with_a_token(database: Database, world: World) -> None:
    heard: asyncio.Queue[bytes | None] = asyncio.Queue()
    player, own = await registered(world.accounts)
    made = await world.things(player, own.id)
    async with asyncio.timeout(60), Revocations(database, heard.put_nowait, beat_s=0.05):
        assert await heard.get() is None
        again = new_hash()
        await world.accounts.rotate(player, own.id, again, AT, by=own.id, expires_at=LATER)
        assert {await heard.get() for _ in range(3)} == {own.hash, made.token.hash, made.invitation}
        await world.accounts.revoke(own.id, player, AT)
        assert {await heard.get() for _ in range(3)} == {again, made.token.hash, made.invitation}


FAR = AT + timedelta(days=36_500)


async def test_what_was_there_before_counts_as_made_by_the_first_token_that_is_valid(
    empty_dsn: str, admin: Owner
) -> None:
    earlier = [one for one in sql_files("migrations") if one.number < 18]
    granted = [one for one in sql_files("sql") if one.name in FOR_THE_OWNER]
    await migrate(empty_dsn, migrations=earlier, functions=granted)
    players, tokens, hooks = ([new_id() for _ in range(count)] for count in (3, 8, 3))
    players.sort()
    tokens.sort()
    for player, hook in zip(players, hooks, strict=True):
        await admin.execute(
            "INSERT INTO codille.player (id, name, created_at, recovery_hash) VALUES ($1, 'Ada', $2, $3)",
            player, AT, digest(RECOVERY),
        )  # fmt: skip
        await admin.execute(
            "INSERT INTO codille.webhook (id, player_id, url, kinds, created_at, behind)"
            " VALUES ($1, $2, $3, '{your-turn}', $4, 0)",
            hook, player, URL, AT,
        )  # fmt: skip
        await admin.execute("INSERT INTO codille.invitation VALUES ($1, $2, $3, $4)", new_hash(), player, player, AT)
    # Of the first player the first token is revoked, and the operator gave the next; the second has none but an added
    # one; the third's first one ends.
    for token, player, added, gone, ends in (
        (tokens[0], players[0], False, AT, None), (tokens[1], players[0], False, None, None),
        (tokens[2], players[0], True, None, None), (tokens[3], players[1], False, AT, None),
        (tokens[4], players[1], True, None, None), (tokens[5], players[2], False, None, FAR),
        (tokens[6], players[2], True, None, None), (tokens[7], players[2], True, AT, None),
    ):  # fmt: skip
        await admin.execute(
            "INSERT INTO codille.token (id, hash, player_id, scopes, created_at, added, revoked_at, expires_at)"
            " VALUES ($1, $2, $3, '{play}', $4, $5, $6, $7)",
            token, new_hash(), player, AT, added, gone, ends,
        )  # fmt: skip
    await migrate(empty_dsn)
    async with Database(as_service(empty_dsn)) as database:
        world = World(database)

        async def left(player: str, at: Any = AT) -> tuple[list[str], int, int]:
            return (
                [one.id for one in await world.accounts.tokens(player, at)],
                len(await world.webhooks.list(player, at, None, 10)),
                len(await world.invitations.of_table(player, at)),
            )

        # What a program of the version before adds and changes counts in the same way.
        for player in players:
            await database.fetch(
                "SELECT codille.invite($1, $2, $3, $4, $5, $6)", player, new_hash(), player, AT, 50, None
            )
            await database.fetch(
                "SELECT * FROM codille.add_webhook($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
                player, new_id(), None, URL, ["your-turn"], bytes(32), AT, 10, None, None,
            )  # fmt: skip
            rotated = await database.fetch(
                "SELECT * FROM codille.rotate_webhook($1, $2, $3, $4, $5, $6, $7)",
                player, hooks[players.index(player)], bytes(32), AT, AT, None, None,
            )  # fmt: skip
            assert [row["outcome"] for row in rotated] == ["rotated"]
        assert await left(players[0]) == (tokens[1:3], 2, 2)
        assert await world.accounts.revoke(tokens[2], players[0], AT)
        assert await left(players[0]) == (tokens[1:2], 2, 2)
        assert await world.accounts.revoke(tokens[1], players[0], AT)
        assert await left(players[0]) == ([], 0, 0)
        assert await world.accounts.revoke(tokens[4], players[1], AT)
        assert await left(players[1]) == ([], 2, 2)
        assert await recovered(world, players[1], new_token())
        assert (await left(players[1]))[1:] == (0, 0)
        assert await left(players[2]) == (tokens[5:7], 2, 2)
        assert await left(players[2], FAR) == ([], 0, 0)
