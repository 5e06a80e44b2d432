"""The event that a legal action makes, and the automatic events, which need no action."""

from typing import assert_never, cast

from domain.games.lhombre.actions import Abandon, Bid, Declare, Exchange, LhombreAction, Pass, Play, SelfBid, Stop
from domain.games.lhombre.contracts import CONTRACTS, ContractName
from domain.games.lhombre.events import BidMade, ContractDeclared, DealAbandoned, DealWashedOut, LhombreEvent
from domain.games.lhombre.meta import HAND, ORDER, PLAYING
from domain.games.lhombre.offers import exposes, turns_up, undertakes
from domain.games.lhombre.state import Auction, Exchanging, Playing, State
from domain.kernel.event import Event, Payload
from domain.parts.auction import BidPassed, Call
from domain.parts.exchange import CardsExchanged, ExchangedCards, TalonTurned, exchange_event, turn_up_event
from domain.parts.matadors import RANKINGS
from domain.parts.tally import AllTricksUndertaken, PlayStopped
from domain.parts.tricks import CardPlayed, HandExposed, TrickWon, winner
from domain.seats import Seat, seat_audience


def decide(state: State, seat: Seat, action: LhombreAction) -> Event[Payload]:
    """The event that the seat's action makes; `offers` has described the action, so it is legal."""
    match action:
        case Play():
            return Event(CardPlayed(seat, action.card))
        case Bid():
            return Event(BidMade(seat, action.contract, False, CONTRACTS[action.contract].shown))
        case SelfBid():
            standing = cast("Call", cast("Auction", state).common.bidding.standing)
            contract = cast("ContractName", standing.bid)
            return Event(BidMade(seat, contract, True, CONTRACTS[contract].shown))
        case Pass():
            return Event(BidPassed(seat))
        case Declare():
            trump = "s" if CONTRACTS[action.contract].trumps == "spades" else action.trump
            return Event(ContractDeclared(seat, action.contract, trump))
        case Exchange():
            state = cast("Exchanging", state)
            return exchange_event(state.exchange, state.common.deck, ORDER, seat, action.discard)
        case Stop():
            return Event(PlayStopped(seat))
        case Abandon():
            return Event(DealAbandoned(seat, cast("Exchanging | Playing", state).hands[seat].known))
        case _:
            assert_never(action)


def action_of(event: Event[Payload]) -> LhombreAction | None:
    """The action that made this event. None for an automatic event, and where the acting seat's section is not open."""
    public = cast("LhombreEvent", event.public)
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
            cards = event.section(seat_audience(public.seat), ExchangedCards)
            return None if cards is None else Exchange(cards.discarded)
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
        case Exchanging() if turns_up(state):
            return turn_up_event(state.common.deck, HAND * PLAYING)
        case Playing() if exposes(state):
            declarer = state.commitment.declarer
            return Event(HandExposed(declarer, state.hands[declarer].known))
        case Playing() if undertakes(state):
            return Event(AllTricksUndertaken(state.commitment.declarer))
        case Playing() if state.tricks.complete:
            taker = winner(state.tricks.trick, RANKINGS[state.commitment.trump])
            return Event(TrickWon(taker, len(state.tricks.winners) + 1))
        case _:
            return None
