"""The automatic events, which need no act."""

from msgspec import Struct

from domain.games.diloti.events import (
    BatchDealt,
    DealtBatch,
    RestTaken,
)
from domain.games.diloti.meta import HAND, PACK
from domain.games.diloti.state import State
from domain.kernel.event import Event, Payload
from domain.parts.piles import openings_of_pile
from domain.seats import Audience, seat_audience


def next_automatic(state: State) -> Event[Payload] | None:
    """The automatic event that is due: a batch dealt, or the rest of the table taken; None if none is."""
    if state.empty_handed and state.stock:
        return _batch(state)
    if state.rest_due and state.last_captor is not None:
        return Event(RestTaken(state.last_captor, PACK.sorted(state.loose)))
    return None


def _batch(state: State) -> Event[BatchDealt]:
    """Six more cards to each, eldest first (DL-3.2)."""
    openings = iter(openings_of_pile(state.deck, state.stock[: HAND * len(state.order)]))
    sealed: dict[Audience, Struct] = {
        seat_audience(seat): DealtBatch(tuple([next(openings) for _ in range(HAND)])) for seat in state.order
    }
    return Event(BatchDealt(state.batch + 1), sealed)
