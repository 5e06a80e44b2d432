"""A table's own read models: its version, its view for each audience, its ledger; all as they are served."""

from collections.abc import Collection
from datetime import datetime

import msgspec

from domain.kernel.decider import Game
from domain.record import Reader
from domain.table.state import Table
from domain.table.view import view
from projections.checkpoint import Write
from projections.fold import FINAL, Batch, Change, Folded
from projections.keys import Layout, Shard, shard_of_table
from projections.ledgers import stored

_encoder = msgspec.json.Encoder()


def rendered(game: Game, table: Table) -> bytes:
    """The view of the audience whose fold this is, as JSON."""
    return _encoder.encode(view(game, table))


def table_writes(
    layout: Layout, reader: Reader, batch: Batch, shards: Collection[Shard], *, retention_s: float, now: float
) -> dict[Shard, list[Write]]:
    """What the batch writes to these shards of tables.

    A finished or closed table leaves `retention_s` after its last event; `now` is the time, in seconds since 1970.
    """
    writes: dict[Shard, list[Write]] = {}
    for table, change in batch.tables.items():
        shard = shard_of_table(table)
        if shard not in shards:
            continue
        written = writes.setdefault(shard, [])
        if change.after.public.status not in FINAL:
            written += _values(layout, reader, change)
            continue
        leaves = int(datetime.fromisoformat(change.after.updated_at).timestamp() + retention_s)
        if leaves > now:
            written += _values(layout, reader, change)
        written += [("EXPIREAT", key, leaves) for key in _keys(layout, change.after)]
    return writes


def _keys(layout: Layout, folded: Folded) -> list[str]:
    table = folded.public.table
    views = [layout.view(table, audience) for audience in folded.told]
    return [layout.version(table), layout.ledger(table), *views]


def _values(layout: Layout, reader: Reader, change: Change) -> list[Write]:
    after = change.after
    public = after.public
    game = reader.of(public)
    version = b"%d" % public.version
    writes: list[Write] = [("SET", layout.version(public.table), version)]
    for audience, told in after.told.items():
        writes.append(("SET", layout.view(public.table, audience), b"%b %b" % (version, rendered(game, told))))
    if _ledger_changed(change):
        ledger = stored(after.ledger, public.players, game.unit)
        writes.append(("SET", layout.ledger(public.table), b"%d %b" % (after.ledger_version, ledger)))
    return writes


def _ledger_changed(change: Change) -> bool:
    """Also when the table was final before: its keys may have left since."""
    before, after = change.before, change.after
    return before is None or before.ledger_version != after.ledger_version or before.public.status in FINAL
