"""Requests made beforehand, sent over many connections: `… driving URL FILE WARM SECONDS [again]`.

FILE holds, in MessagePack, a list of requests for each connection, each sent when the one before is answered. `again`
begins anew at the end of the list; without it, all end when the first connection has nothing left. It prints
`warm` after WARM seconds, and at the end, as JSON, what it measured from then on.
"""

import asyncio
import json
import sys
import time
from collections import Counter
from pathlib import Path

import msgspec
import uvloop

from service.cli.load_test import Connection, ConnectionLost


async def drive(url: str, lists: list[list[bytes]], warm_s: float, seconds: float, *, again: bool) -> None:
    """Sends the requests, and prints statuses and times."""
    began = time.perf_counter()
    warm, ends = began + warm_s, began + warm_s + seconds
    times: list[float] = []
    statuses: Counter[str] = Counter()

    async def client(requests: list[bytes]) -> None:
        nonlocal ends
        async with Connection(url) as connection:
            while True:
                for request in requests:
                    before = time.perf_counter()
                    if before >= ends and times:
                        return
                    try:
                        status = str((await connection.send(request)).status)
                    except ConnectionLost as error:
                        status = str(error)
                    after = time.perf_counter()
                    if warm <= after and (after < ends or not times):
                        # On a busy machine the first answer may take longer than all were to.
                        ends = max(ends, after)
                        times.append(after - before)
                        statuses[status] += 1
                if not again:
                    ends = min(ends, time.perf_counter())

    async def warm_up() -> None:
        await asyncio.sleep(warm_s)
        print("warm", json.dumps(time.process_time()), flush=True)

    warming = asyncio.create_task(warm_up())
    cpu = time.process_time()
    await asyncio.gather(*map(client, lists), warming)
    taken = ends - warm
    every = max(1, len(times) // 20_000)
    print(
        json.dumps(
            {
                "requests": len(times),
                "seconds": taken,
                "statuses": statuses,
                "busy": (time.process_time() - cpu) / (ends - began),
                "latencies_s": sorted(times)[::every],
            }
        ),
        flush=True,
    )


def main(url: str, file: str, warm_s: str, seconds: str, *again: str) -> None:
    """Runs with the arguments of the command line."""
    lists = msgspec.msgpack.decode(Path(file).read_bytes(), type=list[list[bytes]])
    uvloop.run(drive(url, lists, float(warm_s), float(seconds), again=bool(again)))


if __name__ == "__main__":
    main(*sys.argv[1:])
