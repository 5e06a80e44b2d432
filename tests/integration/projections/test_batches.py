"""A batch reaches each shard once, whole, in order, and only from who holds the newest lease."""

import asyncio
import json
from collections.abc import Callable, Sequence

import msgspec
import pytest
from redis.asyncio import Redis

from domain.record.history import Reader
from domain.record.recorded import Recorded
from projections import table_views
from projections.advance import Advance, Context
from projections.checkpoint import Fenced, LogPoint, ShardLost, Shards, Write, log_point
from projections.fold import Folds, TableChange
from projections.models import ReadModels
from projections.redis_keys import SHARDS, Layout, lease_key, shard_of_table
from projections.source import GapInLog
from projections.watch import Watch
from tests.support.projecting import (
    READER,
    MemoryLog,
    Running,
    caught_up,
    contents,
    current,
    projector,
    quiet,
    recorded,
    until,
)

HALF = 150


async def begun(redis: Redis, log: MemoryLog) -> Layout:
    """The current generation, built from the log's first half."""
    await projector(MemoryLog(log.records[:HALF]), redis).rebuild(quiet)
    generation = await current(redis)
    assert generation is not None
    return Layout(generation)


async def advance(
    redis: Redis, log: MemoryLog, layout: Layout, *, epoch: int = 0, only: Sequence[str] = SHARDS
) -> Advance:
    """Takes some of the shards along."""
    shards = Shards(redis, layout, epoch or layout.generation + 1000)
    places = await shards.claim()
    context = Context(log, READER, redis, lambda: 0.0, 1e9)
    return Advance(context, layout, shards, {shard: places[shard] for shard in only}, Folds(log, READER, capacity=99))


async def clean(redis: Redis, log: MemoryLog) -> object:
    """What an undisturbed build of the log comes to."""
    await projector(log, redis).rebuild(quiet)
    return await contents(redis)


async def test_applying_twice_changes_nothing(redis: Redis, log: MemoryLog) -> None:
    layout = await begun(redis, log)
    first, second = await advance(redis, log, layout), await advance(redis, log, layout)
    records = await first.read(100)
    await first.write(records)
    once = await contents(redis)
    with pytest.raises(Fenced, match="elsewhere"):
        await second.write(records)
    assert await contents(redis) == once


async def test_a_batch_must_start_at_the_checkpoint(redis: Redis, log: MemoryLog) -> None:
    layout = await begun(redis, log)
    before = await contents(redis)
    shards = Shards(redis, layout, layout.generation + 1000)
    at = log_point(log.records[HALF - 1])
    end = log_point(log.records[HALF])
    for start in (
        LogPoint(),
        log_point(log.records[HALF - 2]),
        log_point(log.records[HALF]),
        LogPoint(at.position, bytes(32)),
    ):
        with pytest.raises(Fenced, match="elsewhere"):
            await shards.apply(start, end, SHARDS, {})
    assert await contents(redis) == before
    await shards.apply(at, end, SHARDS, {})
    assert set((await shards.claim()).values()) == {end}


async def test_only_newer_versions_are_applied(redis: Redis, log: MemoryLog) -> None:
    layout = await begun(redis, log)
    shards = Shards(redis, layout, layout.generation + 1000)
    table = log.records[0].table
    key = layout.view(table, "public")
    place = log_point(log.records[HALF - 1])
    for version, taken in ((9, True), (9, False), (10, True), (2, False), (100, True), (11, False)):
        before = await redis.get(key)
        value = b"%d of this time" % (version + 1000)
        writes = {shard_of_table(table): [("SET", key, value + b"!" * (before == value))]}
        end = LogPoint(place.position + 1, bytes(32))
        await shards.apply(place, end, SHARDS, writes)
        place = end
        assert (await redis.get(key) == value) is taken or not taken
        assert (await redis.get(key) == before) is not taken


@pytest.mark.parametrize("reached", [1, 5, 8, 12, 16, 17])
async def test_a_crash_between_shards(redis: Redis, log: MemoryLog, reached: int) -> None:
    """Some shards have the batch when the projector dies; another one brings the rest up, and goes on."""
    layout = await begun(redis, log)
    dying = await advance(redis, log, layout, only=SHARDS[:reached])
    await dying.write(await dying.read(70))
    further = await advance(redis, log, layout, only=SHARDS[: reached // 2])
    if reached > 1:
        await further.write(await further.read(30))
    async with Running(projector(log, redis)):
        await caught_up(redis, log)
    assert await current(redis) == layout.generation
    assert await contents(redis) == await clean(redis, log)


async def test_the_older_epoch_is_refused(redis: Redis, log: MemoryLog) -> None:
    layout = await begun(redis, log)
    older = await advance(redis, log, layout, epoch=layout.generation + 1)
    records = await older.read(10)
    await advance(redis, log, layout, epoch=layout.generation + 2)
    before = await contents(redis)
    with pytest.raises(Fenced, match="fenced"):
        await older.write(records)
    with pytest.raises(Fenced, match="fenced"):
        await advance(redis, log, layout, epoch=layout.generation + 1)
    assert await contents(redis) == before


async def test_a_shard_without_its_checkpoint_is_lost(redis: Redis, log: MemoryLog) -> None:
    layout = await begun(redis, log)
    one = await advance(redis, log, layout)
    await redis.delete(layout.checkpoint("p3"))
    with pytest.raises(ShardLost):
        await one.write(await one.read(10))
    with pytest.raises(ShardLost):
        await advance(redis, log, layout)


class Halts(Watch):
    """Watches for the projector to halt."""

    def __init__(self) -> None:
        self.error: Exception | None = None
        self.aside: list[int] = []

    def set_aside(self, tables: int) -> None:
        """Kept."""
        self.aside.append(tables)

    def halted(self, error: Exception) -> None:
        """Kept."""
        self.error = error


def without_one(records: list[Recorded]) -> list[Recorded]:
    return [*records[: HALF + 20], *records[HALF + 21 :]]


def twice_one(records: list[Recorded]) -> list[Recorded]:
    return [*records[: HALF + 20], *records[HALF + 19 :]]


def renumbered(records: list[Recorded]) -> list[Recorded]:
    """Positions have no gap, but an event of a table is missing."""
    return [msgspec.structs.replace(record, position=at) for at, record in enumerate(without_one(records), 1)]


def unknown(records: list[Recorded]) -> list[Recorded]:
    record = msgspec.structs.replace(records[HALF + 20], type="no-such-event")
    return [*records[: HALF + 20], record, *records[HALF + 21 :]]


@pytest.mark.parametrize(
    ("spoil", "error"),
    [(without_one, GapInLog), (twice_one, GapInLog), (renumbered, GapInLog)],
)
async def test_a_wrong_log_halts_the_projector(
    redis: Redis, log: MemoryLog, spoil: object, error: type[Exception]
) -> None:
    assert callable(spoil)
    layout = await begun(redis, log)
    log.records[:] = spoil(log.records)
    watch = Halts()
    with pytest.raises(error):
        await projector(log, redis, watch=watch).run(asyncio.Event())
    assert isinstance(watch.error, error)
    shards = Shards(redis, layout, layout.generation * 2)
    assert {place.position for place in (await shards.claim()).values()} == {HALF}


def place_of_last(type_: str, records: Sequence[Recorded]) -> int:
    return max(place for place, record in enumerate(records) if record.type == type_)


def unfit(records: list[Recorded]) -> list[Recorded]:
    """An event lacks what its type has."""
    place = place_of_last("deal-scored", records)
    return [*records[:place], msgspec.structs.replace(records[place], public=b"{}"), *records[place + 1 :]]


def unsuited(records: list[Recorded]) -> list[Recorded]:
    """An event can be read, and cannot happen there."""
    place = place_of_last("trick-won", records)
    record = msgspec.structs.replace(records[place], type="bid-passed", public=b'{"seat":0}')
    return [*records[:place], record, *records[place + 1 :]]


@pytest.mark.parametrize("spoil", [unknown, unfit, unsuited])
async def test_a_table_that_cannot_be_read_is_set_aside_alone_and_taken_up_once_it_can(
    redis: Redis, log: MemoryLog, models: ReadModels, spoil: Callable[[list[Recorded]], list[Recorded]]
) -> None:
    whole = list(log.records)
    (spoilt,) = {one.table for one, other in zip(whole, spoil(whole), strict=True) if one != other}
    others = {record.table for record in whole} - {spoilt}
    await begun(redis, log)
    log.records[:] = spoil(log.records)
    watch = Halts()
    async with Running(projector(log, redis, watch=watch)):
        await caught_up(redis, log)
    assert (watch.error, watch.aside[-1], await models.set_aside()) == (None, 1, 1)
    tables = {json.loads(item)["table"] for item in (await models.tables(limit=200)).items}
    assert tables == others
    assert not [key async for key in redis.scan_iter(f"*{spoilt}*")]
    # A new worker that cannot read it either leaves it aside, and does not say so twice.
    async with Running(projector(log, redis, watch=watch)):
        await caught_up(redis, log)
    assert await models.set_aside() == 1
    log.records[:] = whole
    async with Running(projector(log, redis, watch=watch)):

        async def taken_up() -> bool:
            return await models.set_aside() == 0

        await until(taken_up)
        await caught_up(redis, log)
    assert await contents(redis) == await clean(redis, log)
    assert watch.error is None


async def test_so_is_a_table_that_was_folded_and_cannot_be_shown(
    redis: Redis, log: MemoryLog, models: ReadModels, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoilt, values = log.records[HALF + 20].table, table_views._values

    def failing(layout: Layout, reader: Reader, change: TableChange) -> list[Write]:
        if change.after.house.table == spoilt:
            raise KeyError("a card that there is not")
        return values(layout, reader, change)

    await begun(redis, log)
    watch = Halts()
    with monkeypatch.context() as patched:
        patched.setattr(table_views, "_values", failing)
        async with Running(projector(log, redis, watch=watch)):
            await caught_up(redis, log)
    assert (watch.error, watch.aside[-1], await models.set_aside()) == (None, 1, 1)
    assert not [key async for key in redis.scan_iter(f"*{spoilt}*")]


async def test_one_projector_works_and_the_other_takes_over(redis: Redis, log: MemoryLog) -> None:
    leading: list[str] = []

    class Leads(Halts):
        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

        def leading(self, *, leads: bool) -> None:
            leading.append(f"{self.name} {'begins' if leads else 'ends'}")

    await begun(redis, log)
    async with (
        Running(projector(log, redis, watch=Leads("one"))) as one,
        Running(projector(log, redis, watch=Leads("other"))) as other,
    ):
        await caught_up(redis, log)
        assert leading in (["one begins"], ["other begins"])
        works, waits = (one, "other") if leading == ["one begins"] else (other, "one")
        works.die()

        async def taken_over() -> bool:
            return f"{waits} begins" in leading

        await until(taken_over)
        log.append(recorded(1, first=100))
        await caught_up(redis, log)
    assert await contents(redis) == await clean(redis, log)


async def test_the_lease_of_a_dead_worker_runs_out(redis: Redis, log: MemoryLog) -> None:
    layout = await begun(redis, log)
    lease = lease_key(f"g{layout.generation}")
    await redis.hset(lease, mapping={"holder": "one that died", "epoch": 1})
    await redis.pexpire(lease, 300)
    async with Running(projector(log, redis)):
        await caught_up(redis, log)
    assert await contents(redis) == await clean(redis, log)


async def test_a_worker_whose_lease_was_taken_stops(redis: Redis, log: MemoryLog) -> None:
    layout = await begun(redis, log)
    lease = lease_key(f"g{layout.generation}")
    async with Running(projector(log, redis)):
        await caught_up(redis, log)
        end = len(log.records)
        # As if it had been held up for longer than its lease lasts.
        await redis.hset(lease, mapping={"holder": "another", "epoch": layout.generation * 2})
        for shard in SHARDS:
            await redis.hset(layout.checkpoint(shard), "epoch", layout.generation * 2)
        log.append(recorded(1, first=100))
        await asyncio.sleep(0.2)
        reached = {await redis.hget(layout.checkpoint(shard), "position") for shard in SHARDS}
    assert reached == {b"%d" % end}


async def test_a_log_that_is_away_is_waited_for(redis: Redis, log: MemoryLog) -> None:
    await begun(redis, log)
    log.away = True
    async with Running(projector(log, redis)) as running:
        await asyncio.sleep(0.1)
        log.away = False
        await caught_up(redis, log)
        assert running.task is not None
        assert not running.task.done()
    assert await contents(redis) == await clean(redis, log)
