"""LH-8.5 and LH-9: when a deal is settled and what it comes to, held against all 29 524 beginnings of a deal."""

from collections.abc import Iterator
from itertools import product

from domain.games.lhombre.contracts import CONTRACTS as ROWS
from domain.games.lhombre.scoring import Settlement, settlement
from domain.parts.tally import Tally
from tests.games.lhombre.checker import CONTRACTS, Worth, still
from tests.support.for_each import for_each


def beginnings() -> Iterator[tuple[int, ...]]:
    """Who may win the tricks of a deal until then, by length."""
    for tricks in range(10):
        yield from product(range(3), repeat=tricks)


def worth_of(contract: str, settlement: Settlement | None) -> Worth | None:
    """The settlement in the checker's words."""
    if settlement is None:
        return None
    result, row = settlement.result, ROWS[contract]  # type: ignore[index] # names of the rules are those of the code
    amount = row.kodille + settlement.further if result.outcome == "kodille" else row.value
    return Worth(result.outcome, result.rule, result.sign * amount, settlement.tout)


@for_each("contract", CONTRACTS)
def test_lh_8_5_settled_exactly_when_all_that_may_follow_agrees(contract: str) -> None:
    tallies: dict[tuple[int, ...], Tally] = {(): Tally()}
    known: dict[Tally, Worth | None] = {}
    for winners in beginnings():
        if winners:
            tallies[winners] = tallies[winners[:-1]].after_trick(winners[-1])
        tally = tallies[winners]
        if tally not in known:
            known[tally] = worth_of(contract, settlement(contract, tally))
        due = {*still(contract, winners)}
        assert known[tally] == (due.pop() if len(due) == 1 else None), winners


@for_each("contract", CONTRACTS)
def test_lh_8_5_the_same_payment_is_the_same_result(contract: str) -> None:
    results = still(contract, ())
    assert len({due.amount + due.tout for due in results}) == len(results)
