"""The automatic events, which need no act."""

from domain.games.burraco.events import (
    OpenedPozzetto,
    PozzettoOpened,
    PozzettoTaken,
)
from domain.games.burraco.offers import opening
from domain.games.burraco.state import State
from domain.kernel.event import Event, Payload
from domain.parts.piles import openings_of_pile
from domain.seats import seat_audience


def next_automatic(state: State) -> Event[Payload] | None:
    """The automatic event that is due: a pozzetto taken, or looked at (BU-8); None if none is."""
    common = state.common
    taking = common.taking
    if taking is not None:
        number = next(one.pozzetto for one in common.pozzetti if one.seat is None)
        return Event(PozzettoTaken(taking, number))
    seat = opening(state)
    if seat is None:
        return None
    lying = next(one for one in common.pozzetti if one.seat == seat)
    cards = OpenedPozzetto(openings_of_pile(common.deck, lying.cards))
    return Event(PozzettoOpened(seat), {seat_audience(seat): cards})
