"""CR-8.4, CR-9, CR-10: when a deal is settled and what it comes to, held against all 29 524 beginnings of a deal."""

from itertools import product

from domain.games.crocodile import scoring
from domain.games.crocodile.contracts import BONUSES
from domain.games.crocodile.meta import Options
from domain.games.crocodile.scoring import Settlement, Tally, settlement
from tests.games.crocodile.checker import CONTRACTS, OPTIONS, Worth, results
from tests.support.for_each import for_each

TERMS = [
    (contract, bonus, contraprimeras, stacking)
    for contraprimeras, stacking in product(OPTIONS["contraprimeras"], OPTIONS["bonus_stacking"])
    for contract, bonuses in (("solo", (None, "cuatro", "primeras", "tout")), ("nolo-ouvert", (None, "talking")))
    for bonus in bonuses
]


def worth_of(settlement: Settlement | None, value: int) -> Worth | None:
    """The settlement of a contract of this value, as the independent check has it."""
    if settlement is None:
        return None
    result, bookings = settlement.result, []
    for feat in settlement.feats:
        bonus = BONUSES[feat.bonus]
        worth = bonus.declared * (1 if bonus.flat else value)
        if feat.declared:
            bookings.append(("bonus", "CR-10.2", worth if feat.made else -worth))
        else:
            bookings.append(("bonus", "CR-10.3", (bonus.silent or 0) * value))
    return result.outcome, tuple(sorted([("contract", result.rule, result.factor * value), *bookings]))


@for_each("contract, bonus, contraprimeras, stacking", TERMS)
def test_cr_8_4_settled_exactly_when_every_completion_agrees(
    contract: str, bonus: str | None, contraprimeras: str, stacking: str
) -> None:
    row = CONTRACTS[contract]
    options = Options(contraprimeras=contraprimeras, bonus_stacking=stacking)  # type: ignore[arg-type] # as named
    own = scoring.Bid(row["positive"], bonus, options)  # type: ignore[arg-type] # as named
    tallies: dict[tuple[int, ...], Tally] = {(): Tally()}
    known: dict[Tally, Worth | None] = {}
    for winners in (winners for tricks in range(10) for winners in product(range(3), repeat=tricks)):
        if winners:
            tallies[winners] = tallies[winners[:-1]].after_trick(winners[-1])
        tally = tallies[winners]
        if tally not in known:
            known[tally] = worth_of(settlement(own, tally), row["value"])
        still = results(contract, bonus, winners, 0, (contraprimeras, stacking))
        assert known[tally] == (None if len(still) > 1 else next(iter(still))), winners
