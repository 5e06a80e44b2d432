"""The events that legal actions cause, and the automatic events, which need no action."""

from typing import assert_never

from domain.cards import Card
from domain.games.dingo.actions import DingoAction, Discard, Pass, PassCard, PlayWolf, PlayWolves
from domain.games.dingo.events import (
    AceShown,
    CardDiscarded,
    CardPassed,
    DingoEvent,
    DingoPlayed,
    HuntEnded,
    HuntOff,
    PassedCard,
    RabbitPlayed,
    WolfPassed,
    WolfPlayed,
    WolvesPlayed,
)
from domain.games.dingo.hunts import spoils, spoils_of_aces
from domain.games.dingo.meta import ACE, DINGOES, PACK, RABBITS, SEATS
from domain.games.dingo.state import AceHunt, Discarding, Hunt, Open, Passing, State
from domain.kernel.event import Event, Payload
from domain.kernel.hands import Hands
from domain.parts.phases import expect
from domain.parts.tricks import HandExposed
from domain.seats import Seat, seat_audience


def decide(state: State, seat: Seat, action: DingoAction) -> Event[Payload]:
    """The event that the seat's action causes; `offers` has described the action, so it is legal."""
    match action:
        case Discard(card):
            return Event(CardDiscarded(seat, card))
        case PassCard(card):
            to = (seat + expect(state, Passing).step.to) % SEATS
            return Event(CardPassed(seat, to), {seat_audience(each): PassedCard(card) for each in sorted((seat, to))})
        case PlayWolf(card):
            return Event(WolfPlayed(seat, card))
        case Pass():
            return Event(WolfPassed(seat))
        case PlayWolves(cards):
            return Event(WolvesPlayed(seat, PACK.sorted(cards)))
        case _:
            assert_never(action)


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


def action_of(event: Event[DingoEvent]) -> DingoAction | None:
    """The action that caused this event; None for an automatic event, and for a pass whose card is not open."""
    public = event.public
    match public:
        case CardDiscarded():
            return Discard(public.card)
        case CardPassed():
            section = event.section(seat_audience(public.seat), PassedCard)
            return None if section is None else PassCard(section.card)
        case WolfPlayed():
            return PlayWolf(public.card)
        case WolfPassed():
            return Pass()
        case WolvesPlayed():
            return PlayWolves(public.cards)
        case DingoPlayed() | HuntOff() | HuntEnded() | RabbitPlayed() | AceShown() | HandExposed():
            return None
        case _:
            assert_never(public)
