"""Reading streams: as ASGI, so that a reader can stop reading at will."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from litestar.types import ASGIApp
from msgspec import Struct

from service.live.frame_contents import FRAMES
from service.live.frames import NDJSON, SSE
from service.observability.stream_metrics import StreamKind
from tests.contract.conftest import Caller
from tests.support.waiting import PATIENCE_S, until


class Frame(Struct, frozen=True):
    """A frame as a client gets it, and apart from its other data whether more of an act follows."""

    kind: str
    id: int | None
    data: Any
    more: bool | None = None
    """None where the frame does not say it: where it is no event."""

    @property
    def sent(self) -> Any:
        """All of its data."""
        return self.data if self.more is None else self.data | {"more": self.more}


def parsed(kind: str, place: int | None, data: Any) -> Frame:
    """The frame with these data. A frame says whether more follows if it is an event."""
    assert ("more" in data) == (kind == "event"), data
    return Frame(kind, place, data, data.pop("more", None))


class StreamReader:
    """One stream. `text` is all that was read of it; while `reading` is not set, nothing is read."""

    def __init__(self) -> None:
        self.status = 0
        self.headers: dict[str, str] = {}
        self.text = b""
        self.reading = asyncio.Event()
        self.reading.set()
        self.offered = 0
        """How many pieces the service has tried to write."""
        self.ended = False
        self._left = asyncio.Event()
        self._asked = False
        self._taken = 0
        self._parsed: list[Frame] = []
        self._parsed_to = 0

    async def receive(self) -> dict[str, Any]:
        if not self._asked:
            self._asked = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self._left.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = {name.decode(): value.decode() for name, value in message["headers"]}
            return
        self.offered += 1
        await self.reading.wait()
        self.text += message["body"]
        self.ended = not message["more_body"]

    def leave(self) -> None:
        """Goes away."""
        self._left.set()

    @property
    def frames(self) -> list[Frame]:
        """All frames so far, without pings, and without those of presence, which come when they come."""
        return [frame for frame in self.all_frames if frame.kind != "presence"]

    @property
    def presence(self) -> list[list[bool]]:
        """Who was connected, seat by seat, in each frame of presence so far."""
        told = [frame.data["seats"] for frame in self.all_frames if frame.kind == "presence"]
        return [[seat["connected"] for seat in seats] for seats in told]

    @property
    def all_frames(self) -> list[Frame]:
        """All frames so far, without pings. What was read before is not parsed again."""
        lines = self.headers["content-type"] == "application/x-ndjson"
        between = b"\n" if lines else b"\n\n"
        *blocks, rest = self.text[self._parsed_to :].split(between)
        self._parsed_to = len(self.text) - len(rest)
        self._parsed += filter(None, map(_from_line if lines else _from_block, blocks))
        return self._parsed

    async def next(self) -> Frame:
        """The next frame."""
        await until(lambda: len(self.frames) > self._taken)
        self._taken += 1
        return self.frames[self._taken - 1]

    async def upto(self, place: int) -> list[Frame]:
        """The next frames, up to the one with this id."""
        taken = [await self.next()]
        while taken[-1].id != place:
            taken.append(await self.next())
        return taken

    async def end(self) -> Frame | None:
        """The last frame of a stream that the service ends, if it says why."""
        await until(lambda: self.ended)
        last = self.frames[-1] if self.frames else None
        return last if last and last.kind == "dropped" else None


@asynccontextmanager
async def reading(app: ASGIApp, path: str, caller: Caller | None = None, **headers: str) -> AsyncIterator[StreamReader]:
    """A stream that is read meanwhile; underscores in names of headers stand for hyphens. It has begun to answer."""
    reader = StreamReader()
    where, _, query = f"/v1{path}".partition("?")
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    if caller is not None and caller.token:
        given["authorization"] = f"Bearer {caller.token}"
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": given.pop("method", "GET"),
        "scheme": "http",
        "path": where,
        "raw_path": where.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(b"host", b"codille.test"), *((name.encode(), value.encode()) for name, value in given.items())],
        "client": ("127.0.0.1", 1),
        "server": ("codille.test", 80),
        "state": {},
    }
    task = asyncio.ensure_future(app(scope, reader.receive, reader.send))  # type: ignore[arg-type]
    try:
        await until(lambda: reader.status or task.done())
        yield reader
    finally:
        reader.leave()
        reader.reading.set()
        async with asyncio.timeout(PATIENCE_S):
            await task
    if reader.headers.get("content-type") in (SSE, NDJSON):
        # What is sent and not listed is described nowhere.
        assert {frame.kind for frame in reader.all_frames} <= set(FRAMES[stream_at(where)])
    if reader.headers.get("content-type") == SSE:
        blocks_of(reader.text)


def blocks_of(text: bytes) -> list[dict[str, str]]:
    """The fields of each block of server-sent events, as libraries read it that take each for an event."""
    *blocks, rest = text.decode().split("\n\n")
    assert all(line.startswith((":", "retry:")) for line in rest.splitlines()), rest
    found = []
    for block in blocks:
        fields = dict(line.split(": ", 1) for line in block.split("\n") if not line.startswith(":"))
        assert fields.keys() - {"id", "retry"} == {"event", "data"}, block
        found.append(fields)
    return found


def stream_at(path: str) -> StreamKind:
    """Whose stream the path leads to."""
    kinds: Mapping[str, StreamKind] = {"/v1/players/me/stream": "player", "/v1/tables/stream": "lobby"}
    return kinds.get(path, "table")


def _from_line(line: bytes) -> Frame | None:
    """The frame in a line of its own; None for a ping."""
    if not line:
        return None
    sent = json.loads(line)
    return parsed(sent["frame"], sent.get("id"), sent["data"])


def _from_block(block: bytes) -> Frame | None:
    """The frame that is a server-sent event; None for a ping, and for what is none."""
    lines = (line.partition(": ") for line in block.decode().splitlines())
    fields = {name: value for name, _, value in lines if name}
    if "data" not in fields or fields["event"] == "ping":
        return None
    return parsed(fields["event"], int(fields["id"]) if "id" in fields else None, json.loads(fields["data"]))
