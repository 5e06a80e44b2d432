"""Readers of streams, and acts that they are told of: `python -m tests.lab.benchmarks.reading URL FILE`.

FILE holds a `Reading` in MessagePack. It prints `open` when every stream has its first frame, and waits for a line of
input. Then it sends the acts, each at its time, and prints as JSON what came of them, when every reader has been told.
"""

import asyncio
import json
import re
import resource
import sys
import time
from collections.abc import Callable
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httptools
import msgspec
import uvloop
from msgspec import Struct

from service.cli.load_test import Connection

AT_ONCE = 50
"""Streams that are opened at the same time."""

ACTORS = 16
PATIENCE_S = 60.0
LOOK_S = 0.01

_EVENT = re.compile(rb'\{"frame":"event","id":(\d+),.*?"at":"([^"]+)"')


class Reading(Struct, frozen=True):
    """What is read and done, each with the number of its table. Requests of streams are for lines of JSON."""

    streams: list[tuple[int, bytes]]
    acts: list[tuple[int, bytes]]
    per_s: float
    """How many acts are sent a second."""


class Reader(asyncio.Protocol):
    """One stream. `heard` is called with the time that each event was recorded at."""

    def __init__(self, request: bytes, heard: Callable[[bytes], None]) -> None:
        self.version = 0
        """Of the last event."""
        self.opened = asyncio.get_running_loop().create_future()
        self._request = request
        self._heard = heard
        self._parser = httptools.HttpResponseParser(self)
        self._rest = b""

    def connection_made(self, transport: Any) -> None:
        transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        self._parser.feed_data(data)

    def connection_lost(self, error: Exception | None) -> None:
        if not self.opened.done():
            self.opened.set_exception(ConnectionResetError(f"the stream ended: {error}"))

    def on_headers_complete(self) -> None:
        status = self._parser.get_status_code()
        if status != 200:
            self.opened.set_exception(RuntimeError(f"a stream was answered with {status}"))

    def on_body(self, data: bytes) -> None:
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            event = _EVENT.match(line)
            if event is not None:
                self.version = int(event[1])
                self._heard(event[2])
            if not self.opened.done():
                self.opened.set_result(None)


async def read(url: str, reading: Reading) -> None:
    """Reads and acts, and prints what came of it."""
    address = urlsplit(url)
    loop = asyncio.get_running_loop()
    delays: list[float] = []

    def heard(at: bytes) -> None:
        delays.append(time.time() - _seconds(at))

    readers: list[tuple[int, Reader]] = []
    for start in range(0, len(reading.streams), AT_ONCE):
        opening = []
        for table, request in reading.streams[start : start + AT_ONCE]:
            made = Reader(request, heard)
            await loop.create_connection(lambda made=made: made, address.hostname, address.port)  # type: ignore[misc]
            opening.append(made.opened)
            readers.append((table, made))
        await asyncio.gather(*opening)
    print("open", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    began, cpu = time.perf_counter(), time.process_time()
    newest = await _act(url, reading)
    acted = time.perf_counter() - began
    while behind := [one for table, one in readers if one.version < newest.get(table, 0)]:
        if time.perf_counter() - began > acted + PATIENCE_S:
            break
        await asyncio.sleep(LOOK_S)
    busy = (time.process_time() - cpu) / (time.perf_counter() - began)
    delays.sort()
    every = max(1, len(delays) // 20_000)
    told = {"frames": len(delays), "never": len(behind), "seconds": acted, "busy": busy}
    print(json.dumps(told | {"acts": len(reading.acts), "delays_s": delays[::every]}), flush=True)


async def _act(url: str, reading: Reading) -> dict[int, int]:
    """Sends the acts at their times, those of one table one after another; the tables' versions after them."""
    began, newest = time.perf_counter(), dict[int, int]()
    actors = min(ACTORS, len({table for table, _ in reading.acts}))

    async def actor(first: int) -> None:
        async with Connection(url) as connection:
            for number in range(first, len(reading.acts), actors):
                table, request = reading.acts[number]
                await asyncio.sleep(began + number / reading.per_s - time.perf_counter())
                answered = await connection.send(request)
                if answered.status not in (200, 201):
                    raise RuntimeError(f"an act was answered with {answered.status}: {answered.body!r}")
                newest[table] = msgspec.json.decode(answered.body)["version"]

    await asyncio.gather(*map(actor, range(actors)))
    return newest


@lru_cache(maxsize=1000)
def _seconds(at: bytes) -> float:
    return datetime.fromisoformat(at.decode()).timestamp()


def main(url: str, file: str) -> None:
    """Runs with the arguments of the command line."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    uvloop.run(read(url, msgspec.msgpack.decode(Path(file).read_bytes(), type=Reading)))


if __name__ == "__main__":
    main(*sys.argv[1:])
