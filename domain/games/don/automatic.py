"""The automatic events, which need no act."""

from domain.games.don.events import HandOpened, OpenedHand, TrickScored
from domain.games.don.scoring import points
from domain.games.don.state import Playing, State
from domain.kernel.event import Event, Payload
from domain.parts.piles import openings_of_pile
from domain.parts.sides import number_of
from domain.parts.tricks import trick_won
from domain.seats import seat_audience


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
