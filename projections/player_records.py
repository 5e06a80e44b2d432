"""Players: the statement of each, game by game with the running balance, and the record of games and wins.

Games at tables that lists do not show are stored apart, and added only for the player: no balance or time that is
stored for everybody depends on them. Lines of tables with bots are on statements, marked, and change no balance.
"""

from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import msgspec
from msgspec import Struct

from domain.kernel.ledger import Line
from projections.checkpoint import Write
from projections.fold import Batch, ScoreChange
from projections.redis_keys import Layout, Shard, shard_of_player
from projections.tallies import Gain, PlayerTally, gains, tally

BOOKED = b"booked"
GAME = b"game:"
WITH_BOTS = b"bots:"
"""Before a game of which the player has lines with bots, and perhaps no others."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_encoder = msgspec.json.Encoder()


class StatementLine(Line, frozen=True):
    """A line as served on a player's statement; `balance` is that of the game after it.

    With `bots`, bots took part as players: the line counts in no balance, record or leaderboard.
    """

    table: str
    game: str
    deal: int | None
    version: int
    line: int
    at: str
    bots: bool
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


class PlayerHashes(NamedTuple):
    """A player's hashes in Redis: one that counts for everybody, and one for tables that lists do not show."""

    public: Mapping[bytes, bytes]
    own: Mapping[bytes, bytes]


class _Account:
    """One of a player's hashes in Redis, while a batch changes it."""

    def __init__(self, fields: Mapping[bytes, bytes]) -> None:
        self.booked = int(fields.get(BOOKED, 0))
        self.tallies = tallies_of(fields)
        self.with_bots = games_with_bots(fields)
        self.changed = False

    def total(self, game: str) -> int:
        """The sum of the lines of a game."""
        return self.tallies.get(game, PlayerTally()).total

    def add(self, game: str, gain: PlayerTally) -> None:
        """Adds to the tally of a game."""
        self.tallies[game] = self.tallies.get(game, PlayerTally()) + gain
        self.changed = True

    def play_with_bots(self, game: str) -> None:
        """Notes that the account has lines of the game that count nothing."""
        self.with_bots.add(game)
        self.changed = True

    def book(self, at: str) -> int:
        """The time of the next line, in microseconds since 1970.

        It is its event's time, or just after the previous line if that is later. So all lines of an account have
        different times, and differing clocks do not change their order. The times of one account disclose nothing about
        another's lines.
        """
        self.booked = max(microseconds(datetime.fromisoformat(at)), self.booked + 1)
        return self.booked

    def stored(self) -> Iterable[bytes]:
        """The hash's fields and values in turn."""
        yield from (BOOKED, b"%d" % self.booked)
        for game in sorted(self.tallies):
            yield from (GAME + game.encode(), self.tallies[game].stored())
        for game in sorted(self.with_bots):
            yield from (WITH_BOTS + game.encode(), b"1")


class StoredLine(NamedTuple):
    """A line of a player in Redis: `<time> <JSON>`. The JSON's last field is the balance of the line's own account."""

    time: int
    body: bytes

    @property
    def balance(self) -> int:
        """The balance of the game after the line, among the lines of the same account."""
        return int(self.body[self._balance_at() : -1])

    def with_balance(self, balance: int) -> bytes:
        """The line as JSON with another balance."""
        return b"%b%d}" % (self.body[: self._balance_at()], balance)

    def _balance_at(self) -> int:
        return self.body.rindex(b":") + 1


def stored_line(item: bytes) -> StoredLine:
    """The line in this stored form."""
    time, body = item.split(b" ", 1)
    return StoredLine(int(time), body)


def lines_for_player(public: Iterable[StoredLine], own: Iterable[StoredLine]) -> list[tuple[int, bytes]]:
    """The lines of both accounts of a player in one game as JSON for the player, by a key that orders them by time.

    Both are given from some line on, without gaps. Each line's balance is the sum of those of both accounts at its
    time. So it is wrong only before the first line of an account that has earlier ones. Two lines, one of each account,
    may have the same time: a line's key is twice its time, plus one for a line of a table that lists do not show.
    """
    keyed = sorted((2 * line.time + account, account, line) for account, of in enumerate((public, own)) for line in of)
    balances, lines = [0, 0], []
    for key, account, line in keyed:
        balances[account] = line.balance
        lines.append((key, line.with_balance(sum(balances))))
    return lines


def tallies_of(fields: Mapping[bytes, bytes]) -> dict[str, PlayerTally]:
    """The tallies by game in a player's hash."""
    return {
        field.removeprefix(GAME).decode(): tally(value) for field, value in fields.items() if field.startswith(GAME)
    }


def games_with_bots(fields: Mapping[bytes, bytes]) -> set[str]:
    """The games of which a player's hash has lines with bots."""
    return {field.removeprefix(WITH_BOTS).decode() for field in fields if field.startswith(WITH_BOTS)}


def microseconds(time: datetime) -> int:
    """The time in microseconds since 1970."""
    return (time - _EPOCH) // timedelta(microseconds=1)


def touched(batch: Batch, shards: Collection[Shard]) -> list[str]:
    """The players in these shards for whom the batch has gains."""
    players = dict.fromkeys(gain.player for change in batch.score_changes for gain in gains(change))
    return [player for player in players if shard_of_player(player) in shards]


def player_writes(layout: Layout, batch: Batch, before: Mapping[str, PlayerHashes]) -> dict[Shard, list[Write]]:
    """The batch's writes for these players; `before` holds the players' hashes before it."""
    accounts = {player: tuple(map(_Account, hashes)) for player, hashes in before.items()}
    writes: dict[Shard, list[Write]] = {}
    for change in batch.score_changes:
        game = change.record.game
        for gain in gains(change):
            if gain.player not in accounts:
                continue
            public, own = accounts[gain.player]
            account, lines = (public, layout.lines) if change.public else (own, layout.own_lines)
            account.play_with_bots(game) if change.with_bots else account.add(game, gain.tally)
            if gain.line is not None:
                time = account.book(change.record.at)
                item = b"%d %b" % (time, _encoded(gain.line, gain, change, account.total(game)))
                writes.setdefault(shard_of_player(gain.player), []).append(
                    ("ZADD", lines(gain.player, game), time, item)
                )
    for player, (public, own) in accounts.items():
        for account, key in ((public, layout.player), (own, layout.own_player)):
            if account.changed:
                writes.setdefault(shard_of_player(player), []).append(("HSET", key(player), *account.stored()))
    return writes


def _encoded(line: Line, gain: Gain, change: ScoreChange, balance: int) -> bytes:
    record = change.record
    return _encoder.encode(
        StatementLine(
            **msgspec.structs.asdict(line),
            table=record.table,
            game=record.game,
            deal=gain.deal,
            version=record.version,
            line=gain.number,
            at=record.at,
            bots=change.with_bots,
            balance=balance,
        )
    )


def player_record(*hashes: Mapping[bytes, bytes]) -> bytes:
    """A player's record as JSON, from the tallies in these hashes of the player."""
    by_game: dict[str, PlayerTally] = {}
    for fields in hashes:
        for game, each in tallies_of(fields).items():
            by_game[game] = by_game.get(game, PlayerTally()) + each
    tallies = sorted(by_game.items())
    return _encoder.encode(
        PlayerRecord(
            sum(each.games for _, each in tallies),
            sum(each.wins for _, each in tallies),
            tuple(GameRecord(game, each.total, each.games, each.wins) for game, each in tallies),
        )
    )
