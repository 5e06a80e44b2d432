"""When a deal is settled, and its score (CR-8.4, CR-9, CR-10)."""

from collections.abc import Mapping
from functools import cache
from typing import TypeAlias

from msgspec import Struct

from domain.games.crocodile.contracts import (
    BONUSES,
    CONCEDED,
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
    Result,
)
from domain.games.crocodile.meta import HAND, SEATS, Options
from domain.games.crocodile.state import Commitment, Conceded, Playing, State
from domain.kernel.game import Score
from domain.kernel.ledger import BANK, Transfer
from domain.parts.phases import expect
from domain.parts.scoring import cited, reason
from domain.parts.tally import Tally, tally
from domain.parts.tricks import settled_for_any_winner

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


class Terms(Struct, frozen=True, gc=False):
    """The terms that settle a deal together with its tricks."""

    positive: bool
    bonus: BonusName | None
    options: Options


@cache
def settlement(terms: Terms, tally: Tally) -> Settlement | None:
    """The settlement if every distribution of the remaining tricks gives the same one, otherwise None (CR-8.4)."""
    if tally.tricks == HAND:
        result = _result(terms, tally)
        return Settlement(result, _feats(terms, tally, result))
    return settled_for_any_winner(SEATS, lambda winner: settlement(terms, tally.after_trick(winner)))


def _result(terms: Terms, tally: Tally) -> Result:
    """The first outcome that applies (CR-9.1 to CR-9.9)."""
    if not terms.positive:
        if tally.declarer == 0:
            return NOLO_VICTORY
        if tally.declarer == 1:
            return SIMPLE_LOSS
        return CONTRANOLO if tally.most else NOLO_LUNCH
    if tally.contraprimeras and (terms.options.contraprimeras == "always" or not tally.most):
        return CONTRAPRIMERAS
    if tally.most:
        return VICTORY
    if tally.level:
        return SIMPLE_REMIS
    if tally.declarer == 1 and tally.first == tally.second:
        return PICCOLO_REMIS
    return LUNCH


def _feats(terms: Terms, tally: Tally, result: Result) -> tuple[Feat, ...]:
    """The bonus bid, made or failed, then the feats that happened unbid (CR-10.2 to CR-10.5)."""
    won = result in (VICTORY, NOLO_VICTORY)
    tout = won and terms.positive and tally.declarer == HAND
    happened: dict[BonusName, bool] = {
        "talking": won and not terms.positive,
        "cuatro": won and tally.cuatro,
        "primeras": won and terms.positive and tally.primeras,
        "tout": tout,
    }
    declared = () if terms.bonus is None else (Feat(terms.bonus, declared=True, made=happened[terms.bonus]),)
    replaced = {"primeras"} if tout and terms.options.bonus_stacking == "exclusive" else set()
    silent = tuple(
        Feat(bonus, declared=False, made=True)
        for bonus, row in BONUSES.items()
        if row.silent is not None and happened[bonus] and bonus != terms.bonus and bonus not in replaced
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
            terms = Terms(commitment.contract.positive, commitment.bonus, state.common.options)
            return settlement(terms, tally(commitment.declarer, tricks.order, tricks.winners))
        case Conceded():
            bonus = state.before.commitment.bonus
            return Settlement(CONCEDED, () if bonus is None else (Feat(bonus, declared=True, made=False),))
        case _:
            return None


def score(state: State, bonuses: Bonuses = BONUSES) -> Score | None:
    """The score of the deal at the values of these bonuses; None until it is settled."""
    ended = settled(state)
    if ended is None:
        return None
    if isinstance(state, Conceded):
        commitment, tricks = state.before.commitment, ""
        events = cited(*commitment.made_at, state.version)
    else:
        playing = expect(state, Playing)
        commitment = playing.commitment
        events = cited(*commitment.made_at, *playing.tricks.won_at)
        tricks = f", {tally(commitment.declarer, playing.tricks.order, playing.tricks.winners).in_words}"
    return Score(ended.result.outcome, _transfers(commitment, ended, tricks, events, bonuses))


def _transfers(
    commitment: Commitment, settled: Settlement, tricks: str, events: tuple[int, ...], bonuses: Bonuses
) -> tuple[Transfer, ...]:
    """The bank's payment to declarer, or declarer's to the bank (CR-9.12). `tricks` ends the results in the texts."""
    contract, result = commitment.contract, settled.result
    formula = f"{abs(result.factor)} × {contract.value}"
    text = reason(contract.name, commitment.declarer, f"{result.name}{tricks}", formula)
    amount = result.factor * contract.value
    return (
        Transfer(commitment.declarer, BANK, amount, "contract", result.rule, text, events),
        *(_bonus(commitment, feat, tricks, events, bonuses) for feat in settled.feats),
    )


def _bonus(commitment: Commitment, feat: Feat, tricks: str, events: tuple[int, ...], bonuses: Bonuses) -> Transfer:
    """The bank's payment to declarer for the feat, or declarer's for one that was bid and failed (CR-10.2, CR-10.3)."""
    row, declarer = bonuses[feat.bonus], commitment.declarer
    unit = 1 if row.flat else commitment.contract.value
    factor = row.declared if feat.declared else row.silent or 0
    formula = str(factor) if row.flat else f"{factor} × {unit}"
    if not feat.declared:
        text = reason(f"Silent {row.name}", declarer, tricks.removeprefix(", "), formula)
        return Transfer(declarer, BANK, factor * unit, "bonus", "CR-10.3", text, events)
    name = row.name if feat.bonus == "talking" else f"Declared {row.name}"
    text = reason(name, declarer, f"{'made' if feat.made else 'failed'}{tricks}", formula)
    amount = factor * unit if feat.made else -factor * unit
    return Transfer(declarer, BANK, amount, "bonus", "CR-10.2", text, events)
