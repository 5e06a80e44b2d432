"""When a deal is settled, and what is paid (LH-8, LH-9)."""

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
from domain.games.lhombre.meta import HAND, PLAYING, Options
from domain.games.lhombre.state import Abandoned, Common, Playing, State, WashedOut
from domain.kernel.game import Score
from domain.kernel.ledger import Transfer, signed
from domain.parts.tally import FIRST_TRICKS, Tally, tally
from domain.parts.tricks import settled_for_any_winner
from domain.seats import Seat, rotated


class Settlement(Struct, frozen=True, gc=False):
    """What the tricks come to: an outcome, what a kodille costs above a bête, and what a tout adds (signed)."""

    result: Result
    penalty: int = 0
    tout: int = 0


def choosing(contract: Contract, tally: Tally) -> bool:
    """Whether declarer has just won the first five tricks, and so stops or goes on for all nine (LH-8.3)."""
    return contract.positive and tally.declarer == tally.tricks == FIRST_TRICKS


@cache
def settlement(name: ContractName, tally: Tally) -> Settlement | None:
    """What a deal in which declarer never stops comes to if the tricks to come change nothing, else None (LH-8.5)."""
    contract = CONTRACTS[name]
    if choosing(contract, tally):
        return None
    if contract.positive and tally.primeras and tally.tricks != tally.declarer:
        return Settlement(WIN, tout=-TOUT.value)
    if tally.tricks == HAND:
        return (_positive if contract.positive else _negative)(contract, tally)
    return settled_for_any_winner(PLAYING, lambda winner: settlement(name, tally.after_trick(winner)))


def _positive(contract: Contract, tally: Tally) -> Settlement:
    """All tricks of a game contract (LH-8.1)."""
    if tally.most:
        return Settlement(WIN, tout=TOUT.value if tally.declarer == HAND else 0)
    return Settlement(BETE) if tally.level else Settlement(KODILLE, contract.kodille - contract.value)


def _negative(contract: Contract, tally: Tally) -> Settlement:
    """All tricks of a nolo (LH-8.2)."""
    if tally.declarer < 2:
        return Settlement(NOLO_BETE if tally.declarer else NOLO_WIN)
    more = tally.declarer - 2 if contract.per_trick else 0
    return Settlement(NOLO_KODILLE, contract.kodille - contract.value + more)


def settled(state: Playing) -> Settlement | None:
    """What the deal has come to; None until that is settled."""
    if state.stopped is not None:
        return Settlement(WIN)
    return settlement(state.commitment.contract.contract, tallied(state))


def tallied(state: Playing) -> Tally:
    """The tally of the tricks so far."""
    return tally(state.commitment.declarer, state.tricks.order, state.tricks.winners)


def score(state: State) -> Score | None:
    """What the deal comes to; None until that is settled."""
    match state:
        case WashedOut():
            return Score(WASHED_OUT.outcome, ())
        case Abandoned():
            commitment = state.before.commitment
            ended = (commitment.declared, state.version)
            return _score(state.before.common, commitment.declarer, commitment.contract, Settlement(ABANDONED), ended)
        case Playing():
            result = settled(state)
            if result is None:
                return None
            commitment = state.commitment
            chosen = [version for version in (state.undertaken, state.stopped) if version is not None]
            events = (commitment.declared, *sorted((*state.tricks.won_at, *chosen)))
            return _score(state.common, commitment.declarer, commitment.contract, result, events)
        case _:
            return None


def payers(declarer: Seat, order: tuple[Seat, ...], options: Options) -> tuple[Seat, ...]:
    """The seats that pay declarer or are paid: the defenders, and the seat that sits out if it pays (LH-9.2)."""
    defenders = rotated(order, declarer)[1:]
    sitting_out = tuple(seat for seat in range(options.players) if seat not in order)
    return (*defenders, *(sitting_out if options.sitter_pays else ()))


def _score(common: Common, declarer: Seat, contract: Contract, settled: Settlement, events: tuple[int, ...]) -> Score:
    """The lines: one transfer for each payer and kind (LH-9.1)."""
    result = settled.result
    amount = result.sign * contract.value
    lines = [
        ("contract", result.rule, amount, f"{contract.name}, {result.name}: {signed(amount)}"),
        ("kodille", result.rule, -settled.penalty, f"{contract.name}, more for kodille: {signed(-settled.penalty)}"),
        (
            TOUT.bonus,
            TOUT.rule,
            settled.tout,
            f"{TOUT.name}, {'made' if settled.tout > 0 else 'failed'}: {signed(settled.tout)}",
        ),
    ]
    transfers = (
        Transfer(declarer, payer, paid, kind, rule, text, events)
        for kind, rule, paid, text in lines
        if paid
        for payer in payers(declarer, common.order, common.options)
    )
    return Score(result.outcome, tuple(transfers))
