"""Leaving a running game, and agreeing to end it (TL-3, TL-4)."""

from collections.abc import Mapping
from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from domain.seats import Bot, Seat
from domain.table.events import EndProposed, SeatAbandoned, SeatResumed, SeatTakenOver, SubstituteSeated


class Leaving(Struct, frozen=True, gc=False):
    """The seats that leave or agree to end the game, each list in the order of the events."""

    agreed: tuple[Seat, ...] = ()
    """The seats that agree to end the game."""
    abandoned: tuple[Seat, ...] = ()
    """The seats whose players have left the game for good."""
    bots: tuple[Seat, ...] = ()
    """The seats that the house plays."""
    returned: Seat | None = None
    """The absent seat whose player has just acted again."""
    substitutes: Mapping[Seat, Bot] = {}
    """The bots that play on at some of the seats that the house plays (TL-7.3)."""

    @property
    def unattended(self) -> tuple[Seat, ...]:
        """The seats that the house plays without a substitute, with the mildest acts."""
        return tuple(seat for seat in self.bots if seat not in self.substitutes) if self.substitutes else self.bots

    def after(self, public: EndProposed | SeatAbandoned | SeatTakenOver | SeatResumed | SubstituteSeated) -> "Leaving":
        """The state after this event."""
        seat = public.seat
        match public:
            case EndProposed():
                return replace(self, agreed=(*self.agreed, seat) if public.agree else ())
            case SeatAbandoned():
                return replace(self, abandoned=(*self.abandoned, seat))
            case SeatTakenOver():
                bots = self.bots if seat in self.bots else (*self.bots, seat)
                return replace(self, bots=bots, substitutes=self._substitutes_without(seat))
            case SeatResumed():
                bots = tuple(bot for bot in self.bots if bot != seat)
                return replace(self, bots=bots, returned=None, substitutes=self._substitutes_without(seat))
            case SubstituteSeated():
                return replace(self, substitutes={**self.substitutes, seat: public.opponent})
            case _:
                assert_never(public)

    def _substitutes_without(self, seat: Seat) -> Mapping[Seat, Bot]:
        return {other: opponent for other, opponent in self.substitutes.items() if other != seat}


STAYING = Leaving()
"""Nobody leaves."""
