"""Server-sent events as others read them: by the standard, and by libraries that take every block for an event."""

import json
from collections.abc import Iterator
from contextlib import AsyncExitStack

from msgspec import Struct

from service.http.edge import Edge
from service.live.frames import SSE
from service.services import Services
from service.spec.asyncapi import PATHS
from tests.contract.conftest import Caller, opened
from tests.contract.test_lists import services, until_built
from tests.support.asyncapi import messages_of
from tests.support.openapi import operations
from tests.support.streams import blocks_of, reading, stream_at
from tests.support.waiting import until
from tests.unit.spec.test_asyncapi import OPENAPI

__all__ = ["services"]


class Sent(Struct, frozen=True):
    """An event as a browser dispatches it."""

    type: str
    data: str
    last_event_id: str


def dispatched(text: str) -> Iterator[Sent]:
    """The events in the text, interpreted as HTML, section 9.2.6, says."""
    type_ = last_event_id = ""
    data: list[str] = []
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")[:-1]:
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        match name:
            case "" if not line:
                if data:
                    yield Sent(type_ or "message", "\n".join(data), last_event_id)
                type_, data = "", []
            case "event":
                type_ = value
            case "data":
                data.append(value)
            case "id" if "\0" not in value:
                last_event_id = value
            case _:
                # Comments, and the time until a browser reconnects.
                assert name in ("", "retry"), line


def test_every_stream_of_the_interface_is_read_here() -> None:
    sent = {path for path, one in operations(OPENAPI) if SSE in one["responses"].get("200", {}).get("content", {})}
    assert sent == set(PATHS.values())


async def test_an_idle_stream_has_no_event_without_a_name_and_data(
    three: list[Caller], table: str, app: Edge, services: Services
) -> None:
    """From its beginning, over pings and what happens between them, to its end."""
    await until_built(three[0])
    services.edge.live.pings.tick_s = 0.001
    late = await opened(three[0], table={"spectator_delay": {"events": 2}})
    version = (await three[0].get(f"/tables/{table}")).json()["version"]
    async with AsyncExitStack() as stack:
        streams = {
            path: await stack.enter_async_context(reading(app, path, three[0] if table in path else three[2]))
            for path in (
                f"/tables/{table}/events/stream",
                f"/tables/{table}/events/stream?after={version}&view=true&offers=true",
                f"/tables/{late}/events/stream?after=0",
                "/players/me/stream?view=true",
                "/players/me/stream?after=0",
                "/tables/stream",
                "/tables/stream?after=0",
            )
        }

        async def until_pinged() -> None:
            before = {path: stream.text.count(b"ping\n") for path, stream in streams.items()}
            await until(lambda: all(one.text.count(b"ping\n") > before[path] + 3 for path, one in streams.items()))

        await until_pinged()
        await three[1].post(f"/tables/{late}/seats", {})
        await three[1].post(f"/tables/{table}/end", {"agree": True})
        await until_pinged()
        services.edge.live.stop()
        for path, stream in streams.items():
            await stream.end()
            events, blocks = [*dispatched(stream.text.decode())], blocks_of(stream.text)
            assert [(one.type, one.data) for one in events] == [(one["event"], one["data"]) for one in blocks]
            kind = stream_at(f"/v1{path.partition('?')[0]}")
            assert "retry" in blocks[0], "a browser would keep the pause that the end of a stream before asked for"
            for one in [blocks[0] | {"retry": ""}, *blocks[1:]]:
                fields = {name: int(one[name]) for name in ("id", "retry") if one.get(name)} | {"event": one["event"]}
                assert len(messages_of(kind, fields, json.loads(one["data"]))) == 1, one
            assert events[-1].type == "dropped"
            assert ("ping" in {one.type for one in events}) == (kind != "table"), path
