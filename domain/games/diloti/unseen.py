"""What the events of Diloti move unseen."""

from collections.abc import Mapping

from domain.games.diloti.events import BatchDealt
from domain.games.diloti.meta import HAND, STOCK
from domain.games.diloti.state import Playing
from domain.kernel.event import Payload
from domain.kernel.unseen import Unseen, UnseenDraw


def _dealt(state: Playing, _: BatchDealt) -> tuple[UnseenDraw, ...]:
    return tuple([UnseenDraw(seat, STOCK, number=HAND) for seat in state.order])


UNSEEN: Mapping[type[Payload], Unseen] = {BatchDealt: Unseen(draws=_dealt)}
"""What each event moves that its payload does not name (DL-3.2)."""
