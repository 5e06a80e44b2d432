"""The ranking in L'Hombre's family: the black aces are always trumps, and the highest three trumps are matadors.

Black suits rank K Q J 7 6 5 4 3 2, red suits K Q J A 2 3 4 5 6 7. The card that would be lowest in the trump suit is
manille, the second-highest trump; the ace of a red trump suit comes right after the matadors.
"""

from collections.abc import Mapping

from domain.cards import SUITS, Card, Suit, pack_of
from domain.parts.ranks import Ranking, ranking

SPADILLE: Card = "As"
BASTA: Card = "Ac"
BLACK_ACES: tuple[Card, ...] = (BASTA, SPADILLE)
BLACK = "KQJ765432A"
"""High to low without trumps; with trumps, the ace is never a plain card."""
RED = "KQJA234567"

PLAIN_ORDER = f"; other red suits: {' '.join(RED)}, black ones: {' '.join(BLACK[:-1])}"
"""How plain suits rank beside trumps, for a sentence about trumps."""

HAND, TALON, BATCH = 9, 13, 3
"""The cards of a hand and of the talon, where three seats play; hands are dealt in batches."""

RANKS: Mapping[Suit, str] = {"s": BLACK, "h": RED, "d": RED, "c": BLACK}
PACK = pack_of(RANKS)
"""40 cards in sorted order."""


def trumps_of(trump: Suit) -> tuple[Card, ...]:
    """All trumps, high to low: eleven in a black suit, twelve in a red one."""
    *suit, manille = [card for card in PACK.of_suit(trump) if card not in (SPADILLE, BASTA)]
    ace = [card for card in suit if PACK.rank(card) == "A"]
    return (SPADILLE, manille, BASTA, *ace, *(card for card in suit if card not in ace))


def matadors_of(trump: Suit) -> tuple[Card, ...]:
    """Spadille, manille and basta."""
    return trumps_of(trump)[:3]


RANKINGS: Mapping[Suit | None, Ranking] = {
    None: ranking(PACK),
    **{trump: ranking(PACK, trump, trumps_of(trump), matadors_of(trump)) for trump in SUITS},
}
"""The rankings by trump suit; without trumps (None) the black aces are the lowest cards of their own suits."""
