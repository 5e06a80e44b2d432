"""The events that legal actions cause, and the automatic events, which need no action."""

from typing import assert_never

from domain.cards import Card
from domain.games.lorum.actions import LorumAction, Pass, Play, TurnUp
from domain.games.lorum.contracts import value_of
from domain.games.lorum.events import (
    CardAdded,
    CardCounted,
    CardLaid,
    CardTurned,
    LorumEvent,
    TrickKept,
    TurnPassed,
)
from domain.games.lorum.meta import PACK, RANKING, above
from domain.games.lorum.state import Blind, Domino, Playing, Quart, State, Train
from domain.kernel.event import Event, Payload
from domain.parts.phases import expect
from domain.parts.tricks import CardPlayed, TrickWon, trick_won, winner
from domain.seats import Seat


def decide(state: State, seat: Seat, action: LorumAction) -> Event[Payload]:
    """The event that a legal action of the seat causes."""
    match action:
        case Play():
            return _played(state, seat, action)
        case TurnUp():
            return _turned(expect(state, Blind), seat, action.place)
        case Pass():
            return Event(TurnPassed(seat))
        case _:
            assert_never(action)


def _played(state: State, seat: Seat, action: Play) -> Event[Payload]:
    card = action.card
    match state:
        case Playing() | Blind():
            return action.event(seat)
        case Train():
            value = value_of(PACK.rank(card), state.common.options.train_ten)
            return Event(CardCounted(seat, card, state.count + value))
        case Quart():
            return Event(CardAdded(seat, card, _next_after(state, seat, card)))
        case Domino():
            return Event(CardLaid(seat, card))
        case _:
            assert_never(state)


def _next_after(state: Quart, seat: Seat, card: Card) -> Seat | None:
    """The seat that plays after this card; only the house knows who holds the next card (LO-6.6)."""
    if state.hands[seat].size == 1:
        return None
    if state.completed_by(card):
        return seat
    return next(holder for holder, hand in enumerate(state.hands) if above(card) in hand.known)


def _turned(state: Blind, seat: Seat, place: int) -> Event[Payload]:
    """The event that turns up the card at that place, which its player sees only now (LO-4.2).

    Raises ValueError on any fold but the house's.
    """
    card = next(each.card for each in state.places[seat] if each.number == place)
    if card is None:
        raise ValueError("only the house can turn up a card")
    (opening,) = state.common.deck.openings_of((card,))
    return Event(CardTurned(seat, place, card, opening))


def next_automatic(state: State) -> Event[Payload] | None:
    """The automatic event that is due: a complete trick is captured (LO-3.1, LO-4.3); None if none is."""
    match state:
        case Playing():
            return trick_won(state)
        case Blind(turn=None):
            number, led = len(state.winners) + 1, state.trick[0]
            followed = any(PACK.suit(played.card) == PACK.suit(led.card) for played in state.trick[1:])
            return Event(TrickWon(winner(state.trick, RANKING), number) if followed else TrickKept(led.seat, number))
        case Blind() | Train() | Quart() | Domino():
            return None
        case _:
            assert_never(state)


def action_of(event: Event[LorumEvent]) -> LorumAction | None:
    """The action that caused this event; None for an automatic event."""
    public = event.public
    match public:
        case CardPlayed() | CardCounted() | CardAdded() | CardLaid():
            return Play(public.card)
        case CardTurned():
            return TurnUp(public.place)
        case TurnPassed():
            return Pass()
        case TrickWon() | TrickKept():
            return None
        case _:
            assert_never(public)
