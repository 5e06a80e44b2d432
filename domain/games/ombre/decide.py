"""The event that a legal action makes, and the automatic events, which need no action."""

from typing import assert_never, cast

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
from domain.games.ombre.contracts import ContractName
from domain.games.ombre.events import (
    BidMade,
    ContractDeclared,
    DealPassedOut,
    ExchangeYielded,
    OmbreEvent,
    SurrenderAnswered,
    SurrenderOffered,
)
from domain.games.ombre.meta import HAND, ORDER, SEATS
from domain.games.ombre.offers import turns_up, undertakes
from domain.games.ombre.state import Auction, Declaration, Exchanging, Playing, State
from domain.kernel.event import Event, Payload
from domain.parts.auction import BidPassed, Call
from domain.parts.exchange import CardsExchanged, ExchangedCards, TalonTurned, exchange_event, turn_up_event
from domain.parts.matadors import RANKINGS
from domain.parts.tally import AllTricksUndertaken, PlayStopped
from domain.parts.tricks import CardPlayed, TrickWon, winner
from domain.seats import Seat, seat_audience


def decide(state: State, seat: Seat, action: OmbreAction) -> Event[Payload]:
    """The event that the seat's action makes; `offers` has described the action, so it is legal."""
    match action:
        case Play():
            return Event(CardPlayed(seat, action.card))
        case Bid():
            return Event(BidMade(seat, action.contract, False))
        case Hold():
            standing = cast("Call", cast("Auction", state).common.bidding.standing)
            return Event(BidMade(seat, cast("ContractName", standing.bid), True))
        case Pass():
            return Event(BidPassed(seat))
        case Declare():
            return Event(ContractDeclared(seat, cast("Declaration", state).bid, action.trump))
        case Exchange():
            state = cast("Exchanging", state)
            return exchange_event(state.exchange, state.common.deck, ORDER, seat, action.discard)
        case YieldExchange():
            return Event(ExchangeYielded(seat, cast("Exchanging", state).exchange.queue[1]))
        case Stop():
            return Event(PlayStopped(seat))
        case OfferSurrender():
            return Event(SurrenderOffered(seat))
        case AnswerSurrender():
            return Event(SurrenderAnswered(seat, action.accept))
        case _:
            assert_never(action)


def action_of(event: Event[Payload]) -> OmbreAction | None:
    """The action that made this event. None for an automatic event, and where the acting seat's section is not open."""
    public = cast("OmbreEvent", event.public)
    match public:
        case CardPlayed():
            return Play(public.card)
        case BidMade():
            return Hold() if public.hold else Bid(public.contract)
        case BidPassed():
            return Pass()
        case ContractDeclared():
            return Declare(public.trump)
        case CardsExchanged():
            cards = event.section(seat_audience(public.seat), ExchangedCards)
            return None if cards is None else Exchange(cards.discarded)
        case ExchangeYielded():
            return YieldExchange()
        case PlayStopped():
            return Stop()
        case SurrenderOffered():
            return OfferSurrender()
        case SurrenderAnswered():
            return AnswerSurrender(public.accepted)
        case DealPassedOut() | TalonTurned() | TrickWon() | AllTricksUndertaken():
            return None
        case _:
            assert_never(public)


def next_automatic(state: State) -> Event[Payload] | None:
    """The automatic event that is due, if any: a deal passed out, the turn-up, all tricks undertaken, a trick won."""
    match state:
        case Auction() if state.common.bidding.turn is None:
            return Event(DealPassedOut())
        case Exchanging() if turns_up(state):
            return turn_up_event(state.common.deck, HAND * SEATS)
        case Playing() if undertakes(state):
            return Event(AllTricksUndertaken(state.commitment.ombre))
        case Playing() if state.tricks.complete:
            taker = winner(state.tricks.trick, RANKINGS[state.commitment.trump])
            return Event(TrickWon(taker, len(state.tricks.winners) + 1))
        case _:
            return None
