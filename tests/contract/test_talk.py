"""Talk at a table, over HTTP."""

import asyncio

import httpx
import pytest

from tests.contract.conftest import Caller, act, next_of, opened, problem, register
from tests.contract.shared import client, in_one_loop, three

__all__ = ["client", "three"]

pytestmark = in_one_loop

WELL = {"type": "talk", "text": "Well played! 🂡"}


async def talkative(three: list[Caller]) -> str:
    """A table at which players may talk, its game begun."""
    table = await opened(three[0], game="ombre", table={"talk": True})
    for seat, caller in enumerate(three):
        assert (await caller.post(f"/tables/{table}/seats", {"seat": seat})).status_code == 201
    return table


async def test_what_one_says_all_read(client: httpx.AsyncClient, three: list[Caller]) -> None:
    table = await talkative(three)
    turn, first = await next_of(three, table)
    silent = (turn + 1) % 3
    offers = (await three[silent].get(f"/tables/{table}/offers")).json()
    assert [offer["type"] for offer in offers["offers"]] == ["talk"]
    assert offers["to_act"] == [turn]
    before = (await client.get(f"/v1/tables/{table}")).json()
    assert before["table_options"] == {"talk": True}
    said = await act(three[silent], table, WELL)
    (event,) = said.json()["events"]
    assert (event["type"], event["actor"], event["public"]) == ("table-talk", f"seat:{silent}", {"seat": silent})
    assert event["sealed"]["public"]["data"] == {"text": WELL["text"]}
    assert said.json()["to_act"] == [turn]
    seen = (await client.get(f"/v1/tables/{table}/events", params={"after": before["version"]})).json()["items"]
    assert [one["sealed"] for one in seen] == [event["sealed"]]
    waiting = asyncio.create_task(
        client.get(f"/v1/tables/{table}/events", params={"after": said.json()["version"], "wait": 60})
    )
    again = await act(first, table, {"type": "talk", "text": "Thanks."})
    heard = (await waiting).json()["items"]
    assert [(one["type"], one["version"]) for one in heard] == [("table-talk", again.json()["version"])]


async def test_talk_is_no_act_of_the_game(three: list[Caller]) -> None:
    table = await talkative(three)
    turn, first = await next_of(three, table)
    read = (await first.get(f"/tables/{table}")).headers["etag"]
    await act(three[(turn + 1) % 3], table, WELL)
    # Who acts on a condition learns that something was said.
    problem(
        await first.post(f"/tables/{table}/actions", {"type": "pass"}, headers={"If-Match": read}),
        412,
        "precondition-failed",
    )
    await act(first, table, {"type": "pass"})


async def test_a_key_says_it_once(three: list[Caller]) -> None:
    table = await talkative(three)
    once = {"headers": {"Idempotency-Key": "said"}}
    first, again = [await act(three[0], table, WELL, **once) for _ in range(2)]
    assert first.content == again.content
    assert again.headers["idempotency-replayed"] == "true"


@pytest.mark.parametrize("text", ["", "x" * 281, "two\nlines"])
async def test_no_other_text(three: list[Caller], text: str) -> None:
    table = await talkative(three)
    answer = await three[0].post(f"/tables/{table}/actions", {"type": "talk", "text": text})
    code = "rule-violation" if "\n" in text else "invalid-body"
    document = problem(answer, 422, code)
    assert document.get("rule") == ("TL-5.1" if "\n" in text else None)


async def test_not_everybody_may_talk(client: httpx.AsyncClient, three: list[Caller]) -> None:
    table = await talkative(three)
    stranger = await register(client, "Dora")
    problem(await stranger.post(f"/tables/{table}/actions", WELL), 403, "not-seated")
    quiet = await opened(three[0], game="ombre")
    for caller in three:
        await caller.post(f"/tables/{quiet}/seats", {})
    document = problem(await three[0].post(f"/tables/{quiet}/actions", WELL), 422, "rule-violation")
    assert document["rule"] == "TL-5.1"
    assert all(offer["type"] != "talk" for offer in document["offers"])


async def test_a_game_with_talk_of_its_own_takes_no_other(three: list[Caller]) -> None:
    answer = await three[0].post("/tables", {"game": "crocodile", "table": {"talk": True}})
    assert problem(answer, 422, "rule-violation")["rule"] == "TL-5.1"


async def test_after_fifty_there_is_silence(three: list[Caller]) -> None:
    table = await talkative(three)
    for _ in range(50):
        await act(three[1], table, WELL)
    document = problem(await three[1].post(f"/tables/{table}/actions", WELL), 422, "rule-violation")
    assert document["rule"] == "TL-5.2"
    why = (await three[1].get(f"/tables/{table}/offers?why=talk")).json()["why"]
    assert (why["offered"], why["rule"]) == (False, "TL-5.2")
