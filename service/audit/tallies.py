"""The audit of records, statements and leaderboards, compared with what the tables of the log add up to.

Each table is taken as it stands. So a fault in the projections, which add event by event, is in no sum here.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TypeAlias
from zlib import crc32

import msgspec
from msgspec import Struct

from domain.kernel.ledger import PLAYER, Line
from domain.record.recorded import Recorded
from domain.table.events import SeatTaken
from domain.table.state import Table
from projections.leaderboard import Rank
from projections.models import ReadModels
from projections.player_records import PlayerRecord, StatementLine
from service.audit.checks import Difference
from service.audit.read_models import items_of

PLAYERS = 50
"""The players whose records and statements are read together."""

UNREADABLE = (msgspec.DecodeError, ValueError, TypeError, AttributeError)
"""The errors of reading what has another form in Redis."""


class TallyKey(Struct, frozen=True):
    """What a player has in a game at tables that lists show, or at the others."""

    game: str
    player: str
    public: bool


class AuditTally(Struct, frozen=True):
    """What counts on an account, and the lines booked there."""

    total: int = 0
    games: int = 0
    wins: int = 0
    lines: int = 0
    content: int = 0
    """A sum over the lines, which is another one if a line is another one."""

    def __add__(self, other: "AuditTally") -> "AuditTally":
        return AuditTally(*map(sum, zip(msgspec.structs.astuple(self), msgspec.structs.astuple(other), strict=True)))

    @property
    def counted(self) -> tuple[int, int, int]:
        """The total, and the games finished and won."""
        return self.total, self.games, self.wins


NOTHING = AuditTally()


def tallies_of(table: Table) -> dict[TallyKey, AuditTally]:
    """What the table adds to its players' accounts. At a table with bots it is lines, which count nothing."""
    counts, winners, public = not table.opponents, table.winners, table.table_options.visibility == "public"
    lines: dict[str, list[int]] = {}
    for booked in table.booked:
        for line in booked.lines:
            lines.setdefault(line.account, []).append(_content(table.table, booked.version, line))
    tallies = {}
    for seat, player in enumerate(table.players):
        if player is None or seat in table.opponents:
            continue
        own = lines.get(PLAYER + player, ())
        counted = (table.totals[seat], int(winners is not None), int(seat in (winners or ()))) if counts else (0, 0, 0)
        tallies[TallyKey(table.game, player, public)] = AuditTally(*counted, len(own), sum(own))
    return tallies


def summed(parts: Iterable[Mapping[TallyKey, AuditTally]]) -> dict[TallyKey, AuditTally]:
    """The sum of all the parts."""
    tallies: dict[TallyKey, AuditTally] = {}
    for part in parts:
        for account, tally in part.items():
            tallies[account] = tallies.get(account, NOTHING) + tally
    return tallies


def players_of(records: Iterable[Recorded]) -> Iterator[str]:
    """Who has taken a seat in these records, which may be unreadable otherwise."""
    for record in records:
        if record.type == SeatTaken.TYPE:
            try:
                yield msgspec.json.decode(record.public, type=_SeatTaken).player
            except msgspec.DecodeError:
                continue


Compared: TypeAlias = list[tuple[str | None, Difference]]
"""Differences, each with the player that it is of; None if it is of an order of players."""


async def compare_tallies(models: ReadModels, games: Iterable[str], tallies: Mapping[TallyKey, AuditTally]) -> Compared:
    """Compares what is served of these players and games with these tallies.

    Raises ReadModelsUnavailable on an outage.
    """
    by_player: dict[str, dict[TallyKey, AuditTally]] = {}
    for account, tally in tallies.items():
        by_player.setdefault(account.player, {})[account] = tally
    players = sorted(by_player)
    compared: Compared = []
    for start in range(0, len(players), PLAYERS):
        some = players[start : start + PLAYERS]
        for each in await asyncio.gather(*(_compare_player(models, player, by_player[player]) for player in some)):
            compared += each
    for game in sorted(games):
        expected = {one.player: tally.counted for one, tally in tallies.items() if one.public and one.game == game}
        compared += await _compare_leaderboard(models, game, expected)
    return compared


async def _compare_player(models: ReadModels, player: str, tallies: Mapping[TallyKey, AuditTally]) -> Compared:
    try:
        texts = [text async for text in _differing(models, player, tallies)]
    except UNREADABLE as error:
        texts = [f"what is served cannot be read: {error}"]
    return [(player, Difference(f"player {player}", "tallies", text)) for text in texts]


async def _differing(models: ReadModels, player: str, tallies: Mapping[TallyKey, AuditTally]) -> AsyncIterator[str]:
    for own, whose in ((None, "everybody"), (player, "the player")):
        expected: dict[str, AuditTally] = {}
        for account, tally in tallies.items():
            if account.public or own:
                expected[account.game] = expected.get(account.game, NOTHING) + tally
        (body,) = await models.record([player], own=own)
        record = msgspec.json.decode(body, type=PlayerRecord)
        served = {one.game: (one.total, one.games, one.wins) for one in record.by_game}
        for game in sorted(expected.keys() | served.keys()):
            counted, shown = expected.get(game, NOTHING).counted, served.get(game, NOTHING.counted)
            if shown != counted:
                yield f"the record of {game} for {whose} has {_said(shown)}; by the log {_said(counted)}"
        lines: dict[str, list[StatementLine]] = {}
        async for item in items_of(partial(models.statement, player, own=own is not None)):
            line = msgspec.json.decode(item, type=StatementLine)
            lines.setdefault(line.game, []).append(line)
        for game in sorted(expected.keys() | lines.keys()):
            newest_first, tally = lines.get(game, []), expected.get(game, NOTHING)
            statement = f"the statement of {game} for {whose}"
            content = sum(_content(line.table, line.version, line) for line in newest_first)
            if (len(newest_first), content) != (tally.lines, tally.content):
                yield f"{statement} has {len(newest_first)} lines; by the log {tally.lines}, or others"
            elif not _balanced(newest_first):
                yield f"{statement} has balances to which its lines do not sum"


def _balanced(newest_first: Sequence[StatementLine]) -> bool:
    """Whether each line's balance is the sum of the lines up to it."""
    balance = 0
    for line in reversed(newest_first):
        balance += 0 if line.bots else line.amount
        if line.balance != balance:
            return False
    return True


async def _compare_leaderboard(models: ReadModels, game: str, expected: Mapping[str, tuple[int, int, int]]) -> Compared:
    subject = f"the leaderboard of {game}"
    try:
        items = items_of(partial(models.leaderboard, game))
        ranked = [msgspec.json.decode(item, type=Rank) async for item in items]
    except UNREADABLE as error:
        return [(None, Difference(subject, "tallies", f"it cannot be read: {error}"))]
    served = {one.player: (one.total, one.games, one.wins) for one in ranked}
    compared: Compared = []
    for player in sorted(expected.keys() | served.keys()):
        counted, shown = expected.get(player, NOTHING.counted), served.get(player, NOTHING.counted)
        if shown != counted:
            text = f"player {player} has {_said(shown)}; by the log {_said(counted)}"
            compared.append((player, Difference(subject, "tallies", text)))
    in_order = sorted(ranked, key=lambda one: (-one.total, one.player))
    better = {total: place for place, total in reversed(list(enumerate(one.total for one in in_order)))}
    if in_order != ranked or any(one.rank != better[one.total] + 1 for one in ranked):
        compared.append((None, Difference(subject, "tallies", "its ranks are not those of its totals")))
    return compared


def _said(counted: tuple[int, int, int]) -> str:
    total, games, wins = counted
    return f"a total of {total}, {games} games and {wins} won"


def _content(table: str, version: int, line: Line) -> int:
    return crc32(f"{table} {version} {line.amount} {line.rule} {line.text}".encode())


class _SeatTaken(Struct):
    player: str
