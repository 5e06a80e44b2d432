"""Plain tricks: the only act of a deal is to play a card, and only the end of a trick follows automatically."""

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar, get_args

from domain.cards import Pack
from domain.kernel.acts import Acts
from domain.kernel.dealing import Dealt
from domain.kernel.event import Event, Payload
from domain.kernel.game import Decider, Score
from domain.parts.defaults import low_first, mildest
from domain.parts.phases import PlayPhase
from domain.parts.tricks import CardPlayed, TrickWon, trick_won
from domain.parts.turns import one_at_a_time

PlainEvent: TypeAlias = CardPlayed | TrickWon
EVENTS: tuple[type[Payload], ...] = get_args(PlainEvent)

P = TypeVar("P", bound=PlayPhase[Any])


def plain_tricks(
    pack: Pack,
    acts: Acts,
    begin: Callable[[Dealt], P],
    settled: Callable[[P], object | None],
    score: Callable[[P], Score | None],
) -> Decider:
    """The decider of a game with such deals. `acts` has the only one, to play a card.

    `settled` and `score` are None until the deal is over. The mildest act plays the lowest card.
    """
    to_act = one_at_a_time(settled)

    def evolve(state: P, event: Event[PlainEvent]) -> P:
        return state.after(event.public, event.version)

    offers = acts.offers(to_act)
    default_action = mildest(offers, low_first(pack), [each.action for each in acts.rules])
    return Decider(begin, acts.decide, acts.action_of, trick_won, evolve, offers, to_act, score, default_action)
