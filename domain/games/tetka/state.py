"""A deal of Tëtka, which has one phase, and the fold of events into it.

phase  acts  leads to
play   play  the score
"""

from typing import ClassVar, TypeAlias, assert_never

from domain.games.tetka.events import TetkaEvent
from domain.games.tetka.meta import RANKING, TURNS, Options, bum_card
from domain.games.tetka.penalties import BUMS, Bum
from domain.kernel.dealing import Dealt
from domain.kernel.event import Event
from domain.parts.phases import PlayPhase
from domain.parts.tricks import CardPlayed, Tricks, TrickWon


class Playing(PlayPhase[Options], frozen=True):
    """The play of all thirteen tricks (TE-3)."""

    RULE: ClassVar = "TE-3.1"
    ranking: ClassVar = RANKING

    bum: Bum
    """The bum card, and its consequences for the deal."""


State: TypeAlias = Playing


def begin(dealt: Dealt) -> State:
    """The play of a new deal, in which the dealer's left leads to the first trick (TE-3.1)."""
    order = TURNS.order_of_turns(dealt.dealer)
    return Playing(dealt.options, dealt.hands, Tricks(order, turn=order[0]), BUMS[bum_card(dealt.deck.cards)])


def evolve(state: State, event: Event[TetkaEvent]) -> State:
    """The state after the event. It copies the event's facts and checks nothing."""
    match event.public:
        case CardPlayed() | TrickWon() as public:
            return state.after(public, event.version)
        case _:
            assert_never(event.public)
