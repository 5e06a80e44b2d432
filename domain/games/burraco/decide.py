"""The events that legal actions cause, and the automatic events, which need no action."""

from typing import assert_never

from domain.games.burraco.actions import Add, BurracoAction, Discard, Draw, Lay, TakePile
from domain.games.burraco.events import (
    BurracoEvent,
    CardAdded,
    CardDiscarded,
    CardDrawn,
    DrawnCard,
    MeldLaid,
    OpenedPozzetto,
    PileTaken,
    PozzettoOpened,
    PozzettoTaken,
)
from domain.games.burraco.melds import Arranged, added, arranged, burraco
from domain.games.burraco.offers import opening
from domain.games.burraco.state import Melding, State
from domain.kernel.event import Event, Payload
from domain.parts.phases import expect
from domain.parts.piles import openings_of_pile
from domain.seats import Seat, seat_audience


def decide(state: State, seat: Seat, action: BurracoAction) -> Event[Payload]:
    """The event that the seat's action causes; `offers` has described the action, so it is legal."""
    common = state.common
    match action:
        case Draw():
            (drawn,) = openings_of_pile(common.deck, common.stock[:1])
            return Event(CardDrawn(seat), {seat_audience(seat): DrawnCard(drawn)})
        case TakePile():
            return Event(PileTaken(seat, common.pile))
        case Lay():
            wild = () if action.wild is None else (action.wild,)
            laid = expect(arranged((*action.cards, *wild)), Arranged)
            return Event(MeldLaid(seat, len(common.melds) + 1, laid.cards, laid.wild))
        case Add():
            grown = expect(added(common.melds[action.meld - 1].arranged, action.card), Arranged)
            kind = burraco(grown, semi_clean=common.options.semi_clean)
            return Event(CardAdded(seat, action.meld, action.card, grown.cards, grown.wild, kind))
        case Discard():
            return Event(_discarded(expect(state, Melding), seat, action))
        case _:
            assert_never(action)


def _discarded(state: Melding, seat: Seat, action: Discard) -> CardDiscarded:
    """The discard; it closes if it is the last card of a side that has its pozzetto (BU-9.2)."""
    common = state.common
    closes = common.hands[seat].size == 1 and common.takers[common.side(seat)] is not None
    # A turn is idle if it took a pile of one card and melded nothing (BU-9.4).
    idle = common.idle + 1 if state.barred is not None and not state.melded else 0
    return CardDiscarded(seat, action.card, closes, idle)


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


def action_of(event: Event[BurracoEvent]) -> BurracoAction | None:
    """The action that caused this event; None for an automatic event."""
    public = event.public
    match public:
        case CardDrawn():
            return Draw()
        case PileTaken():
            return TakePile()
        case MeldLaid():
            return Lay(Arranged(public.cards, public.wild).natural, public.wild)
        case CardAdded():
            return Add(public.meld, public.card)
        case CardDiscarded():
            return Discard(public.card)
        case PozzettoTaken() | PozzettoOpened():
            return None
        case _:
            assert_never(public)
