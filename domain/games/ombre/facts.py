"""What a deal's payments depend on, as a player knows it who keeps the score (OM-8)."""

from itertools import takewhile
from typing import TypeAlias

from domain.cards import Card, Suit
from domain.games.ombre.contracts import CONTRACTS, ESTUCHES, ContractName
from domain.games.ombre.meta import SEATS
from domain.games.ombre.state import Playing, State, Surrendered
from domain.kernel.worth import Flaw, Flaws, Searched, Terms
from domain.parts.matadors import HAND, trumps_of
from domain.parts.scoring import AtTable, BySeat, Ended, Number, flaws_of_tricks
from domain.parts.tally import FIRST_TRICKS


class NotPlayed(Ended, frozen=True, gc=False, tag="passed-out"):
    """All have passed (OM-4.3)."""


class GivenUp(Ended, frozen=True, gc=False, tag="surrendered"):
    """Ombre has surrendered, and both defenders have accepted (OM-7.2)."""

    ombre: AtTable
    contract: ContractName


class Played(Ended, frozen=True, gc=False, tag="played"):
    """A contract was played; `tricks` are those won by each seat, as far as they were played."""

    ombre: AtTable
    contract: ContractName
    tricks: BySeat[Number]
    undertaken: bool = False
    new_ombre: AtTable | None = None
    trump: Suit | None = None
    estuches: tuple[Card, ...] = ()


Facts: TypeAlias = NotPlayed | GivenUp | Played


def estuches(hand: tuple[Card, ...], trump: Suit) -> tuple[Card, ...]:
    """The trumps of the hand that count as estuches, high to low: from spadille on, without a gap (OM-6.3)."""
    unbroken = tuple(takewhile(hand.__contains__, trumps_of(trump)))[: ESTUCHES.most]
    return unbroken if len(unbroken) >= ESTUCHES.least else ()


def facts(state: State) -> Facts:
    match state:
        case Playing(commitment=plays, tricks=tricks):
            won = tricks.won_by(SEATS)
            # They count for an Ombre who wins, so with more tricks than any other seat.
            first = state.new_ombre is None and won[plays.ombre] > sorted(won)[-2]
            cards = estuches(state.opening, plays.trump) if first and plays.trump is not None else ()
            undertaken, trump = state.undertaken is not None, plays.trump if cards else None
            return Played(plays.ombre, plays.contract.contract, won, undertaken, state.new_ombre, trump, cards)
        case Surrendered(play=play):
            return GivenUp(play.commitment.ombre, play.commitment.contract.contract)
        case _:
            return NotPlayed()


SEARCHED = Searched("ombre", contract="contract", terms="contract", trump="contract.trump")


def flaws(terms: Terms, facts: Facts) -> Flaws:
    if isinstance(facts, NotPlayed):
        return
    contract = CONTRACTS[facts.contract]
    if facts.ombre not in terms.order:
        yield Flaw("OM-1.1", f"no seat {facts.ombre} plays", ("ombre",))
    if isinstance(facts, GivenUp):
        if not contract.surrender:
            yield Flaw("OM-7.1", f"in {contract.name} Ombre does not surrender", ("ended", "contract"))
        return
    yield from flaws_of_tricks("OM-3.1", facts.tricks, terms.order, HAND, SEATS)
    defenders = [seat for seat in terms.order if contract.surrender and seat != facts.ombre]
    if facts.new_ombre not in (None, *defenders):
        yield Flaw("OM-7.3", "a defender plays in Ombre's stead who may surrender", ("new_ombre", "contract"))
    if facts.undertaken and (facts.new_ombre is not None or facts.tricks[facts.ombre] < FIRST_TRICKS):
        yield Flaw("OM-6.2", "Ombre undertakes all tricks after winning the first five", ("tricks", "undertaken"))
    if facts.trump is None:
        if facts.estuches:
            yield Flaw("OM-6.3", "estuches are trumps: of which suit?", ("trump", "estuches"))
    elif facts.estuches != estuches(facts.estuches, facts.trump):
        yield Flaw("OM-6.3", "estuches are the highest trumps without a gap, three to five", ("estuches", "trump"))
