"""A deal of Tëtka, which has one phase.

phase  acts  leads to
play   play  the score
"""

from typing import ClassVar, TypeAlias

from domain.games.tetka.meta import RANKING, Options, bum_card
from domain.games.tetka.penalties import BUMS, Bum
from domain.kernel.dealing import Dealt
from domain.parts.phases import PlayPhase
from domain.parts.plain_tricks import first_trick
from domain.parts.tricks import PlayCard


class Play(PlayCard, frozen=True):
    """Play a card to the trick."""

    RULE: ClassVar = "TE-3.2"
    ORDER: ClassVar = "TE-3.1"


class Playing(PlayPhase[Options], frozen=True):
    """The play of all thirteen tricks (TE-3)."""

    RULE: ClassVar = "TE-3.1"
    ranking: ClassVar = RANKING

    bum: Bum
    """The bum card, and its consequences for the deal."""


State: TypeAlias = Playing


def begin(dealt: Dealt) -> State:
    """The play of a new deal, in which the dealer's left leads to the first trick (TE-3.1)."""
    return Playing(dealt.options, dealt.hands, first_trick(dealt), BUMS[bum_card(dealt.deck.cards)])
