"""The scores and counts of cards, and the outcomes of a deal: one row each, facts in columns (ND-4, ND-5, ND-6)."""

from collections.abc import Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

from domain.cards import Card, Suit
from domain.games.don.meta import PACK
from domain.parts.scoring import Ending

Outcome: TypeAlias = Literal["target-reached", "game-won", "game-equal"]


class Scoring(Struct, frozen=True, gc=False):
    """A card that scores for the side that captures it, as soon as the trick is complete (ND-4.1)."""

    scoring: str
    name: str
    rank: str
    trump: bool
    """Whether it scores as a trump, or as a card of any other suit."""
    points: int


class Counting(Struct, frozen=True, gc=False):
    """A rank that counts towards points for game, in every suit (ND-5.1)."""

    rank: str
    name: str
    count: int


class Result(Ending[Outcome], frozen=True, gc=False):
    """One outcome, and the rule behind it."""


SCORING: tuple[Scoring, ...] = (
    Scoring("trump-5", "5 of trumps", "5", True, 10),
    Scoring("trump-9", "9 of trumps", "9", True, 9),
    Scoring("trump-A", "Ace of trumps", "A", True, 4),
    Scoring("trump-K", "King of trumps", "K", True, 3),
    Scoring("trump-Q", "Queen of trumps", "Q", True, 2),
    Scoring("trump-J", "Jack of trumps", "J", True, 1),
    Scoring("other-5", "5 of another suit", "5", False, 5),
)

COUNTING: tuple[Counting, ...] = (
    Counting("A", "ace", 4),
    Counting("K", "king", 3),
    Counting("Q", "queen", 2),
    Counting("J", "jack", 1),
    Counting("T", "ten", 10),
)

GAME = 8
"""The points for game (ND-5.2)."""

TARGET_REACHED = Result("target-reached", "ND-6.1", "target reached in play")
GAME_WON = Result("game-won", "ND-5.2", "game won")
GAME_EQUAL = Result("game-equal", "ND-5.2", "game equal")

RESULTS: tuple[Result, ...] = (TARGET_REACHED, GAME_WON, GAME_EQUAL)

_SCORING: Mapping[tuple[str, bool], Scoring] = {(row.rank, row.trump): row for row in SCORING}
COUNTS: Mapping[Card, int] = {card: row.count for row in COUNTING for card in PACK if PACK.rank(card) == row.rank}
"""The counts of cards towards points for game (ND-5.1); the others have none."""


def scoring(card: Card, trump: Suit) -> Scoring | None:
    """The score of the card at once with these trumps; None for a card that scores nothing (ND-4.1)."""
    return _SCORING.get((PACK.rank(card), PACK.suit(card) == trump))
