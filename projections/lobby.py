"""The list of tables, current and past, by status, game and player."""

from collections.abc import Collection
from typing import Annotated, Self

import msgspec
from msgspec import Meta, Struct

from domain.seats import Bot, Id, Seat, Time
from domain.table.state import Status, Table, opponent_at
from projections.checkpoint import Write
from projections.fold import Batch, Folded
from projections.redis_keys import LOBBY, Layout, Shard

_encoder = msgspec.json.Encoder()


class TableSummary(Struct, frozen=True):
    """A table, in short."""

    # If spectators see it late, it is as it was before the running deal (TL-6.1).
    table: Id
    game: str
    status: Status
    deals: int
    deal: int | None
    players: tuple[Id | None, ...]
    bots: Annotated[tuple[Bot | None, ...], Meta(description="The bots that play now, by seat; null for a person.")]
    totals: tuple[int, ...]
    winners: tuple[Seat, ...] | None
    version: int
    opened_at: Annotated[Time, Meta(description="The time at which the table was opened.")]
    updated_at: Annotated[Time, Meta(description="The time of the table's last event.")]

    @classmethod
    def of(cls, table: Table, opened_at: Time, updated_at: Time) -> Self:
        """The summary of a table as it is folded."""
        return cls(
            table.table,
            table.game,
            table.status,
            table.deals,
            table.deal,
            table.players,
            tuple(opponent_at(table, seat) for seat in range(len(table.players))),
            table.totals,
            table.winners,
            table.version,
            opened_at,
            updated_at,
        )


def lobby_writes(layout: Layout, batch: Batch, shards: Collection[Shard]) -> dict[Shard, list[Write]]:
    """The batch's writes to the list; none unless the list is among these shards."""
    if LOBBY not in shards:
        return {}
    writes: list[Write] = []
    for table, change in batch.changes.items():
        after = change.after
        writes.append(("SET", layout.summary(table), b"%d %b" % (after.house.version, _summary(after))))
        if change.before and _indexed(change.before) == _indexed(after):
            continue
        old, new = _indexes(layout, change.before), _indexes(layout, after)
        writes += [("ZREM", index, table) for index in sorted(old - new)]
        writes += [("ZADD", index, after.opened, table) for index in sorted(new - old)]
    for table, reason in batch.aside.items():
        # Without its summary the table is in no list.
        writes += [("HSET", layout.aside, table, reason), ("DEL", layout.summary(table))]
    return {LOBBY: writes}


def _summary(folded: Folded) -> bytes:
    delayed = folded.delayed
    if delayed is None:
        return _encoder.encode(TableSummary.of(folded.house, folded.opened_at, folded.updated_at))
    return _encoder.encode(TableSummary.of(delayed.table, folded.opened_at, delayed.updated_at))


def _indexed(folded: Folded) -> tuple[object, ...]:
    """The values that decide which indexes list the table."""
    return folded.house.status, folded.house.players


def _indexes(layout: Layout, folded: Folded | None) -> set[str]:
    """The indexes of the table: of its status and game, and of each of its players with that status and game.

    A table that lists do not show is in its players' own indexes alone. Bots have no lists of their tables.
    """
    if folded is None:
        return set()
    table = folded.house
    players = [
        player for seat, player in enumerate(table.players) if player is not None and seat not in table.opponents
    ]
    if table.table_options.visibility != "public":
        return {layout.index(table.status, table.game, player, own=True) for player in players}
    return {layout.index(table.status, table.game, player) for player in (None, *players)}
