"""What the events of Nine-Card Don move unseen."""

from collections.abc import Mapping

from domain.games.don.events import HandOpened
from domain.games.don.meta import WAITING
from domain.kernel.event import Payload
from domain.kernel.unseen import Unseen, UnseenDraw

UNSEEN: Mapping[type[Payload], Unseen] = {
    HandOpened: Unseen(draws=lambda _, public: (UnseenDraw(public.seat, WAITING, public.seat),)),
}
"""What each event moves that its payload does not name (ND-2.3)."""
