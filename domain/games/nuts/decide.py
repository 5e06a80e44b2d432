"""The events that legal actions cause, the automatic events, and the time limit."""

from typing import assert_never

from domain.cards import Card
from domain.fair.deck import Opening
from domain.games.nuts.actions import Build, Flip, Found, Nuts, NutsAction, Ready, Stuck, Turn
from domain.games.nuts.events import (
    AllStuck,
    CardBuilt,
    CardFounded,
    NutsCalled,
    NutsEvent,
    PileFlipped,
    ShiftMade,
    Source,
    StockTurned,
    StuckSaid,
)
from domain.games.nuts.meta import TURNED, is_ace
from domain.games.nuts.offers import may_act, source_of
from domain.games.nuts.scoring import settled
from domain.games.nuts.state import State
from domain.kernel.event import Event, Payload
from domain.kernel.game import Timer
from domain.kernel.hands import Pile
from domain.seats import HOUSE, Seat


def decide(state: State, seat: Seat, action: NutsAction) -> Event[Payload]:
    """The event that the seat's action causes; `offers` has described the action, so it is legal.

    Raises ValueError on Ready, which comes before a hand (NU-3.1).
    """
    match action:
        case Turn():
            stock = state.layouts[seat].stock
            count = min(TURNED, len(stock))
            return Event(StockTurned(seat, count, _opened(state, stock[count - 1])))
        case Build():
            source, uncovered = _taken(state, seat, action.card)
            return Event(CardBuilt(seat, action.card, source, uncovered, action.column))
        case Found():
            source, uncovered = _taken(state, seat, action.card)
            foundation = action.foundation or len(state.foundations) + 1
            return Event(CardFounded(seat, action.card, source, uncovered, foundation))
        case Flip():
            return Event(PileFlipped(seat))
        case Stuck():
            return Event(StuckSaid(seat))
        case Nuts():
            return Event(NutsCalled(seat))
        case Ready():
            raise ValueError("nobody says ready during a hand")
        case _:
            assert_never(action)


def _taken(state: State, seat: Seat, card: Card) -> tuple[Source, Opening | None]:
    """The source of the card, and the card on top there once it has gone (NU-4.6)."""
    layout = state.layouts[seat]
    source = source_of(layout, card)
    piles: dict[Source, Pile] = {"reserve": layout.reserve[1:2], "discards": layout.discards[1:2], "tableau": ()}
    if source is None:
        raise ValueError(f"seat {seat} cannot move {card}")
    return source, next((_opened(state, under) for under in piles[source]), None)


def _opened(state: State, card: Card | None) -> Opening:
    if card is None:
        raise ValueError("only the house can open a card")
    (opening,) = state.deck.openings_of((card,))
    return opening


def next_automatic(state: State) -> Event[Payload] | None:
    """The automatic event that is due: Nuts called for an empty reserve (NU-8.1), or a shift (NU-7.3); None if
    none is.
    """
    if settled(state) is not None:
        return None
    if state.nuts is not None:
        return Event(NutsCalled(state.nuts))
    return Event(ShiftMade(state.shifts + 1)) if state.all_stuck else None


def timer(state: State) -> Timer | None:
    """The time limit of the hand (NU-7.5); None if it has none."""
    if not state.options.stall or not may_act(state):
        return None
    return Timer(state.since, state.options.stall, AllStuck(), "NU-7.5")


def action_of(event: Event[NutsEvent]) -> NutsAction | None:
    """The action that caused this event; None for an automatic event, and for one by the clock."""
    public = event.public
    match public:
        case StockTurned():
            return Turn()
        case CardBuilt():
            return Build(public.card, public.column)
        case CardFounded():
            return Found(public.card, None if is_ace(public.card) else public.foundation)
        case PileFlipped():
            return Flip()
        case StuckSaid():
            return Stuck()
        case NutsCalled():
            return None if event.actor == HOUSE else Nuts()
        case AllStuck() | ShiftMade():
            return None
        case _:
            assert_never(public)
