"""What a deal comes to: judged from tricks won alone, then booked (BO-7, BO-8)."""

from typing import Any

from msgspec import Struct

from domain.games.boston.contracts import (
    BOTH_FAILED,
    BOTH_MADE,
    DECLARER_FAILED,
    FAILED,
    FIVE,
    HONOURS,
    MADE,
    SUPPORTER_FAILED,
    THROWN_IN,
    Contract,
    Result,
)
from domain.games.boston.meta import HAND, honours_of
from domain.games.boston.state import Commitment, Playing, State, ThrownIn
from domain.kernel.game import Score
from domain.kernel.ledger import BANK, Transfer
from domain.parts.scoring import cited, reason
from domain.parts.tricks import Tricks
from domain.seats import Seat


def made(contract: Contract, won: int, played: int) -> bool | None:
    """Whether declarer's tricks of those played reach the aim; None while play goes on (BO-6.5).

    A contract whose tricks are counted is played out. Any other stops when the tricks to come cannot change it.
    """
    left = HAND - contract.discard - played
    if contract.premium is not None and left:
        return None
    if won > contract.most or won + left < contract.least:
        return False
    return None if left else True


def settled(state: Playing) -> Result | None:
    """What the deal has come to; None until that is settled."""
    commitment, winners = state.commitment, state.tricks.winners
    contract, supporter = commitment.bid.contract, commitment.supporter
    declarer_made = made(contract, winners.count(commitment.declarer), len(winners))
    if declarer_made is None:
        return None
    if supporter is None or contract.supporter is None:
        return MADE if declarer_made else FAILED
    if winners.count(supporter) >= contract.supporter:
        return BOTH_MADE if declarer_made else DECLARER_FAILED
    return SUPPORTER_FAILED if declarer_made else BOTH_FAILED


class Value(Struct, frozen=True, gc=False):
    """A value before it is halved, and how it came about (BO-7)."""

    points: int
    formula: str


def honour_premiums(commitment: Commitment, seat: Seat, tricks: Tricks) -> int:
    """How many premiums the honours are worth that the seat was dealt (BO-7.2).

    Where honours count, nothing is discarded and all is played, so the seat has played all that it was dealt.
    """
    if commitment.trump is None:
        return 0
    honours = honours_of(commitment.trump)
    own = [each.card for trick in tricks.complete for each in trick.cards if each.seat == seat and each.card in honours]
    return next((row.premiums for row in HONOURS if row.honours == len(own)), 0)


def value(commitment: Commitment, seat: Seat, goal: int, tricks: Tricks, five_base: int) -> Value:
    """The value of the contract for the seat, which was to win so many tricks (BO-7.1 to BO-7.4)."""
    contract, factor = commitment.bid.contract, commitment.bid.factor
    base = five_base if contract.contract == FIVE else contract.base
    if contract.premium is None:
        return Value(base * factor, f"{base} × {factor}")
    counted = abs(tricks.winners.count(seat) - goal) + honour_premiums(commitment, seat, tricks)
    points = (base + contract.premium * counted) * factor
    return Value(points, f"({base} + {contract.premium} × {counted}) × {factor}")


def half(points: int) -> int:
    """Half of it, rounded up to a whole point (BO-8.4)."""
    return (points + 1) // 2


def score(state: State) -> Score | None:
    """What the deal comes to; None until that is settled."""
    match state:
        case ThrownIn():
            return Score(THROWN_IN.outcome, (), _extra(None))
        case Playing():
            ended = settled(state)
            return None if ended is None else _score(state, ended)
        case _:
            return None


def _score(state: Playing, ended: Result) -> Score:
    commitment, contract = state.commitment, state.commitment.bid.contract
    events = cited(*commitment.made_at, *state.tricks.won_at)
    transfers = tuple(
        Transfer(
            seat, BANK, amount, "contract", ended.rule,
            reason(contract.name, seat, ended.name, formula, note), events,
        )
        for seat, amount, formula, note in _amounts(state, ended)
    )  # fmt: skip
    return Score(ended.outcome, transfers, _extra(commitment))


def _amounts(state: Playing, ended: Result) -> list[tuple[Seat, int, str, str | None]]:
    """Seat, amount, formula and part in the alliance of each score: declarer's, then the supporter's."""
    commitment, base = state.commitment, state.common.options.five_base
    declarer, supporter, contract = commitment.declarer, commitment.supporter, commitment.bid.contract
    own = value(commitment, declarer, contract.least, state.tricks, base)
    if supporter is None or contract.supporter is None:
        return [(declarer, own.points if ended.declarer else -own.points, own.formula, None)]
    other = value(commitment, supporter, contract.supporter, state.tricks, base)
    if ended.declarer == ended.supporter:
        sign = 1 if ended.declarer else -1
        halves = ((declarer, own, "declarer"), (supporter, other, "supporter"))
        return [(seat, sign * half(each.points), f"half of {each.formula}", part) for seat, each, part in halves]
    failed, part = (supporter, "supporter") if ended.declarer else (declarer, "declarer")
    amount, formula = -half(own.points + other.points), f"half the sum of {own.formula} and {other.formula}"
    return [(failed, amount, formula, part)]


def _extra(commitment: Commitment | None) -> dict[str, Any]:
    """The fields that Boston adds to `deal-scored`."""
    if commitment is None:
        return dict.fromkeys(("declarer", "supporter", "contract", "suit"))
    return {
        "declarer": commitment.declarer,
        "supporter": commitment.supporter,
        "contract": commitment.bid.contract.contract,
        "suit": commitment.bid.suit,
    }
