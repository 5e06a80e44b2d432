"""The event that a legal action makes, and the automatic events, which need no action."""

from typing import assert_never

from domain.games.solo.actions import Ask, Declare, Pass, Play, SoloAction, Yes
from domain.games.solo.contracts import contract_of
from domain.games.solo.events import BidAsked, BidHeld, ContractDeclared, PartnerShown, QueenShown, SoloEvent
from domain.games.solo.meta import RANKINGS, SHOWN
from domain.games.solo.offers import shows
from domain.games.solo.state import Auction, Playing, State
from domain.kernel.event import Event, Payload
from domain.parts.auction import BidPassed
from domain.parts.tricks import CardPlayed, TrickWon, trick_won
from domain.seats import Seat


def decide(state: State, seat: Seat, action: SoloAction) -> Event[Payload]:
    """The event that the seat's action makes; `offers` has described the action, so it is legal."""
    match action:
        case Play():
            return Event(CardPlayed(seat, action.card))
        case Ask():
            return Event(BidAsked(seat, state.common.auction.question))
        case Yes():
            return Event(BidHeld(seat, state.common.auction.question))
        case Pass():
            return Event(BidPassed(seat))
        case Declare():
            contract = contract_of(action.game, action.trump, state.common.options.color)
            return Event(ContractDeclared(seat, action.game, action.trump, action.called, contract.level))
        case _:
            assert_never(action)


def action_of(event: Event[SoloEvent]) -> SoloAction | None:
    """The action that made this event; None for an automatic event."""
    public = event.public
    match public:
        case CardPlayed():
            return Play(public.card)
        case BidAsked():
            return Ask()
        case BidHeld():
            return Yes()
        case BidPassed():
            return Pass()
        case ContractDeclared():
            return Declare(public.game, public.trump, public.called)
        case QueenShown() | PartnerShown() | TrickWon():
            return None
        case _:
            assert_never(public)


def next_automatic(state: State) -> Event[Payload] | None:
    """The automatic event that is due, if any: the queen of clubs shown, the partner shown, a trick won."""
    match state:
        case Auction() if state.common.auction.turn is None:
            holder = next(seat for seat, hand in enumerate(state.hands) if SHOWN in hand.known)
            return Event(QueenShown(holder, SHOWN))
        case Playing() if (partner := shows(state)) is not None:
            return Event(PartnerShown(partner))
        case Playing():
            return trick_won(state.tricks, RANKINGS[state.commitment.trump])
        case _:
            return None
