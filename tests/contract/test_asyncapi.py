"""What streams really send is what the AsyncAPI document says: each frame is exactly one of its channel's messages."""

from typing import Any

import pytest
from litestar import Litestar

from service.live.frames import SSE
from tests.contract.conftest import Caller, deal_over
from tests.contract.test_lists import app, services
from tests.support.asyncapi import DOCUMENT, errors, messages_of
from tests.support.streams import Frame, reading

__all__ = ["app", "services"]


def described(channel: str, frame: Frame) -> str:
    """The one message that the frame is, with its place as the message has it."""
    fields: dict[str, Any] = {"event": frame.kind} | ({} if frame.id is None else {"id": frame.id})
    if frame.kind == "dropped":
        fields["retry"] = frame.data["retry_ms"]
    (name,) = messages_of(channel, fields, frame.data)
    line = {"frame": frame.kind} | ({} if frame.id is None else {"id": frame.id}) | {"data": frame.data}
    assert errors(DOCUMENT["channels"][channel]["messages"]["line"]["payload"], line) == []
    return name


@pytest.mark.parametrize("view", ["false", "true"])
async def test_the_stream_of_a_table(three: list[Caller], table: str, app: Litestar, view: str) -> None:
    """With the seat's own cards, to the end of a deal."""
    async with reading(app, f"/tables/{table}/events/stream?view={view}", three[0], accept=SSE) as stream:
        told = [described("table", await stream.next())]
        await deal_over(three, table)
        version = int((await three[0].get(f"/tables/{table}")).json()["version"])
        told += [described("table", frame) for frame in await stream.upto(version)]
    assert told[0] == "snapshot"
    if view == "true":
        assert set(told[1:]) - {"presence"} == {"eventWithView"}
    else:
        assert {"CrocodileBidPassedEvent", "DealScoredEvent"} <= set(told)


async def test_the_streams_of_a_player_and_of_the_lobby(three: list[Caller], table: str, app: Litestar) -> None:
    async with (
        reading(app, "/players/me/stream?view=true", three[0]) as player,
        reading(app, "/tables/stream") as lobby,
    ):
        assert described("player", await player.next()) == "snapshot"
        assert described("lobby", await lobby.next()) == "snapshot"
        opened = await three[0].post("/tables", {"game": "crocodile"})
        assert described("lobby", await lobby.next()) == "TableOpenedEvent"
        await three[1].post(f"/tables/{opened.json()['table']}/seats", {})
        assert described("lobby", await lobby.next()) == "SeatTakenEvent"
        await deal_over(three, table)
        assert described("player", await player.next()) == "event"
