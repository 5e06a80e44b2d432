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
from domain.games.lhombre.state import Abandoned, Commitment, Exchanging, Playing, State, WashedOut
from domain.kernel.game import Score
from domain.kernel.ledger import Transfer
from domain.parts.matadors import HAND
from domain.parts.scoring import cited, once_settled, reason
from domain.parts.tally import Tally, tally
from domain.parts.tricks import settled_for_any_winner
from domain.seats import rotated


class Settlement(Struct, frozen=True, gc=False):
    """The result of the tricks."""

    result: Result
    further: int = 0
    """The number of tricks after the second, each of which makes a kodille dearer (LH-5.1)."""
    tout: int = 0
    """Each payer's payment for a tout; negative if it was undertaken and failed."""


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
        return _positive(tally) if contract.positive else _negative(contract, tally)
    return settled_for_any_winner(PLAYING, lambda winner: settlement(name, tally.after_trick(winner)))


def _positive(tally: Tally) -> Settlement:
    """The settlement after all tricks of a game contract (LH-8.1)."""
    if tally.most:
        return Settlement(WIN, tout=TOUT.value if tally.declarer == HAND else 0)
    return Settlement(BETE if tally.level else KODILLE)


def _negative(contract: Contract, tally: Tally) -> Settlement:
    """The settlement after all tricks of a nolo (LH-8.2)."""
    if tally.declarer < 2:
        return Settlement(NOLO_BETE if tally.declarer else NOLO_WIN)
    return Settlement(NOLO_KODILLE, further=tally.declarer - 2 if contract.per_trick else 0)


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
            won_at, tricks = state.tricks.won_at, f", {tallied(state).in_words}"
            lines = _lines(state, ended, tricks, *won_at, state.undertaken, state.stopped)
        case Abandoned():
            lines = _lines(state.before, ended, "", state.version)
        case _:
            lines = iter(())
    return Score(ended.result.outcome, tuple(lines))


score = once_settled(settled, _score)
"""The score of the deal; None until it is settled."""


def _lines(play: Exchanging | Playing, ended: Settlement, tricks: str, *ended_at: int | None) -> Iterator[Transfer]:
    """The lines: one transfer for each payer and kind (LH-9.1). `tricks` ends the result in their texts."""
    common, declarer = play.common, play.commitment.declarer
    events = cited(*play.commitment.made_at, *ended_at)
    # The deal decides which seat sits out (LH-1.2).
    with_deal = cited(common.dealt_at, *events)
    sitting_out = {*range(common.options.players)}.difference(common.order) if common.options.sitter_pays else ()
    for kind, rule, amount, text in _amounts(play.commitment, ended, tricks):
        for seat in rotated(common.order, declarer)[1:]:
            yield Transfer(declarer, seat, amount, kind, rule, text, events)
        for seat in sitting_out:
            why = f"seat {seat} sits out and {'pays' if amount > 0 else 'is paid'} like a defender, LH-9.2"
            yield Transfer(declarer, seat, amount, kind, rule, f"{text} ({why})", with_deal)


def _amounts(commitment: Commitment, ended: Settlement, tricks: str) -> Iterator[tuple[str, str, int, str]]:
    """Declarer's gains from each payer: kind, rule, amount, text."""
    result, contract, declarer = ended.result, commitment.contract, commitment.declarer
    text = reason(contract.name, declarer, f"{result.name}{tricks}", contract.value)
    yield "contract", result.rule, result.sign * contract.value, text
    if result in (KODILLE, NOLO_KODILLE):
        more = contract.kodille - contract.value
        formula = f"{more} + {ended.further}" if ended.further else more
        text = reason(contract.name, declarer, f"more for kodille{tricks}", formula)
        yield "kodille", result.rule, -more - ended.further, text
    if ended.tout:
        how = "made" if ended.tout > 0 else "undertaken and failed"
        text = reason(TOUT.name, declarer, f"{how}{tricks}", TOUT.value)
        yield TOUT.bonus, TOUT.rule, ended.tout, text
