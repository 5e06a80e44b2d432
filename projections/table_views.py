"""A table's own read models, as served: its version, a view for each audience, its ledger."""

import asyncio
from collections.abc import Collection
from datetime import datetime

from domain.record.history import Reader, unreadable
from domain.table.knowledge import audiences
from projections.checkpoint import Write
from projections.fold import Batch, TableChange
from projections.ledgers import stored_ledger
from projections.redis_keys import Layout, Shard, shard_of_table

YIELD_EVERY = 128
"""The number of tables rendered before the event loop may run other tasks: two or three milliseconds of work."""

MOST_SEATS = 8
"""More seats than any game has."""


class Unshown(Exception):
    """A table's record was folded, but the result cannot be shown."""

    def __init__(self, table: str, error: Exception) -> None:
        super().__init__(str(unreadable(table, error)))
        self.table = table


async def table_writes(
    layout: Layout, reader: Reader, batch: Batch, shards: Collection[Shard], *, retention_s: float, now: float
) -> dict[Shard, list[Write]]:
    """The batch's writes to these shards of tables.

    The read models of a finished or closed table expire `retention_s` seconds after its last event. `now` is the time,
    in seconds since 1970. Raises Unshown.
    """
    writes: dict[Shard, list[Write]] = {}
    for number, (table, change) in enumerate(batch.changes.items()):
        if number % YIELD_EVERY == YIELD_EVERY - 1:
            await asyncio.sleep(0)
        shard = shard_of_table(table)
        if shard not in shards:
            continue
        written = writes.setdefault(shard, [])
        if not change.after.house.over:
            written += _shown(layout, reader, change)
            continue
        expires = int(datetime.fromisoformat(change.after.updated_at).timestamp() + retention_s)
        if expires > now:
            written += _shown(layout, reader, change)
        written += [("EXPIREAT", key, expires) for key in _keys(layout, table, len(change.after.house.players))]
    for table in batch.aside:
        if (shard := shard_of_table(table)) in shards:
            writes.setdefault(shard, []).extend(("DEL", key) for key in _keys(layout, table, MOST_SEATS))
    return writes


def _keys(layout: Layout, table: str, seats: int) -> list[str]:
    views = [layout.view(table, audience) for audience in audiences(seats)]
    return [layout.version(table), layout.ledger(table), *views]


def _shown(layout: Layout, reader: Reader, change: TableChange) -> list[Write]:
    try:
        return _values(layout, reader, change)
    except Exception as error:  # a bad record must affect its own table alone
        raise Unshown(change.after.house.table, error) from error


def _values(layout: Layout, reader: Reader, change: TableChange) -> list[Write]:
    before, after = change.before, change.after
    house = after.house
    game = reader.of(house)
    version = b"%d" % house.version
    writes: list[Write] = [("SET", layout.version(house.table), version)]
    for audience, view in zip(audiences(len(house.players)), after.known.views(game, house), strict=True):
        writes.append(("SET", layout.view(house.table, audience), b"%b %b" % (version, view)))
    # A table that was already over gets its ledger again, since its keys may have expired.
    if before is None or before.ledger_version != after.ledger_version or before.house.over:
        ledger = stored_ledger(after.lines, house, game.unit)
        writes.append(("SET", layout.ledger(house.table), b"%d %b" % (after.ledger_version, ledger)))
    return writes
