"""How far the read models are behind the log, in time: `python -m tests.lab.benchmarks.lagging DATABASE_URL REDIS_URL`.

It prints `ready`. At the end of its input it prints as JSON, for each batch that was committed meanwhile, how long
after its notice every shard had it. It looks every millisecond, so a lag may be a millisecond too long.
"""

import asyncio
import json
import sys
import time
from bisect import bisect_left
from typing import Any

import uvloop
from redis.asyncio import Redis

from projections.redis_keys import CURRENT, SHARDS, Layout
from service.store.database import Database
from service.store.listener import Listener

LOOK_S = 0.001
PATIENCE_S = 60.0


async def watch(database_url: str, redis_url: str) -> None:
    """Watches both until its input ends, and then until every committed event is projected."""
    committed: list[tuple[float, int]] = []
    reached: list[tuple[float, int]] = []

    def heard(payload: str) -> None:
        committed.append((time.perf_counter(), int(payload)))

    async def checked(_connection: object, _anew: bool) -> None:
        pass

    async with (
        Database(database_url, owner=True) as database,
        Redis.from_url(redis_url) as redis,
        Listener(database, "codille_log", heard, checked),
    ):
        ended = asyncio.create_task(asyncio.to_thread(sys.stdin.read))
        await asyncio.sleep(0.3)
        print("ready", flush=True)
        deadline = None
        while True:
            position = await projected(redis)
            if not reached or position > reached[-1][1]:
                reached.append((time.perf_counter(), position))
            if ended.done():
                deadline = deadline or time.perf_counter() + PATIENCE_S
                if (committed and position >= committed[-1][1]) or time.perf_counter() > deadline:
                    break
            await asyncio.sleep(LOOK_S)
    positions = [position for _, position in reached]
    lags = []
    for at, position in committed:
        place = bisect_left(positions, position)
        if place < len(reached):
            lags.append(max(0.0, reached[place][0] - at))
    print(json.dumps({"lags_s": lags, "never": len(committed) - len(lags)}), flush=True)


async def projected(redis: Redis) -> int:
    """The position that all shards of the current generation have come to; the last of them is written last."""
    current: Any = await redis.get(CURRENT)
    if current is None:
        return 0
    layout = Layout(int(bytes(current).partition(b":")[2]))
    pipeline = redis.pipeline(transaction=False)
    for shard in SHARDS:
        pipeline.hget(layout.checkpoint(shard), "position")
    return min(int(at or 0) for at in await pipeline.execute())


if __name__ == "__main__":
    uvloop.run(watch(sys.argv[1], sys.argv[2]))
