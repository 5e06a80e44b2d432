"""Auctions by question between two seats at a time: one asks, the other holds.

`left` lists the seats in the order of turns. Once a seat holds a level, all seats before it have passed, so the first
seat left is the holder and the second is the asker.
"""

from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from domain.seats import Seat

Bid: TypeAlias = Literal["ask", "yes", "pass"]


class Said(Struct, frozen=True, gc=False):
    """A call in the auction: `ask` for a level, `yes` to hold it, or `pass`, which names no level."""

    seat: Seat
    bid: Bid
    level: int | None = None


class Questioning(Struct, frozen=True, gc=False):
    """An auction so far. All of it is public, and a pass is final."""

    left: tuple[Seat, ...]
    """The seats that have not passed, in the order of turns."""
    highest: int
    """The level that ends the auction once it is held."""
    level: int = 0
    """The level held; 0 until somebody has asked."""
    open: bool = False
    """Whether the holder must answer for the next level."""
    said: tuple[Said, ...] = ()

    @property
    def question(self) -> int:
        """The level that the next call asks for or answers for."""
        return self.level + 1

    @property
    def turn(self) -> Seat | None:
        """The seat that speaks next. None when the auction is over: at most one seat is left, or the highest level is
        held.
        """
        if not self.level or self.open:
            return next(iter(self.left), None)
        return next(iter(self.left[1:]), None) if self.level < self.highest else None

    @property
    def winner(self) -> Seat | None:
        """The seat that holds a level at the end. None before the end, and if all have passed."""
        return self.left[0] if self.level and self.turn is None else None

    @property
    def holder(self) -> Seat | None:
        """The seat that holds the level; None until somebody has asked."""
        return self.left[0] if self.level else None

    @property
    def asker(self) -> Seat | None:
        """The seat that has asked the question, or may ask it or pass; None when the auction is over."""
        if self.turn is None:
            return None
        return self.left[1] if self.level else self.left[0]

    def asked(self, seat: Seat, level: int) -> "Questioning":
        """The auction after the seat asked for this level; the first level asked for is held at once."""
        said = (*self.said, Said(seat, "ask", level))
        if not self.level:
            return msgspec.structs.replace(self, level=level, said=said)
        return msgspec.structs.replace(self, open=True, said=said)

    def held(self, seat: Seat, level: int) -> "Questioning":
        """The auction after the holder said yes to this level."""
        return msgspec.structs.replace(self, level=level, open=False, said=(*self.said, Said(seat, "yes", level)))

    def passed(self, seat: Seat) -> "Questioning":
        """The auction after the seat passed. If the holder passes, the asker holds the level asked for."""
        return Questioning(
            left=tuple(other for other in self.left if other != seat),
            highest=self.highest,
            level=self.level + self.open,
            said=(*self.said, Said(seat, "pass")),
        )
