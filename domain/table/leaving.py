"""Leaving a running game, and agreeing to end it (TL-3, TL-4)."""

from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from domain.seats import Seat
from domain.table.events import EndProposed, SeatAbandoned, SeatResumed, SeatTakenOver


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

    def after(self, public: EndProposed | SeatAbandoned | SeatTakenOver | SeatResumed) -> "Leaving":
        """The state after this event."""
        seat = public.seat
        match public:
            case EndProposed():
                return replace(self, agreed=(*self.agreed, seat) if public.agree else ())
            case SeatAbandoned():
                return replace(self, abandoned=(*self.abandoned, seat))
            case SeatTakenOver():
                return replace(self, bots=(*self.bots, seat))
            case SeatResumed():
                return replace(self, bots=tuple(bot for bot in self.bots if bot != seat), returned=None)
            case _:
                assert_never(public)


STAYING = Leaving()
"""Nobody leaves."""
