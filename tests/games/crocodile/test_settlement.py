"""CR-8.4, CR-9, CR-10: when a deal is settled and what it comes to, held against all 29 524 beginnings of a deal."""

from domain.games.crocodile import scoring
from domain.games.crocodile.contracts import BONUSES
from domain.games.crocodile.meta import Options
from domain.games.crocodile.scoring import Settlement, Tally, settlement
from tests.games.crocodile.tables import ALL_TERMS, Terms, Verdict, settled
from tests.support.for_each import for_each


def verdict_of(settlement: Settlement | None) -> Verdict | None:
    """The settlement in the oracle's words."""
    if settlement is None:
        return None
    result = settlement.result
    declared = [feat for feat in settlement.feats if feat.declared]
    assert len(declared) <= 1
    bid = None
    for feat in declared:
        bid = BONUSES[feat.bonus].declared if feat.made else -BONUSES[feat.bonus].declared
    silent = tuple((feat.bonus, BONUSES[feat.bonus].silent or 0) for feat in settlement.feats if not feat.declared)
    return Verdict(result.outcome, result.rule, result.factor, bid, silent)


@for_each("terms", ALL_TERMS)
def test_cr_8_4_settled_exactly_when_every_completion_agrees(terms: Terms) -> None:
    options = Options(contraprimeras=terms.contraprimeras, bonus_stacking=terms.stacking)  # type: ignore[arg-type] # as named
    own = scoring.Terms(terms.positive, terms.bonus, options)  # type: ignore[arg-type] # as named
    tallies: dict[tuple[int, ...], Tally] = {(): Tally()}
    known: dict[Tally, Verdict | None] = {}
    for winners, expected in sorted(settled(terms).items(), key=lambda item: len(item[0])):
        if winners:
            tallies[winners] = tallies[winners[:-1]].after_trick(winners[-1])
        tally = tallies[winners]
        if tally not in known:
            known[tally] = verdict_of(settlement(own, tally))
        assert known[tally] == expected, winners
