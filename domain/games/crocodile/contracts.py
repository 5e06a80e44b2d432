"""Contracts, bonuses and outcomes: one row each, facts in columns (CR-5, CR-9, CR-10)."""

from typing import Literal, TypeAlias

from msgspec import Struct

from domain.parts.scoring import Ending

ContractName: TypeAlias = Literal[
    "casco",
    "play",
    "grand",
    "tournee",
    "exchange-nolo",
    "solo",
    "grandissimo",
    "tournee-respect",
    "nolo",
    "nolo-ouvert",
]
BonusName: TypeAlias = Literal["talking", "cuatro", "primeras", "tout"]
Outcome: TypeAlias = Literal[
    "victory",
    "simple-remis",
    "piccolo-remis",
    "simple-loss",
    "crocodile-lunch",
    "contraprimeras",
    "contranolo",
    "conceded",
]
Trumps: TypeAlias = Literal["named", "turned", "none", "named-after-taking"]
"""How trumps are fixed. With `named-after-taking` declarer may also name no trumps, which is sans."""


class Contract(Struct, frozen=True, gc=False):
    """One contract (CR-5). `exchange`: the fewest and most cards declarer may discard; None if it sets no limits."""

    contract: ContractName
    name: str
    rank: int
    """The rank in the auction (CR-4.3); 0 for Casco, which cannot be bid."""
    value: int
    positive: bool
    trumps: Trumps
    exchange: tuple[int, int] | None
    concede: bool
    exposed: bool = False
    """Whether declarer's cards lie open (CR-5.3)."""
    text: str = ""
    """What it promises, and what it gains and costs, in the rulebook's rows; empty in these."""


class Bonus(Struct, frozen=True, gc=False):
    """One feat: its worth if bid and if it happens unbid, in contract values or, if `flat`, in points."""

    bonus: BonusName
    name: str
    declared: int
    silent: int | None
    flat: bool = False
    text: str = ""
    """What it promises, and what it gains and costs."""


class Result(Ending[Outcome], frozen=True, gc=False):
    """One outcome, the rule behind it, and declarer's score in contract values (CR-9)."""

    positive: bool | None
    """The kind of contract in which it occurs; null for any that may be conceded."""
    factor: int


CONTRACTS: dict[ContractName, Contract] = {
    row.contract: row
    for row in (
        Contract("casco", "Casco", 0, 1, True, "named-after-taking", None, concede=True),
        Contract("play", "Play", 1, 2, True, "named", (0, 9), concede=True),
        Contract("grand", "Grand", 2, 2, True, "none", (0, 9), concede=True),
        Contract("tournee", "Tournee", 3, 3, True, "turned", (0, 9), concede=True),
        Contract("exchange-nolo", "Exchange Nolo", 4, 3, False, "none", (0, 4), concede=False),
        Contract("solo", "Solo", 5, 4, True, "named", None, concede=False),
        Contract("grandissimo", "Grandissimo", 6, 4, True, "none", None, concede=False),
        Contract("tournee-respect", "Tournee Respect", 7, 6, True, "turned", (1, 1), concede=False),
        Contract("nolo", "Nolo", 8, 6, False, "none", None, concede=False),
        Contract("nolo-ouvert", "Nolo Ouvert", 9, 10, False, "none", None, concede=False, exposed=True),
    )
}
RANKS: dict[ContractName, int] = {row.contract: row.rank for row in CONTRACTS.values() if row.rank}
BIDS: tuple[ContractName, ...] = tuple(row.contract for row in CONTRACTS.values() if row.rank)

BONUSES: dict[BonusName, Bonus] = {
    row.bonus: row
    for row in (
        Bonus(
            "talking",
            "Talking Ouvert",
            10,
            None,
            flat=True,
            text="Win Nolo Ouvert although the opponents may talk: gains 10 beside the contract, or costs 10 if you "
            "do not win.",
        ),
        Bonus(
            "cuatro",
            "Cuatro",
            2,
            1,
            text="Win with four tricks, the others three and two: gains twice the contract's value beside it, or costs "
            "as much if you do not.",
        ),
        Bonus(
            "primeras",
            "Primeras",
            2,
            1,
            text="Win the first five tricks: gains twice the contract's value beside it, or costs as much if you do "
            "not.",
        ),
        Bonus(
            "tout",
            "Tout",
            7,
            3,
            text="Win all nine tricks: gains seven times the contract's value beside it, or costs as much if you do "
            "not.",
        ),
    )
}

CONTRAPRIMERAS = Result("contraprimeras", "CR-9.1", "contraprimeras", True, -4)
VICTORY = Result("victory", "CR-9.2", "victory", True, 1)
SIMPLE_REMIS = Result("simple-remis", "CR-9.3", "simple remis", True, -1)
PICCOLO_REMIS = Result("piccolo-remis", "CR-9.4", "piccolo remis", True, -1)
LUNCH = Result("crocodile-lunch", "CR-9.5", "crocodile lunch", True, -2)
NOLO_VICTORY = Result("victory", "CR-9.6", "victory", False, 1)
SIMPLE_LOSS = Result("simple-loss", "CR-9.7", "simple loss", False, -1)
CONTRANOLO = Result("contranolo", "CR-9.8", "contranolo", False, -4)
NOLO_LUNCH = Result("crocodile-lunch", "CR-9.9", "crocodile lunch", False, -2)
CONCEDED = Result("conceded", "CR-9.11", "conceded", None, -1)

RESULTS: tuple[Result, ...] = (
    CONTRAPRIMERAS,
    VICTORY,
    SIMPLE_REMIS,
    PICCOLO_REMIS,
    LUNCH,
    NOLO_VICTORY,
    SIMPLE_LOSS,
    CONTRANOLO,
    NOLO_LUNCH,
    CONCEDED,
)


def bonuses_of(contract: Contract) -> tuple[BonusName, ...]:
    """The bonus bids that may go with the contract (CR-10.1)."""
    if contract.positive:
        return ("cuatro", "primeras", "tout")
    return ("talking",) if contract.exposed else ()


def declarable(bid: ContractName) -> tuple[ContractName, ...]:
    """The contract bid last, and those of a strictly higher value (CR-6.1)."""
    return (bid, *(name for name in BIDS if CONTRACTS[name].value > CONTRACTS[bid].value))
