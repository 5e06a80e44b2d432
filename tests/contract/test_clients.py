"""Clients that a player lets in: what each scope gives, and what each operation needs of them."""

import re
from datetime import datetime, timedelta
from pathlib import Path

import httpx

from service.app import OPERATIONS
from service.http import guards
from service.http.edge import Edge
from service.http.operation import Operation, operation_of
from service.http.request import OPERATOR_PATHS
from service.services import Services
from service.store.database import Database
from tests.contract.conftest import Caller, caller_of, opened, problem, register
from tests.contract.test_authorization import MATRIX, called, scene_of
from tests.contract.test_lists import services
from tests.contract.test_tokens import added, caller_with, claim, ended, handed, hence, own_token, recover
from tests.support.for_each import for_each
from tests.support.letting_in import CLIENT, AskingClient

__all__ = ["services"]

GIVES = {"read": {"any", "read"}, "seat": {"any", "read", "seat"}, "webhooks": {"any", "webhooks"}}
"""By scope, what a client with it may call."""

ROW = re.compile(r"^\| `(any|read|seat|webhooks)` \| (.*?) \|", re.M)
MODEL = (Path(__file__).parents[2] / "deploy" / "security.md").read_text()


def declared() -> dict[str, Operation]:
    """The operations at which a token is looked at."""
    every = (one for handler in OPERATIONS if (one := operation_of(handler)) is not None)
    return {one.id: one for one in every if not one.path.startswith(OPERATOR_PATHS)}


async def let_in(caller: Caller, scope: str, **others: object) -> Caller:
    """A client of the caller's with this scope."""
    token = await AskingClient(caller.http, scope).token(caller.token, **others)
    return Caller(caller.http, caller.player, token)


def test_the_page_says_of_each_operation_which_scope_it_needs() -> None:
    listed = {name: set(re.findall(r"`(\w+)`", operations)) for name, operations in ROW.findall(MODEL)}
    assert listed == {
        needed: {name for name, one in declared().items() if one.client_scope == needed}
        for needed in ("any", "read", "seat", "webhooks")
    }


def test_who_may_play_is_no_client_that_only_reads() -> None:
    """The guard takes a client's token as it is: the operation's scope was looked at before."""
    needed = {one.client_scope for one in declared().values() if guards.may_play in one.guards}
    assert needed == {None, "seat", "webhooks"}
    assert {one.client_scope for one in declared().values() if guards.may_rule in one.guards} == {None}


@for_each("scope", GIVES)
async def test_every_operation_refuses_a_client_without_the_scope_that_it_needs(
    scope: str, client: httpx.AsyncClient, dsn: str
) -> None:
    scene = await scene_of("seat", [await register(client, name) for name in ("Ada", "Berta", "Carl")], dsn)
    player = scene.caller
    scene.caller = await let_in(player, scope)
    for name in MATRIX:
        one = declared().get(name)
        if one is None or name == "revokeToken":
            continue
        answer = await called(name, scene)
        if one.client_scope in GIVES[scope]:
            assert answer.status_code not in (401, 403), (name, answer.text)
            continue
        if answer.status_code == 403 and name.startswith("stream"):
            # Asked by HEAD, so that it has no body.
            continue
        refused = problem(answer, 403, "missing-scope")
        wanted = "" if one.client_scope is None else f', scope="{one.client_scope}"'
        assert answer.headers["WWW-Authenticate"] == f'Bearer realm="codille", error="insufficient_scope"{wanted}', name
        assert ("clients that act for a player" in refused["detail"]) == (one.client_scope is None)
    # Who has let it in is still there, with all that was.
    assert (await player.get("/players/me")).status_code == 200


async def test_a_page_made_for_its_reader_is_for_no_client(ada: Caller) -> None:
    table = await opened(ada)
    reader = await let_in(ada, "read seat webhooks")
    for path in (f"/replay/{table}/deal/1", f"/disputes/{table}/1/page"):
        answer = await ada.http.get(path, headers={"Authorization": f"Bearer {reader.token}"})
        assert (answer.status_code, "insufficient_scope" in answer.headers["WWW-Authenticate"]) == (403, True)


async def test_a_client_sees_and_ends_its_own_token_alone(ada: Caller) -> None:
    one, other = await let_in(ada, "webhooks"), await let_in(ada, "read")
    own = await own_token(one)
    assert [item["id"] for item in (await one.get("/tokens")).json()["items"]] == [own["id"]]
    assert (own["client"], own["scopes"], own["name"]) == (CLIENT, ["webhooks"], None)
    first, theirs = await own_token(ada), await own_token(other)
    for token in (first["id"], theirs["id"]):
        problem(await one.get(f"/tokens/{token}"), 404, "no-such-token")
        problem(await one.delete(f"/tokens/{token}"), 404, "no-such-token")
    assert (await one.get(f"/tokens/{own['id']}")).json() == own
    assert (await one.delete(f"/tokens/{own['id']}")).status_code == 204
    problem(await one.get("/tokens"), 401, "invalid-token")
    listed = (await ada.get("/tokens")).json()["items"]
    assert [(item["client"], item["current"]) for item in listed] == [(None, True), (CLIENT, False)]
    assert listed[1]["last_used_at"] is not None
    assert (await ada.delete(f"/tokens/{theirs['id']}")).status_code == 204
    problem(await other.get("/players/me"), 401, "invalid-token")


async def test_a_client_sees_and_changes_the_webhooks_that_it_made_alone(ada: Caller) -> None:
    own = (await ada.post("/webhooks", {"url": "https://bot.example/secret"})).json()["id"]
    one = await let_in(ada, "webhooks")
    made = (await one.post("/webhooks", {"url": "https://client.example/notices"})).json()["id"]
    assert [item["id"] for item in (await one.get("/webhooks")).json()["items"]] == [made]
    tried = {"PATCH": ("", {"url": "https://client.example/"}), "DELETE": ("", None), "GET": ("", None)}
    for method, (path, body) in tried.items():
        problem(await one.send(method, f"/webhooks/{own}{path}", json=body), 404, "no-such-webhook")
    for path, asked in (("rotate", {}), ("replay", {"after": 0})):
        problem(await one.post(f"/webhooks/{own}/{path}", asked), 404, "no-such-webhook")
    problem(await one.get(f"/webhooks/{own}/deliveries"), 404, "no-such-webhook")
    assert (await one.send("PATCH", f"/webhooks/{made}", json={"name": "mine"})).status_code == 200
    assert (await one.post(f"/webhooks/{made}/rotate", {})).status_code == 200
    assert (await ada.delete(f"/tokens/{(await own_token(one))['id']}")).status_code == 204
    assert [item["id"] for item in (await ada.get("/webhooks")).json()["items"]] == [own]


async def test_a_key_of_the_players_gives_a_client_no_secret(ada: Caller) -> None:
    key = {"Idempotency-Key": "the-same"}
    body = {"url": "https://bot.example/"}
    assert (await ada.post("/webhooks", body, headers=key)).status_code == 201
    one = await let_in(ada, "webhooks")
    answer = await one.post("/webhooks", body, headers=key)
    assert "secret" not in answer.json(), answer.text


async def test_what_a_client_made_ends_with_its_token(ada: Caller, client: httpx.AsyncClient) -> None:
    one = await let_in(ada, "seat webhooks")
    table = await opened(one, table={"visibility": "private"})
    invitation = (await one.post(f"/tables/{table}/invitations", {})).json()["invitation"]
    assert (await one.post("/webhooks", {"url": "https://client.example/"})).status_code == 201
    guest = await register(client, "Bo")
    assert (await guest.get(f"/tables/{table}?invite={invitation}")).status_code == 200
    assert (await AskingClient(client).revoke(one.token)).status_code == 200
    problem(await guest.get(f"/tables/{table}?invite={invitation}"), 404, "no-such-table")
    assert (await ada.get("/webhooks")).json()["items"] == []
    assert (await ada.get(f"/tables/{table}")).status_code == 200


async def test_a_client_is_listed_among_what_a_token_made_and_ends_with_it(ada: Caller) -> None:
    one = await let_in(ada, "seat")
    token, own = (await own_token(one))["id"], (await own_token(ada))["id"]
    await AskingClient(ada.http).code(ada.token)
    rotated = await ada.post(f"/tokens/{own}/rotate", {"end_made": True})
    assert [(made["kind"], made["id"]) for made in rotated.json()["made"]] == [("token", token), ("code", None)]
    problem(await one.get("/players/me"), 401, "invalid-token")


async def test_only_tokens_of_registration_recovery_and_handover_let_clients_in(
    client: httpx.AsyncClient, app: Edge
) -> None:
    registered = await client.post("/v1/players", json={"name": "Ada"})
    ada = caller_of(client, registered)
    device = caller_with(ada, await claim(client, await handed(ada)))
    lent = await added(ada)
    by_lent = caller_with(ada, await claim(client, await handed(lent)))
    for one in (ada, device):
        assert (await AskingClient(client).consent(one.token)).status_code == 200
    for one in (lent, by_lent):
        problem(await AskingClient(client).consent(one.token), 403, "lesser-token")
    # Whoever gave the secret has it.
    rotated = await lent.post(f"/tokens/{(await own_token(device))['id']}/rotate", {})
    problem(await AskingClient(client).consent(rotated.json()["token"]), 403, "lesser-token")
    again = await ada.post(f"/tokens/{(await own_token(ada))['id']}/rotate", {})
    assert (await AskingClient(client).consent(again.json()["token"])).status_code == 200
    back = await recover(client, ada.player, registered.json()["recovery_secret"])
    assert (await AskingClient(client).consent(back.json()["token"])).status_code == 200
    # A client lets no other in.
    one = Caller(client, ada.player, await AskingClient(client, "seat").token(back.json()["token"]))
    problem(await AskingClient(client).consent(one.token), 403, "missing-scope")


async def test_a_clients_token_ends_with_the_days_given_or_the_token_that_consented(
    ada: Caller, services: Services, dsn: str
) -> None:
    long, short = await let_in(ada, "read"), await let_in(ada, "read", days=1)
    listed = {item["id"]: item for item in (await ada.get("/tokens")).json()["items"]}
    days = [listed[(await own_token(one))["id"]] for one in (long, short)]
    lasting = [datetime.fromisoformat(item["expires_at"]) - datetime.fromisoformat(item["created_at"]) for item in days]
    assert [round(one / timedelta(days=1)) for one in lasting] == [90, 1]
    device = caller_with(ada, await claim(ada.http, await handed(ada)))
    until = hence(days=2)
    rotated = await device.post(f"/tokens/{(await own_token(device))['id']}/rotate", {"expires_at": until})
    own = await own_token(await let_in(caller_with(ada, rotated), "read"))
    assert datetime.fromisoformat(own["expires_at"]) == datetime.fromisoformat(until)
    await ended(services, dsn, (await own_token(long))["id"])
    problem(await long.get("/players/me"), 401, "invalid-token")


async def test_a_token_is_taken_from_the_header_alone(ada: Caller) -> None:
    one = await let_in(ada, "read")
    http = ada.http
    problem(await http.get(f"/v1/players/me?access_token={one.token}"), 401, "unauthenticated")
    problem(await http.post("/v1/tables", json={"access_token": one.token}), 401, "unauthenticated")
    twice = [("Authorization", f"Bearer {one.token}")] * 2
    problem(await http.get("/v1/players/me", headers=twice), 401, "invalid-token")
    assert (await one.get("/players/me")).status_code == 200


async def test_nodes_of_the_last_version_find_no_clients_token(ada: Caller, database: Database) -> None:
    """They call `present`, and know no scope of clients."""
    one = await let_in(ada, "read")
    own = [await _present(database, caller) for caller in (ada, one)]
    assert own == [1, 0]
    assert (await one.get("/players/me")).status_code == 200


async def _present(database: Database, caller: Caller) -> int:
    rows = await database.fetch(
        "SELECT * FROM codille.present(ARRAY[sha256(convert_to($1, 'UTF8'))], now())", caller.token
    )
    return len(rows)


async def test_an_erased_player_has_no_client_and_no_name_of_one(ada: Caller, dsn: str) -> None:
    one = await let_in(ada, "read")
    assert (await ada.delete("/players/me")).status_code == 204
    problem(await one.get("/players/me"), 401, "invalid-token")
    async with Database(dsn, owner=True, connections=1) as owner:
        rows = await owner.fetch("SELECT client FROM codille.token WHERE player_id = $1 AND client <> ''", ada.player)
        assert rows == []
