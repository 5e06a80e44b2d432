"""Tallies: the sum of a player's lines in a game, and the games finished and won."""

from collections.abc import Iterator

from msgspec import Struct

from domain.kernel.ledger import PLAYER, Line
from projections.fold import ScoreChange


class PlayerTally(Struct, frozen=True):
    """The tally of one player in one game."""

    total: int = 0
    games: int = 0
    wins: int = 0

    def __add__(self, other: "PlayerTally") -> "PlayerTally":
        return PlayerTally(self.total + other.total, self.games + other.games, self.wins + other.wins)

    def stored(self) -> bytes:
        """The form of the tally in Redis."""
        return b"%d %d %d" % (self.total, self.games, self.wins)


def tally(stored: bytes | None) -> PlayerTally:
    """The tally from its stored form; an empty one if there is none."""
    return PlayerTally(*map(int, stored.split())) if stored else PlayerTally()


class Gain(Struct, frozen=True):
    """An event's addition to a player's tally."""

    player: str
    tally: PlayerTally
    line: Line | None = None
    """The line behind it, if it comes from a line."""
    number: int = 0
    """The line's number among those of the event."""
    deal: int | None = None
    """The deal that the line belongs to."""


def gains(change: ScoreChange) -> Iterator[Gain]:
    """The gains of an event: line by line, then games and wins if it announces or corrects the winners.

    At a table with bots the lines of people count nothing, and bots have none.
    """
    bots = {change.after.players[seat] for seat in change.after.opponents}
    for number, (line, deal) in enumerate(zip(change.lines, change.deals, strict=True)):
        account = line.account.removeprefix(PLAYER)
        if line.account.startswith(PLAYER) and account not in bots:
            yield Gain(account, PlayerTally(0 if bots else line.amount), line, number, deal)
    if bots:
        return
    before = change.before.winners
    after = change.after.winners
    if before == after:
        return
    for seat, player in enumerate(change.after.players):
        if player is not None:
            games = (after is not None) - (before is not None)
            wins = (seat in (after or ())) - (seat in (before or ()))
            yield Gain(player, PlayerTally(0, games, wins))
