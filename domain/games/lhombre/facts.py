"""What a deal's payments depend on, as a player knows it who keeps the score (LH-9)."""

from typing import TypeAlias

from domain.games.lhombre.contracts import CONTRACTS, ContractName
from domain.games.lhombre.state import Abandoned, Playing, State
from domain.kernel.worth import Flaw, Flaws, Searched, Terms
from domain.parts.matadors import HAND
from domain.parts.scoring import AtTable, BySeat, Ended, Number, flaws_of_tricks
from domain.parts.tally import FIRST_TRICKS


class NotPlayed(Ended, frozen=True, gc=False, tag="washed-out"):
    """All have passed (LH-4.4)."""


class GivenUp(Ended, frozen=True, gc=False, tag="abandoned"):
    """Declarer has abandoned the hand (LH-8.4)."""

    declarer: AtTable
    contract: ContractName


class Played(Ended, frozen=True, gc=False, tag="played"):
    """A contract was played; `tricks` are those won by each seat, as far as they were played."""

    declarer: AtTable
    contract: ContractName
    tricks: BySeat[Number]
    undertaken: bool = False


Facts: TypeAlias = NotPlayed | GivenUp | Played


def facts(state: State) -> Facts:
    match state:
        case Playing(common=common, commitment=plays, tricks=tricks):
            won = tricks.won_by(common.options.players)
            return Played(plays.declarer, plays.contract.contract, won, undertaken=state.undertaken is not None)
        case Abandoned(before=before):
            return GivenUp(before.commitment.declarer, before.commitment.contract.contract)
        case _:
            return NotPlayed()


SEARCHED = Searched("declarer", contract="contract", terms="contract", trump="contract.trump")


def flaws(terms: Terms, facts: Facts) -> Flaws:
    if isinstance(facts, NotPlayed):
        return
    contract = CONTRACTS[facts.contract]
    if facts.declarer not in terms.order:
        yield Flaw("LH-1.2", f"seat {facts.declarer} plays no card of this deal", ("declarer",))
    if isinstance(facts, GivenUp):
        if not contract.abandon:
            yield Flaw("LH-8.4", f"{contract.name} may not be abandoned", ("ended", "contract"))
        return
    yield from flaws_of_tricks("LH-3.1", facts.tricks, terms.order, HAND, terms.options.players)
    if facts.undertaken and (not contract.positive or facts.tricks[facts.declarer] < FIRST_TRICKS):
        yield Flaw("LH-8.3", "declarer undertakes all tricks after winning the first five", ("tricks", "undertaken"))
