"""Plain tricks: the only act of a deal is to play a card, and only the end of a trick follows automatically."""

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar, assert_never, get_args

from domain.cards import Pack
from domain.kernel.dealing import Dealt
from domain.kernel.event import Event, Payload
from domain.kernel.game import Decider, Score
from domain.kernel.offers import Offer
from domain.parts.defaults import low_first, mildest
from domain.parts.phases import PlayPhase
from domain.parts.tricks import CardPlayed, PlayCard, TrickWon, play_offer, trick_won
from domain.parts.turns import one_at_a_time
from domain.seats import Seat

PlainEvent: TypeAlias = CardPlayed | TrickWon
EVENTS: tuple[type[Payload], ...] = get_args(PlainEvent)

P = TypeVar("P", bound=PlayPhase[Any])


def plain_tricks(
    pack: Pack,
    play: type[PlayCard],
    begin: Callable[[Dealt], P],
    settled: Callable[[P], object | None],
    score: Callable[[P], Score | None],
) -> Decider:
    """The decider of a game with such deals. `play` is the game's act, whose rule is that about following suit.

    `settled` and `score` are None until the deal is over. The mildest act plays the lowest card.
    """
    to_act = one_at_a_time(settled)

    def decide(_: P, seat: Seat, action: PlayCard) -> Event[CardPlayed]:
        return action.event(seat)

    def action_of(event: Event[PlainEvent]) -> PlayCard | None:
        match event.public:
            case CardPlayed(card=card):
                return play(card)
            case TrickWon():
                return None
            case _:
                assert_never(event.public)

    def evolve(state: P, event: Event[PlainEvent]) -> P:
        return state.after(event.public, event.version)

    def offers(state: P, seat: Seat) -> tuple[Offer, ...]:
        return (play_offer(state, seat, play.RULE),) if seat in to_act(state) else ()

    default_action = mildest(offers, low_first(pack), (play,))
    return Decider(begin, decide, action_of, trick_won, evolve, offers, to_act, score, default_action)
