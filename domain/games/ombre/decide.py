"""The events that legal actions cause, and the automatic events, which need no action."""

from typing import assert_never

from domain.games.ombre.actions import (
    AnswerSurrender,
    Bid,
    Declare,
    Exchange,
    Hold,
    OfferSurrender,
    OmbreAction,
    Pass,
    Play,
    Stop,
    YieldExchange,
)
from domain.games.ombre.events import (
    BidMade,
    ContractDeclared,
    DealPassedOut,
    ExchangeYielded,
    OmbreEvent,
    SurrenderAnswered,
    SurrenderOffered,
)
from domain.games.ombre.meta import ORDER, SEATS
from domain.games.ombre.offers import undertakes
from domain.games.ombre.state import Auction, Declaration, Exchanging, Playing, State
from domain.kernel.event import Event, Payload
from domain.parts.auction import BidPassed
from domain.parts.exchange import CardsExchanged, TalonTurned, discarded, turn_up_event
from domain.parts.matadors import HAND, PACK
from domain.parts.phases import expect
from domain.parts.tally import AllTricksUndertaken, PlayStopped
from domain.parts.tricks import CardPlayed, TrickWon, trick_won
from domain.seats import HOUSE, Seat


def decide(state: State, seat: Seat, action: OmbreAction) -> Event[Payload]:
    """The event that the seat's action causes; `offers` has described the action, so it is legal."""
    match action:
        # A card played, a pass and a stop cause the same events in every game.
        case Bid():
            return Event(BidMade(seat, action.contract, False))
        case Hold():
            return Event(BidMade(seat, expect(state, Auction).common.bidding.to_hold, True))
        case Pass() | Play() | Stop():
            return action.event(seat)
        case Declare():
            return Event(ContractDeclared(seat, expect(state, Declaration).bid, action.trump))
        case Exchange():
            return expect(state, Exchanging).exchange_event(seat, action.discard, ORDER)
        case YieldExchange():
            return Event(ExchangeYielded(seat, expect(state, Exchanging).exchange.queue[1]))
        case OfferSurrender():
            return Event(SurrenderOffered(seat))
        case AnswerSurrender():
            return Event(SurrenderAnswered(seat, action.accept))
        case _:
            assert_never(action)


def next_automatic(state: State) -> Event[Payload] | None:
    """The automatic event that is due; None if none is."""
    match state:
        # The most frequent cases come first, since they are tried in turn.
        case Playing() if undertakes(state):
            return Event(AllTricksUndertaken(state.commitment.ombre))
        case Playing():
            return trick_won(state)
        case Exchanging() if state.commitment.to_turn:
            return turn_up_event(state.common.deck, PACK, HAND * SEATS)
        case Auction() if state.turn is None:
            return Event(DealPassedOut())
        case Declaration() if state.turn is None:
            return Event(ContractDeclared(state.declarer, state.bid, None))
        case _:
            return None


def action_of(event: Event[OmbreEvent]) -> OmbreAction | None:
    """The action that caused this event.

    None for an automatic event, and for an exchange whose section is not open.
    """
    public = event.public
    match public:
        # The most frequent cases come first, since they are tried in turn.
        case CardPlayed():
            return Play(public.card)
        case BidMade():
            return Hold() if public.hold else Bid(public.contract)
        case BidPassed():
            return Pass()
        case ContractDeclared():
            return None if event.actor == HOUSE else Declare(public.trump)
        case CardsExchanged():
            discard = discarded(event, public.seat)
            return None if discard is None else Exchange(discard)
        case ExchangeYielded():
            return YieldExchange()
        case SurrenderOffered():
            return OfferSurrender()
        case SurrenderAnswered():
            return AnswerSurrender(public.accepted)
        case PlayStopped():
            return Stop()
        case DealPassedOut() | TalonTurned() | TrickWon() | AllTricksUndertaken():
            return None
        case _:
            assert_never(public)
