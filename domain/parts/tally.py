"""One against two: the counts of tricks that decide a deal, in contracts to win most tricks or to lose all.

Only the tricks won decide a deal, so play can stop once the remaining tricks change nothing.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import ClassVar

from msgspec import Struct

from domain.kernel.action import Action
from domain.kernel.event import NOTHING, Payload
from domain.seats import Seat, rotated

FIRST_TRICKS = 5
"""The number of tricks that primeras and contraprimeras need."""


class PlayStopped(Payload, frozen=True, gc=False):
    """The player who plays alone has won the first five tricks, and stops there."""

    TYPE: ClassVar = "play-stopped"
    REVEALS: ClassVar = NOTHING

    seat: Seat


class StopPlay(Action, frozen=True, tag="stop"):
    """Stop after the first five tricks, and do not try for all nine. A game's own action names the rule."""


class AllTricksUndertaken(Payload, frozen=True, gc=False):
    """The player who plays alone has won the first five tricks and led to the sixth, so undertakes to win all nine."""

    TYPE: ClassVar = "all-tricks-undertaken"
    CHECK: ClassVar = "turn-up"
    REVEALS: ClassVar = NOTHING

    seat: Seat


class Tally(Struct, frozen=True, gc=False):
    """The tricks won by declarer, by the next opponent in turn and by the other, and the side that won all of the first
    five.
    """

    declarer: int = 0
    first: int = 0
    second: int = 0
    primeras: bool = True
    """Whether declarer has won all of the first five tricks so far."""
    contraprimeras: bool = True
    """Whether the opponents have won all of the first five tricks so far."""

    @property
    def tricks(self) -> int:
        """The number of complete tricks."""
        return self.declarer + self.first + self.second

    @property
    def best(self) -> int:
        """The number of tricks of the opponent with more of them."""
        return max(self.first, self.second)

    @property
    def in_words(self) -> str:
        """Declarer's tricks against the opponents', as the texts of lines have them: `tricks 4 against 4 and 1`."""
        return f"tricks {self.declarer} against {self.best} and {min(self.first, self.second)}"

    @property
    def cuatro(self) -> bool:
        """Whether declarer has exactly four tricks against three and two."""
        return self.declarer == 4 and {self.first, self.second} == {3, 2}

    @property
    def most(self) -> bool:
        """Whether declarer has most of nine tricks: five or more, or four against three and two."""
        return self.declarer >= 5 or self.cuatro

    @property
    def level(self) -> bool:
        """Whether declarer has as many tricks as the opponent with more."""
        return self.declarer == self.best

    @property
    def choosing(self) -> bool:
        """Whether declarer has won the first five tricks and the sixth is not played, so may stop or undertake all."""
        return self.declarer == self.tricks == FIRST_TRICKS

    @property
    def failed_all(self) -> bool:
        """Whether declarer has won the first five tricks and lost a later one."""
        return self.primeras and self.declarer != self.tricks

    def after_trick(self, winner: int) -> "Tally":
        """The tally after another trick, won by declarer (0), the next opponent in turn (1) or the other (2)."""
        early = self.tricks < FIRST_TRICKS
        return Tally(
            self.declarer + (winner == 0),
            self.first + (winner == 1),
            self.second + (winner == 2),
            self.primeras and (winner == 0 or not early),
            self.contraprimeras and (winner != 0 or not early),
        )


def counted(
    order: Sequence[Seat], declarer: Seat, tricks: Sequence[int], *, first: bool = False, none: bool = False
) -> Tally:
    """The tally of tricks by seat. Declarer has won all or none of the first five if that is said, or of all tricks."""
    own, next_in_turn, other = [tricks[seat] for seat in rotated(order, declarer)]
    return Tally(own, next_in_turn, other, first or not (next_in_turn or other), none or not own)


# Needed several times between two tricks.
@lru_cache(maxsize=1 << 16)
def tally(declarer: Seat, order: tuple[Seat, ...], winners: tuple[Seat, ...]) -> Tally:
    """The tally after tricks with these winners; `order` is the seats that play, in the order of turns."""
    players = rotated(order, declarer)
    total = Tally()
    for winner in winners:
        total = total.after_trick(players.index(winner))
    return total
