"""When a deal is settled, and the payments (OM-6, OM-8)."""

from collections.abc import Iterator
from functools import cache

from msgspec import Struct

from domain.cards import Card
from domain.games.ombre.contracts import (
    CODILLE,
    CONTRACTS,
    ESTUCHES,
    NEW_OMBRE_FAILED,
    NEW_OMBRE_WON,
    PASSED_OUT,
    PRIMERAS,
    PUESTA,
    STAKE,
    SURRENDERED,
    VOLE,
    VOLE_FAILED,
    VOLE_MADE,
    WIN,
    Contract,
    Result,
)
from domain.games.ombre.facts import SEARCHED, Facts, NotPlayed, Played, facts, flaws
from domain.games.ombre.meta import POOL_LIMIT, SEATS, order_of_turns
from domain.games.ombre.state import PassedOut, Playing, State, Surrendered, Surrendering, defenders
from domain.kernel.course import Standing, dealer_of
from domain.kernel.ledger import POOL, Ground, Transfer
from domain.kernel.worth import Grounds, Score, Scoring, Terms
from domain.parts.matadors import HAND
from domain.parts.scoring import reason
from domain.parts.tally import Tally, counted, tally
from domain.parts.tricks import settled_for_any_winner
from domain.seats import Seat, rotated

NEW_OMBRE_TRICKS = 5
"""The number of tricks that the new Ombre needs (OM-7.3)."""

PLAY: tuple[Ground, ...] = ("play",)
WITH_DEAL: tuple[Ground, ...] = ("deal", "play")
"""The grounds of lines: contract and play, and the deal, with which the pool has its value."""


class Settlement(Struct, frozen=True, gc=False):
    """The result of the tricks: an outcome, primeras or not, and the players that are paid the pool's value.

    `takers` are numbered from the player that plays alone: 0 that player, 1 the next in turn, 2 the other.
    """

    result: Result
    primeras: bool = False
    takers: tuple[int, ...] = ()


@cache
def settlement(tally: Tally) -> Settlement | None:
    """The settlement, if Ombre does not stop and the remaining tricks change nothing, otherwise None (OM-6.4)."""
    if tally.choosing:
        return None
    if tally.failed_all:
        return Settlement(VOLE_FAILED)
    if tally.tricks == HAND:
        return _played_out(tally)
    return settled_for_any_winner(SEATS, lambda winner: settlement(tally.after_trick(winner)))


def _played_out(tally: Tally) -> Settlement:
    """The settlement after all nine tricks (OM-6.1)."""
    if tally.declarer == HAND:
        return Settlement(VOLE_MADE)
    if tally.most:
        return Settlement(WIN)
    if tally.level:
        return Settlement(PUESTA)
    tricks = (tally.first, tally.second)
    return Settlement(CODILLE, takers=tuple(taker for taker, won in enumerate(tricks, 1) if won == tally.best))


def new_ombre_settlement(tally: Tally) -> Settlement | None:
    """The settlement of a new Ombre's deal if the remaining tricks change nothing, otherwise None (OM-6.4, OM-7.3)."""
    if tally.declarer >= NEW_OMBRE_TRICKS:
        return Settlement(NEW_OMBRE_WON, takers=(0,))
    return Settlement(NEW_OMBRE_FAILED) if tally.tricks - tally.declarer > HAND - NEW_OMBRE_TRICKS else None


def choosing(state: Playing) -> bool:
    """Whether Ombre has just won the first five tricks, and so stops or tries for all nine (OM-6.2).

    A new Ombre never chooses: the fifth trick wins.
    """
    return tallied(state).choosing


def settled(state: State) -> Settlement | None:
    match state:
        case Playing():
            if state.stopped is not None:
                return Settlement(WIN, primeras=True)
            return (settlement if state.new_ombre is None else new_ombre_settlement)(tallied(state))
        case PassedOut():
            return Settlement(PASSED_OUT)
        case Surrendered():
            return Settlement(SURRENDERED)
        case _:
            return None


def lone_player(state: Playing) -> Seat:
    """The seat that plays against the other two: Ombre, or the new Ombre."""
    return state.commitment.ombre if state.new_ombre is None else state.new_ombre


def tallied(state: Playing) -> Tally:
    """The tally of the tricks so far, with the lone player as declarer."""
    return tally(lone_player(state), state.tricks.order, state.tricks.winners)


class Deal(Struct, frozen=True, gc=False):
    """A deal whose contract was begun, and how it has ended. `tricks` ends the result in the texts."""

    ombre: Seat
    lone_player: Seat
    contract: Contract
    ended: Settlement
    tricks: str = ""


def _worth(terms: Terms, facts: Facts) -> Score | None:
    """The lines: one transfer for each payer and kind (OM-8.2); zero amounts are not booked."""
    if isinstance(facts, NotPlayed):
        return Score(PASSED_OUT.outcome, (), {"estuches": ()})
    contract = CONTRACTS[facts.contract]
    cards: tuple[Card, ...] = ()
    deal = Deal(facts.ombre, facts.ombre, contract, Settlement(SURRENDERED))
    if isinstance(facts, Played):
        alone = facts.ombre if facts.new_ombre is None else facts.new_ombre
        tally = counted(terms.order, alone, facts.tricks, first=facts.undertaken)
        # Ombre stops after the first five tricks, or goes on by undertaking all.
        stopped = alone == facts.ombre and tally.choosing and not facts.undertaken
        play_on = settlement if alone == facts.ombre else new_ombre_settlement
        ended = Settlement(WIN, primeras=True) if stopped else play_on(tally)
        if ended is None:
            return None
        deal = Deal(facts.ombre, alone, contract, ended, f", {tally.in_words}" if tally.tricks else "")
        cards = facts.estuches if ended.result.sign > 0 else ()
    lines = _won(terms, deal, cards) if deal.ended.result.sign > 0 else _lost(terms, deal)
    return Score(deal.ended.result.outcome, tuple(lines), {"estuches": cards})


def _won(terms: Terms, deal: Deal, cards: tuple[Card, ...]) -> Iterator[Transfer]:
    """Ombre takes the pool, and each defender pays for the contract and the feats."""
    ombre, contract, result, tricks = deal.ombre, deal.contract, deal.ended.result, deal.tricks
    formula = f"{STAKE} + {contract.added}" if contract.added else STAKE
    outcome = f"{result.name}{tricks}"
    vole = f"made{tricks}" if result.vole > 0 else f"undertaken and failed{tricks}"
    primeras = PRIMERAS.least if deal.ended.primeras else 0
    lines: tuple[tuple[str, str, int, str, tuple[Ground, ...]], ...] = (
        ("contract", result.rule, contract.value, reason(contract.name, ombre, outcome, formula), PLAY),
        (
            ESTUCHES.bonus, ESTUCHES.rule, len(cards),
            reason(ESTUCHES.name, ombre, " ".join(cards), len(cards)), ("deal", "exchange", "play"),
        ),
        (PRIMERAS.bonus, PRIMERAS.rule, primeras, reason(PRIMERAS.name, ombre, f"stopped{tricks}", primeras), PLAY),
        (VOLE.bonus, VOLE.rule, result.vole * VOLE.least, reason(VOLE.name, ombre, vole, VOLE.least), PLAY),
    )  # fmt: skip
    text = reason(contract.name, ombre, f"{outcome}, the pool taken", terms.pool)
    yield Transfer(ombre, POOL, terms.pool, "pool", result.rule, text, rests=WITH_DEAL)
    for kind, rule, amount, text, rests in lines:
        for defender in defenders(ombre, terms.order):
            yield Transfer(ombre, defender, amount, kind, rule, text, rests=rests)


def _lost(terms: Terms, deal: Deal) -> Iterator[Transfer]:
    """Each beaten player pays the stake to each other one, and the pool's value into the pool or to who won most."""
    result, pool, beaten = deal.ended.result, terms.pool, (deal.ombre, deal.lone_player)[: deal.ended.result.beaten]
    new_ombre = "" if deal.lone_player == deal.ombre else f" (seat {deal.lone_player})"
    outcome = f"{result.name}{new_ombre}{deal.tricks}"
    unfilled = None
    if result.pool == "put":
        put = max(0, min(pool, (POOL_LIMIT - pool) // len(beaten)))
        cut = None if put == pool else f"no puesta takes the pool beyond {POOL_LIMIT:,}, OM-8.2"
        text = reason(deal.contract.name, deal.ombre, f"{outcome}, put into the pool of {pool:,}", put, cut)
        for loser in beaten:
            yield Transfer(loser, POOL, -put, "puesta", result.rule, text, rests=WITH_DEAL)
        # If nothing is put in, no line of kind puesta can give the reason.
        unfilled = None if put else f"nothing is put into the pool: {cut}"
    else:
        yield from _paid(terms, deal, outcome)
    text = reason(deal.contract.name, deal.ombre, outcome, STAKE, unfilled)
    for loser in beaten:
        for other in rotated(terms.order, loser)[1:]:
            if other not in beaten:
                yield Transfer(
                    loser, other, -STAKE, "contract", result.rule, text, rests=WITH_DEAL if unfilled else PLAY
                )


def _paid(terms: Terms, deal: Deal, outcome: str) -> Iterator[Transfer]:
    """Ombre pays the pool's value to who won most, or half to each of two; an odd chip goes to the pool (OM-8.1)."""
    ombre, contract, pool, takers = deal.ombre, deal.contract, terms.pool, deal.ended.takers
    players = rotated(terms.order, deal.lone_player)
    part, odd = divmod(pool, len(takers))
    shared = len(takers) > 1
    rule = "OM-8.1" if shared else deal.ended.result.rule
    what = f"half of the {pool:,} in the pool" if shared else "as much as the pool holds"
    text = reason(contract.name, ombre, f"{outcome}, {what}", part)
    for taker in takers:
        yield Transfer(ombre, players[taker], -part, "codille", rule, text, rests=WITH_DEAL)
    text = reason(contract.name, ombre, f"{outcome}, the odd chip of the {pool:,} in the pool", odd)
    yield Transfer(ombre, POOL, -odd, "codille", rule, text, rests=WITH_DEAL)


def _grounds(state: State) -> Grounds:
    """The events behind the deal, Ombre's exchange, and contract and play."""
    match state:
        case Playing():
            play, surrender, won_at = state, state.surrender, state.tricks.won_at
        # A surrender is paid for whatever tricks came before it.
        case Surrendered():
            play, surrender, won_at = state.play, state.surrender, ()
        case _:
            return {}
    said = surrender.said_at if surrender else ()
    return {
        "deal": (play.common.dealt_at,),
        "exchange": (play.commitment.exchanged_at,),
        "play": (*play.commitment.made_at, *won_at, play.undertaken, play.stopped, *said),
    }


def _terms(standing: Standing) -> Terms:
    return Terms(standing.options, order_of_turns(dealer_of(standing)), standing.accounts.get(POOL, 0))


def _dealt(state: State) -> Terms:
    common = state.play.common if isinstance(state, Surrendered | Surrendering) else state.common
    return Terms(common.options, common.order, common.pool)


SCORING = Scoring(Facts, facts, settled, flaws, _worth, _grounds, _terms, _dealt, searched=SEARCHED)
