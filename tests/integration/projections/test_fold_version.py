"""Read models say which version of the code folded them, and a projector of a later version folds them anew."""

import json
import os
from collections.abc import Collection, Iterator, Sequence
from contextlib import AsyncExitStack
from hashlib import sha256
from pathlib import Path

from msgspec.structs import replace
from redis.asyncio import Redis
from structlog.testing import capture_logs

from domain.record.recorded import Recorded
from projections.advance import Advance, Context
from projections.checkpoint import LogPoint, Shards, Writes
from projections.fold import Folds
from projections.lease import Leases
from projections.models import ReadModels
from projections.rebuild import BUILD
from projections.redis_keys import FOLD, GENERATIONS, LOBBY, Layout, Shard
from tests.golden.games import as_recorded
from tests.support.corpus import RECORDS
from tests.support.projecting import (
    QUICK,
    READER,
    MemoryLog,
    Running,
    caught_up,
    contents,
    current,
    differs,
    projector,
    quiet,
    recorded,
    until,
)

KNOWN = Path(__file__).with_name("folded.txt")
WRITE = "CODILLE_TEST_WRITE"
"""With this in the environment, records that were added, and what a raised FOLD changes, are written down."""
BATCH = 16
"""The events after which the read models of a recorded game are looked at."""

OTHERWISE = {"late": {"spectator_delay": {"events": 9}}, "unlisted": {"visibility": "unlisted"}}
"""Options of tables, which the read models of these records depend on."""
ALSO_OTHERWISE = ("bots", "corrected-in-play", "disputed")

QUICK_AGAIN = replace(QUICK, rebuild_pause_s=0.02)
LATER = FOLD + 1


class Written(Shards):
    """Shards that keep a digest of all that was written to them."""

    def __init__(self, redis: Redis, layout: Layout) -> None:
        super().__init__(redis, layout, 1)
        self._generation = f":g{layout.generation}:"
        self.digest = sha256()

    async def apply(self, start: LogPoint, end: LogPoint, shards: Collection[Shard], writes: Writes) -> None:
        """Writes, and adds it to the digest, the same for every order of writing."""
        for written in sorted(
            repr((command, key.replace(self._generation, ":"), *rest))
            for some in writes.values()
            for command, key, *rest in some
        ):
            self.digest.update(written.encode())
        await super().apply(start, end, shards, writes)


async def digest(redis: Redis, records: Sequence[Recorded], generation: int) -> str:
    """The digest of the read models of a recorded game, after every few events."""
    log, layout = MemoryLog(list(records)), Layout(generation)
    shards = Written(redis, layout)
    context = Context(log, READER, redis, lambda: 0.0, 3600.0)
    advance = Advance(context, layout, shards, await shards.begin(), Folds(log, READER, capacity=1))
    while records := await advance.read(BATCH):
        await advance.write(records)
    return shards.digest.hexdigest()[:16]


def recorded_games() -> Iterator[tuple[str, list[Recorded]]]:
    """The published records by name, some of them also as if their tables had other options."""
    for path in sorted(RECORDS.glob("*.ndjson")):
        events = [
            {"sealed": {}, **event} for event in map(json.loads, path.read_text().splitlines()) if "type" in event
        ]
        yield path.stem, as_recorded(events)
        for name, options in OTHERWISE.items() if path.stem in ALSO_OTHERWISE else ():
            public = events[0]["public"]
            opened = {**events[0], "public": {**public, "table": {**public.get("table", {}), **options}}}
            yield f"{path.stem}-{name}", as_recorded([opened, *events[1:]])


async def test_other_read_models_of_the_same_records_have_another_version(redis: Redis) -> None:
    """Otherwise those folded before would stay as they are."""
    first, *lines = KNOWN.read_text().splitlines()
    known = dict(line.split() for line in lines)
    now = {name: await digest(redis, records, number) for number, (name, records) in enumerate(recorded_games(), 1)}
    differing = {name for name, one in known.items() if now.get(name) != one}
    written = "\n".join([f"FOLD {FOLD}", *(f"{name} {one}" for name, one in now.items())])
    assert first != f"FOLD {FOLD}" or not differing, f"raise FOLD in projections/redis_keys.py: {sorted(differing)}"
    if WRITE in os.environ and (not differing or first != f"FOLD {FOLD}"):
        KNOWN.write_text(f"{written}\n")
    assert KNOWN.read_text() == f"{written}\n", f"{WRITE}=1 pytest {Path(__file__).name} writes {KNOWN.name} anew"


async def fold_of(redis: Redis) -> int:
    generation = await current(redis)
    assert generation is not None
    return int(await redis.hget(Layout(generation).checkpoint(LOBBY), "fold") or 0)


async def folded_by_later(redis: Redis) -> bool:
    return await current(redis) is not None and await fold_of(redis) == LATER


async def test_those_of_an_earlier_version_are_served_until_they_are_rebuilt(
    redis: Redis, log: MemoryLog, models: ReadModels
) -> None:
    await projector(log, redis).rebuild(quiet)
    before = await current(redis)
    with capture_logs() as lines:
        async with AsyncExitStack() as another_builds:
            await another_builds.enter_async_context(Leases(redis, lease_s=5).hold(BUILD))
            async with Running(projector(log, redis, QUICK_AGAIN, fold=LATER)):
                log.append(recorded(1, first=100))
                await caught_up(redis, log)
                assert (await current(redis), await fold_of(redis)) == (before, FOLD)
                assert await models.view(log.records[-1].table, "public") is not None
                await another_builds.aclose()
                await until(lambda: folded_by_later(redis))
                await caught_up(redis, log)
                await until(lambda: alone(redis))
    said = [line for line in lines if line["event"] == "rebuilding the read models in the background"]
    assert [(line["reason"], line["generation"]) for line in said] == [
        (f"version {FOLD} folded them, and this is {LATER}", before)
    ]


async def alone(redis: Redis) -> bool:
    """Whether only the current generation is left."""
    return bool(await redis.smembers(GENERATIONS) == {str(await current(redis)).encode()})


async def test_those_of_an_unknown_version_are_rebuilt(redis: Redis, log: MemoryLog) -> None:
    await projector(log, redis).rebuild(quiet)
    before = await current(redis)
    await redis.hdel(Layout(before or 0).checkpoint(LOBBY), "fold")
    async with Running(projector(log, redis)):
        await until(lambda: differs(redis, before))
        assert await fold_of(redis) == FOLD


async def test_of_two_versions_side_by_side_the_later_rebuilds_once(redis: Redis, log: MemoryLog) -> None:
    async with Running(projector(log, redis)):
        await caught_up(redis, log)
        async with Running(projector(log, redis, QUICK_AGAIN, fold=LATER)):
            await until(lambda: folded_by_later(redis))
            rebuilt = await current(redis)
            for number in range(100, 104):
                log.append(recorded(1, first=number))
                await caught_up(redis, log)
            assert (await current(redis), await fold_of(redis)) == (rebuilt, LATER)
            # What the earlier one is asked to build is built, and replaced.
            await projector(log, redis).rebuild(quiet)
            await until(lambda: folded_by_later(redis))
            assert await current(redis) != rebuilt


async def test_those_of_a_later_version_are_kept_when_nobody_else_does(redis: Redis, log: MemoryLog) -> None:
    await projector(log, redis, fold=LATER).rebuild(quiet)
    later = await current(redis)
    async with Running(projector(log, redis, replace(QUICK, left_s=0.05))):
        log.append(recorded(1, first=100))
        await caught_up(redis, log)
        # They are no longer of the later version alone.
        assert (await current(redis), await fold_of(redis)) == (later, FOLD)
    async with Running(projector(log, redis, QUICK_AGAIN, fold=LATER)):
        await until(lambda: folded_by_later(redis))


async def test_a_redis_lost_while_they_are_rebuilt(redis: Redis, log: MemoryLog) -> None:
    await projector(log, redis).rebuild(quiet)
    rebuilding = projector(log, redis, QUICK_AGAIN, fold=LATER)
    async with Running(rebuilding), Running(projector(log, redis)):
        await until(lambda: under_way(redis))
        await redis.flushall()
        await until(lambda: folded_by_later(redis))
        await caught_up(redis, log)
        survived = await contents(redis)
    await projector(log, redis, fold=LATER).rebuild(quiet)
    assert await contents(redis) == survived


async def under_way(redis: Redis) -> bool:
    """Whether there are read models that are not the current ones."""
    return await redis.scard(GENERATIONS) > 1


async def test_a_gap_in_the_log_leaves_those_of_an_earlier_version(redis: Redis, log: MemoryLog) -> None:
    await projector(log, redis).rebuild(quiet)
    before = await current(redis)
    whole = log.records[20]
    with capture_logs() as lines:
        log.records[20] = replace(whole, position=99_999)
        async with Running(projector(log, redis, QUICK_AGAIN, fold=LATER)):

            async def said() -> bool:
                return any(line["event"] == "the read models cannot be rebuilt" for line in lines)

            await until(said)
            log.append(recorded(1, first=100))
            await caught_up(redis, log)
            assert await current(redis) == before
    assert await alone(redis)
