"""What only the toy shows of the interface: who is asked at once, and a race that is lost."""

from typing import Any

import httpx

from tests.support.picking import Temper, pick, repeatable
from tests.support.stranger import Player, Refused, Response, Script, each, get, post, register, run

TEMPER = Temper({"snap": 0.0, "capture": 0.0})
"""Lays cards until two of one rank lie on each other."""


def table_of(players: list[Player]) -> Script[str]:
    """A table with these players."""
    opened = yield from post("/v1/tables", {"game": "toy", "options": {"target": 100}}, players[0])
    for player in players:
        yield from post(f"/v1/tables/{opened.body['table']}/seats", {}, player)
    return str(opened.body["table"])


def offered(table: str, player: Player) -> Script[Any]:
    response = yield from get(f"/v1/tables/{table}/offers", player)
    return response.body


def until_all_may_snap(table: str, players: list[Player], rng: Any) -> Script[None]:
    while True:
        offers = yield from offered(table, players[0])
        if any(offer["type"] == "snap" for offer in offers["offers"]):
            return
        seat = offers["to_act"][0]
        own = (yield from offered(table, players[seat]))["offers"]
        yield from post(f"/v1/tables/{table}/actions", pick(own, rng, TEMPER), players[seat])


def race() -> Script[Response]:
    """All may snap; the first does, and the second is too late."""
    players = yield from each([register(f"racer {number}") for number in range(4)])
    table = yield from table_of(players)
    asked = yield from offered(table, players[2])
    assert asked["to_act"] == [0, 1, 2, 3]
    assert [offer["type"] for offer in asked["offers"]] == ["ready"]
    yield from until_all_may_snap(table, players, repeatable(3))
    yield from post(f"/v1/tables/{table}/actions", {"type": "snap"}, players[3])
    try:
        yield from post(f"/v1/tables/{table}/actions", {"type": "snap"}, players[1])
    except Refused as refused:
        return refused.response
    raise AssertionError("two were first")


def test_ty_3_4_who_is_too_late_is_told_that_the_race_is_lost(service_url: str) -> None:
    with httpx.Client(base_url=service_url, trust_env=False) as http:
        response = run(race(), http)
    assert (response.status, response.body["code"], response.body["rule"]) == (409, "lost-race", "TY-3.4")
