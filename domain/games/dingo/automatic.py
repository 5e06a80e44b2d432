"""The automatic events, which need no act."""

from typing import assert_never

from domain.cards import Card
from domain.games.dingo.events import (
    AceShown,
    DingoPlayed,
    HuntEnded,
    HuntOff,
    RabbitPlayed,
)
from domain.games.dingo.hunts import spoils, spoils_of_aces
from domain.games.dingo.meta import ACE, DINGOES, RABBITS
from domain.games.dingo.state import AceHunt, Discarding, Hunt, Open, Passing, State
from domain.kernel.event import Event, Payload
from domain.kernel.hands import Hands
from domain.parts.phases import expect
from domain.parts.tricks import HandExposed
from domain.seats import Seat


def next_automatic(state: State) -> Event[Payload] | None:
    """The automatic event that is due; None if none is.

    A hunt begins or ends, an ace is played or shown, or hands are opened.
    """
    match state:
        case Discarding() | Passing():
            return None
        case Hunt() | AceHunt() if state.dingo is None:
            return _beginning(state)
        case Hunt() | AceHunt() if state.turn is not None:
            return None
        case Hunt(rank=rank, dingo=dingo, wolves=wolves):
            won = spoils(rank, expect(dingo, int), wolves)
            return Event(HuntEnded(rank, won.score, won.penalty))
        case AceHunt():
            return _end_of_aces(state)
        case Open(hands=hands, to_open=to_open):
            return Event(HandExposed(to_open[0], hands[to_open[0]].known)) if to_open else None
        case _:
            assert_never(state)


def _beginning(state: Hunt | AceHunt) -> Event[DingoPlayed] | Event[HuntOff]:
    """The dingo is played for its holder; if it was discarded, there is no hunt (DG-5.1, DG-6.1)."""
    dingo = DINGOES[state.rank]
    if dingo in state.common.discarded:
        return Event(HuntOff(state.rank))
    return Event(DingoPlayed(state.rank, _holder(state.hands, dingo), dingo))


def _end_of_aces(state: AceHunt) -> Event[Payload]:
    """The ace of diamonds is played if its holder's turn was not over, otherwise shown; then the cards are won (DG-6.3,
    DG-6.4).
    """
    if state.rabbit is None:
        card = RABBITS[ACE]
        holder = _holder(state.hands, card)
        in_time = state.wolves_gone and holder in (state.asked, *state.queue)
        return Event(RabbitPlayed(holder, card) if in_time else AceShown(holder, card))
    won = spoils_of_aces(expect(state.dingo, int), state.wolves, state.rabbit, played=state.rabbit_played)
    return Event(HuntEnded(ACE, won.score, won.penalty))


def _holder(hands: Hands, card: Card) -> Seat:
    return next(seat for seat, hand in enumerate(hands) if card in hand.known)
