"""Players: the statement of each, game by game with the running balance, and the record of games and wins."""

from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, datetime, timedelta

import msgspec
from msgspec import Struct

from domain.kernel.ledger import Line
from domain.record.recorded import Recorded
from projections.checkpoint import Write
from projections.fold import Batch
from projections.keys import Layout, Shard, shard_of_player
from projections.tallies import PlayerTally, gains, tally

BOOKED = b"booked"
GAME = b"game:"

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_encoder = msgspec.json.Encoder()


class StatementLine(Line, frozen=True):
    """A line as served on a player's statement; `balance` is that of the game after it."""

    table: str
    game: str
    deal: int | None
    version: int
    at: str
    balance: int


class GameRecord(Struct, frozen=True):
    """A player's total in one game, and the games finished and won."""

    game: str
    total: int
    games: int
    wins: int


class PlayerRecord(Struct, frozen=True):
    """A player's games finished and won, in all and by game. Totals of different games are not added up."""

    games: int
    wins: int
    by_game: tuple[GameRecord, ...]


class _Account:
    """A player's hash in Redis, while a batch changes it."""

    def __init__(self, fields: Mapping[bytes, bytes]) -> None:
        self.booked = int(fields.get(BOOKED, 0))
        self.tallies = tallies_of(fields)

    def book(self, at: str) -> int:
        """The time of the next line, in microseconds since 1970: its event's, or else just after the line before.

        So all lines of a player have different times, and differing clocks do not change their order.
        """
        self.booked = max(microseconds(datetime.fromisoformat(at)), self.booked + 1)
        return self.booked

    def stored(self) -> Iterable[bytes]:
        """The hash's fields and values in turn."""
        yield from (BOOKED, b"%d" % self.booked)
        for game in sorted(self.tallies):
            yield from (GAME + game.encode(), self.tallies[game].stored())


def tallies_of(fields: Mapping[bytes, bytes]) -> dict[str, PlayerTally]:
    """The tallies by game in a player's hash."""
    return {
        field.removeprefix(GAME).decode(): tally(value) for field, value in fields.items() if field.startswith(GAME)
    }


def microseconds(time: datetime) -> int:
    """The time in microseconds since 1970."""
    return (time - _EPOCH) // timedelta(microseconds=1)


def touched(batch: Batch, shards: Collection[Shard]) -> list[str]:
    """The players in these shards for whom the batch has gains."""
    players = dict.fromkeys(gain.player for change in batch.score_changes for gain in gains(change))
    return [player for player in players if shard_of_player(player) in shards]


def player_writes(
    layout: Layout, batch: Batch, before: Mapping[str, Mapping[bytes, bytes]]
) -> dict[Shard, list[Write]]:
    """The batch's writes for these players; `before` holds the players' hashes before it."""
    accounts = {player: _Account(fields) for player, fields in before.items()}
    writes: dict[Shard, list[Write]] = {}
    for change in batch.score_changes:
        game = change.record.game
        for gain in gains(change):
            if gain.player not in accounts:
                continue
            account = accounts[gain.player]
            account.tallies[game] = after = account.tallies.get(game, PlayerTally()) + gain.tally
            if gain.line is not None:
                time = account.book(change.record.at)
                item = b"%d %b" % (time, _served(gain.line, change.record, after.total))
                writes.setdefault(shard_of_player(gain.player), []).append(
                    ("ZADD", layout.lines(gain.player, game), time, item)
                )
    for player, account in accounts.items():
        fields = tuple(account.stored())
        writes.setdefault(shard_of_player(player), []).append(("HSET", layout.player(player), *fields))
    return writes


def _served(line: Line, record: Recorded, balance: int) -> bytes:
    return _encoder.encode(
        StatementLine(
            **msgspec.structs.asdict(line),
            table=record.table,
            game=record.game,
            deal=record.deal,
            version=record.version,
            at=record.at,
            balance=balance,
        )
    )


def player_record(fields: Mapping[bytes, bytes]) -> bytes:
    """A player's record as JSON, from the player's hash."""
    tallies = sorted(tallies_of(fields).items())
    return _encoder.encode(
        PlayerRecord(
            sum(each.games for _, each in tallies),
            sum(each.wins for _, each in tallies),
            tuple(GameRecord(game, each.total, each.games, each.wins) for game, each in tallies),
        )
    )
