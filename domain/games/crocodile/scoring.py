"""When a deal is settled, and its score (CR-8.4, CR-9, CR-10)."""

from collections.abc import Mapping
from functools import cache
from typing import TypeAlias

from msgspec import Struct

from domain.games.crocodile.contracts import (
    BONUSES,
    CONCEDED,
    CONTRACTS,
    CONTRANOLO,
    CONTRAPRIMERAS,
    LUNCH,
    NOLO_LUNCH,
    NOLO_VICTORY,
    PICCOLO_REMIS,
    SIMPLE_LOSS,
    SIMPLE_REMIS,
    VICTORY,
    Bonus,
    BonusName,
    Contract,
    Result,
)
from domain.games.crocodile.facts import SEARCHED, Facts, Played, facts, flaws
from domain.games.crocodile.meta import HAND, SEATS, Options
from domain.games.crocodile.state import Conceded, Playing, State
from domain.kernel.ledger import BANK, Transfer
from domain.kernel.worth import Grounds, Score, Scoring, Terms
from domain.parts.scoring import in_common, in_turn, reason
from domain.parts.tally import Tally, counted, tally
from domain.parts.tricks import settled_for_any_winner
from domain.seats import Seat

Bonuses: TypeAlias = Mapping[BonusName, Bonus]


class Feat(Struct, frozen=True, gc=False):
    """A bonus and its result: bid (made or not), or silent."""

    bonus: BonusName
    declared: bool
    made: bool


class Settlement(Struct, frozen=True, gc=False):
    """The result of the tricks: an outcome, and bonuses."""

    result: Result
    feats: tuple[Feat, ...]


class Bid(Struct, frozen=True, gc=False):
    """What settles a deal together with its tricks."""

    positive: bool
    bonus: BonusName | None
    options: Options


@cache
def settlement(bid: Bid, tally: Tally) -> Settlement | None:
    """The settlement if every distribution of the remaining tricks gives the same one, otherwise None (CR-8.4)."""
    if tally.tricks == HAND:
        result = _result(bid, tally)
        return Settlement(result, _feats(bid, tally, result))
    return settled_for_any_winner(SEATS, lambda winner: settlement(bid, tally.after_trick(winner)))


def _result(bid: Bid, tally: Tally) -> Result:
    """The first outcome that applies (CR-9.1 to CR-9.9)."""
    if not bid.positive:
        if tally.declarer == 0:
            return NOLO_VICTORY
        if tally.declarer == 1:
            return SIMPLE_LOSS
        return CONTRANOLO if tally.most else NOLO_LUNCH
    if tally.contraprimeras and (bid.options.contraprimeras == "always" or not tally.most):
        return CONTRAPRIMERAS
    if tally.most:
        return VICTORY
    if tally.level:
        return SIMPLE_REMIS
    if tally.declarer == 1 and tally.first == tally.second:
        return PICCOLO_REMIS
    return LUNCH


def _feats(bid: Bid, tally: Tally, result: Result) -> tuple[Feat, ...]:
    """The bonus bid, made or failed, then the feats that happened unbid (CR-10.2 to CR-10.5)."""
    won = result in (VICTORY, NOLO_VICTORY)
    tout = won and bid.positive and tally.declarer == HAND
    happened: dict[BonusName, bool] = {
        "talking": won and not bid.positive,
        "cuatro": won and tally.cuatro,
        "primeras": won and bid.positive and tally.primeras,
        "tout": tout,
    }
    declared = () if bid.bonus is None else (Feat(bid.bonus, declared=True, made=happened[bid.bonus]),)
    replaced = {"primeras"} if tout and bid.options.bonus_stacking == "exclusive" else set()
    silent = tuple(
        Feat(bonus, declared=False, made=True)
        for bonus, row in BONUSES.items()
        if row.silent is not None and happened[bonus] and bonus != bid.bonus and bonus not in replaced
    )
    return (*declared, *silent)


def settled(state: State) -> Settlement | None:
    """How the deal has ended; None while it goes on. With a concession the bonus bid fails (CR-9.11, CR-10.6)."""
    match state:
        # The most frequent cases come first, since they are tried in turn.
        case Playing():
            commitment, tricks = state.commitment, state.tricks
            if tricks.trick:
                return None
            bid = Bid(commitment.contract.positive, commitment.bonus, state.common.options)
            return settlement(bid, tally(commitment.declarer, tricks.order, tricks.winners))
        case Conceded():
            return _conceded(state.before.commitment.bonus)
        case _:
            return None


def _conceded(bonus: BonusName | None) -> Settlement:
    return Settlement(CONCEDED, () if bonus is None else (Feat(bonus, declared=True, made=False),))


def worth(terms: Terms, facts: Facts, bonuses: Bonuses = BONUSES) -> Score | None:
    """The score of the deal at the values of these bonuses; None if more must be played."""
    ended, tricks = _conceded(facts.bonus), ""
    if isinstance(facts, Played):
        first = facts.first_five
        own = counted(terms.order, facts.declarer, facts.tricks, first=first == "declarer", none=first == "opponents")
        settled = settlement(Bid(CONTRACTS[facts.contract].positive, facts.bonus, terms.options), own)
        if settled is None:
            return None
        ended, tricks = settled, f", {own.in_words}"
    return Score(ended.result.outcome, _transfers(facts, ended, tricks, bonuses))


def _transfers(facts: Facts, settled: Settlement, tricks: str, bonuses: Bonuses) -> tuple[Transfer, ...]:
    """The bank's payment to declarer, or declarer's to the bank (CR-9.12). `tricks` ends the results in the texts."""
    contract, result = CONTRACTS[facts.contract], settled.result
    formula = f"{abs(result.factor)} × {contract.value}"
    text = reason(contract.name, facts.declarer, f"{result.name}{tricks}", formula)
    amount = result.factor * contract.value
    return (
        Transfer(facts.declarer, BANK, amount, "contract", result.rule, text, rests=("play",)),
        *(_bonus(facts.declarer, contract, feat, tricks, bonuses) for feat in settled.feats),
    )


def _bonus(declarer: Seat, contract: Contract, feat: Feat, tricks: str, bonuses: Bonuses) -> Transfer:
    """The bank's payment to declarer for the feat, or declarer's for one that was bid and failed (CR-10.2, CR-10.3)."""
    row = bonuses[feat.bonus]
    unit = 1 if row.flat else contract.value
    factor = row.declared if feat.declared else row.silent or 0
    formula = str(factor) if row.flat else f"{factor} × {unit}"
    name, how, rule = f"Silent {row.name}", tricks.removeprefix(", "), "CR-10.3"
    if feat.declared:
        name = row.name if feat.bonus == "talking" else f"Declared {row.name}"
        how, rule = f"{'made' if feat.made else 'failed'}{tricks}", "CR-10.2"
    amount, text = factor * unit if feat.made else -factor * unit, reason(name, declarer, how, formula)
    return Transfer(declarer, BANK, amount, "bonus", rule, text, rests=("play",))


def _grounds(state: Conceded | Playing) -> Grounds:
    """The events behind contract, and behind concession or play."""
    if isinstance(state, Conceded):
        return {"play": (*state.before.commitment.made_at, state.version)}
    return {"play": (*state.commitment.made_at, *state.tricks.won_at)}


SCORING = Scoring(Facts, facts, settled, flaws, worth, _grounds, in_turn, in_common, searched=SEARCHED)
