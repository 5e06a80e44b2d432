"""Read models are built from the log: at first, when they are lost or of no use, and on request."""

import asyncio
from collections.abc import Awaitable, Callable

import msgspec
import pytest
from redis.asyncio import Redis

from projections.generations import Generations
from projections.lease import Leases
from projections.models import ReadModels, ReadModelsUnavailable
from projections.rebuild import BUILD
from projections.redis_keys import CURRENT, GENERATIONS, SHAPE, Layout
from projections.runner import RebuildFailed, RebuildRunning
from tests.support.projecting import (
    QUICK,
    MemoryLog,
    Running,
    caught_up,
    contents,
    current,
    differs,
    games,
    projector,
    quiet,
    recorded,
    until,
)
from tests.support.registry import GAMES
from tests.support.stepping import stops


async def generations(redis: Redis) -> set[str]:
    """All prefixes of generations that have keys."""
    keys = [key.decode() async for key in redis.scan_iter("codille:g*")]
    return {key.split(":")[1] for key in keys}


async def test_rebuild_equals_live_byte_for_byte_while_writes_go_on(redis: Redis) -> None:
    log = MemoryLog()
    commands = list(games(8, seed=7))
    async with Running(projector(log, redis)):
        for records in commands[: len(commands) // 2]:
            log.append(records)
        await caught_up(redis, log)
        live = await current(redis)
        assert live is not None
        kept = await contents(redis, live)

        async def write() -> None:
            for records in commands[len(commands) // 2 :]:
                log.append(records)
                await asyncio.sleep(0)

        rebuilder = projector(log, redis, msgspec.structs.replace(QUICK, rebuild_batch=40))
        await asyncio.gather(rebuilder.rebuild(quiet), write())
        rebuilt = await current(redis)
        assert rebuilt is not None
        assert rebuilt > live
        assert kept.keys() & (await contents(redis, live)).keys() == set()
        await caught_up(redis, log)
        followed = await contents(redis)
    await projector(log, redis).rebuild(quiet)
    assert await contents(redis) == followed
    assert await generations(redis) == {f"g{await current(redis)}"}


async def test_progress_is_reported(redis: Redis, log: MemoryLog) -> None:
    reported: list[tuple[int, int]] = []
    await projector(log, redis).rebuild(lambda done, total: reported.append((done, total)))
    end = len(log.records)
    assert reported[0] == (0, end)
    assert reported[-1] == (end, end)
    assert reported == sorted(reported)
    assert len(reported) > end // QUICK.rebuild_batch


async def test_an_empty_log_is_built_too(redis: Redis) -> None:
    log = MemoryLog()
    await projector(log, redis).rebuild(quiet)
    models = ReadModels(redis, log, GAMES)
    assert (await models.tables()).items == []
    assert await models.lag() == 0


async def test_a_wiped_redis_is_built_again(redis: Redis, log: MemoryLog, models: ReadModels) -> None:
    async with Running(projector(log, redis)):
        await caught_up(redis, log)
        before = await contents(redis)
        for _ in range(3):
            await redis.flushall()
            await redis.script_flush()
            await caught_up(redis, log)
            assert await contents(redis) == before
            assert await models.view(log.records[0].table, "public") is not None


async def test_a_redis_wiped_in_mid_run(redis: Redis) -> None:
    """At any moment: while following, while building."""
    log = MemoryLog()
    async with Running(projector(log, redis)):
        for number, records in enumerate(games(8, seed=8)):
            log.append(records)
            if number % 60 == 30:
                await redis.flushall()
            await asyncio.sleep(0.001)
        await caught_up(redis, log)
        survived = await contents(redis)
    await projector(log, redis).rebuild(quiet)
    assert await contents(redis) == survived


async def test_one_lost_shard_is_enough(redis: Redis, log: MemoryLog) -> None:
    async with Running(projector(log, redis)):
        await caught_up(redis, log)
        generation = await current(redis)
        assert generation is not None
        async for key in redis.scan_iter(f"codille:g{generation}:{{t2}}:*"):
            await redis.delete(key)
        log.append(recorded(1, first=100))
        await until(lambda: differs(redis, generation))
        await caught_up(redis, log)
        survived = await contents(redis)
    await projector(log, redis).rebuild(quiet)
    assert await contents(redis) == survived


async def cut(log: MemoryLog) -> None:
    """The log is a backup, older than the read models."""
    log.replace(log.records[:100])


async def other(log: MemoryLog) -> None:
    """The log is another one, and longer."""
    log.replace(recorded(14, seed=99))


@pytest.mark.parametrize("replace", [cut, other])
async def test_read_models_of_another_log_are_replaced(
    redis: Redis, log: MemoryLog, replace: Callable[[MemoryLog], Awaitable[None]]
) -> None:
    await projector(log, redis).rebuild(quiet)
    foreign = await current(redis)
    assert foreign is not None
    await replace(log)
    async with Running(projector(log, redis)):
        await until(lambda: differs(redis, foreign))
        await caught_up(redis, log)
        replaced = await contents(redis)
    await projector(log, redis).rebuild(quiet)
    assert await contents(redis) == replaced
    assert await generations(redis) == {f"g{await current(redis)}"}


async def test_read_models_of_an_older_shape_are_replaced(redis: Redis, log: MemoryLog, models: ReadModels) -> None:
    await redis.sadd(GENERATIONS, 5)
    await redis.set(CURRENT, f"{SHAPE - 1}:5")
    await redis.set("codille:g5:{t0}:something", "of old")
    with pytest.raises(ReadModelsUnavailable):
        await models.tables()

    async def replaced() -> bool:
        return await generations(redis) == {f"g{await current(redis)}"}

    async with Running(projector(log, redis)):
        await caught_up(redis, log)
        await until(replaced)


async def test_read_models_of_a_newer_shape_are_left_alone(redis: Redis, log: MemoryLog, models: ReadModels) -> None:
    await redis.set(CURRENT, f"{SHAPE + 1}:5")
    async with Running(projector(log, redis)):
        await asyncio.sleep(0.1)
        with pytest.raises(ReadModelsUnavailable):
            await models.tables()
    assert await redis.keys("codille:g*") == []


async def test_a_lease_is_released_whenever_its_holder_is_stopped(redis: Redis) -> None:
    leases = Leases(redis, lease_s=3600)
    held = 0

    async def hold() -> None:
        nonlocal held
        async with leases.hold(BUILD):
            held += 1

    async for stop in stops(hold):
        assert await leases.free(BUILD), stop
    assert held


async def test_one_builds_at_a_time(redis: Redis, log: MemoryLog) -> None:
    async with Leases(redis, lease_s=5).hold(BUILD) as lease:
        assert lease is not None
        with pytest.raises(RebuildRunning):
            await projector(log, redis).rebuild(quiet)
    await projector(log, redis).rebuild(quiet)


async def test_several_workers_build_once(redis: Redis, log: MemoryLog) -> None:
    async with (
        Running(projector(log, redis)),
        Running(projector(log, redis)),
        Running(projector(log, redis)),
    ):
        await caught_up(redis, log)
        assert await generations(redis) == {f"g{await current(redis)}"}


async def test_a_failed_rebuild_leaves_readers_what_they_have(redis: Redis, log: MemoryLog) -> None:
    await projector(log, redis).rebuild(quiet)
    before = await current(redis)

    def go_away(done: int, total: int) -> None:
        log.away = done > 100

    with pytest.raises(RebuildFailed):
        await projector(log, redis).rebuild(go_away)
    log.away = False
    assert await current(redis) == before
    assert await generations(redis) == {f"g{before}"}
    await projector(log, redis).rebuild(quiet)
    assert await generations(redis) == {f"g{await current(redis)}"}


async def test_readers_go_on_through_switches(redis: Redis, log: MemoryLog, models: ReadModels) -> None:
    await projector(log, redis).rebuild(quiet)
    tables = list(dict.fromkeys(record.table for record in log.records))
    expected = {table: await models.view(table, "public") for table in tables}
    page = await models.tables(limit=5)
    board = await models.leaderboard("crocodile")
    switching = asyncio.ensure_future(_rebuilds(redis, log, 4))
    while not switching.done():
        for table in tables:
            assert await models.view(table, "public") == expected[table]
        assert await models.tables(limit=5) == page
        assert await models.leaderboard("crocodile") == board
    await switching


async def _rebuilds(redis: Redis, log: MemoryLog, times: int) -> None:
    for _ in range(times):
        await projector(log, redis).rebuild(quiet)


async def test_a_generation_is_not_switched_back(redis: Redis) -> None:
    kept = Generations(redis)
    older, newer = await kept.begin(), await kept.begin()
    assert older.generation < newer.generation
    assert await kept.switch(newer)
    assert not await kept.switch(older)
    assert not await kept.switch(Layout(newer.generation + 1))
    await kept.retire(older)
    assert await current(redis) == newer.generation
    await kept.retire(newer)
    assert await current(redis) is None
