"""Building a generation of read models from the log, and switching readers to it."""

import asyncio
from collections.abc import Callable
from typing import TypeAlias

from projections.advance import Advance, Context
from projections.checkpoint import Fenced, Shards
from projections.fold import Folds
from projections.generations import Generations
from projections.lease import Lease

Progress: TypeAlias = Callable[[int, int], None]
"""Is told how many events are done, and how many there are."""

BUILD = "build"
"""The lease of whoever builds."""


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
    """Folds the whole log into a new generation, points readers to it, and drops all older ones.

    Meanwhile the current generation is kept and read as ever. Old keys are dropped `grace_s` after the switch, when
    no read that began before is still under way. Raises Fenced if the lease was lost; otherwise as `Advance.write`.
    """
    layout = await generations.begin()
    shards = Shards(context.redis, layout, lease.epoch)
    folds = Folds(context.source, context.reader, capacity=capacity)
    advance = Advance(context, layout, shards, await shards.begin(), folds)
    end = await context.source.end()
    progress(0, end)
    while records := await advance.read(batch):
        if lease.lost:
            raise Fenced(BUILD)
        await advance.write(records)
        done = advance.place.position
        end = max(end, done)
        progress(done, end)
        if len(records) < batch:
            break
    if not await generations.switch(layout):
        raise Fenced(BUILD)
    older = await generations.before(layout)
    if older:
        await asyncio.sleep(grace_s)
    for old in older:
        await generations.drop(old)
