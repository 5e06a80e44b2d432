"""A table's own read models: its version, its view for each audience, its ledger; all as they are served."""

import asyncio
from collections.abc import Collection
from datetime import datetime

import msgspec

from domain.record.history import Reader
from domain.table.knowledge import audiences, redact_view
from domain.table.view import view
from projections.checkpoint import Write
from projections.fold import Batch, Folded, TableChange
from projections.keys import Layout, Shard, shard_of_table
from projections.ledgers import stored_ledger

YIELD_EVERY = 128
"""Tables whose views are made, in two or three milliseconds, before others may run in the event loop."""

_encoder = msgspec.json.Encoder()


async def table_writes(
    layout: Layout, reader: Reader, batch: Batch, shards: Collection[Shard], *, retention_s: float, now: float
) -> dict[Shard, list[Write]]:
    """What the batch writes to these shards of tables.

    A finished or closed table leaves `retention_s` after its last event; `now` is the time, in seconds since 1970.
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
            written += _values(layout, reader, change)
            continue
        leaves = int(datetime.fromisoformat(change.after.updated_at).timestamp() + retention_s)
        if leaves > now:
            written += _values(layout, reader, change)
        written += [("EXPIREAT", key, leaves) for key in _keys(layout, change.after)]
    return writes


def _keys(layout: Layout, folded: Folded) -> list[str]:
    table = folded.house.table
    views = [layout.view(table, audience) for audience in audiences(len(folded.house.players))]
    return [layout.version(table), layout.ledger(table), *views]


def _values(layout: Layout, reader: Reader, change: TableChange) -> list[Write]:
    after = change.after
    house = after.house
    game = reader.of(house)
    version = b"%d" % house.version
    writes: list[Write] = [("SET", layout.version(house.table), version)]
    views = redact_view(view(game, house), after.known)
    for audience, told in zip(audiences(len(house.players)), views, strict=True):
        writes.append(("SET", layout.view(house.table, audience), b"%b %b" % (version, _encoder.encode(told))))
    if _ledger_changed(change):
        ledger = stored_ledger(after.lines, house, game.unit)
        writes.append(("SET", layout.ledger(house.table), b"%d %b" % (after.ledger_version, ledger)))
    return writes


def _ledger_changed(change: TableChange) -> bool:
    """Also when the table was final before: its keys may have left since."""
    before, after = change.before, change.after
    return before is None or before.ledger_version != after.ledger_version or before.house.over
