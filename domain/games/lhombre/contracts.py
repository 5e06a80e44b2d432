"""Contracts and outcomes: one row each, facts in columns (LH-5, LH-8)."""

from typing import Literal, TypeAlias

from msgspec import Struct

from domain.cards import SUITS, Card, Suit
from domain.parts.matadors import BASTA, SPADILLE
from domain.parts.scoring import Ending

ContractName: TypeAlias = Literal[
    "simple-game",
    "spade-game",
    "tourne",
    "simple-nolo",
    "grand-tourne",
    "solo",
    "pure-nolo",
    "spade-solo",
    "nolo-ouvert",
]
Outcome: TypeAlias = Literal["win", "bete", "kodille", "abandoned", "washed-out"]
Trumps: TypeAlias = Literal["named", "spades", "turned", "none"]

TRUMPS: dict[Trumps, tuple[Suit | None, ...]] = {"named": SUITS, "spades": ("s",), "turned": (None,), "none": (None,)}
"""The trump suits that may be named with the declaration; null if there is none or it is still to be turned."""


class Contract(Struct, frozen=True, gc=False):
    """One contract (LH-5.1). `exchange`: the fewest and most cards declarer may discard; None in hand contracts."""

    contract: ContractName
    name: str
    rank: int
    """The rank in the auction (LH-4.1); of two bids of one rank, the first excludes the other."""
    positive: bool
    trumps: Trumps
    exchange: tuple[int, int] | None
    defenders_exchange: bool
    value: int
    """Each payer's payment for a win, and payment received for a bête."""
    kodille: int
    """The payment to each payer for a kodille, with two tricks in a nolo."""
    abandon: bool
    """Whether declarer may abandon the hand (LH-8.4)."""
    per_trick: bool = False
    """Whether a kodille costs one more for each trick beyond the second (LH-5.1)."""
    exposed: bool = False
    """Whether declarer's cards lie open from declarer's first card on (LH-7.4)."""
    shown: tuple[Card, ...] = ()
    """The cards that a bidder must have been dealt, and shows (LH-4.5)."""
    becomes: tuple[ContractName, ...] = ()
    """The contracts that declarer may redefine it as (LH-5.1)."""
    text: str = ""
    """What it promises, and what it gains and costs, in the rulebook's rows; empty in these."""


class Result(Ending[Outcome], frozen=True, gc=False):
    """One outcome and the rule behind it. `sign` says who pays: each payer (1), declarer (−1), nobody (0)."""

    positive: bool | None
    """The kind of contract in which it occurs; null if tricks do not decide it."""
    sign: int


class Bonus(Struct, frozen=True, gc=False):
    """One feat, and each payer's payment for it, or payment received if it was undertaken and failed."""

    bonus: Literal["tout"]
    name: str
    rule: str
    value: int
    text: str
    """What it promises, and what it gains and costs."""


CONTRACTS: dict[ContractName, Contract] = {
    row.contract: row
    for row in (
        Contract(
            "simple-game", "Simple Game", 1, True, "named", (0, 9), True, 1, 2, True,
            becomes=("spade-game", "tourne", "simple-nolo"),
        ),
        Contract("spade-game", "Spade Game", 2, True, "spades", (0, 9), True, 1, 2, True),
        Contract("tourne", "Tourné", 3, True, "turned", (0, 9), True, 1, 2, True),
        Contract("simple-nolo", "Simple Nolo", 4, False, "none", (0, 9), False, 2, 3, False, per_trick=True),
        Contract("grand-tourne", "Grand Tourné", 5, True, "turned", (0, 9), True, 2, 3, True, shown=(SPADILLE, BASTA)),
        Contract("solo", "Solo", 6, True, "named", None, True, 2, 3, False, becomes=("spade-solo",)),
        Contract("pure-nolo", "Pure Nolo", 7, False, "none", None, False, 3, 5, False),
        Contract("spade-solo", "Spade Solo", 7, True, "spades", None, True, 3, 5, False),
        Contract("nolo-ouvert", "Nolo Ouvert", 8, False, "none", None, False, 5, 8, False, exposed=True),
    )
}  # fmt: skip
RANKS: dict[ContractName, int] = {name: row.rank for name, row in CONTRACTS.items()}

WIN = Result("win", "LH-8.1", "win", True, 1)
BETE = Result("bete", "LH-8.1", "bête", True, -1)
KODILLE = Result("kodille", "LH-8.1", "kodille", True, -1)
NOLO_WIN = Result("win", "LH-8.2", "win", False, 1)
NOLO_BETE = Result("bete", "LH-8.2", "bête", False, -1)
NOLO_KODILLE = Result("kodille", "LH-8.2", "kodille", False, -1)
ABANDONED = Result("abandoned", "LH-8.4", "abandoned", None, -1)
WASHED_OUT = Result("washed-out", "LH-4.4", "washed out", None, 0)

RESULTS: tuple[Result, ...] = (WIN, BETE, KODILLE, NOLO_WIN, NOLO_BETE, NOLO_KODILLE, ABANDONED, WASHED_OUT)

TOUT = Bonus(
    "tout", "Tout", "LH-8.3", 1, "Win all nine tricks after the first five: gains 1 more from each, or costs 1 to each."
)


def nameable(contract: ContractName) -> tuple[Suit | None, ...]:
    """The trump suits that may be named with the contract (LH-5.1)."""
    return TRUMPS[CONTRACTS[contract].trumps]


def declarable(bid: ContractName) -> tuple[ContractName, ...]:
    """The contract bid last, and those that it may be redefined as (LH-5.1)."""
    return (bid, *CONTRACTS[bid].becomes)


def declares_itself(bid: ContractName) -> bool:
    """Whether the bid leaves declarer no choice, so that its declaration is automatic (LH-5.1)."""
    return len(declarable(bid)) == len(nameable(bid)) == 1
