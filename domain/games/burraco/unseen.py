"""What the events of Burraco move unseen."""

from collections.abc import Mapping

from domain.games.burraco.acts import Draw
from domain.games.burraco.events import CardDrawn, PozzettoOpened
from domain.games.burraco.meta import STOCK, pozzetto
from domain.games.burraco.state import State
from domain.kernel.event import Payload
from domain.kernel.unseen import Unseen, UnseenDraw


def _opened(state: State, public: PozzettoOpened) -> tuple[UnseenDraw, ...]:
    lying = state.common.face_down(public.seat)
    return () if lying is None else (UnseenDraw(public.seat, pozzetto(lying.pozzetto)),)


UNSEEN: Mapping[type[Payload], Unseen] = {
    CardDrawn: Unseen(draws=lambda _, public: (UnseenDraw(public.seat, STOCK, number=1),), act=lambda *_: Draw()),
    PozzettoOpened: Unseen(draws=_opened),
}
"""What each event moves that its payload does not name (BU-4, BU-8.2)."""
