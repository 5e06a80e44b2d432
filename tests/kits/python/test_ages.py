"""The kit beside a service that is older or newer than it."""

import asyncio
from typing import Any

import pytest
from codille_client import Client, Moment, Problem

from tests.support.misbehaving import misbehaving, problem, status, stream

DO = {"type": "do", "fields": {"it": {"one_of": ["this"]}, "how": {"spiral": {"examples": ["left"]}}}, "since": "v2"}


def frame(kind: str, version: int, **members: Any) -> dict[str, Any]:
    view = {"version": version, "status": "playing", "you": 0, "to_act": [0], "weather": "fine"}
    return {"frame": kind, "id": version, "data": {"version": version, "view": view, **members}, "colour": "red"}


async def followed(client: Client, number: int) -> list[Moment]:
    moments = []
    async with asyncio.timeout(60):
        async for moment in client.table("t").follow():
            moments.append(moment)
            if len(moments) == number:
                break
    return moments


async def test_what_a_newer_service_says_besides_is_passed_on() -> None:
    thunder = {"frame": "thunder", "data": {"loud": True}}
    snapshot, event = frame("snapshot", 3, offers=[DO]), frame("event", 4, offers=[DO], type="dragon-landed", wings=2)
    async with misbehaving(stream(snapshot, thunder, event)) as server, Client(server.url) as client:
        first, between, then = await followed(client, 3)
    view: Any = first.view
    assert view["weather"] == "fine"
    assert first.offers[0].act(how="right") == {"type": "do", "it": "this", "how": "right"}
    assert first.offers[0].random() == {"type": "do", "it": "this", "how": "left"}
    assert (between.kind, between.data, between.to_act) == ("thunder", {"loud": True}, False)
    assert then.event is not None
    told: Any = then.event
    assert (told["type"], told["wings"]) == ("dragon-landed", 2)
    assert then.to_act


async def test_a_refusal_that_is_new_is_a_problem_with_all_that_it_says() -> None:
    new = problem(451, "too-late-at-night", title="Bedtime", until="07:00", offers=[DO])
    async with misbehaving(new) as server, Client(server.url) as client:
        with pytest.raises(Problem, match="451 too-late-at-night: Bedtime") as refused:
            await client.table("t").act({"type": "do"})
    assert refused.value.document["until"] == "07:00"
    assert refused.value.offers[0].type == "do"


async def test_frames_of_other_streams_are_passed_on_as_they_come() -> None:
    thunder = {"frame": "thunder", "id": 7, "data": {"loud": True}}
    async with misbehaving(stream(thunder, silent_s=60)) as server, Client(server.url) as client:
        for following in (client.notices(), client.lobby()):
            async with asyncio.timeout(60):
                async for frame in following:
                    found: Any = frame
                    assert found == thunder
                    break


async def test_an_operation_that_an_older_service_lacks_is_a_problem_that_says_so(service_url: str) -> None:
    async with Client(service_url) as client:
        with pytest.raises(Problem, match=r"404 no-such-route: nothing is served"):
            await client.request("GET", "tables/soothsayer/of/later")


async def test_members_that_an_older_service_lacks_are_not_needed() -> None:
    """A view, offers and frames as the first service had them, without what was added since."""
    bare = {"version": 3, "status": "playing", "you": 0, "to_act": [0]}
    plain = {"type": "pass"}
    async with misbehaving(status(200, {**bare, "offers": [plain]})) as server, Client(server.url) as client:
        moment = await client.table("t").now()
        assert moment.offers[0].act() == {"type": "pass"}
    tables = {"frame": "snapshot", "id": 1, "data": {"tables": [{"table": "t", "version": 3}]}}
    turn = {"frame": "event", "id": 2, "data": {"table": "t", "version": 3, "notices": ["your-turn"]}}
    answers = [stream(tables, turn, silent_s=60), status(200, {**bare, "offers": [plain]})]
    async with misbehaving(*answers) as server, Client(server.url) as client, asyncio.timeout(60):
        async for moment in client.turns():
            assert moment.version == 3
            break
