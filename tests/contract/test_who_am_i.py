"""A client learns from its token alone who it is and where it sits."""

import httpx
import pytest

from tests.contract.conftest import Caller, deal_over, opened, problem


async def test_me_is_the_tokens_player(ada: Caller, client: httpx.AsyncClient) -> None:
    me = (await ada.get("/players/me")).json()
    # Without read models the tables cannot be listed.
    assert me == {"player": ada.player, "name": "Ada", "scopes": ["play"], "tables": None}
    problem(await client.get("/v1/players/me"), 401, "unauthenticated")
    problem(await client.get("/v1/players/me", headers={"Authorization": "Bearer codille_"}), 401, "invalid-token")


async def test_tokens_name_their_player(ada: Caller) -> None:
    added = (await ada.post("/tokens", {})).json()
    (first, second) = (await ada.get("/tokens")).json()["items"]
    one = (await ada.get(f"/tokens/{added['id']}")).json()
    assert {token["player"] for token in (added, first, second, one)} == {ada.player}


async def test_offers_and_views_say_which_seat_is_the_callers(
    three: list[Caller], table: str, client: httpx.AsyncClient
) -> None:
    for path in ("", "/offers", "/replay/3", "/replay/6"):
        for seat, caller in enumerate(three):
            assert (await caller.get(f"/tables/{table}{path}")).json()["you"] == seat, path
        assert (await client.get(f"/v1/tables/{table}{path}")).json()["you"] is None, path
    steps = (await three[2].get(f"/tables/{table}/replay")).json()["steps"]
    assert {step["view"]["you"] for step in steps} == {2}


async def test_a_view_is_that_of_the_seat_through_whose_eyes_it_is_seen(three: list[Caller], table: str) -> None:
    await deal_over(three, table)
    for wanted, you in (("seat:1", 1), ("seat:2", 2), ("public", None), ("all", None), ("me", 0)):
        assert (await three[0].get(f"/tables/{table}/replay/9?as={wanted}")).json()["you"] == you, wanted


async def test_the_answers_to_opening_sitting_and_leaving_say_it_too(ada: Caller) -> None:
    view = (await ada.post("/tables", {"game": "crocodile"})).json()
    assert view["you"] is None
    sat = (await ada.post(f"/tables/{view['table']}/seats", {"seat": 2})).json()
    assert sat["you"] == 2
    assert (await ada.delete(f"/tables/{view['table']}/seats/me")).json()["you"] is None


@pytest.mark.parametrize("headers", [{}, {"Content-Type": "application/json"}])
async def test_a_seat_is_taken_without_a_body(ada: Caller, headers: dict[str, str]) -> None:
    table, keyed = await opened(ada), headers | {"Idempotency-Key": "sit"}
    sat = await ada.send("POST", f"/tables/{table}/seats", headers=keyed)
    assert (sat.status_code, sat.json()["you"]) == (201, 0)
    # An empty object is the same request.
    again = await ada.post(f"/tables/{table}/seats", {}, headers=keyed)
    assert (again.status_code, again.headers["idempotency-replayed"]) == (201, "true")


async def test_a_token_is_added_without_a_body(ada: Caller) -> None:
    assert (await ada.send("POST", "/tokens")).status_code == 201


async def test_a_body_with_a_required_field_is_still_required(ada: Caller, client: httpx.AsyncClient) -> None:
    problem(await client.post("/v1/players", headers={"Content-Type": "application/json"}), 400, "malformed-body")
    problem(await ada.send("POST", "/tables", headers={"Content-Type": "application/json"}), 400, "malformed-body")
