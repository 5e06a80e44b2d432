"""The events that legal actions cause, and the automatic events, which need no action."""

from typing import assert_never

from domain.cards import Card
from domain.games.crocodile.actions import (
    AnswerPriority,
    Bid,
    Concede,
    CrocodileAction,
    Declare,
    Exchange,
    LayCasco,
    OfferPriority,
    Pass,
    Play,
    TakeCasco,
    Talk,
)
from domain.games.crocodile.events import (
    BidMade,
    CardsExchanged,
    CascoCards,
    CascoForced,
    CascoLaid,
    CascoTaken,
    ContractDeclared,
    CrocodileEvent,
    DealConceded,
    PriorityAnswered,
    PriorityOffered,
    TableTalk,
    Utterance,
)
from domain.games.crocodile.meta import HAND, ORDER, PACK, SEATS
from domain.games.crocodile.offers import exposes
from domain.games.crocodile.state import Auction, Exchanging, Playing, State, TakingCasco
from domain.kernel.event import Event, Payload
from domain.parts.auction import BidPassed
from domain.parts.exchange import ExchangedCards, TalonTurned, turn_up_event
from domain.parts.phases import expect
from domain.parts.piles import openings_of_pile
from domain.parts.tricks import CardPlayed, HandExposed, TrickWon, trick_won
from domain.seats import Seat, seat_audience


def decide(state: State, seat: Seat, action: CrocodileAction) -> Event[Payload]:
    """The event that the seat's action causes; `offers` has described the action, so it is legal."""
    match action:
        # A card played and a pass cause the same events in every game.
        case Play() | Pass():
            return action.event(seat)
        case Bid():
            return Event(BidMade(seat, action.contract))
        case Declare():
            return Event(ContractDeclared(seat, action.contract, action.trump, action.bonus))
        case TakeCasco():
            return _take_casco(expect(state, TakingCasco), seat, action.keep)
        case LayCasco():
            return Event(CascoLaid(seat, _sorted(action.lay), action.trump, action.bonus))
        case OfferPriority():
            return Event(PriorityOffered(seat, expect(state, Exchanging).queue[1]))
        case AnswerPriority():
            return Event(PriorityAnswered(seat, action.accept))
        case Exchange():
            return _exchange(expect(state, Exchanging), seat, action)
        case Concede():
            return Event(DealConceded(seat))
        case Talk():
            return Event(TableTalk(seat), {"public": Utterance(action.text)})
        case _:
            assert_never(action)


def _sorted(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    return tuple(sorted(cards, key=ORDER.__getitem__))


def _take_casco(state: TakingCasco, seat: Seat, kept: Card) -> Event[Payload]:
    deck = state.common.deck
    hand = state.hands[seat].known
    discarded = tuple(card for card in deck.cards if card in hand and card != kept)
    cards = CascoCards(kept, discarded, openings_of_pile(deck, state.talon))
    return Event(CascoTaken(seat), {seat_audience(seat): cards})


def _exchange(state: Exchanging, seat: Seat, action: Exchange) -> Event[Payload]:
    drawn = state.stock.pile[: len(action.discard) - len(action.take)]
    cards = ExchangedCards(_sorted(action.discard), openings_of_pile(state.common.deck, drawn))
    public = CardsExchanged(seat, len(action.discard), _sorted(action.take))
    return Event(public, {seat_audience(seat): cards})


def next_automatic(state: State) -> Event[Payload] | None:
    """The automatic event that is due, if any: Casco forced, the turn-up, the hand exposed, a trick won."""
    match state:
        # The most frequent cases come first, since they are tried in turn.
        case Playing() if exposes(state):
            return Event(HandExposed(state.commitment.declarer, state.hands[state.commitment.declarer].known))
        case Playing():
            return trick_won(state)
        case Auction() if state.turn is None:
            return Event(CascoForced(state.common.eldest))
        case Exchanging() if state.commitment.to_turn:
            return turn_up_event(state.common.deck, PACK, HAND * SEATS)
        case _:
            return None


def action_of(event: Event[CrocodileEvent]) -> CrocodileAction | None:
    """The action that caused this event.

    None for an automatic event, and for an exchange, Casco taken or talk whose section is not open.
    """
    public = event.public
    match public:
        # The most frequent cases come first, since they are tried in turn.
        case CardPlayed():
            return Play(public.card)
        case BidMade():
            return Bid(public.contract)
        case BidPassed():
            return Pass()
        case ContractDeclared():
            return Declare(public.contract, public.trump, public.bonus)
        case CascoTaken():
            casco = event.section(seat_audience(public.seat), CascoCards)
            return None if casco is None else TakeCasco(casco.kept)
        case CascoLaid():
            return LayCasco(public.cards, public.trump, public.bonus)
        case PriorityOffered():
            return OfferPriority()
        case PriorityAnswered():
            return AnswerPriority(public.accepted)
        case CardsExchanged():
            cards = event.section(seat_audience(public.seat), ExchangedCards)
            return None if cards is None else Exchange(cards.discarded, public.taken)
        case DealConceded():
            return Concede()
        case TableTalk():
            said = event.section("public", Utterance)
            return None if said is None else Talk(said.text)
        case CascoForced() | TalonTurned() | HandExposed() | TrickWon():
            return None
        case _:
            assert_never(public)
