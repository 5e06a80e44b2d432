"""Leaderboards: the players of each game by their totals, the best first, equal totals by player id."""

from collections.abc import Collection, Mapping, Sequence
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from domain.seats import Id
from projections.checkpoint import Write
from projections.fold import Batch
from projections.redis_keys import BOARD, Layout, Shard
from projections.tallies import PlayerTally, gains, tally

_TOP = 10**15
"""Greater than every total, and exact in a double."""

_encoder = msgspec.json.Encoder()


class Rank(Struct, frozen=True):
    """A player's place in a leaderboard."""

    # The next rank skips as many as share one: 1, 2, 2, 4.
    rank: Annotated[int, Meta(description="The place, from 1. Equal totals share a place.")]
    player: Id
    total: Annotated[int, Meta(description="The sum of all booked lines.")]
    games: Annotated[int, Meta(description="The number of finished games.")]
    wins: Annotated[int, Meta(description="The number of games won, shared wins included.")]


def gained(batch: Batch, shards: Collection[Shard]) -> dict[tuple[str, str], PlayerTally]:
    """The batch's additions to tallies, by game and player; none unless the leaderboards are among these shards.

    Games at tables that lists do not show, and games with bots, are on no leaderboard.
    """
    added: dict[tuple[str, str], PlayerTally] = {}
    if BOARD in shards:
        for change in batch.score_changes:
            if not change.public or change.with_bots:
                continue
            for gain in gains(change):
                key = (change.record.game, gain.player)
                added[key] = added.get(key, PlayerTally()) + gain.tally
    return added


def leaderboard_writes(
    layout: Layout, gained: Mapping[tuple[str, str], PlayerTally], tallies: Sequence[bytes | None]
) -> dict[Shard, list[Write]]:
    """The writes to the leaderboards. `tallies` are the stored ones in the order of `gained`, None for new players."""
    writes: list[Write] = []
    for ((game, player), added), stored in zip(gained.items(), tallies, strict=True):
        before = tally(stored)
        after = before + added
        if stored is not None:
            writes.append(("ZREM", layout.ranking(game), _member(player, before.total)))
        writes.append(("ZADD", layout.ranking(game), 0, _member(player, after.total)))
        writes.append(("HSET", layout.tallies(game), player, after.stored()))
    return {BOARD: writes} if writes else {}


def ranked(member: bytes, better: int, stored: bytes) -> bytes:
    """A player of a ranking as JSON, from its member there, the number of players with better totals, and its tally."""
    _, _, player = member.decode().partition(":")
    own = tally(stored)
    return _encoder.encode(Rank(better + 1, player, own.total, own.games, own.wins))


def _member(player: str, total: int) -> str:
    """The member of a ranking: a text that sorts the best total first."""
    return f"{_TOP - total:016d}:{player}"
