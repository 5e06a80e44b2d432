"""The events that legal actions cause, and the automatic events, which need no action."""

from typing import assert_never

from domain.games.lhombre.actions import Abandon, Bid, Declare, Exchange, LhombreAction, Pass, Play, SelfBid, Stop
from domain.games.lhombre.contracts import CONTRACTS
from domain.games.lhombre.events import BidMade, ContractDeclared, DealAbandoned, DealWashedOut, LhombreEvent
from domain.games.lhombre.meta import ORDER, PLAYING
from domain.games.lhombre.offers import exposes, undertakes
from domain.games.lhombre.state import Auction, Declaration, Exchanging, Playing, State
from domain.kernel.event import Event, Payload
from domain.parts.auction import BidPassed
from domain.parts.exchange import CardsExchanged, TalonTurned, discarded, turn_up_event
from domain.parts.matadors import HAND, PACK
from domain.parts.phases import expect
from domain.parts.tally import AllTricksUndertaken, PlayStopped
from domain.parts.tricks import CardPlayed, HandExposed, TrickWon, trick_won
from domain.seats import HOUSE, Seat


def decide(state: State, seat: Seat, action: LhombreAction) -> Event[Payload]:
    """The event that the seat's action causes; `offers` has described the action, so it is legal."""
    match action:
        # A card played, a pass and a stop cause the same events in every game.
        case Play() | Pass() | Stop():
            return action.event(seat)
        case Bid():
            return Event(BidMade(seat, action.contract, False, CONTRACTS[action.contract].shown))
        case SelfBid():
            contract = expect(state, Auction).common.bidding.to_hold
            return Event(BidMade(seat, contract, True, CONTRACTS[contract].shown))
        case Declare():
            return Event(ContractDeclared(seat, action.contract, action.trump))
        case Exchange():
            return expect(state, Exchanging).exchange_event(seat, action.discard, ORDER)
        case Abandon():
            before = state if isinstance(state, Exchanging) else expect(state, Playing)
            return Event(DealAbandoned(seat, before.hands[seat].known))
        case _:
            assert_never(action)


def next_automatic(state: State) -> Event[Payload] | None:
    """The automatic event that is due; None if none is."""
    match state:
        # The most frequent cases come first, since they are tried in turn.
        case Playing() if exposes(state):
            return Event(HandExposed(state.commitment.declarer, state.hands[state.commitment.declarer].known))
        case Playing() if undertakes(state):
            return Event(AllTricksUndertaken(state.commitment.declarer))
        case Playing():
            return trick_won(state)
        case Exchanging() if state.commitment.to_turn:
            return turn_up_event(state.common.deck, PACK, HAND * PLAYING)
        case Auction() if state.turn is None:
            return Event(DealWashedOut())
        case Declaration() if state.turn is None:
            (trump,) = CONTRACTS[state.bid].choices
            return Event(ContractDeclared(state.declarer, state.bid, trump))
        case _:
            return None


def action_of(event: Event[LhombreEvent]) -> LhombreAction | None:
    """The action that caused this event. None for an automatic event, and for an exchange whose section is not open."""
    public = event.public
    match public:
        # The most frequent cases come first, since they are tried in turn.
        case CardPlayed():
            return Play(public.card)
        case BidMade():
            return SelfBid() if public.held else Bid(public.contract)
        case BidPassed():
            return Pass()
        case ContractDeclared():
            return None if event.actor == HOUSE else Declare(public.contract, public.trump)
        case CardsExchanged():
            discard = discarded(event, public.seat)
            return None if discard is None else Exchange(discard)
        case PlayStopped():
            return Stop()
        case DealAbandoned():
            return Abandon()
        case DealWashedOut() | TalonTurned() | HandExposed() | TrickWon() | AllTricksUndertaken():
            return None
        case _:
            assert_never(public)
