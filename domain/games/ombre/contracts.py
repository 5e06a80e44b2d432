"""Contracts, bonuses and outcomes: one row each, facts in columns (OM-4, OM-6 to OM-8)."""

from typing import Literal, TypeAlias

from msgspec import Struct

from domain.parts.scoring import Ending

ContractName: TypeAlias = Literal["entrada", "vuelta", "solo"]
Outcome: TypeAlias = Literal[
    "win",
    "vole",
    "vole-failed",
    "puesta",
    "codille",
    "surrendered",
    "new-ombre-won",
    "new-ombre-failed",
    "passed-out",
]
Trumps: TypeAlias = Literal["named", "turned"]

STAKE = 5
"""The payment between Ombre and each defender, in either direction (OM-6.1)."""


class Contract(Struct, frozen=True, gc=False):
    """One contract (OM-4.4), ranked in the auction (OM-4.1)."""

    contract: ContractName
    name: str
    rank: int
    trumps: Trumps
    exchange: int
    """The most cards that Ombre may discard; 0 if Ombre plays the cards as dealt."""
    defender: int
    """The most cards that each defender may discard (OM-4.5)."""
    value: int
    """Each defender's payment for a win: the stake, and the contract's addition to it (OM-8)."""
    surrender: bool
    """Whether Ombre may offer to surrender (OM-7.1)."""
    text: str = ""
    """What it promises, and what it gains and costs, in the rulebook's rows; empty in these."""

    @property
    def added(self) -> int:
        """The value of a win above the stake."""
        return self.value - STAKE


class Bonus(Struct, frozen=True, gc=False):
    """One feat of an Ombre who wins, and each defender's payment for it."""

    bonus: Literal["estuches", "primeras", "vole"]
    name: str
    rule: str
    least: int
    most: int
    text: str
    """What it promises, and what it gains and costs."""


class Result(Ending[Outcome], frozen=True, gc=False):
    """One outcome and the rule behind it: the stakes, the use of the pool's value P, the vole."""

    sign: int
    """The payer of the stake: each defender (1), each beaten player (−1), nobody (0)."""
    pool: Literal["taken", "put", "paid", "left"]
    """P is taken by Ombre, put into the pool by each beaten player, paid by Ombre to the player with most tricks, or
    left.
    """
    vole: int = 0
    """The vole was made (1), failed (−1), or not undertaken (0)."""
    beaten: int = 0
    """The number of beaten players: Ombre, and the new Ombre."""


CONTRACTS: dict[ContractName, Contract] = {
    row.contract: row
    for row in (
        Contract("entrada", "Entrada", 1, "named", 9, 9, STAKE, True),
        Contract("vuelta", "Vuelta", 2, "turned", 9, 9, STAKE + 2, True),
        Contract("solo", "Solo", 3, "named", 0, 8, STAKE + 10, False),
    )
}
RANKS: dict[ContractName, int] = {name: row.rank for name, row in CONTRACTS.items()}

ESTUCHES = Bonus(
    "estuches",
    "Estuches",
    "OM-6.3",
    3,
    5,
    "The three highest trumps, and those next to them: an Ombre who wins gains 1 from each for every one, up to five.",
)
PRIMERAS = Bonus(
    "primeras", "Primeras", "OM-6.2", 1, 1, "Win the first five tricks and stop: gains 1 more from each defender."
)
VOLE = Bonus(
    "vole",
    "Vole",
    "OM-6.2",
    30,
    30,
    "Win all nine tricks after the first five: gains 30 more from each defender, or costs 30 to each.",
)
BONUSES: tuple[Bonus, ...] = (ESTUCHES, PRIMERAS, VOLE)

WIN = Result("win", "OM-6.1", "won", 1, "taken")
VOLE_MADE = Result("vole", "OM-6.2", "won with the vole", 1, "taken", vole=1)
VOLE_FAILED = Result("vole-failed", "OM-6.2", "won, the vole undertaken and failed", 1, "taken", vole=-1)
PUESTA = Result("puesta", "OM-6.1", "puesta", -1, "put", beaten=1)
CODILLE = Result("codille", "OM-6.1", "codille", -1, "paid", beaten=1)
SURRENDERED = Result("surrendered", "OM-7.2", "surrendered", -1, "put", beaten=1)
NEW_OMBRE_WON = Result("new-ombre-won", "OM-7.3", "won by the new Ombre", -1, "paid", beaten=1)
NEW_OMBRE_FAILED = Result("new-ombre-failed", "OM-7.3", "lost by the new Ombre too", -1, "put", beaten=2)
PASSED_OUT = Result("passed-out", "OM-4.3", "passed out", 0, "left")

RESULTS: tuple[Result, ...] = (
    WIN,
    VOLE_MADE,
    VOLE_FAILED,
    PUESTA,
    CODILLE,
    SURRENDERED,
    NEW_OMBRE_WON,
    NEW_OMBRE_FAILED,
    PASSED_OUT,
)
