"""When a deal is settled, and the payments (OM-6, OM-8)."""

from collections.abc import Iterator
from functools import cache
from itertools import takewhile

from msgspec import Struct

from domain.cards import Card, Suit
from domain.games.ombre.contracts import (
    CODILLE,
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
    Result,
)
from domain.games.ombre.meta import POOL_LIMIT, SEATS
from domain.games.ombre.state import PassedOut, Playing, State, Surrender, Surrendered, defenders
from domain.kernel.game import Score
from domain.kernel.ledger import POOL, Transfer
from domain.parts.matadors import HAND, trumps_of
from domain.parts.scoring import cited, once_settled, reason
from domain.parts.tally import Tally, tally
from domain.parts.tricks import settled_for_any_winner
from domain.seats import Seat, rotated

NEW_OMBRE_TRICKS = 5
"""The number of tricks that the new Ombre needs (OM-7.3)."""


class Settlement(Struct, frozen=True, gc=False):
    """The result of the tricks: an outcome, primeras or not, and the players that are paid the pool's value.

    `takers` are numbered from the player that plays alone: 0 that player, 1 the next in turn, 2 the other.
    """

    result: Result
    primeras: bool = False
    takers: tuple[int, ...] = ()


@cache
def settlement(tally: Tally) -> Settlement | None:
    """The settlement of a deal in which Ombre never stops, if the remaining tricks change nothing, otherwise None
    (OM-6.4).
    """
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
    """How the deal has ended; None while it goes on."""
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


def estuches(hand: tuple[Card, ...], trump: Suit) -> tuple[Card, ...]:
    """The trumps of the hand that count as estuches, high to low: from spadille on, without a gap (OM-6.3)."""
    unbroken = tuple(takewhile(hand.__contains__, trumps_of(trump)))[: ESTUCHES.most]
    return unbroken if len(unbroken) >= ESTUCHES.least else ()


def _score(state: State, ended: Settlement) -> Score:
    match state:
        case Playing():
            return _booked(state, ended, state.surrender)
        case Surrendered():
            return _booked(state.play, ended, state.surrender)
        case _:
            return Score(ended.result.outcome, (), {"estuches": ()})


score = once_settled(settled, _score)
"""The score of the deal; None until it is settled."""


def _booked(state: Playing, settled: Settlement, surrender: Surrender | None) -> Score:
    """The lines: one transfer for each payer and kind (OM-8.2); zero amounts are not booked."""
    result, trump = settled.result, state.commitment.trump
    said = surrender.said_at if surrender else ()
    # A surrender is paid for whatever tricks came before it.
    won_at = () if result is SURRENDERED else state.tricks.won_at
    events = cited(*state.commitment.made_at, *won_at, state.undertaken, state.stopped, *said)
    won = result.sign > 0
    cards = estuches(state.opening, trump) if won and trump is not None else ()
    tricks = f", {tallied(state).in_words}" if won_at else ""
    lines = _won(state, settled, cards, tricks, events) if won else _lost(state, settled, tricks, events)
    return Score(result.outcome, tuple(lines), {"estuches": cards})


def _won(
    state: Playing, settled: Settlement, cards: tuple[Card, ...], tricks: str, events: tuple[int, ...]
) -> Iterator[Transfer]:
    """Ombre takes the pool, and each defender pays for the contract and the feats."""
    commitment, result, pool, dealt_at = state.commitment, settled.result, state.common.pool, state.common.dealt_at
    ombre, contract = commitment.ombre, commitment.contract
    formula = f"{STAKE} + {contract.added}" if contract.added else STAKE
    outcome = f"{result.name}{tricks}"
    vole = f"made{tricks}" if result.vole > 0 else f"undertaken and failed{tricks}"
    primeras = PRIMERAS.least if settled.primeras else 0
    hand = cited(dealt_at, commitment.exchanged_at, *events)
    lines = (
        ("contract", result.rule, contract.value, reason(contract.name, ombre, outcome, formula), events),
        (ESTUCHES.bonus, ESTUCHES.rule, len(cards), reason(ESTUCHES.name, ombre, " ".join(cards), len(cards)), hand),
        (PRIMERAS.bonus, PRIMERAS.rule, primeras, reason(PRIMERAS.name, ombre, f"stopped{tricks}", primeras), events),
        (VOLE.bonus, VOLE.rule, result.vole * VOLE.least, reason(VOLE.name, ombre, vole, VOLE.least), events),
    )
    text = reason(contract.name, ombre, f"{outcome}, the pool taken", pool)
    yield Transfer(ombre, POOL, pool, "pool", result.rule, text, cited(dealt_at, *events))
    for kind, rule, amount, text, cited_events in lines:
        for defender in defenders(ombre, state.common.order):
            yield Transfer(ombre, defender, amount, kind, rule, text, cited_events)


def _lost(state: Playing, settled: Settlement, tricks: str, events: tuple[int, ...]) -> Iterator[Transfer]:
    """Each beaten player pays the stake to each other player, and the pool's value into the pool or to the player with
    most tricks.
    """
    ombre, contract, pool = state.commitment.ombre, state.commitment.contract, state.common.pool
    result, with_deal = settled.result, cited(state.common.dealt_at, *events)
    beaten = (ombre, lone_player(state))[: result.beaten]
    outcome = result.name if state.new_ombre is None else f"{result.name} (seat {state.new_ombre})"
    outcome += tricks
    unfilled = None
    if result.pool == "put":
        put = max(0, min(pool, (POOL_LIMIT - pool) // len(beaten)))
        cut = None if put == pool else f"no puesta takes the pool beyond {POOL_LIMIT:,}, OM-8.2"
        text = reason(contract.name, ombre, f"{outcome}, put into the pool of {pool:,}", put, cut)
        for loser in beaten:
            yield Transfer(loser, POOL, -put, "puesta", result.rule, text, with_deal)
        # If nothing is put in, no line of kind puesta can give the reason.
        unfilled = None if put else f"nothing is put into the pool: {cut}"
    else:
        yield from _paid(state, settled, outcome, with_deal)
    text = reason(contract.name, ombre, outcome, STAKE, unfilled)
    for loser in beaten:
        for other in rotated(state.common.order, loser)[1:]:
            if other not in beaten:
                yield Transfer(loser, other, -STAKE, "contract", result.rule, text, with_deal if unfilled else events)


def _paid(state: Playing, settled: Settlement, outcome: str, events: tuple[int, ...]) -> Iterator[Transfer]:
    """Ombre pays the pool's value to the player with most tricks, or half to each of two; an odd chip goes to the pool
    (OM-8.1).
    """
    ombre, contract, pool = state.commitment.ombre, state.commitment.contract, state.common.pool
    players = rotated(state.common.order, lone_player(state))
    part, odd = divmod(pool, len(settled.takers))
    shared = len(settled.takers) > 1
    rule = "OM-8.1" if shared else settled.result.rule
    what = f"half of the {pool:,} in the pool" if shared else "as much as the pool holds"
    text = reason(contract.name, ombre, f"{outcome}, {what}", part)
    for taker in settled.takers:
        yield Transfer(ombre, players[taker], -part, "codille", rule, text, events)
    text = reason(contract.name, ombre, f"{outcome}, the odd chip of the {pool:,} in the pool", odd)
    yield Transfer(ombre, POOL, -odd, "codille", rule, text, events)
