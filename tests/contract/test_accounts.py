"""Players and tokens."""

import asyncio

import httpx
import pytest

from service.app import create_app
from service.auth.secrets import PREFIX
from service.config import Settings
from service.services import Services
from service.store.database import Database
from service.store.revocations import Revocations
from tests.contract.conftest import (
    Caller,
    as_owner,
    caller_of,
    client_of,
    configured,
    opened,
    problem,
    register,
    services_over,
    with_scopes,
)
from tests.support.for_each import for_each

JSON = {"Content-Type": "application/json"}
NOBODY = "01936d5c-0000-7000-8000-000000000000"


async def test_registering_gives_a_token_to_play_with(client: httpx.AsyncClient) -> None:
    answer = await client.post("/v1/players", json={"name": "Ada Lovelace 🂮"})
    assert answer.status_code == 201
    assert set(answer.json()) == {"player", "token", "recovery_secret"}
    assert answer.headers["location"] == f"/v1/players/{answer.json()['player']}"
    assert answer.json()["token"].startswith(PREFIX)
    caller = caller_of(client, answer)
    await opened(caller)
    (token,) = (await caller.get("/tokens")).json()["items"]
    assert (token["scopes"], token["current"]) == (["play"], True)


async def test_registration_can_be_closed(services: Services) -> None:
    app = create_app(configured(Settings(registration="closed", rate_limit=None), services))
    async with client_of(app) as client:
        problem(await client.post("/v1/players", content=b"x"), 403, "registration-closed")


async def test_profiles_are_public(client: httpx.AsyncClient, ada: Caller) -> None:
    berta = await register(client, "Berta")
    profile = (await client.get(f"/v1/players/{ada.player}")).json()
    assert (profile["player"], profile["name"], profile["erased"]) == (ada.player, "Ada", False)
    several = await client.get("/v1/players", params={"id": [berta.player, NOBODY, ada.player, berta.player]})
    assert [item["name"] for item in several.json()["items"]] == ["Berta", "Ada"]


@for_each("query", ["", "id=x", f"id={NOBODY}&name=Ada", "&".join([f"id={NOBODY}"] * 201)])
async def test_profiles_are_read_by_id(client: httpx.AsyncClient, query: str) -> None:
    problem(await client.get(f"/v1/players?{query}"), 422, "invalid-query")


async def test_an_erased_player_has_no_name_and_no_tokens(client: httpx.AsyncClient, ada: Caller) -> None:
    assert (await ada.delete("/players/me")).status_code == 204
    problem(await ada.get("/games"), 401, "invalid-token")
    profile = (await client.get(f"/v1/players/{ada.player}")).json()
    assert (profile["name"], profile["erased"]) == (None, True)


async def test_a_player_is_renamed_everywhere_at_once(client: httpx.AsyncClient, ada: Caller) -> None:
    renamed = await ada.send("PATCH", "/players/me", json={"name": "  Countess   Ada "})
    assert (renamed.status_code, renamed.json()["name"]) == (200, "Countess Ada")
    assert (await client.get(f"/v1/players/{ada.player}")).json() == renamed.json()
    assert (await ada.get("/players/me")).json()["name"] == "Countess Ada"
    again = await ada.send("PATCH", "/players/me", json={"name": "Countess Ada"})
    assert (again.status_code, again.json()) == (200, renamed.json())


@for_each("body", [{}, {"name": None}, {"name": ""}, {"name": "\u200b"}, {"name": "Ada", "id": 1}, []])
async def test_a_new_name_has_the_form_of_a_first_one(ada: Caller, body: object) -> None:
    problem(await ada.send("PATCH", "/players/me", json=body), 422, "invalid-body")
    assert (await ada.get("/players/me")).json()["name"] == "Ada"


@for_each("name", ["Quick bot", "Qu1ck b0t", "Seat 2", "house", "\u1d2e\u1d3c\u1d40 quick"])
async def test_nobody_takes_a_name_that_pretends_to_be_no_persons(
    client: httpx.AsyncClient, ada: Caller, name: str
) -> None:
    for answer in (
        await client.post("/v1/players", json={"name": name}),
        await ada.send("PATCH", "/players/me", json={"name": name}),
    ):
        (fault,) = problem(answer, 422, "invalid-body")["errors"]
        assert fault["pointer"] == "/name"
        assert "must not look like a name of the house, a bot, its level or a seat" in fault["detail"]
    assert (await ada.get("/players/me")).json()["name"] == "Ada"


@for_each("name", ["Robot", "Abbot", "Strongman", "Housemartin"])
async def test_a_name_with_such_a_word_in_it_is_taken(client: httpx.AsyncClient, name: str) -> None:
    assert (await client.post("/v1/players", json={"name": name})).status_code == 201


async def test_tokens_are_added_listed_and_revoked(ada: Caller) -> None:
    made = await ada.post("/tokens", {})
    assert made.status_code == 201
    other = Caller(ada.http, ada.player, made.json()["token"])
    listed = (await other.get("/tokens")).json()["items"]
    assert [(item["current"], item["scopes"]) for item in listed] == [(False, ["play"]), (True, ["play"])]
    read = await ada.get(made.headers["location"].removeprefix("/v1"))
    assert read.json()["id"] == made.json()["id"]
    assert (await ada.delete(f"/tokens/{made.json()['id']}")).status_code == 204
    problem(await other.get("/games"), 401, "invalid-token")
    problem(await ada.delete(f"/tokens/{made.json()['id']}"), 404, "no-such-token")
    problem(await ada.get(f"/tokens/{made.json()['id']}"), 404, "no-such-token")


async def test_tokens_are_paged(ada: Caller) -> None:
    for _ in range(4):
        await ada.post("/tokens", {})
    first = (await ada.get("/tokens?limit=3")).json()
    rest = (await ada.get(f"/tokens?limit=3&cursor={first['next']}")).json()
    assert (len(first["items"]), len(rest["items"]), rest["next"]) == (3, 2, None)
    problem(await ada.get("/tokens?cursor=x"), 422, "invalid-query")


async def test_nobody_revokes_anothers_token(ada: Caller) -> None:
    berta = await register(ada.http, "Berta")
    (token,) = (await berta.get("/tokens")).json()["items"]
    problem(await ada.delete(f"/tokens/{token['id']}"), 404, "no-such-token")
    assert (await berta.get("/tokens")).status_code == 200


@for_each("scopes", [["admin"], ["play", "arbiter"]])
async def test_a_token_cannot_add_scopes_that_it_lacks(ada: Caller, scopes: list[str]) -> None:
    problem(await ada.post("/tokens", {"scopes": scopes}), 403, "missing-scope")


@for_each("scopes", [[], ["fly"], "play", [3]])
async def test_unknown_scopes_are_refused(ada: Caller, scopes: object) -> None:
    problem(await ada.post("/tokens", {"scopes": scopes}), 422, "invalid-body")


async def test_playing_needs_its_scope(dsn: str, ada: Caller) -> None:
    table = await opened(ada)
    arbiter = await with_scopes(dsn, ada, "arbiter")
    for method, path in (
        ("POST", "/tables"), ("POST", f"/tables/{table}/seats"), ("POST", f"/tables/{table}/actions"),
        ("DELETE", f"/tables/{table}"), ("DELETE", f"/tables/{table}/seats/me"),
    ):  # fmt: skip
        problem(await arbiter.send(method, path), 403, "missing-scope")
    assert (await arbiter.get(f"/tables/{table}")).status_code == 200


async def test_a_revocation_reaches_other_processes(database: Database, ada: Caller) -> None:
    elsewhere = services_over(database)
    app = create_app(elsewhere)
    async with (
        client_of(app) as http,
        Revocations(database, elsewhere.edge.bearers.forget),
    ):
        other = Caller(http, ada.player, ada.token)
        assert (await other.get("/tokens")).status_code == 200
        (token,) = (await ada.get("/tokens")).json()["items"]
        assert (await ada.delete(f"/tokens/{token['id']}")).status_code == 204
        async with asyncio.timeout(10):
            while (await other.get("/tokens")).status_code != 401:  # noqa: ASYNC110 (nothing here tells when)
                await asyncio.sleep(0.01)


SECRET = "6f1d3c0e9b7a45528c14d2e6f08b93a7"


async def test_registering_again_with_key_and_secret_gives_a_token_in_place_of_an_unused_one(
    client: httpx.AsyncClient,
) -> None:
    key = {"Idempotency-Key": "first"}
    own = {"secret": SECRET}
    first = await client.post("/v1/players", json={"name": "Ada"} | own, headers=key)
    again = await client.post(
        "/v1/players", content=f'{{ "secret":"{SECRET}", "name":"Ada" }}'.encode(), headers=key | JSON
    )
    assert again.status_code == 201
    assert again.headers["idempotency-replayed"] == "true"
    assert again.json()["player"] == first.json()["player"]
    problem(await caller_of(client, first).get("/tokens"), 401, "invalid-token")
    problem(await client.post("/v1/players", json={"name": "Eve"} | own, headers=key), 422, "key-reused")
    assert (await caller_of(client, again).get("/tokens")).status_code == 200
    problem(await client.post("/v1/players", json={"name": "Ada"} | own, headers=key), 409, "key-spent")


@pytest.mark.parametrize("theirs", [{}, {"secret": SECRET}], ids=["without a secret", "with a secret"])
@pytest.mark.parametrize("guess", [{}, {"secret": SECRET[::-1]}], ids=["no guess", "a guess"])
async def test_the_same_address_key_and_name_give_nobody_anothers_player(
    client: httpx.AsyncClient, theirs: dict[str, str], guess: dict[str, str]
) -> None:
    key = {"Idempotency-Key": "first"}
    victim = await client.post("/v1/players", json={"name": "Ada"} | theirs, headers=key)
    thief = await client.post("/v1/players", json={"name": "Ada"} | guess, headers=key)
    if guess or theirs:
        assert thief.status_code == 201
        assert thief.json()["player"] != victim.json()["player"]
        assert "idempotency-replayed" not in thief.headers
    else:
        assert "secret" in problem(thief, 409, "key-spent")["detail"]
    assert (await caller_of(client, victim).get("/tokens")).status_code == 200


@for_each("secret", ["", "x" * 31, "x" * 129, "ä" * 32, " " * 32, "x" * 32 + "\n", 3])
async def test_a_secret_has_128_bits_and_is_printable(client: httpx.AsyncClient, secret: object) -> None:
    answer = await client.post("/v1/players", json={"name": "Ada", "secret": secret})
    assert not isinstance(secret, str) or len(secret) < 9 or secret not in answer.text
    problem(answer, 422, "invalid-body")


async def test_no_secret_is_stored(client: httpx.AsyncClient, dsn: str) -> None:
    body, key = {"name": "Ada", "secret": SECRET}, {"Idempotency-Key": "first"}
    answer = await client.post("/v1/players", json=body, headers=key)
    rows = "SELECT concat(i, p, t) FROM codille.issue i, codille.player p, codille.token t"
    ((kept,), *_) = await as_owner(dsn, rows)
    for secret in (SECRET, answer.json()["token"], answer.json()["recovery_secret"]):
        assert secret not in kept
        assert secret.encode().hex() not in kept


async def test_an_arbiter_adds_tokens_with_the_scopes_of_the_token_in_use(dsn: str, ada: Caller) -> None:
    arbiter = await with_scopes(dsn, ada, "play", "arbiter")
    added = await arbiter.post("/tokens", {})
    assert (added.status_code, added.json()["scopes"]) == (201, ["play", "arbiter"])
    second = Caller(ada.http, ada.player, added.json()["token"])
    assert (await second.post("/tokens", {"scopes": ["arbiter"]})).status_code == 201
    problem(await second.post("/tokens", {"scopes": ["admin"]}), 403, "missing-scope")


async def test_adding_a_token_twice_with_a_key(ada: Caller) -> None:
    key = {"Idempotency-Key": "more"}
    first = (await ada.post("/tokens", {}, headers=key)).json()
    again = await ada.post("/tokens", {}, headers=key)
    assert again.json()["id"] == first["id"]
    assert again.headers["idempotency-replayed"] == "true"
    assert len((await ada.get("/tokens")).json()["items"]) == 2
    problem(await ada.post("/tokens", {"scopes": ["play"]}, headers=key), 422, "key-reused")


@for_each("key", ["", "x" * 256, "ä", "a\tb"])
async def test_keys_are_printable_and_not_long(ada: Caller, key: str) -> None:
    answer = await ada.post("/tokens", {}, headers={"Idempotency-Key": key.encode()})
    problem(answer, 400, "malformed-header")


@for_each("key", ["x", "x" * 255, 'with spaces, and "marks"'])
async def test_keys_may_be_anything_printable(ada: Caller, key: str) -> None:
    assert (await ada.post("/tokens", {}, headers={"Idempotency-Key": key})).status_code == 201
