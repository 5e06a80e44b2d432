"""The event that a legal action makes, and the automatic events, which need no action."""

from typing import assert_never

from domain.games.lhombre.actions import Abandon, Bid, Declare, Exchange, LhombreAction, Pass, Play, SelfBid, Stop
from domain.games.lhombre.contracts import CONTRACTS
from domain.games.lhombre.events import BidMade, ContractDeclared, DealAbandoned, DealWashedOut, LhombreEvent
from domain.games.lhombre.meta import HAND, ORDER, PLAYING
from domain.games.lhombre.offers import exposes, undertakes
from domain.games.lhombre.state import Auction, Exchanging, Playing, State
from domain.kernel.event import Event, Payload
from domain.parts.auction import BidPassed
from domain.parts.exchange import CardsExchanged, TalonTurned, discarded, turn_up_event
from domain.parts.matadors import RANKINGS
from domain.parts.phases import expect
from domain.parts.tally import AllTricksUndertaken, PlayStopped
from domain.parts.tricks import CardPlayed, HandExposed, TrickWon, trick_won
from domain.seats import Seat


def decide(state: State, seat: Seat, action: LhombreAction) -> Event[Payload]:
    """The event that the seat's action makes; `offers` has described the action, so it is legal."""
    match action:
        case Play():
            return Event(CardPlayed(seat, action.card))
        case Bid():
            return Event(BidMade(seat, action.contract, False, CONTRACTS[action.contract].shown))
        case SelfBid():
            contract = expect(state, Auction).common.bidding.to_hold
            return Event(BidMade(seat, contract, True, CONTRACTS[contract].shown))
        case Pass():
            return Event(BidPassed(seat))
        case Declare():
            trump = "s" if CONTRACTS[action.contract].trumps == "spades" else action.trump
            return Event(ContractDeclared(seat, action.contract, trump))
        case Exchange():
            return expect(state, Exchanging).exchange_event(seat, action.discard, ORDER)
        case Stop():
            return Event(PlayStopped(seat))
        case Abandon():
            before = state if isinstance(state, Exchanging) else expect(state, Playing)
            return Event(DealAbandoned(seat, before.hands[seat].known))
        case _:
            assert_never(action)


def action_of(event: Event[LhombreEvent]) -> LhombreAction | None:
    """The action that made this event. None for an automatic event, and where the acting seat's section is not open."""
    public = event.public
    match public:
        case CardPlayed():
            return Play(public.card)
        case BidMade():
            return SelfBid() if public.held else Bid(public.contract)
        case BidPassed():
            return Pass()
        case ContractDeclared():
            named = CONTRACTS[public.contract].trumps == "named"
            return Declare(public.contract, public.trump if named else None)
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


def next_automatic(state: State) -> Event[Payload] | None:
    """The automatic event that is due, if any: wash-out, turn-up, hand exposed, all tricks undertaken, trick won."""
    match state:
        case Auction() if state.common.bidding.turn is None:
            return Event(DealWashedOut())
        case Exchanging() if state.commitment.to_turn:
            return turn_up_event(state.common.deck, HAND * PLAYING)
        case Playing() if exposes(state):
            declarer = state.commitment.declarer
            return Event(HandExposed(declarer, state.hands[declarer].known))
        case Playing() if undertakes(state):
            return Event(AllTricksUndertaken(state.commitment.declarer))
        case Playing():
            return trick_won(state.tricks, RANKINGS[state.commitment.trump])
        case _:
            return None
