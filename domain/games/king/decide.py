"""The events that legal actions cause, and the automatic events, which need no action."""

from typing import assert_never

from domain.games.king.actions import Bid, DeclareDirection, KingAction, NameTrumps, OpenAuction, Pass, Play
from domain.games.king.events import AuctionOpened, DirectionDeclared, KingEvent, TricksBid, TrumpsNamed
from domain.games.king.state import Playing, State
from domain.kernel.event import Event, Payload
from domain.parts.auction import BidPassed
from domain.parts.tricks import CardPlayed, TrickWon, trick_won
from domain.seats import Seat


def decide(_: State, seat: Seat, action: KingAction) -> Event[Payload]:
    """The event that a legal action of the seat causes."""
    match action:
        case Play() | Pass():
            return action.event(seat)
        case NameTrumps():
            return Event(TrumpsNamed(seat, action.trump))
        case OpenAuction():
            return Event(AuctionOpened(seat))
        case Bid():
            return Event(TricksBid(seat, action.tricks))
        case DeclareDirection():
            return Event(DirectionDeclared(seat, action.direction))
        case _:
            assert_never(action)


def next_automatic(state: State) -> Event[Payload] | None:
    """The automatic event that is due: a complete trick is taken (KG-3.3); None if none is."""
    if isinstance(state, Playing):
        return trick_won(state)
    return None


def action_of(event: Event[KingEvent]) -> KingAction | None:
    """The action that caused this event; None for `trick-won`, which is automatic."""
    public = event.public
    match public:
        case TrumpsNamed():
            return NameTrumps(public.trump)
        case AuctionOpened():
            return OpenAuction()
        case TricksBid():
            return Bid(public.tricks)
        case BidPassed():
            return Pass()
        case DirectionDeclared():
            return DeclareDirection(public.direction)
        case CardPlayed():
            return Play(public.card)
        case TrickWon():
            return None
        case _:
            assert_never(public)
