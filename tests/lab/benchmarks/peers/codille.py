"""The service's own store, as its writer uses it: `write URL CLIENTS SECONDS`, `tail URL`."""

import asyncio
import sys
import time

import msgspec
import uvloop

from domain.record.recorded import GENESIS, Recorded, rehash
from service.moments import new_id, now
from service.store.database import Database
from service.store.store import Append, Appended, Store
from service.store.writer import Writer
from tests.lab.benchmarks.peers import talking

AT_MOST_PER_S = 100_000
"""Events made beforehand, so that making them is not measured."""


def chained(events: int) -> list[Recorded]:
    """So many events of a new table, each of a command of its own."""
    table, previous = new_id(), GENESIS
    made: list[Recorded] = []
    for version in range(1, events + 1):
        event = Recorded(
            table, "crocodile", version, 1, "card-played", 1, now(), f"seat:{version % 3}", new_id(),
            talking.DATA, b"{}", b"{}", b"",
        )  # fmt: skip
        previous = rehash(event, previous)
        made.append(msgspec.structs.replace(event, hash=previous))
    return made


async def write(url: str, clients: int, seconds: float) -> None:
    """As many tables as clients, each appending one event after the other through one writer."""
    streams = [chained(int(AT_MOST_PER_S * seconds / clients) + 10) for _ in range(clients)]
    async with Database(url) as database:
        writer = Writer(Store(database))
        for stream in streams:
            await writer.submit(Append(stream[0].table, 0, GENESIS, (stream[0],)))
        talking.ready()
        times: list[float] = []
        began = time.perf_counter()

        async def client(stream: list[Recorded]) -> None:
            for event, after in zip(stream[1:], stream, strict=False):
                before = time.perf_counter()
                if before - began >= seconds:
                    return
                outcome = await writer.submit(Append(event.table, after.version, after.hash, (event,)))
                if not isinstance(outcome, Appended):
                    raise TypeError(f"it was not appended: {outcome}")
                times.append(time.perf_counter() - before)

        await asyncio.gather(*map(client, streams))
        talking.report(began, times)
        await writer.close()


def tail(url: str) -> None:
    """Reads the log by position."""
    runner = asyncio.Runner(loop_factory=uvloop.new_event_loop)
    database = Database(url)
    runner.run(database.__aenter__())
    store = Store(database)

    def read(after: int) -> list[tuple[int, object]]:
        events = runner.run(store.log(after, 1000))
        # The first of each stream was there before the writers were ready.
        return [(event.position, event.hash) for event in events if event.version > 1]

    talking.tail(read)


if __name__ == "__main__":
    if sys.argv[1] == "write":
        uvloop.run(write(sys.argv[2], int(sys.argv[3]), float(sys.argv[4])))
    else:
        tail(sys.argv[2])
