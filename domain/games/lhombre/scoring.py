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
from domain.games.lhombre.facts import SEARCHED, Facts, GivenUp, NotPlayed, Played, facts, flaws
from domain.games.lhombre.meta import PLAYING, order_of_turns
from domain.games.lhombre.state import Abandoned, Playing, State, WashedOut
from domain.kernel.course import Standing, dealer_of
from domain.kernel.ledger import Transfer
from domain.kernel.worth import Grounds, Score, Scoring, Terms
from domain.parts.matadors import HAND
from domain.parts.scoring import in_common, reason
from domain.parts.tally import Tally, counted, tally
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
    """The settlement, if declarer does not stop and the remaining tricks change nothing, otherwise None (LH-8.5)."""
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


def _worth(terms: Terms, facts: Facts) -> Score | None:
    if isinstance(facts, NotPlayed):
        return Score(WASHED_OUT.outcome, ())
    ended, tricks = Settlement(ABANDONED), ""
    if isinstance(facts, Played):
        tally = counted(terms.order, facts.declarer, facts.tricks, first=facts.undertaken)
        # Declarer stops after the first five tricks, or goes on by undertaking all.
        stopped = choosing(CONTRACTS[facts.contract], tally) and not facts.undertaken
        settled = Settlement(WIN) if stopped else settlement(facts.contract, tally)
        if settled is None:
            return None
        ended, tricks = settled, f", {tally.in_words}"
    return Score(ended.result.outcome, tuple(_lines(terms, facts, ended, tricks)))


def _lines(terms: Terms, facts: GivenUp | Played, ended: Settlement, tricks: str) -> Iterator[Transfer]:
    """The lines: one transfer for each payer and kind (LH-9.1). `tricks` ends the result in their texts."""
    options, declarer = terms.options, facts.declarer
    sitting_out = {*range(options.players)}.difference(terms.order) if options.sitter_pays else ()
    for kind, rule, amount, text in _amounts(facts, ended, tricks):
        for seat in rotated(terms.order, declarer)[1:]:
            yield Transfer(declarer, seat, amount, kind, rule, text, rests=("play",))
        for seat in sitting_out:
            why = f"seat {seat} sits out and {'pays' if amount > 0 else 'is paid'} like a defender, LH-9.2"
            yield Transfer(declarer, seat, amount, kind, rule, f"{text} ({why})", rests=("deal", "play"))


def _amounts(facts: GivenUp | Played, ended: Settlement, tricks: str) -> Iterator[tuple[str, str, int, str]]:
    """Declarer's gains from each payer: kind, rule, amount, text."""
    result, contract, declarer = ended.result, CONTRACTS[facts.contract], facts.declarer
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


def _grounds(state: State) -> Grounds:
    """The events behind the deal, which decides who sits out (LH-1.2), and behind contract and play."""
    match state:
        case Playing(common=common, commitment=plays, tricks=tricks):
            return {
                "deal": (common.dealt_at,),
                "play": (*plays.made_at, *tricks.won_at, state.undertaken, state.stopped),
            }
        case Abandoned(before=before):
            return {"deal": (before.common.dealt_at,), "play": (*before.commitment.made_at, state.version)}
        case _:
            return {}


def _terms(standing: Standing) -> Terms:
    return Terms(standing.options, order_of_turns(dealer_of(standing), standing.options))


SCORING = Scoring(Facts, facts, settled, flaws, _worth, _grounds, _terms, in_common, searched=SEARCHED)
