"""What a deal's score depends on, as a player knows it who keeps the score (CR-9, CR-10)."""

from typing import Literal, TypeAlias

from domain.games.crocodile.contracts import CONTRACTS, BonusName, ContractName, bonuses_of
from domain.games.crocodile.meta import HAND, SEATS
from domain.games.crocodile.state import Conceded, Playing
from domain.kernel.worth import Flaw, Flaws, Searched, Terms
from domain.parts.scoring import AtTable, BySeat, Ended, Number, flaws_of_tricks
from domain.parts.tally import FIRST_TRICKS, tally


class GivenUp(Ended, frozen=True, gc=False, tag="conceded"):
    """Declarer has conceded (CR-9.11)."""

    declarer: AtTable
    contract: ContractName
    bonus: BonusName | None = None


class Played(Ended, frozen=True, gc=False, tag="played"):
    """A contract was played; `tricks` are those won by each seat, as far as they were played."""

    declarer: AtTable
    contract: ContractName
    tricks: BySeat[Number]
    first_five: Literal["declarer", "opponents"] | None = None
    bonus: BonusName | None = None


Facts: TypeAlias = GivenUp | Played


def facts(state: Conceded | Playing) -> Facts:
    if isinstance(state, Conceded):
        plays = state.before.commitment
        return GivenUp(plays.declarer, plays.contract.contract, plays.bonus)
    plays, tricks = state.commitment, state.tricks
    counted = tally(plays.declarer, tricks.order, tricks.winners)
    first: Literal["declarer", "opponents"] | None = None
    if plays.contract.positive and counted.tricks >= FIRST_TRICKS:
        first = "declarer" if counted.primeras else "opponents" if counted.contraprimeras else None
    return Played(plays.declarer, plays.contract.contract, tricks.won_by(SEATS), first, plays.bonus)


SEARCHED = Searched("declarer", contract="contract", terms="contract", trump="contract.trump")


def flaws(terms: Terms, facts: Facts) -> Flaws:
    contract = CONTRACTS[facts.contract]
    if facts.declarer not in terms.order:
        yield Flaw("CR-1.1", f"there is no seat {facts.declarer}", ("declarer",))
    if facts.bonus is not None and facts.bonus not in bonuses_of(contract):
        yield Flaw("CR-10.1", f"{contract.name} is not declared with {facts.bonus}", ("bonus", "contract"))
    if isinstance(facts, GivenUp):
        if not contract.concede:
            yield Flaw("CR-9.11", f"{contract.name} is not conceded", ("ended", "contract"))
        return
    yield from flaws_of_tricks("CR-8.1", facts.tricks, terms.order, HAND, SEATS)
    won = facts.tricks[facts.declarer]
    least = won if facts.first_five == "declarer" else sum(facts.tricks) - won
    if facts.first_five is not None and (not contract.positive or least < FIRST_TRICKS):
        yield Flaw("CR-10.1", "a side that won the first five tricks has five, in a positive contract", ("first_five",))
