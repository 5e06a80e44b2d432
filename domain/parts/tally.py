"""One against two: the numbers of tricks that decide a deal, in contracts to win most tricks and to lose all.

Nothing but tricks won decides a deal, so play can stop when the tricks to come change nothing.
"""

from functools import lru_cache
from typing import ClassVar

from msgspec import Struct

from domain.kernel.action import Action
from domain.kernel.event import NOTHING, Event, Payload
from domain.seats import Seat, rotated

FIRST_TRICKS = 5
"""How many tricks primeras and contraprimeras are about."""


class PlayStopped(Payload, frozen=True, gc=False):
    """Who plays alone has won the first five tricks, and is content with that."""

    TYPE: ClassVar = "play-stopped"
    REVEALS: ClassVar = NOTHING

    seat: Seat


class StopPlay(Action, frozen=True, tag="stop"):
    """Be content with the first five tricks, and not try for all nine. A game's own action says by which rule."""

    def event(self, seat: Seat) -> Event[PlayStopped]:
        """What the act makes."""
        return Event(PlayStopped(seat))


class AllTricksUndertaken(Payload, frozen=True, gc=False):
    """Who plays alone has won the first five tricks, led to the sixth, and so undertaken to win all nine."""

    TYPE: ClassVar = "all-tricks-undertaken"
    CHECK: ClassVar = "turn-up"
    REVEALS: ClassVar = NOTHING

    seat: Seat


class Tally(Struct, frozen=True, gc=False):
    """How many tricks declarer, the next opponent in turn and the other have won, and who won all of the first five."""

    declarer: int = 0
    first: int = 0
    second: int = 0
    primeras: bool = True
    """Declarer won every one of the first five."""
    contraprimeras: bool = True
    """The opponents won every one of the first five."""

    @property
    def tricks(self) -> int:
        """How many tricks are complete."""
        return self.declarer + self.first + self.second

    @property
    def best(self) -> int:
        """The tricks of the opponent with more of them."""
        return max(self.first, self.second)

    @property
    def cuatro(self) -> bool:
        """Exactly four tricks against three and two."""
        return self.declarer == 4 and {self.first, self.second} == {3, 2}

    @property
    def most(self) -> bool:
        """Declarer's tricks of nine are more than each opponent's: five or more, or four against three and two."""
        return self.declarer >= 5 or self.cuatro

    @property
    def level(self) -> bool:
        """Declarer has as many as the opponent with most."""
        return self.declarer == self.best

    @property
    def choosing(self) -> bool:
        """Declarer has won the first five tricks and the sixth is not played: declarer may stop or undertake all."""
        return self.declarer == self.tricks == FIRST_TRICKS

    @property
    def failed_all(self) -> bool:
        """Declarer has won the first five tricks and lost a later one."""
        return self.primeras and self.declarer != self.tricks

    def after_trick(self, winner: int) -> "Tally":
        """The tally after one more trick, won by declarer (0), the opponent next in turn (1) or the other (2)."""
        early = self.tricks < FIRST_TRICKS
        return Tally(
            self.declarer + (winner == 0),
            self.first + (winner == 1),
            self.second + (winner == 2),
            self.primeras and (winner == 0 or not early),
            self.contraprimeras and (winner != 0 or not early),
        )


# Needed several times between two tricks.
@lru_cache(maxsize=1 << 16)
def tally(declarer: Seat, order: tuple[Seat, ...], winners: tuple[Seat, ...]) -> Tally:
    """The tally after tricks with these winners; `order` is the seats that play, in the order of turns."""
    players = rotated(order, declarer)
    total = Tally()
    for winner in winners:
        total = total.after_trick(players.index(winner))
    return total
