"""What a token makes ends with it, and `deploy/security.md` says of each operation what it makes."""

import re
from collections import Counter
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import asyncpg
import httpx

from service.app import OPERATIONS
from service.http.edge import Edge
from service.http.operation import Operation, operation_of
from service.services import Services
from tests.contract.conftest import Caller, caller_of, opened, problem, register
from tests.contract.test_authorization import MATRIX, called, scene_of
from tests.contract.test_lists import services
from tests.contract.test_tokens import added, caller_with, claim, ended, handed, hence, own_token, recover
from tests.support.for_each import for_each
from tests.support.streams import reading

__all__ = ["services"]

MODEL = (Path(__file__).parents[2] / "deploy" / "security.md").read_text()
ENDS, STAYS, NOTHING = (
    re.findall(r"`([a-z][A-Za-z]+)`", paragraph)
    for paragraph in re.findall(r"^- \*\*(?:Ends with it|Stays|Nothing lasting)\*\*:.*?\n(?=- |\n)", MODEL, re.M | re.S)
)
"""The operations by what they make, as the page says."""

LOG = {"log", "stream", "event", "receipt", "report"}
"""Tables of what stays: the log's own, and reports."""
ENDING = {"token", "webhook", "webhook_secret", "webhook_message", "invitation", "handover", "authorization_code"}
RECEIPTS = {"issue", "webhook_receipt"}


def changing() -> dict[str, Operation]:
    """The operations that are served and change something."""
    declared = {one.id: one for handler in OPERATIONS if (one := operation_of(handler)) is not None}
    return {name: one for name, one in declared.items() if one.method != "GET"}


def test_the_page_says_of_each_operation_that_changes_something_what_it_makes() -> None:
    assert sorted(changing()) == sorted([*ENDS, *STAYS, *NOTHING])


async def test_each_operation_makes_what_the_page_says(app: Edge, three: list[Caller], dsn: str) -> None:
    """Tried with a token that another one added, and that is revoked in the end."""
    scene = await scene_of("seat", three, dsn)
    first, scene.caller = scene.caller, await added(scene.caller)
    scene.token = (await own_token(await added(scene.caller)))["id"]
    token = (await own_token(scene.caller))["id"]
    owner = await asyncpg.connect(dsn)
    tables = [name for (name,) in await owner.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'codille'")]
    # A row that is changed is another one.
    every = " UNION ALL ".join(f"SELECT '{name}', t.ctid::text FROM codille.{name} t" for name in tables)  # noqa: S608 (no input)
    tried = set()
    operations = changing()
    for name in MATRIX:
        if name not in operations or not operations[name].needs_token or name in ("revokeToken", "erasePlayer"):
            continue
        before = set(map(tuple, await owner.fetch(every)))
        answer = await called(name, scene)
        if not answer.is_success:
            continue
        tried.add(name)
        after = set(map(tuple, await owner.fetch(every)))
        made = {table for table, _ in after - before} - RECEIPTS
        if name in ENDS:
            assert made & ENDING, name
            assert made <= ENDING | {"webhook_cursor"}, (name, made)
        elif name in STAYS:
            assert made & LOG, name
            assert made <= LOG, (name, made)
        else:
            more = Counter(table for table, _ in after) - Counter(table for table, _ in before)
            assert more.keys() <= RECEIPTS, (name, more)
            assert not made & LOG, (name, made)
    assert len(tried) > 15
    assert (await first.delete(f"/tokens/{token}")).status_code == 204
    left = await owner.fetch(
        "SELECT 'token', id::text FROM codille.token WHERE made_by = $1 AND revoked_at IS NULL"
        " UNION ALL SELECT 'webhook', id::text FROM codille.webhook WHERE made_by = $1"
        " UNION ALL SELECT 'invitation', table_id::text FROM codille.invitation WHERE made_by = $1"
        " UNION ALL SELECT 'code', client FROM codille.authorization_code WHERE made_by = $1"
        " UNION ALL SELECT 'handover', name FROM codille.handover WHERE token_id = $1",
        token,
    )
    await owner.close()
    assert left == []


async def of_recovery(victim: Caller, secret: str, _: Caller) -> Caller:
    return caller_of(victim.http, await recover(victim.http, victim.player, secret))


async def of_revocation(victim: Caller, _: str, thief: Caller) -> Caller:
    assert (await victim.delete(f"/tokens/{(await own_token(thief))['id']}")).status_code == 204
    return victim


async def of_rotation(victim: Caller, _: str, thief: Caller) -> Caller:
    rotated = await victim.post(f"/tokens/{(await own_token(thief))['id']}/rotate", {"end_made": True})
    kinds = Counter(one["kind"] for one in rotated.json()["made"])
    assert kinds == {"token": 2, "webhook": 2, "invitation": 1, "code": 1}
    return victim


WAYS: list[Callable[[Caller, str, Caller], Coroutine[Any, Any, Caller]]] = [of_recovery, of_revocation, of_rotation]


@for_each("way", WAYS)
async def test_a_thief_of_a_token_keeps_nothing(
    client: httpx.AsyncClient, app: Edge, way: Callable[[Caller, str, Caller], Coroutine[Any, Any, Caller]]
) -> None:
    registered = await client.post("/v1/players", json={"name": "Ada"})
    victim, secret = caller_of(client, registered), registered.json()["recovery_secret"]
    own = (await victim.post("/webhooks", {"url": "https://bot.example/"})).json()["id"]
    # The thief has copied it.
    thief = await added(victim)
    table = await opened(thief, table={"visibility": "private"})
    invitation = (await thief.post(f"/tables/{table}/invitations", {})).json()["invitation"]
    heirs = [await added(thief), caller_with(thief, await claim(client, await handed(thief)))]
    hooks = [(await one.post("/webhooks", {"url": "https://thief.example/"})).json()["id"] for one in (thief, heirs[1])]
    assert len((await victim.get("/webhooks")).json()["items"]) == 3
    guest, late = [await register(client, name) for name in ("Bo", "Cy")]
    assert (await guest.post(f"/tables/{table}/seats?invite={invitation}", {})).status_code == 201
    assert (await late.get(f"/tables/{table}?invite={invitation}")).status_code == 200
    code = await handed(heirs[0])
    async with reading(app, f"/tables/{table}/events/stream?invite={invitation}") as watching:
        await watching.next()
        again = await way(victim, secret, thief)
        for one in (thief, *heirs):
            problem(await one.get("/players/me"), 401, "invalid-token")
        problem(await claim(client, code), 403, "invalid-code")
        problem(await late.get(f"/tables/{table}?invite={invitation}"), 404, "no-such-table")
        problem(await late.post(f"/tables/{table}/seats?invite={invitation}", {}), 404, "no-such-table")
        assert (await again.get(f"/tables/{table}/invitations")).json()["items"] == []
        left = [] if way is of_recovery else [own]
        assert [one["id"] for one in (await again.get("/webhooks")).json()["items"]] == left
        for hook in hooks:
            problem(await again.get(f"/webhooks/{hook}"), 404, "no-such-webhook")
            problem(await again.send("PATCH", f"/webhooks/{hook}", json={"enabled": True}), 404, "no-such-webhook")
        # Who sits stays seated, and plays on.
        assert (await guest.get(f"/tables/{table}")).json()["you"] == 0
        assert (await again.post(f"/tables/{table}/seats", {})).status_code == 201
        last = await watching.end()
        assert last is not None
        assert last.data["reason"] == "private"


async def test_nothing_outlives_a_token_that_expires(
    services: Services, dsn: str, client: httpx.AsyncClient, ada: Caller
) -> None:
    guest = await added(ada, expires_at=hence(seconds=60))
    until = (await own_token(guest))["expires_at"]
    table = await opened(ada, table={"visibility": "private"})
    invitation = (await guest.post(f"/tables/{table}/invitations", {})).json()["invitation"]
    hook = (await guest.post("/webhooks", {"url": "https://bot.example/"})).json()["id"]
    zoe = await register(client, "Zoe")
    assert (await zoe.get(f"/tables/{table}?invite={invitation}")).status_code == 200
    offer = (await guest.post("/tokens/handover", {})).json()
    assert offer["expires_at"] == until
    await ended(services, dsn, (await own_token(guest))["id"])
    services.players.invitations.forget(None)
    problem(await claim(client, offer["code"]), 403, "invalid-code")
    problem(await zoe.get(f"/tables/{table}?invite={invitation}"), 404, "no-such-table")
    problem(await ada.get(f"/webhooks/{hook}"), 404, "no-such-webhook")
    assert (await ada.get("/webhooks")).json()["items"] == []
    assert (await ada.get(f"/tables/{table}/invitations")).json()["items"] == []
