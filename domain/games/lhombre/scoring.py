"""When a deal is settled, and the payments (LH-8, LH-9)."""

from collections.abc import Iterator
from functools import cache

from msgspec import Struct

from domain.games.lhombre.contracts import (
    ABANDONED,
    BETE,
    CONTRACTS,
    KODILLE,
    NOLO_BETE,
    NOLO_KODILLE,
    NOLO_WIN,
    TOUT,
    WASHED_OUT,
    WIN,
    Contract,
    ContractName,
    Result,
)
from domain.games.lhombre.meta import PLAYING
from domain.games.lhombre.state import Abandoned, Commitment, Common, Playing, State, WashedOut
from domain.kernel.game import Score
from domain.kernel.ledger import Transfer
from domain.parts.matadors import HAND
from domain.parts.scoring import cited, once_settled, reason
from domain.parts.tally import Tally, tally
from domain.parts.tricks import settled_for_any_winner
from domain.seats import Seat, rotated


class Settlement(Struct, frozen=True, gc=False):
    """The result of the tricks: an outcome, a kodille's surcharge over a bête, and a tout's addition (signed)."""

    result: Result
    penalty: int = 0
    tout: int = 0


def choosing(contract: Contract, tally: Tally) -> bool:
    """Whether declarer has just won the first five tricks, and so stops or tries for all nine (LH-8.3)."""
    return contract.positive and tally.choosing


@cache
def settlement(name: ContractName, tally: Tally) -> Settlement | None:
    """The settlement of a deal in which declarer never stops, if the remaining tricks change nothing, otherwise None
    (LH-8.5).
    """
    contract = CONTRACTS[name]
    if choosing(contract, tally):
        return None
    if contract.positive and tally.failed_all:
        return Settlement(WIN, tout=-TOUT.value)
    if tally.tricks == HAND:
        return (_positive if contract.positive else _negative)(contract, tally)
    return settled_for_any_winner(PLAYING, lambda winner: settlement(name, tally.after_trick(winner)))


def _positive(contract: Contract, tally: Tally) -> Settlement:
    """The settlement after all tricks of a game contract (LH-8.1)."""
    if tally.most:
        return Settlement(WIN, tout=TOUT.value if tally.declarer == HAND else 0)
    return Settlement(BETE) if tally.level else Settlement(KODILLE, contract.kodille - contract.value)


def _negative(contract: Contract, tally: Tally) -> Settlement:
    """The settlement after all tricks of a nolo (LH-8.2)."""
    if tally.declarer < 2:
        return Settlement(NOLO_BETE if tally.declarer else NOLO_WIN)
    more = tally.declarer - 2 if contract.per_trick else 0
    return Settlement(NOLO_KODILLE, contract.kodille - contract.value + more)


def settled(state: State) -> Settlement | None:
    """How the deal has ended; None while it goes on."""
    match state:
        case Playing():
            if state.stopped is not None:
                return Settlement(WIN)
            return settlement(state.commitment.contract.contract, tallied(state))
        case WashedOut():
            return Settlement(WASHED_OUT)
        case Abandoned():
            return Settlement(ABANDONED)
        case _:
            return None


def tallied(state: Playing) -> Tally:
    """The tally of the tricks so far."""
    return tally(state.commitment.declarer, state.tricks.order, state.tricks.winners)


def _score(state: State, ended: Settlement) -> Score:
    match state:
        case Playing():
            events = cited(*state.commitment.made_at, *state.tricks.won_at, state.undertaken, state.stopped)
            return _booked(state.common, state.commitment, ended, f", {tallied(state).in_words}", events)
        case Abandoned(before=before):
            return _booked(
                before.common, before.commitment, ended, "", cited(*before.commitment.made_at, state.version)
            )
        case _:
            return Score(ended.result.outcome, ())


score = once_settled(settled, _score)
"""The score of the deal; None until it is settled."""


def _booked(common: Common, commitment: Commitment, settled: Settlement, tricks: str, events: tuple[int, ...]) -> Score:
    """The lines: one transfer for each payer and kind (LH-9.1). `tricks` ends the result in their texts."""
    declarer, order = commitment.declarer, common.order
    defenders = rotated(order, declarer)[1:]
    sitting_out = [seat for seat in range(common.options.players) if seat not in order]
    transfers = []
    for kind, rule, amount, text in _amounts(commitment, settled, tricks):
        transfers += [Transfer(declarer, seat, amount, kind, rule, text, events) for seat in defenders]
        if common.options.sitter_pays:
            # The deal decides which seat sits out (LH-1.2).
            with_deal = cited(common.dealt_at, *events)
            transfers += [
                Transfer(declarer, seat, amount, kind, rule, f"{text} ({_sitting_out(seat, amount)})", with_deal)
                for seat in sitting_out
            ]
    return Score(settled.result.outcome, tuple(transfers))


def _sitting_out(seat: Seat, amount: int) -> str:
    """The reason for the line of a seat that did not play (LH-9.2); the amount is declarer's gain."""
    return f"seat {seat} sits out and {'pays' if amount > 0 else 'is paid'} like a defender, LH-9.2"


def _amounts(commitment: Commitment, settled: Settlement, tricks: str) -> Iterator[tuple[str, str, int, str]]:
    """Declarer's gains from each payer: kind, rule, amount, text."""
    result, contract, declarer = settled.result, commitment.contract, commitment.declarer
    text = reason(contract.name, declarer, f"{result.name}{tricks}", contract.value)
    yield "contract", result.rule, result.sign * contract.value, text
    if settled.penalty:
        above = contract.kodille - contract.value
        more = settled.penalty - above
        formula = f"{above} + {more}" if more else above
        text = reason(contract.name, declarer, f"more for kodille{tricks}", formula)
        yield "kodille", result.rule, -settled.penalty, text
    if settled.tout:
        how = "made" if settled.tout > 0 else "undertaken and failed"
        text = reason(TOUT.name, declarer, f"{how}{tricks}", TOUT.value)
        yield TOUT.bonus, TOUT.rule, settled.tout, text
