"""Building a generation of read models from the log, and switching requests to it."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing, suppress
from typing import TypeAlias

from domain.record.recorded import Recorded
from projections.advance import Advance, Context
from projections.checkpoint import Fenced, Shards
from projections.connection import OUTAGES
from projections.fold import Folds
from projections.generations import Generations
from projections.lease import Lease
from projections.redis_keys import Layout
from projections.source import End, Source, check_positions
from projections.tasks import cancel_and_wait

Progress: TypeAlias = Callable[[int, int], None]
"""Called with the number of events done and the total number."""

BUILD = "build"
"""The name of the lease for building, which one worker holds."""


_Piece: TypeAlias = tuple[Sequence[Recorded], Mapping[str, End]]
"""Events, and the end of each of their tables at the end of the log."""


async def build(
    context: Context,
    generations: Generations,
    lease: Lease,
    progress: Progress,
    *,
    batch: int,
    capacity: int,
    grace_s: float,
) -> None:
    """Folds the whole log into a new generation, points requests to it, and drops all older ones.

    The current generation is kept up to date and read until then. Old keys are dropped `grace_s` seconds after the
    switch, when no read that began before it still runs. Raises Fenced if the lease is lost, and the errors of
    `Advance.write`; the keys of the new generation are then dropped.
    """
    layout = await generations.begin()
    try:
        await _fill(context, layout, lease, progress, batch=batch, capacity=capacity)
        if not await generations.switch(layout):
            raise Fenced(BUILD)
    except Exception:
        # Redis may be full of them, or be away.
        with suppress(*OUTAGES):
            await generations.drop(layout)
        raise
    older = await generations.before(layout)
    if older:
        await asyncio.sleep(grace_s)
    for old in older:
        await generations.drop(old)


async def _fill(
    context: Context, layout: Layout, lease: Lease, progress: Progress, *, batch: int, capacity: int
) -> None:
    """Folds the whole log into this generation."""
    shards = Shards(context.redis, layout, lease.epoch, context.fold)
    folds = Folds(context.source, context.reader, capacity=capacity)
    advance = Advance(context, layout, shards, await shards.begin(), folds)
    end = await context.source.end()
    progress(0, end)

    async def write(records: Sequence[Recorded], ends: Mapping[str, End] | None = None) -> None:
        if lease.lost:
            raise Fenced(BUILD)
        await advance.write(records, ends)
        done = advance.point.position
        progress(done, max(end, done))

    async with aclosing(_ahead(context.source, end, batch)) as pieces:
        async for records, ends in pieces:
            await write(records, ends)
    # Events appended during the build.
    while records := await advance.read(batch):
        await write(records)
        if len(records) < batch:
            break


async def _ahead(source: Source, end: int, batch: int) -> AsyncGenerator[_Piece, None]:
    """The log up to `end`, piece by piece. The next piece is read while the caller works on one."""
    reading = asyncio.ensure_future(_read(source, 0, end, batch))
    try:
        while (piece := await reading)[0]:
            reading = asyncio.ensure_future(_read(source, piece[0][-1].position, end, batch))
            yield piece
    finally:
        await cancel_and_wait(reading)


async def _read(source: Source, after: int, end: int, batch: int) -> _Piece:
    records = await source.log(after, min(batch, end - after)) if after < end else []
    check_positions(records, after)
    return records, await source.ends({record.table for record in records}, end) if records else {}
