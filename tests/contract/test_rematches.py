"""Who asks for a rematch reaches the other players by stream and webhook, once, and nobody else."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import httpx

from domain.record.history import without_section
from domain.seats import HOUSE
from service.http.edge import Edge
from service.live.live_event import LiveEvent
from service.services import Services
from tests.contract.conftest import Caller, deal_over, problem, register
from tests.contract.test_friends import again, finished, table_of
from tests.contract.test_lists import services, until_built
from tests.contract.test_log_streams import MINE
from tests.contract.test_webhooks import URL, queued
from tests.support.streams import StreamReader, reading
from tests.support.waiting import until

__all__ = ["services"]

KINDS = ["rematch", "table-closed"]

Told = tuple[str, int, int, str]
"""Table, version, seat and kind of a notice."""


@asynccontextmanager
async def following(app: Edge, people: Sequence[Caller]) -> AsyncIterator[list[StreamReader]]:
    """Each one's own stream, behind its snapshot."""
    async with AsyncExitStack() as opened:
        streams = [await opened.enter_async_context(reading(app, MINE, one)) for one in people]
        for stream in streams:
            assert (await stream.next()).kind == "snapshot"
        yield streams


def told(stream: StreamReader) -> list[Told]:
    """The notices of these kinds in a stream so far."""
    data = [frame.data for frame in stream.frames if frame.kind == "event"]
    return [
        (one["table"], one["version"], one["seat"], kind) for one in data for kind in one["notices"] if kind in KINDS
    ]


async def sent(caller: Caller, webhook: str) -> list[Told]:
    """The messages of these kinds for a webhook, oldest first."""
    items = (await caller.get(f"/webhooks/{webhook}/deliveries?limit=200")).json()["items"]
    messages: list[Any] = [item["message"] for item in reversed(items)]
    data = [(one["data"], one["type"]) for one in messages if one["type"] in KINDS]
    return [(one["table"], one["version"], one["seat"], kind) for one, kind in data]


async def test_who_asks_for_a_rematch_reaches_the_others(
    client: httpx.AsyncClient, three: list[Caller], app: Edge, services: Services
) -> None:
    await until_built(three[0])
    people = [*three, await register(client, "Zoe")]
    webhooks = [(await one.post("/webhooks", {"url": URL})).json()["id"] for one in people]
    before, _ = await table_of(three, "private")
    for _ in range(3):
        await deal_over(three, before)
    due: list[list[Told]] = [[] for _ in people]
    async with following(app, people) as streams:
        table = (await again(three[1], before)).json()["table"]
        due[0].append((table, 1, 1, "rematch"))
        due[2].append((table, 1, 0, "rematch"))
        # The seat is kept: neither an invitation nor the game before is needed.
        assert (await three[0].post(f"/tables/{table}/seats", {})).json()["you"] == 1
        assert (await again(three[2], before)).json()["status"] == "playing"
        for _ in range(3):
            await deal_over([three[2], three[0], three[1]], table)
        assert (await three[1].delete("/players/me")).status_code == 204
        last = (await again(three[2], table)).json()
        due[0].append((last["table"], 1, 2, "rematch"))
        # Who has not taken a seat is no player of the table that closes.
        problem(await three[0].delete(f"/tables/{last['table']}"), 403, "not-opener")
        assert (await three[2].delete(f"/tables/{last['table']}")).status_code == 200
        due[2].append((last["table"], last["version"] + 1, last["you"], "table-closed"))
        for place in (0, 2):
            await until(lambda place=place: len(told(streams[place])) >= len(due[place]))
        assert [told(stream) for stream in streams] == due
    await queued(services)
    people, webhooks, due = people[::2], webhooks[::2], due[::2]
    assert [await sent(one, webhook) for one, webhook in zip(people, webhooks, strict=True)] == due
    for one, notices in zip(people, due, strict=True):
        async with reading(app, f"{MINE}?after=0&view=true", one) as resumed:
            await until(lambda resumed=resumed, notices=notices: told(resumed) == notices)
            for data in (frame.data for frame in resumed.frames if frame.kind == "event"):
                if "rematch" in data["notices"]:
                    assert data["view"]["you"] is None
                    assert [seat["player"] for seat in data["view"]["seats"]] == [None] * 3


async def test_another_process_tells_a_rematch_as_the_one_that_opened_it(
    three: list[Caller], services: Services
) -> None:
    table = (await again(three[1], await finished(three))).json()["table"]
    (opening,) = await services.log.store.stream(table, 0, 1)
    passed_on = LiveEvent(without_section(opening, HOUSE), more=False)
    turn = await services.edge.streams.players.folds.turn(passed_on)
    assert turn.players == (three[2].player, three[0].player, None)
