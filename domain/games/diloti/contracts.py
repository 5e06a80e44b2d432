"""The scores and the outcomes of a deal: one row each, facts in columns (DL-9)."""

from collections.abc import Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

from domain.cards import Card
from domain.parts.scoring import Ending

Outcome: TypeAlias = Literal["most-cards", "cards-equal", "nothing-captured"]


class Scoring(Struct, frozen=True, gc=False):
    """An item that scores for the side that has it: a capture, a number of cards, or a card (DL-9.3 to DL-9.7)."""

    scoring: str
    rule: str
    name: str
    points: int
    card: Card | None = None


class Result(Ending[Outcome], frozen=True, gc=False):
    """An outcome of a deal, and the rule for it."""


XERI = Scoring("xeri", "DL-9.3", "xeri", 10)
MOST_CARDS = Scoring("most-cards", "DL-9.4", "most cards", 4)
CARDS: tuple[Scoring, ...] = (
    Scoring("ten-of-diamonds", "DL-9.5", "ten of diamonds", 2, "Td"),
    Scoring("ace-of-spades", "DL-9.6", "ace of spades", 1, "As"),
    Scoring("ace-of-hearts", "DL-9.6", "ace of hearts", 1, "Ah"),
    Scoring("ace-of-diamonds", "DL-9.6", "ace of diamonds", 1, "Ad"),
    Scoring("ace-of-clubs", "DL-9.6", "ace of clubs", 1, "Ac"),
    Scoring("two-of-clubs", "DL-9.7", "two of clubs", 1, "2c"),
)
POINTS: Mapping[Card, int] = {row.card: row.points for row in CARDS if row.card is not None}
"""The points for captured cards, by card."""
SCORING: tuple[Scoring, ...] = (XERI, MOST_CARDS, *CARDS)

MOST = Result("most-cards", "DL-9.4", "a side has most cards")
EQUAL = Result("cards-equal", "DL-9.4", "both sides have 26 cards")
NOTHING = Result("nothing-captured", "DL-9.2", "nobody has captured")
RESULTS: tuple[Result, ...] = (MOST, EQUAL, NOTHING)
