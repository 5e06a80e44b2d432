"""Contracts, suits, honours and outcomes: one row each, facts in columns (BO-2.3, BO-4, BO-7, BO-8)."""

from collections.abc import Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

from domain.cards import Suit
from domain.parts.scoring import Ending

ContractName: TypeAlias = Literal[
    "five",
    "six",
    "petite-misere",
    "seven",
    "piccolissimo",
    "eight",
    "grande-misere",
    "nine",
    "four-ace-misere",
    "ten",
    "petite-misere-ouverte",
    "eleven",
    "grande-misere-ouverte",
    "twelve",
    "boston",
    "boston-ouvert",
]
Outcome: TypeAlias = Literal[
    "made", "failed", "both-made", "both-failed", "declarer-failed", "supporter-failed", "thrown-in"
]

FIVE: ContractName = "five"
FOUR_ACE_MISERE: ContractName = "four-ace-misere"
PICCOLISSIMO: ContractName = "piccolissimo"


class Contract(Struct, frozen=True, gc=False):
    """One contract (BO-4). Declarer must win `least` to `most` tricks."""

    contract: ContractName
    name: str
    rank: int
    least: int
    most: int
    base: int
    premium: int | None
    """The value of each trick over or short, and of each honour premium; None if the base counts alone (BO-7.3)."""
    supporter: int | None
    """The tricks that a supporter must win; None if none may be called."""
    discard: bool
    """Whether declarer puts a card down before play (BO-5.3)."""
    ouvert: bool
    """Whether declarer's hand lies open (BO-5.4)."""
    trumps: bool
    """Whether the suit is trumps; in a misère it only multiplies (BO-3.2)."""
    text: str
    """What it promises, and what it gains and costs."""


class SuitFactor(Struct, frozen=True, gc=False):
    """A suit, and the factor by which it multiplies values (BO-2.3)."""

    suit: Suit
    name: str
    factor: int


class Bonus(Struct, frozen=True, gc=False):
    """A number of honours in one hand, and the number of premiums for them (BO-7.2)."""

    bonus: str
    name: str
    honours: int
    premiums: int
    text: str
    """What it gains and costs."""


class Result(Ending[Outcome], frozen=True, gc=False):
    """One outcome and the rule behind it: whether declarer and supporter reached their contracts; null without a
    supporter.
    """

    declarer: bool | None
    supporter: bool | None


_BY_SUIT = "times the suit's factor"
_DISCARD = ", after putting one card down"
_OUVERT = ", with your hand open"


def _tricks(contract: ContractName, rank: int, number: int, supporter: int | None = None) -> Contract:
    """A bid of this number of tricks: 3 × (n − 4), and n − 4 for each trick over or short (BO-4.2)."""
    level = number - 4
    name, alone = contract.capitalize(), "" if supporter is None else ", perhaps with a supporter"
    text = (
        f"Win at least {contract} tricks{alone}: {3 * level} points, and {level} a trick over or short, won or lost, "
        f"{_BY_SUIT}."
    )
    return Contract(contract, name, rank, number, 13, 3 * level, level, supporter, False, False, True, text)


def _misere(
    contract: ContractName, name: str, rank: int, base: int, *, discard: bool, ouvert: bool = False, tricks: int = 0
) -> Contract:
    """A contract without trumps, to win no trick or an exact number."""
    aim = "exactly one trick" if tricks else "no trick"
    text = f"Win {aim}, without trumps{_DISCARD * discard}{_OUVERT * ouvert}: {base} points, won or lost, {_BY_SUIT}."
    return Contract(contract, name, rank, tricks, tricks, base, None, None, discard, ouvert, False, text)


def _boston(contract: ContractName, name: str, rank: int, base: int, *, ouvert: bool) -> Contract:
    """A contract to win all thirteen tricks."""
    text = f"Win all thirteen tricks{_OUVERT * ouvert}: {base} points, won or lost, {_BY_SUIT}."
    return Contract(contract, name, rank, 13, 13, base, None, None, False, ouvert, True, text)


CONTRACTS: dict[ContractName, Contract] = {
    row.contract: row
    for row in (
        _tricks("five", 1, 5, 3),
        _tricks("six", 2, 6, 4),
        _misere("petite-misere", "Petite misère", 3, 16, discard=True),
        _tricks("seven", 4, 7, 4),
        _misere("piccolissimo", "Piccolissimo", 5, 24, discard=True, tricks=1),
        _tricks("eight", 6, 8, 4),
        _misere("grande-misere", "Grande misère", 7, 32, discard=False),
        _tricks("nine", 8, 9),
        _misere("four-ace-misere", "Four-ace misère", 9, 40, discard=False),
        _tricks("ten", 10, 10),
        _misere("petite-misere-ouverte", "Petite misère ouverte", 11, 48, discard=True, ouvert=True),
        _tricks("eleven", 12, 11),
        _misere("grande-misere-ouverte", "Grande misère ouverte", 13, 56, discard=False, ouvert=True),
        _tricks("twelve", 14, 12),
        _boston("boston", "Boston", 15, 100, ouvert=False),
        _boston("boston-ouvert", "Boston Ouvert", 16, 200, ouvert=True),
    )
}
"""The contracts, low to high (BO-4.1)."""

FACTORS: tuple[SuitFactor, ...] = (
    SuitFactor("s", "Spades", 1),
    SuitFactor("c", "Clubs", 2),
    SuitFactor("d", "Diamonds", 3),
    SuitFactor("h", "Hearts", 4),
)
"""The suits, low to high."""

HONOURS: tuple[Bonus, ...] = (
    Bonus(
        "three",
        "Three honours",
        3,
        2,
        "Three of ace, king, queen and jack of trumps as dealt: two tricks' premiums more, won or lost.",
    ),
    Bonus(
        "four",
        "Four honours",
        4,
        4,
        "Ace, king, queen and jack of trumps as dealt: four tricks' premiums more, won or lost.",
    ),
)

MADE = Result("made", "BO-7.5", "made", True, None)
FAILED = Result("failed", "BO-7.5", "failed", False, None)
BOTH_MADE = Result("both-made", "BO-8.1", "both made it", True, True)
BOTH_FAILED = Result("both-failed", "BO-8.2", "both failed", False, False)
DECLARER_FAILED = Result("declarer-failed", "BO-8.3", "declarer failed, the supporter did not", False, True)
SUPPORTER_FAILED = Result("supporter-failed", "BO-8.3", "the supporter failed, declarer did not", True, False)
THROWN_IN = Result("thrown-in", "BO-3.5", "thrown in", None, None)

RESULTS: tuple[Result, ...] = (
    MADE,
    FAILED,
    BOTH_MADE,
    BOTH_FAILED,
    DECLARER_FAILED,
    SUPPORTER_FAILED,
    THROWN_IN,
)


class ContractInSuit(Struct, frozen=True, gc=False):
    """A contract and the suit that goes with it (BO-3.2)."""

    contract: Contract
    suit: Suit
    factor: int

    @property
    def trump(self) -> Suit | None:
        """The trump suit; None in a misère."""
        return self.suit if self.contract.trumps else None


def bid_name(contract: ContractName, suit: Suit) -> str:
    """The auction's name for the bid."""
    return f"{contract} {suit}"


BIDS: Mapping[str, ContractInSuit] = {
    bid_name(contract.contract, row.suit): ContractInSuit(contract, row.suit, row.factor)
    for contract in CONTRACTS.values()
    for row in FACTORS
}
"""The bids, low to high: by contract, then by suit (BO-3.3)."""

_ALL: Mapping[str, int] = {name: rank for rank, name in enumerate(BIDS, 1)}
_PLAIN: Mapping[str, int] = {name: rank for name, rank in _ALL.items() if BIDS[name].contract.contract != PICCOLISSIMO}


def ranks(piccolissimo: bool) -> Mapping[str, int]:
    """The bids that may be made, low to high, with their ranks (BO-4.3)."""
    return _ALL if piccolissimo else _PLAIN
