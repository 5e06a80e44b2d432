"""Tokens with names and ends, their rotation and handover, and the recovery of a player who has lost them."""

from datetime import UTC, datetime, timedelta
from typing import Any

import asyncpg
import httpx

from service.auth.secrets import CODE_ALPHABET
from service.services import Services
from tests.contract.conftest import Caller, act, caller_of, next_of, opened, problem, register, seated, with_scopes
from tests.support.for_each import for_each

UNKNOWN = "01936d5c-0000-7000-8000-000000000000"
GUESS = "codille_recovery_" + "A" * 43


def hence(**amount: int) -> str:
    return (datetime.now(UTC) + timedelta(**amount)).isoformat()


async def added(caller: Caller, **body: object) -> Caller:
    """The caller with a token added by the one in use."""
    answer = await caller.post("/tokens", body)
    assert answer.status_code == 201, answer.text
    return caller_with(caller, answer)


def caller_with(caller: Caller, answer: httpx.Response) -> Caller:
    return Caller(caller.http, caller.player, answer.json()["token"])


async def own_token(caller: Caller) -> dict[str, Any]:
    (one,) = [one for one in (await caller.get("/tokens")).json()["items"] if one["current"]]
    return dict(one)


async def ended(services: Services, dsn: str, token: str) -> None:
    """Has the token end now, as if it had been added so long ago."""
    owner = await asyncpg.connect(dsn)
    await owner.execute("UPDATE codille.token SET expires_at = now() WHERE id = $1", token)
    await owner.close()
    services.edge.bearers.forget(None)


async def test_a_token_has_a_name_and_an_end_and_shows_its_last_use(ada: Caller) -> None:
    until = hence(days=2)
    answer = await ada.post("/tokens", {"name": "my bot", "expires_at": until})
    made = answer.json()
    assert made["name"] == "my bot"
    assert datetime.fromisoformat(made["expires_at"]) == datetime.fromisoformat(until)
    unused = (await ada.get(f"/tokens/{made['id']}")).json()
    assert (unused["last_used_at"], unused["rotated_at"], unused["current"]) == (None, None, False)
    used = await own_token(caller_with(ada, answer))
    assert used["last_used_at"] is not None
    assert used | {"last_used_at": None, "current": False} == unused
    assert {key: used[key] for key in ("id", "name", "scopes", "expires_at")} == {
        key: made[key] for key in ("id", "name", "scopes", "expires_at")
    }
    first = [one for one in (await ada.get("/tokens")).json()["items"] if one["current"]]
    assert [(one["name"], one["expires_at"]) for one in first] == [(None, None)]


@for_each(
    "body",
    [
        {"expires_at": "tomorrow"},
        {"expires_at": 1_900_000_000},
        {"expires_at": "2099-12-31"},
        {"expires_at": "2099-12-31T00:00:00"},
        {"expires_at": "2099-13-31T00:00:00Z"},
        {"expires_at": "2099-12-30T23:59:60Z"},
        {"name": ""},
        {"name": "\u200b"},
        {"name": "x" * 65},
        {"name": 7},
        {"days": 3},
    ],
)
async def test_names_and_ends_have_a_form(ada: Caller, body: object) -> None:
    problem(await ada.post("/tokens", body), 422, "invalid-body")


@for_each("end", ["2099-06-30T23:59:60Z", "2099-07-01T05:30:00.000000000+05:30", "2099-07-01t00:00:00-00:00"])
async def test_the_end_of_a_token_is_any_time_of_rfc_3339(ada: Caller, end: str) -> None:
    made = (await ada.post("/tokens", {"expires_at": end})).json()
    assert made["expires_at"] == "2099-07-01T00:00:00Z"


@for_each("end", ["2020-01-01T00:00:00Z", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00"])
async def test_a_token_cannot_end_in_the_past_or_beyond_the_calendar(ada: Caller, end: str) -> None:
    refusal = problem(await ada.post("/tokens", {"expires_at": end}), 422, "invalid-expiry")
    assert refusal["errors"][0]["pointer"] == "/expires_at"
    own = await own_token(ada)
    problem(await ada.post(f"/tokens/{own['id']}/rotate", {"expires_at": end}), 422, "invalid-expiry")


async def test_a_token_that_has_ended_is_no_token(
    services: Services, dsn: str, client: httpx.AsyncClient, ada: Caller
) -> None:
    guest = await added(ada, expires_at=hence(days=1))
    token = (await own_token(guest))["id"]
    await ended(services, dsn, token)
    assert "expired" in problem(await guest.get("/games"), 401, "invalid-token")["detail"]
    for answer in (
        await ada.get(f"/tokens/{token}"),
        await ada.delete(f"/tokens/{token}"),
        await ada.post(f"/tokens/{token}/rotate", {}),
    ):  # fmt: skip
        problem(answer, 404, "no-such-token")
    assert [one["current"] for one in (await ada.get("/tokens")).json()["items"]] == [True]


async def test_what_a_token_for_a_while_gives_ends_no_later(ada: Caller) -> None:
    guest = await added(ada, expires_at=hence(days=1))
    own, unlimited = await own_token(guest), await own_token(ada)
    heir = await added(guest)
    assert (await own_token(heir))["expires_at"] == own["expires_at"]
    assert (await own_token(await added(guest, expires_at=hence(hours=1))))["expires_at"] < own["expires_at"]
    for path in ("/tokens", f"/tokens/{own['id']}/rotate", f"/tokens/{unlimited['id']}/rotate"):
        problem(await guest.post(path, {"expires_at": hence(days=2)}), 422, "invalid-expiry")
    problem(await guest.post(f"/tokens/{unlimited['id']}/rotate", {}), 422, "invalid-expiry")
    assert (await ada.get("/tokens")).status_code == 200
    assert (await guest.post(f"/tokens/{own['id']}/rotate", {})).json()["expires_at"] == own["expires_at"]


async def test_a_key_gives_nobody_a_token_that_ends_later(ada: Caller) -> None:
    guest, key = await added(ada, expires_at=hence(days=1)), {"Idempotency-Key": "more"}
    assert (await ada.post("/tokens", {}, headers=key)).status_code == 201
    problem(await guest.post("/tokens", {}, headers=key), 422, "key-reused")


async def test_a_rotated_token_has_another_secret_and_the_old_one_is_none(ada: Caller) -> None:
    spare = await added(ada, name="my bot")
    token = (await own_token(spare))["id"]
    answer = await ada.post(f"/tokens/{token}/rotate", {})
    assert answer.status_code == 200
    assert (answer.json()["id"], answer.json()["name"], answer.json()["scopes"]) == (token, "my bot", ["play"])
    problem(await spare.get("/tokens"), 401, "invalid-token")
    assert (await ada.get(f"/tokens/{token}")).json()["last_used_at"] is None
    rotated = await own_token(caller_with(ada, answer))
    assert rotated["id"] == token
    assert rotated["rotated_at"] is not None
    assert rotated["last_used_at"] is not None


async def test_a_token_rotates_itself(ada: Caller) -> None:
    token = (await own_token(ada))["id"]
    answer = await ada.post(f"/tokens/{token}/rotate", {"expires_at": hence(days=1)})
    problem(await ada.post(f"/tokens/{token}/rotate", {}), 401, "invalid-token")
    assert (await own_token(caller_with(ada, answer)))["expires_at"] == answer.json()["expires_at"]


async def test_rotating_again_with_a_key(ada: Caller) -> None:
    spare, key = await added(ada), {"Idempotency-Key": "turn"}
    path = f"/tokens/{(await own_token(spare))['id']}/rotate"
    first, again = [await ada.post(path, {}, headers=key) for _ in range(2)]
    assert again.headers["idempotency-replayed"] == "true"
    problem(await caller_with(ada, first).get("/tokens"), 401, "invalid-token")
    problem(await ada.post(path, {"expires_at": hence(days=1)}, headers=key), 422, "key-reused")
    assert (await caller_with(ada, again).get("/tokens")).status_code == 200
    problem(await ada.post(path, {}, headers=key), 409, "key-spent")
    assert (await caller_with(ada, again).get("/tokens")).status_code == 200


async def test_nobody_rotates_what_may_more_or_is_anothers(dsn: str, ada: Caller) -> None:
    arbiter = await with_scopes(dsn, ada, "play", "arbiter")
    token = (await own_token(arbiter))["id"]
    berta = await register(ada.http, "Berta")
    problem(await ada.post(f"/tokens/{token}/rotate", {}), 403, "missing-scope")
    problem(await berta.post(f"/tokens/{token}/rotate", {}), 404, "no-such-token")
    problem(await berta.post(f"/tokens/{UNKNOWN}/rotate", {}), 404, "no-such-token")
    answer = await arbiter.post(f"/tokens/{token}/rotate", {})
    assert (await own_token(caller_with(ada, answer)))["scopes"] == ["play", "arbiter"]


async def test_a_lent_token_takes_nothing_that_lasts_longer(ada: Caller) -> None:
    first, bot = (await own_token(ada))["id"], await added(ada)
    guest = await added(ada, expires_at=hence(days=1))
    held = {one: (await own_token(one))["id"] for one in (bot, guest)}
    for lent, others in ((bot, (first,)), (guest, (first, held[bot]))):
        for other in others:
            problem(await lent.delete(f"/tokens/{other}"), 403, "lesser-token")
            path, body = f"/tokens/{other}/rotate", {} if lent is bot else {"expires_at": hence(hours=1)}
            problem(await lent.post(path, body), 403, "lesser-token")
        problem(await lent.delete("/players/me"), 403, "lesser-token")
    assert [(await one.get("/tokens")).status_code for one in (ada, bot, guest)] == [200, 200, 200]
    shorter = await added(guest, expires_at=hence(hours=1))
    assert (await guest.delete(f"/tokens/{(await own_token(shorter))['id']}")).status_code == 204
    assert (await bot.delete(f"/tokens/{held[guest]}")).status_code == 204
    assert (await bot.delete(f"/tokens/{held[bot]}")).status_code == 204
    assert (await ada.delete("/players/me")).status_code == 204


async def test_a_first_token_that_ends_is_a_lesser_one_and_a_recovered_one_is_not(
    client: httpx.AsyncClient, dsn: str
) -> None:
    registered = await client.post("/v1/players", json={"name": "Ada"})
    ada = caller_of(client, registered)
    bot, given = await added(ada), await with_scopes(dsn, ada, "play")
    path = f"/tokens/{(await own_token(ada))['id']}/rotate"
    ada = caller_with(ada, await ada.post(path, {"expires_at": hence(days=1)}))
    problem(await ada.delete("/players/me"), 403, "lesser-token")
    problem(await ada.delete(f"/tokens/{(await own_token(given))['id']}"), 403, "lesser-token")
    assert (await own_token(bot))["expires_at"] == (await own_token(ada))["expires_at"]
    recovered = caller_of(client, await recover(client, ada.player, registered.json()["recovery_secret"]))
    assert (await recovered.delete("/players/me")).status_code == 204


async def test_one_client_acts_for_several_players_with_tokens_of_theirs(three: list[Caller]) -> None:
    lent = [await added(player, name="club's client", scopes=["play"], expires_at=hence(days=1)) for player in three]
    table = await seated(lent)
    for _ in range(3):
        await act((await next_of(lent, table))[1], table, {"type": "pass"})
    offers = [(await caller.get(f"/tables/{table}/offers")).json() for caller in lent]
    assert [one["you"] for one in offers] == [0, 1, 2]
    token = (await own_token(lent[0]))["id"]
    assert (await three[0].delete(f"/tokens/{token}")).status_code == 204
    assert [(await caller.get(f"/tables/{table}")).status_code for caller in lent] == [401, 200, 200]
    assert (await three[0].get(f"/tables/{table}")).json()["you"] == 0


async def recover(client: httpx.AsyncClient, player: str, secret: object, **headers: str) -> httpx.Response:
    body = {"player": player, "recovery_secret": secret}
    return await client.post("/v1/players/recovery", json=body, headers=headers)


async def test_a_player_without_a_token_gets_one_in_place_of_all(client: httpx.AsyncClient, dsn: str) -> None:
    registered = await client.post("/v1/players", json={"name": "Ada"})
    ada = caller_of(client, registered)
    others = [await added(ada), await with_scopes(dsn, ada, "arbiter")]
    table = await opened(ada)
    recovered = await recover(client, ada.player, registered.json()["recovery_secret"])
    assert (recovered.status_code, recovered.headers["location"]) == (201, f"/v1/players/{ada.player}")
    for old in (ada, *others):
        problem(await old.get("/games"), 401, "invalid-token")
    again = caller_of(client, recovered)
    assert (again.player, (await own_token(again))["scopes"]) == (ada.player, ["play"])
    assert (await again.delete(f"/tables/{table}")).status_code == 200
    used = await recover(client, ada.player, registered.json()["recovery_secret"])
    problem(used, 403, "invalid-recovery")
    assert (await recover(client, ada.player, recovered.json()["recovery_secret"])).status_code == 201


async def test_a_lost_answer_to_a_recovery_is_repeated(client: httpx.AsyncClient) -> None:
    registered = await client.post("/v1/players", json={"name": "Ada"})
    player, secret = registered.json()["player"], registered.json()["recovery_secret"]
    key = {"Idempotency-Key": "again"}
    lost, received = [await recover(client, player, secret, **key) for _ in range(2)]
    assert received.headers["idempotency-replayed"] == "true"
    problem(await caller_of(client, lost).get("/tokens"), 401, "invalid-token")
    assert (await caller_of(client, received).get("/tokens")).status_code == 200
    problem(await recover(client, player, secret, **key), 409, "key-spent")
    problem(await recover(client, player, secret), 403, "invalid-recovery")


async def test_a_recovery_needs_the_players_own_secret(client: httpx.AsyncClient, ada: Caller) -> None:
    berta = await client.post("/v1/players", json={"name": "Berta"})
    theirs = berta.json()["recovery_secret"]
    answers = [await recover(client, *call) for call in ((ada.player, theirs), (ada.player, GUESS), (UNKNOWN, theirs))]
    details = {problem(answer, 403, "invalid-recovery")["detail"] for answer in answers}
    assert len(details) == 1, "whether there is such a player is not said"
    problem(await recover(client, ada.player, ada.token[:32]), 403, "invalid-recovery")
    assert (await ada.get("/tokens")).status_code == 200
    problem(await Caller(client, ada.player, theirs).get("/games"), 401, "invalid-token")


async def test_an_erased_player_is_not_recovered(client: httpx.AsyncClient) -> None:
    registered = await client.post("/v1/players", json={"name": "Ada"})
    ada = caller_of(client, registered)
    assert (await ada.delete("/players/me")).status_code == 204
    problem(await recover(client, ada.player, registered.json()["recovery_secret"]), 403, "invalid-recovery")


@for_each("secret", ["", "x" * 31, "x" * 129, "ä" * 32, "x" * 32 + "\n", 3, None])
async def test_a_recovery_secret_has_a_form_and_is_not_repeated(client: httpx.AsyncClient, secret: object) -> None:
    answer = await recover(client, UNKNOWN, secret)
    assert not isinstance(secret, str) or len(secret) < 9 or secret not in answer.text
    problem(answer, 422, "invalid-body")
    problem(await recover(client, "Ada", "x" * 32), 422, "invalid-body")


async def test_registering_again_gives_another_recovery_secret_in_place_of_the_first(client: httpx.AsyncClient) -> None:
    body, key = {"name": "Ada", "secret": "6f1d3c0e9b7a45528c14d2e6f08b93a7"}, {"Idempotency-Key": "first"}
    first, again = [await client.post("/v1/players", json=body, headers=key) for _ in range(2)]
    player = first.json()["player"]
    problem(await recover(client, player, first.json()["recovery_secret"]), 403, "invalid-recovery")
    assert (await recover(client, player, again.json()["recovery_secret"])).status_code == 201


async def handed(caller: Caller) -> str:
    """The code that the player takes to another device."""
    answer = await caller.post("/tokens/handover", {})
    assert answer.status_code == 200, answer.text
    return str(answer.json()["code"])


async def claim(client: httpx.AsyncClient, code: object, **headers: str) -> httpx.Response:
    return await client.post("/v1/tokens/handover/claim", json={"code": code}, headers=headers)


def altered(code: str, at: int = -1) -> str:
    """A code that differs in one character."""
    at %= len(code)
    return code[:at] + ("A" if code[at] != "A" else "C") + code[at + 1 :]


async def test_another_device_trades_a_code_once_for_a_token_of_its_own(client: httpx.AsyncClient, ada: Caller) -> None:
    answer = await ada.post("/tokens/handover", {})
    code, until = answer.json()["code"], datetime.fromisoformat(answer.json()["expires_at"])
    assert set(code) <= set(CODE_ALPHABET)
    assert len(code) == 8
    assert timedelta(seconds=100) < until - datetime.now(UTC) <= timedelta(minutes=2)
    claimed = await claim(client, code.lower())
    assert claimed.status_code == 201, claimed.text
    device = caller_with(ada, claimed)
    own = await own_token(device)
    assert claimed.headers["location"] == f"/v1/tokens/{own['id']}"
    assert (own["player"], own["name"], own["scopes"], own["expires_at"]) == (ada.player, None, ["play"], None)
    problem(await client.post("/v1/tokens/handover/claim", json=answer.json()), 403, "invalid-code")
    problem(await device.delete("/players/me"), 403, "lesser-token")
    assert (await ada.delete(f"/tokens/{own['id']}")).status_code == 204
    problem(await device.get("/players/me"), 401, "invalid-token")


async def test_five_wrong_tries_make_a_code_void_and_no_other(client: httpx.AsyncClient, three: list[Caller]) -> None:
    aimed, other = await handed(three[0]), await handed(three[1])
    for _ in range(4):
        problem(await claim(client, altered(aimed)), 403, "invalid-code")
    problem(await claim(client, altered(aimed, 0)), 403, "invalid-code")
    assert (await claim(client, aimed)).status_code == 201, "a code of another name is no try of this one"
    aimed = await handed(three[0])
    details = {problem(await claim(client, altered(aimed)), 403, "invalid-code")["detail"] for _ in range(5)}
    details.add(problem(await claim(client, aimed), 403, "invalid-code")["detail"])
    assert len(details) == 1, "why a code is not valid is not said"
    assert (await claim(client, other)).status_code == 201


async def test_a_code_is_void_when_another_is_asked_for_or_its_time_is_over(
    client: httpx.AsyncClient, dsn: str, ada: Caller
) -> None:
    former, code = [await handed(ada) for _ in range(2)]
    problem(await claim(client, former), 403, "invalid-code")
    owner = await asyncpg.connect(dsn)
    await owner.execute("UPDATE codille.handover SET expires_at = now() WHERE player_id = $1", ada.player)
    await owner.close()
    problem(await claim(client, code), 403, "invalid-code")


async def test_a_code_gives_no_more_than_the_token_that_it_was_asked_for_with(
    services: Services, dsn: str, client: httpx.AsyncClient, ada: Caller
) -> None:
    guest = await added(await with_scopes(dsn, ada, "play", "arbiter"), expires_at=hence(days=1))
    heir = caller_with(ada, await claim(client, await handed(guest)))
    given, own = await own_token(heir), await own_token(guest)
    assert (given["scopes"], given["expires_at"]) == (["play"], own["expires_at"])
    code = await handed(guest)
    await ended(services, dsn, own["id"])
    problem(await claim(client, code), 403, "invalid-code")
    code = await handed(ada)
    assert (await ada.delete("/players/me")).status_code == 204
    problem(await claim(client, code), 403, "invalid-code")


async def test_a_lost_answer_to_a_code_is_repeated_until_the_token_is_used(
    client: httpx.AsyncClient, ada: Caller
) -> None:
    code, key = await handed(ada), {"Idempotency-Key": "again"}
    lost, received = [await claim(client, code, **key) for _ in range(2)]
    assert received.headers["idempotency-replayed"] == "true"
    problem(await caller_with(ada, lost).get("/tokens"), 401, "invalid-token")
    assert (await caller_with(ada, received).get("/tokens")).status_code == 200
    problem(await claim(client, code, **key), 409, "key-spent")
    problem(await claim(client, code, **{"Idempotency-Key": "other"}), 403, "invalid-code")


@for_each("code", ["", "7KQMWX3", "7KQMWX3PP", "7KQMWX30", "7KQ-WX3P", "7KQMWX3\n", 7, None])
async def test_a_code_has_a_form_and_is_not_repeated(client: httpx.AsyncClient, code: object) -> None:
    answer = await claim(client, code)
    assert not isinstance(code, str) or len(code) < 7 or code not in answer.text
    problem(answer, 422, "invalid-body")
