"""The event that a legal action makes, the automatic events, and the time limit."""

from typing import assert_never

from msgspec import Struct

from domain.cards import Card
from domain.kernel.event import Event, Payload
from domain.kernel.game import Timer
from domain.kernel.hands import Pile
from domain.parts.phases import expect
from domain.seats import HOUSE, Audience, Seat, clockwise, seat_audience
from tests.games.toy.actions import Capture, Lay, Pass, Pledge, Ready, Snap, ToyAction, Turn
from tests.games.toy.events import (
    BatchDealt,
    CardLaid,
    CardPassed,
    CardsCaptured,
    CardTurned,
    DealtCards,
    PassedCard,
    Pledged,
    PledgedCards,
    PledgeMade,
    PledgesOpened,
    RenewedStock,
    Snapped,
    StockRenewed,
    ToyEvent,
    TurnLapsed,
)
from tests.games.toy.meta import PACK, SEATS, partner
from tests.games.toy.state import Playing, Pledging, State, may_deal, must_renew


def decide(state: State, seat: Seat, action: ToyAction) -> Event[Payload]:
    """The event that the seat's action makes; `offers` has described the action, so it is legal."""
    match action:
        case Pass():
            to, passed = partner(seat), PassedCard(action.card)
            return Event(CardPassed(seat, to), {seat_audience(seat): passed, seat_audience(to): passed})
        case Pledge():
            return Event(PledgeMade(seat), {seat_audience(seat): PledgedCards(PACK.sorted(action.cards))})
        case Lay():
            return Event(CardLaid(seat, action.card))
        case Capture():
            return Event(CardsCaptured(seat, action.card, PACK.sorted(action.taken)))
        case Turn():
            cards = state.common.cards
            (turned,) = cards.deck.openings_of(_known(cards.blinds[seat]))
            return Event(CardTurned(seat, turned))
        case Snap():
            return Event(Snapped(seat))
        case Ready():
            raise ValueError("nobody says ready during a deal")
        case _:
            assert_never(action)


def next_automatic(state: State) -> Event[Payload] | None:
    """The automatic event that is due, if any: the pledges opened, the stock renewed, a batch dealt."""
    match state:
        case Pledging() if not state.waiting:
            answers = sorted(state.answers, key=lambda answer: answer.seat)
            return Event(PledgesOpened(tuple(Pledged(each.seat, each.cards or ()) for each in answers)))
        case Playing() if state.turn is None and state.lapse is None and may_deal(state):
            return _renewed(state) if must_renew(state.common.cards) else _batch(state)
        case _:
            return None


def _renewed(state: Playing) -> Event[Payload]:
    cards, renewal = state.common.cards, state.renewals + 1
    order = cards.deck.shuffled(f"codille-renewal-{renewal}", cards.discards)
    start, deck = len(cards.deck.cards), cards.deck.renewed(order)
    stock = RenewedStock(deck.openings(range(start, len(deck.cards))))
    return Event(StockRenewed(renewal, deck.commitments(start)), {HOUSE: stock})


def _batch(state: Playing) -> Event[Payload]:
    cards = state.common.cards
    order = clockwise(state.common.eldest, SEATS)
    sealed: dict[Audience, Struct] = {
        seat_audience(seat): DealtCards(cards.deck.openings_of(_known(cards.stock[place : place + 1])))
        for place, seat in enumerate(order)
    }
    return Event(BatchDealt(state.batches + 1), sealed)


def _known(pile: Pile) -> tuple[Card, ...]:
    """The cards of a pile that the house knows."""
    return tuple(card for card in pile if card is not None)


def timer(state: State) -> Timer | None:
    """The time limit of the turn, if there is one (TY-3.6)."""
    if not isinstance(state, Playing) or state.turn is None or not state.common.options.limit:
        return None
    return Timer(state.since, state.common.options.limit, TurnLapsed(state.turn), "TY-3.6")


def race(state: State, seat: Seat, action: ToyAction) -> str | None:
    """The rule by which another seat has snapped before (TY-3.4)."""
    late = isinstance(action, Snap) and expect(state, Playing).snapper not in (None, seat)
    return "TY-3.4" if late else None


def action_of(event: Event[ToyEvent]) -> ToyAction | None:
    """The action that made this event; None for an automatic event, and where the seat's section is not open."""
    public = event.public
    match public:
        case CardPassed():
            passed = event.section(seat_audience(public.seat), PassedCard)
            return None if passed is None else Pass(passed.card)
        case PledgeMade():
            pledged = event.section(seat_audience(public.seat), PledgedCards)
            return None if pledged is None else Pledge(pledged.cards)
        case CardLaid():
            return Lay(public.card)
        case CardsCaptured():
            return Capture(public.card, public.taken)
        case CardTurned():
            return Turn()
        case Snapped():
            return Snap()
        case PledgesOpened() | BatchDealt() | StockRenewed() | TurnLapsed():
            return None
        case _:
            assert_never(public)
