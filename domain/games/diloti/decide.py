"""The events that legal actions cause, and the automatic events, which need no action."""

from typing import assert_never

from msgspec import Struct

from domain.games.diloti.actions import Capture, Declare, DilotiAction, Lay
from domain.games.diloti.events import (
    BatchDealt,
    CardLaid,
    CardsCaptured,
    DealtBatch,
    DeclarationMade,
    DilotiEvent,
    RestTaken,
)
from domain.games.diloti.meta import HAND, PACK, VALUES
from domain.games.diloti.state import State
from domain.kernel.event import Event, Payload
from domain.parts.piles import openings_of_pile
from domain.seats import Audience, Seat, seat_audience


def decide(state: State, seat: Seat, action: DilotiAction) -> Event[Payload]:
    """The event that the seat's action causes; `offers` has described the action, so it is legal."""
    match action:
        case Lay():
            return Event(CardLaid(seat, action.card))
        case Capture():
            return Event(_captured(state, seat, action))
        case Declare():
            return Event(_declared(state, seat, action))
        case _:
            assert_never(action)


def _captured(state: State, seat: Seat, action: Capture) -> CardsCaptured:
    """The capture; it is a xeri if it clears the table and is not the deal's first turn (DL-8.1)."""
    loose, declarations = PACK.sorted(action.loose), tuple(sorted(action.declarations))
    taken = PACK.sorted([*loose, *(card for each in state.named(declarations) for card in each.cards)])
    left = state.without(loose, declarations)
    xeri = bool(state.turns) and not left.loose and not left.declarations
    return CardsCaptured(seat, action.card, loose, declarations, taken, xeri)


def _declared(state: State, seat: Seat, action: Declare) -> DeclarationMade:
    """The declaration of all that is named. Every set adds up to its value, so the sum gives the number of sets."""
    loose, declarations = PACK.sorted(action.loose), tuple(sorted(action.declarations))
    within = [card for each in state.named(declarations) for card in each.cards]
    cards = PACK.sorted([action.card, *loose, *within])
    sets = sum([VALUES[card] for card in cards]) // action.value
    return DeclarationMade(seat, action.card, action.value, loose, declarations, state.made + 1, cards, sets)


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


def action_of(event: Event[DilotiEvent]) -> DilotiAction | None:
    """The action that caused this event; None for an automatic event."""
    public = event.public
    match public:
        case CardLaid():
            return Lay(public.card)
        case CardsCaptured():
            return Capture(public.card, public.loose, public.declarations)
        case DeclarationMade():
            return Declare(public.card, public.value, public.loose, public.declarations)
        case BatchDealt() | RestTaken():
            return None
        case _:
            assert_never(public)
