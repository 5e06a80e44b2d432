"""What a player has come to in a game: the sum of all lines, games finished and games won."""

from collections.abc import Iterator

from msgspec import Struct

from domain.kernel.ledger import PLAYER, Line
from projections.fold import ScoreChange


class PlayerTally(Struct, frozen=True):
    """Of one player in one game."""

    total: int = 0
    games: int = 0
    wins: int = 0

    def __add__(self, other: "PlayerTally") -> "PlayerTally":
        return PlayerTally(self.total + other.total, self.games + other.games, self.wins + other.wins)

    def stored(self) -> bytes:
        """As it stands in Redis."""
        return b"%d %d %d" % (self.total, self.games, self.wins)


def tally(stored: bytes | None) -> PlayerTally:
    """The tally that stands in Redis; an empty one if there is none."""
    return PlayerTally(*map(int, stored.split())) if stored else PlayerTally()


class Gain(Struct, frozen=True):
    """What an event adds for a player."""

    player: str
    tally: PlayerTally
    line: Line | None = None
    """The line that adds it, if one does."""


def gains(step: ScoreChange) -> Iterator[Gain]:
    """What the event adds for players: line by line, then by who won, if that is known now or is corrected."""
    for line in step.lines:
        if line.account.startswith(PLAYER):
            yield Gain(line.account.removeprefix(PLAYER), PlayerTally(line.amount), line)
    before = step.before.winners
    after = step.after.winners
    if before == after:
        return
    for seat, player in enumerate(step.after.players):
        if player is not None:
            games = (after is not None) - (before is not None)
            wins = (seat in (after or ())) - (seat in (before or ()))
            yield Gain(player, PlayerTally(0, games, wins))
