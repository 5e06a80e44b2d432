"""The events that legal actions cause, and the automatic events, which need no action."""

from typing import assert_never

from domain.games.don.actions import DonAction, Play
from domain.games.don.events import DonEvent, HandOpened, OpenedHand, TrickScored
from domain.games.don.scoring import points
from domain.games.don.state import Playing, State
from domain.kernel.event import Event, Payload
from domain.parts.piles import openings_of_pile
from domain.parts.sides import number_of
from domain.parts.tricks import CardPlayed, trick_won
from domain.seats import Seat, seat_audience


def decide(_: State, seat: Seat, action: DonAction) -> Event[Payload]:
    """The event that the seat's action causes; `offers` has described the action, so it is legal."""
    return action.event(seat)


def next_automatic(state: State) -> Event[Payload] | None:
    """The automatic event that is due: the partner's hand opened, or a complete trick won; None if none is."""
    if not isinstance(state, Playing):
        return None
    return _hand_opened(state) if state.waiting else _trick_scored(state)


def _hand_opened(state: Playing) -> Event[HandOpened]:
    """The event in which the pitcher's partner sees its own hand (ND-2.3)."""
    partner = state.common.partner
    opened = OpenedHand(openings_of_pile(state.common.deck, state.waiting))
    return Event(HandOpened(partner), {seat_audience(partner): opened})


def _trick_scored(state: Playing) -> Event[TrickScored] | None:
    """The complete trick is won, and its cards score together, for the winner's side alone (ND-3.3, ND-4.2, ND-6.2)."""
    won = trick_won(state)
    if won is None:
        return None
    seat = won.public.seat
    scored = points([played.card for played in state.tricks.trick], state.trump)
    score = state.scores[number_of(seat)] + sum([each.points for each in scored])
    return Event(TrickScored(seat, won.public.trick, scored, score))


def action_of(event: Event[DonEvent]) -> DonAction | None:
    """The action that caused this event; None for an automatic event."""
    match event.public:
        case CardPlayed(card=card):
            return Play(card)
        case HandOpened() | TrickScored():
            return None
        case _:
            assert_never(event.public)
