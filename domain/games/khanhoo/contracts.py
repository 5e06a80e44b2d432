"""The melds, their scores, and the outcomes of a deal: one row each, facts in columns (KH-5, KH-8)."""

from collections.abc import Iterator, Mapping
from itertools import combinations_with_replacement
from typing import Literal, TypeAlias

from msgspec import Struct

from domain.cards import Card
from domain.games.khanhoo.meta import NUMBERS, PACK, SUITS
from domain.parts.scoring import Ending

MeldName: TypeAlias = Literal[
    "sequence",
    "aces",
    "triplet",
    "royal-assembly",
    "court-meld",
    "khanhoo",
    "double-aces",
    "double-triplet",
    "double-royal",
    "double-khanhoo",
]
Outcome: TypeAlias = Literal["went-out", "all-laid", "undecided"]

Face: TypeAlias = str
"""A card's rank and suit, the same for both copies; no rule tells copies apart (KH-2.3)."""


class MeldRow(Struct, frozen=True, gc=False):
    """One kind of meld. The order of the rows is used to compare divisions of a hand (KH-8.4)."""

    meld: MeldName
    rule: str
    name: str
    points: int
    text: str
    """Its cards, and what it gains."""


class Result(Ending[Outcome], frozen=True, gc=False):
    """One outcome, and the rule behind it."""


MELDS: tuple[MeldRow, ...] = (
    MeldRow(
        "sequence",
        "KH-5.1",
        "sequence",
        1,
        "Three to nine number cards of one suit in a row: 1 point, whatever its length.",
    ),
    MeldRow("aces", "KH-5.2", "aces", 1, "Three aces of any suits: 1 point."),
    MeldRow(
        "triplet",
        "KH-5.3",
        "triplet",
        2,
        "Three cards of one rank from 2 to 9, a heart, a spade and a diamond: 2 points.",
    ),
    MeldRow("royal-assembly", "KH-5.4", "royal assembly", 3, "Jack, queen and king of clubs: 3 points."),
    MeldRow(
        "court-meld",
        "KH-5.5",
        "court meld",
        4,
        "King of clubs and two 9s of hearts, queen and two 8s of spades, or jack and two 7s of diamonds: 4 points.",
    ),
    MeldRow("khanhoo", "KH-5.6", "khanhoo", 5, "Ace of hearts, 2 of spades and 3 of diamonds: 5 points."),
    MeldRow("double-aces", "KH-5.7", "double aces", 10, "All six aces: 10 points."),
    MeldRow(
        "double-triplet", "KH-5.8", "double triplet", 10, "All six number cards of one rank from 2 to 9: 10 points."
    ),
    MeldRow(
        "double-royal", "KH-5.9", "double royal", 10, "Both jacks, both queens and both kings of clubs: 10 points."
    ),
    MeldRow(
        "double-khanhoo",
        "KH-5.10",
        "double khanhoo",
        15,
        "Both aces of hearts, both 2s of spades and both 3s of diamonds: 15 points.",
    ),
)
ROWS: Mapping[MeldName, MeldRow] = {row.meld: row for row in MELDS}

OUT = 5
"""The points for going out (KH-8.2)."""

WENT_OUT = Result("went-out", "KH-7.1", "gone out")
ALL_LAID = Result("all-laid", "KH-6.7", "all fifteen laid")
UNDECIDED = Result("undecided", "KH-4.5", "nobody out by the limit")

RESULTS: tuple[Result, ...] = (WENT_OUT, ALL_LAID, UNDECIDED)


class Pattern(Struct, frozen=True, gc=False):
    """The sorted faces of a meld of this kind; a face that it needs twice occurs twice."""

    meld: MeldName
    faces: tuple[Face, ...]


Cards: TypeAlias = tuple[Card, ...]


class Meld(Struct, frozen=True, gc=False):
    """A meld and its cards, sorted."""

    meld: MeldName
    cards: Cards


Melds: TypeAlias = tuple[Meld, ...]

FACE: Mapping[Card, Face] = {card: face.rank + (face.suit or "") for card, face in PACK.faces.items()}
FACES: tuple[Face, ...] = tuple(dict.fromkeys(FACE.values()))
"""All faces, in the pack's order; the joker's is the last."""


def _patterns() -> Iterator[Pattern]:
    for suit in SUITS:
        faces = [rank + suit for rank in NUMBERS]
        for length in range(3, len(faces) + 1):
            for first in range(len(faces) - length + 1):
                yield _pattern("sequence", *faces[first : first + length])
    for aces in combinations_with_replacement("shd", 3):
        if len(set(aces)) > 1:
            yield _pattern("aces", *(f"A{suit}" for suit in aces))
    yield _pattern("double-aces", *(f"A{suit}" for suit in SUITS * 2))
    for rank in NUMBERS[:-1]:
        yield _pattern("triplet", *(rank + suit for suit in SUITS))
        yield _pattern("double-triplet", *(rank + suit for suit in SUITS * 2))
    for court in ("Kc 9h 9h", "Qc 8s 8s", "Jc 7d 7d"):
        yield _pattern("court-meld", *court.split())
    yield _pattern("royal-assembly", "Kc", "Qc", "Jc")
    yield _pattern("double-royal", *("Kc", "Qc", "Jc") * 2)
    yield _pattern("khanhoo", "Ah", "2s", "3d")
    yield _pattern("double-khanhoo", *("Ah", "2s", "3d") * 2)


def _pattern(meld: MeldName, *faces: Face) -> Pattern:
    return Pattern(meld, tuple(sorted(faces, key=FACES.index)))


PATTERNS: tuple[Pattern, ...] = tuple(_patterns())
"""All melds without the joker, which may stand for any one card of them (KH-5.11)."""
