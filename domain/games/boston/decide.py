"""The events that legal actions cause, and the automatic events, which need no action."""

from typing import assert_never

from domain.games.boston.actions import Answer, Bid, BostonAction, CallSupporter, Pass, Play, PlayAlone, PutDown
from domain.games.boston.contracts import FOUR_ACE_MISERE
from domain.games.boston.events import (
    BidMade,
    BostonEvent,
    CardOfDiscard,
    CardPutDown,
    PlayedAlone,
    SupportAnswered,
    SupportCalled,
)
from domain.games.boston.meta import ACES
from domain.games.boston.offers import exposes
from domain.games.boston.state import Playing, State
from domain.kernel.event import Event, Payload
from domain.parts.auction import BidPassed
from domain.parts.tricks import CardPlayed, HandExposed, TrickWon, trick_won
from domain.seats import Seat, seat_audience


def decide(_: State, seat: Seat, action: BostonAction) -> Event[Payload]:
    """The event that the seat's action causes; `offers` has described the action, so it is legal."""
    match action:
        case Play() | Pass():
            return action.event(seat)
        case PutDown():
            return Event(CardPutDown(seat), {seat_audience(seat): CardOfDiscard(action.card)})
        case Bid():
            shown = ACES if action.contract == FOUR_ACE_MISERE else ()
            return Event(BidMade(seat, action.contract, action.suit, shown))
        case PlayAlone():
            return Event(PlayedAlone(seat))
        case CallSupporter():
            return Event(SupportCalled(seat))
        case Answer():
            return Event(SupportAnswered(seat, action.accept))
        case _:
            assert_never(action)


def next_automatic(state: State) -> Event[Payload] | None:
    """The automatic event that is due: declarer's hand laid open, or a trick won; None if none is."""
    if not isinstance(state, Playing):
        return None
    if exposes(state):
        declarer = state.commitment.declarer
        return Event(HandExposed(declarer, state.hands[declarer].known))
    return trick_won(state)


def action_of(event: Event[BostonEvent]) -> BostonAction | None:
    """The action that caused this event; None for an automatic event, and for a discard whose section is not open."""
    public = event.public
    match public:
        case CardPlayed():
            return Play(public.card)
        case BidPassed():
            return Pass()
        case BidMade():
            return Bid(public.contract, public.suit)
        case PlayedAlone():
            return PlayAlone()
        case SupportCalled():
            return CallSupporter()
        case SupportAnswered():
            return Answer(public.accepted)
        case CardPutDown():
            section = event.section(seat_audience(public.seat), CardOfDiscard)
            return None if section is None else PutDown(section.card)
        case HandExposed() | TrickWon():
            return None
        case _:
            assert_never(public)
