"""What a deal's score depends on, as a player knows it who keeps the score (BO-7)."""

from typing import TypeAlias

from domain.cards import Suit
from domain.games.boston.contracts import CONTRACTS, PICCOLISSIMO, ContractName
from domain.games.boston.meta import AROUND, HAND, HONOUR_RANKS, honours_of
from domain.games.boston.state import Playing, State
from domain.kernel.worth import Flaw, Flaws, Searched, Terms
from domain.parts.scoring import AtTable, BySeat, Ended, Number, flaws_of_tricks


class NotPlayed(Ended, frozen=True, gc=False, tag="thrown-in"):
    """All have passed (BO-3.5)."""


class Played(Ended, frozen=True, gc=False, tag="played"):
    """A contract was played; `tricks` are those won by each seat, as far as they were played."""

    declarer: AtTable
    contract: ContractName
    suit: Suit
    tricks: BySeat[Number]
    supporter: AtTable | None = None
    honours: Number = 0
    supporter_honours: Number = 0


Facts: TypeAlias = NotPlayed | Played


def facts(state: State) -> Facts:
    if not isinstance(state, Playing):
        return NotPlayed()
    plays, tricks, contract = state.commitment, state.tricks, state.commitment.bid.contract
    # Where honours count, all cards have been played.
    honours = () if plays.trump is None or contract.premium is None else honours_of(plays.trump)
    had = [each.seat for trick in tricks.complete for each in trick.cards if each.card in honours]
    counts = [sum([seat == holder for holder in had]) for seat in (plays.declarer, plays.supporter)]
    won = tricks.won_by(AROUND.size)
    return Played(plays.declarer, contract.contract, plays.bid.suit, won, plays.supporter, *counts)


SEARCHED = Searched("declarer", "supporter", contract="contract", terms="contract", trump="contract.trump")


def flaws(terms: Terms, facts: Facts) -> Flaws:
    if isinstance(facts, NotPlayed):
        return
    contract = CONTRACTS[facts.contract]
    if contract.contract == PICCOLISSIMO and not terms.options.piccolissimo:
        yield Flaw("BO-4.3", "Piccolissimo may not be bid at this table", ("contract",))
    if facts.supporter is not None and (contract.supporter is None or facts.supporter == facts.declarer):
        yield Flaw("BO-5.1", f"{contract.name} is not supported by seat {facts.supporter}", ("contract", "supporter"))
    yield from flaws_of_tricks("BO-2.2", facts.tricks, terms.order, HAND - contract.discard, AROUND.size)
    if facts.supporter_honours and facts.supporter is None:
        yield Flaw("BO-5.2", "nobody supports, so no honours of a supporter count", ("supporter_honours", "supporter"))
    if facts.honours + facts.supporter_honours > len(HONOUR_RANKS):
        yield Flaw("BO-2.4", "a suit has four honours, in different hands", ("honours", "supporter_honours"))
