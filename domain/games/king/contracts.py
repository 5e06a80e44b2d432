"""The aims of deals: one row each, facts in columns (KG-4, KG-6), and the deals by their numbers (KG-1.2)."""

from collections.abc import Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

from domain.cards import SUITS, Card
from domain.parts.scoring import Ending

Direction: TypeAlias = Literal["up", "down"]
AimName: TypeAlias = Literal[
    "no-tricks", "no-hearts", "no-queens", "no-kings-no-jacks", "no-king-of-hearts", "not-last-two", "up", "down"
]
Outcome: TypeAlias = Literal["stopped", "played-out"]

DIRECTIONS: tuple[Direction, ...] = ("up", "down")
TRICKS = 13
ALL_TRICKS = tuple(range(1, TRICKS + 1))


def _of_ranks(ranks: str) -> tuple[Card, ...]:
    return tuple(rank + suit for suit in SUITS for rank in ranks)


HEARTS: tuple[Card, ...] = tuple(rank + "h" for rank in "AKQJT98765432")
KING_OF_HEARTS: Card = "Kh"


class Aim(Struct, frozen=True, gc=False):
    """The aim of a deal, and each player's score for captures."""

    aim: AimName
    name: str
    rule: str
    base: int
    """Each player's score before any captures."""
    each: int
    """A player's score for each captured card that counts or, if no cards count, for each trick."""
    cards: tuple[Card, ...] = ()
    """The cards that count."""
    tricks: tuple[int, ...] = ()
    """The numbers of the tricks that count, if no cards do."""
    price: int = 0
    """The high bidder's gain from the dealer for each trick of the bid, if trumps were bought (KG-6.3)."""
    text: str = ""
    """What it promises, and what it gains and costs, in the rulebook's rows; empty in these."""


class DealRow(Struct, frozen=True, gc=False):
    """A deal of a game; if it has no aim, the dealer says whether it is played up or down."""

    deal: int
    name: str
    aim: AimName | None
    rule: str


class Result(Ending[Outcome], frozen=True, gc=False):
    """How a deal ended."""


AIMS: Mapping[AimName, Aim] = {
    row.aim: row
    for row in (
        Aim("no-tricks", "No tricks", "KG-4.1", 0, -20, tricks=ALL_TRICKS),
        Aim("no-hearts", "No hearts", "KG-4.2", 0, -20, HEARTS),
        Aim("no-queens", "No queens", "KG-4.3", 0, -50, _of_ranks("Q")),
        Aim("no-kings-no-jacks", "No kings, no jacks", "KG-4.4", 0, -30, _of_ranks("KJ")),
        Aim("no-king-of-hearts", "No king of hearts", "KG-4.5", 0, -160, (KING_OF_HEARTS,)),
        Aim("not-last-two", "Not the last two tricks", "KG-4.6", 0, -90, tricks=ALL_TRICKS[-2:]),
        Aim("up", "Up", "KG-6.1", 0, 25, tricks=ALL_TRICKS, price=-25),
        Aim("down", "Down", "KG-6.2", 325, -75, tricks=ALL_TRICKS, price=75),
    )
}
VALUES: Mapping[AimName, Mapping[Card, int]] = {aim.aim: dict.fromkeys(aim.cards, aim.each) for aim in AIMS.values()}
"""The scores for the cards that count, by aim."""
NEGATIVE: tuple[AimName, ...] = (
    "no-tricks", "no-hearts", "no-queens", "no-kings-no-jacks", "no-king-of-hearts", "not-last-two"
)  # fmt: skip
POSITIVE_DEALS = 4
DEALS: tuple[DealRow, ...] = (
    *(DealRow(number, AIMS[aim].name, aim, AIMS[aim].rule) for number, aim in enumerate(NEGATIVE, 1)),
    *(DealRow(len(NEGATIVE) + number, "Up or down", None, "KG-5.1") for number in range(1, POSITIVE_DEALS + 1)),
)
"""The deals of a game, in order (KG-1.2)."""
HEARTS_COUNT: tuple[AimName, ...] = ("no-hearts", "no-king-of-hearts")
"""The aims with which the option `heart_leads` may restrict leads of hearts (KG-3.4)."""

STOPPED = Result("stopped", "KG-3.5", "stopped")
PLAYED_OUT = Result("played-out", "KG-3.5", "played out")
RESULTS: tuple[Result, ...] = (STOPPED, PLAYED_OUT)


def aim_of(deal: int) -> Aim | None:
    """The aim of the deal of this number; None for a positive one, before its direction is known."""
    aim = DEALS[deal - 1].aim
    return None if aim is None else AIMS[aim]
