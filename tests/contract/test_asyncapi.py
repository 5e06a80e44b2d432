"""What streams really send is what the AsyncAPI document says: each frame is exactly one of its channel's messages."""

from typing import Any, get_args

import pytest

from service.http.edge import Edge
from service.live import lobby_stream, player_stream
from service.live.frame_contents import FRAMES
from service.live.frames import SSE
from service.observability.stream_metrics import StreamKind
from service.services import Services
from tests.contract.conftest import Caller, deal_over, next_of, seated
from tests.contract.test_lists import services, until_built
from tests.support.asyncapi import DOCUMENT, errors, messages_of
from tests.support.streams import Frame, reading
from tests.support.waiting import until

__all__ = ["services"]


def described(channel: str, frame: Frame) -> str:
    """The one message that the frame is, with its place as the message has it."""
    fields: dict[str, Any] = {"event": frame.kind} | ({} if frame.id is None else {"id": frame.id})
    if frame.kind == "dropped":
        fields["retry"] = frame.data["retry_ms"]
    (name,) = messages_of(channel, fields, frame.sent)
    line = {"frame": frame.kind} | ({} if frame.id is None else {"id": frame.id}) | {"data": frame.sent}
    assert errors(DOCUMENT["channels"][channel]["messages"]["line"]["payload"], line) == []
    return name


@pytest.mark.parametrize("offers", ["false", "true"])
@pytest.mark.parametrize("view", ["false", "true"])
async def test_the_stream_of_a_table(three: list[Caller], table: str, app: Edge, view: str, offers: str) -> None:
    """With the seat's own cards, to the end of a deal."""
    path = f"/tables/{table}/events/stream?view={view}&offers={offers}"
    async with reading(app, path, three[0], accept=SSE) as stream:
        told = [described("table", await stream.next())]
        await deal_over(three, table)
        version = int((await three[0].get(f"/tables/{table}")).json()["version"])
        told += [described("table", frame) for frame in await stream.upto(version)]
    assert told[0] == "snapshot"
    if view == "true":
        assert set(told[1:]) - {"presence"} == {"eventWithView"}
    elif offers == "true":
        assert {"DealScoredEvent", "eventWithOffers"} <= set(told)
    else:
        assert {"CrocodileBidPassedEvent", "DealScoredEvent"} <= set(told)


async def test_the_streams_of_a_player_and_of_the_lobby(three: list[Caller], table: str, app: Edge) -> None:
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


@pytest.mark.parametrize("stream", get_args(StreamKind))
async def test_every_frame_that_a_stream_lists_is_sent(
    three: list[Caller],
    table: str,
    app: Edge,
    services: Services,
    monkeypatch: pytest.MonkeyPatch,
    stream: StreamKind,
) -> None:
    of_table = f"/tables/{table}/events/stream"
    path = {"table": of_table, "player": "/players/me/stream", "lobby": "/tables/stream"}[stream]
    await until_built(three[0])
    for module in (lobby_stream, player_stream):
        monkeypatch.setattr(module, "WINDOW", 1)
    async with (
        reading(app, path, three[0]) as one,
        reading(app, f"{path}?after=1", three[0]) as again,
        reading(app, of_table, three[1]),
    ):

        def told() -> list[Frame]:
            return [frame for reader in (one, again) for frame in reader.all_frames]

        await until(lambda: one.frames)
        await seated(three)
        await (await next_of(three, table))[1].post(f"/tables/{table}/actions", {"type": "pass"})
        await until(lambda: {frame.kind for frame in told()} == FRAMES[stream].keys() - {"dropped"})
        services.edge.live.stop()
        await until(lambda: {frame.kind for frame in told()} == FRAMES[stream].keys())
        assert all(described(stream, frame) for frame in told())
