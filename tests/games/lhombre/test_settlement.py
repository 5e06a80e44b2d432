"""LH-8.5 and LH-9: when a deal is settled and what it comes to, held against all 29 524 beginnings of a deal."""

from domain.games.lhombre.contracts import CONTRACTS as ROWS
from domain.games.lhombre.scoring import Settlement, settlement
from domain.parts.tally import Tally
from tests.games.lhombre.tables import CONTRACTS, Verdict, settled
from tests.support.for_each import for_each


def verdict_of(contract: str, settlement: Settlement | None) -> Verdict | None:
    """The settlement in the oracle's words."""
    if settlement is None:
        return None
    result, rate = settlement.result, ROWS[contract].value  # type: ignore[index] # names of the rules are those of the code
    return Verdict(result.outcome, result.rule, result.sign * rate, -settlement.penalty, settlement.tout)


@for_each("contract", CONTRACTS)
def test_lh_8_5_settled_exactly_when_all_that_may_follow_agrees(contract: str) -> None:
    tallies: dict[tuple[int, ...], Tally] = {(): Tally()}
    known: dict[Tally, Verdict | None] = {}
    for winners, expected in sorted(settled(contract).items(), key=lambda item: len(item[0])):
        if winners:
            tallies[winners] = tallies[winners[:-1]].after_trick(winners[-1])
        tally = tallies[winners]
        if tally not in known:
            known[tally] = verdict_of(contract, settlement(contract, tally))
        assert known[tally] == expected, winners


@for_each("contract", CONTRACTS)
def test_lh_8_5_the_same_payment_is_the_same_verdict(contract: str) -> None:
    verdicts = {verdict for verdict in settled(contract).values() if verdict is not None}
    assert len({verdict.amount for verdict in verdicts}) == len(verdicts)
