"""Streams that go on: over as many connections as it takes, each frame once, and in order."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any, TypeAlias

import httpx
import msgspec

from codille_client.problems import Altered, CodilleError, Problem, Unreachable

from .http import AGAIN, LOST, Http, Patience

Frame: TypeAlias = dict[str, Any]

NDJSON = "application/x-ndjson"
SILENCE_S = 40.0
"""Seconds without a sign of life after which a stream's connection counts as lost; the service sends one every 15."""
SNAPSHOT_S = 10.0
"""Seconds to wait for a stream's first frame, which the service sends at once."""


class Buffered(CodilleError):
    """Something between the client and the service holds the stream back."""


async def frames(
    http: Http, path: str, query: Mapping[str, Any], *, last: int | None = None, gapless: bool = False
) -> AsyncGenerator[Frame, None]:
    """The frames of a stream, after the id `last`, or from a snapshot on.

    A connection that ends, or is silent for too long, is followed by one that goes on after the last frame. With
    `gapless`, ids go up by one. Raises Buffered where connections are made, but nothing comes over them, and Problem
    and Unreachable as requests do.
    """
    patience, dumb = Patience(http.deadline_s), 0
    while True:
        heard, pause_s = False, None
        first = last is None
        why: Exception = Unreachable(f"the stream {path} ended again and again for {http.deadline_s:g} s")
        headers = {"Accept": NDJSON} | ({} if first else {"Last-Event-ID": str(last)})
        try:
            # The rest of a first connection, too, has this time, so it may be followed by another one before a ping.
            read_s = SNAPSHOT_S if first else SILENCE_S
            async with (
                http.open("GET", path, None, query, headers, read_s) as answer,
                aclosing(_lines(answer)) as lines,
            ):
                async for line in lines:
                    heard = True
                    dumb = 0
                    patience.renew()
                    frame = msgspec.json.decode(line) if line else {}
                    number = frame.get("id")
                    if frame.get("frame") == "dropped":
                        pause_s = frame["data"].get("retry_ms", 1000) / 1000
                        break
                    if number is not None and frame["frame"] == "event" and last is not None:
                        if number <= last:
                            continue
                        if gapless and number != last + 1:
                            raise Altered(f"event {number} of {path} came after event {last}")
                    last = last if number is None else number
                    if frame and frame["frame"] != "ping":
                        yield frame
        except Problem as refused:
            if refused.status not in AGAIN:
                raise
            why, pause_s = refused, refused.retry_after
        except (*LOST, msgspec.DecodeError) as error:
            why.__cause__ = error
            if isinstance(error, httpx.ReadTimeout):
                dumb += not heard
                if dumb == (1 if first else 2):
                    raise Buffered(f"nothing comes over {path}") from error
                if heard:
                    continue
        await patience.pause(why, pause_s)


async def answers(http: Http, path: str, query: Mapping[str, Any], file: bytes) -> AsyncGenerator[Any, None]:
    """The lines with which a file of lines of JSON is answered. Until the first has come it is sent again.

    Raises Problem and Unreachable as requests do.
    """
    patience, headers = Patience(http.deadline_s), {"Accept": NDJSON, "Content-Type": NDJSON}
    while True:
        async with patience.attempt(f"the answer to POST {path} is cut off"):
            async with http.open("POST", path, file, query, headers, SILENCE_S) as answer:
                async for line in _lines(answer):
                    patience.end()
                    yield msgspec.json.decode(line)
            return


async def _lines(answer: httpx.Response) -> AsyncGenerator[bytes, None]:
    """The lines of a stream, the empty ones too. They end at LF alone."""
    rest = b""
    async for piece in answer.aiter_bytes():
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            yield line
