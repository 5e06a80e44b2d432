"""The score of a deal, judged from the tricks won alone, and its lines (BO-7, BO-8)."""

from collections.abc import Callable
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
    Bonus,
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
    """Whether declarer's tricks, of those played, reach the goal; None while play goes on (BO-6.5).

    A contract whose tricks are counted is played out. Any other stops once the remaining tricks cannot change it.
    """
    left = HAND - contract.discard - played
    if contract.premium is not None and left:
        return None
    if won > contract.most or won + left < contract.least:
        return False
    return None if left else True


def settled(state: State) -> Result | None:
    """How the deal has ended; None while it goes on."""
    if isinstance(state, ThrownIn):
        return THROWN_IN
    if not isinstance(state, Playing):
        return None
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
    """A value before it is halved, and its parts (BO-7)."""

    base: int
    premium: int
    """The value of each trick over or short, and of each honour premium; 0 if the base counts alone (BO-7.3)."""
    factor: int
    over: int = 0
    """The number of tricks won over the contract; negative if short of it."""
    honours: Bonus | None = None
    """The honours that count; None if none do."""

    @property
    def points(self) -> int:
        """The points of the value (BO-7.4)."""
        counted = abs(self.over) + (0 if self.honours is None else self.honours.premiums)
        return (self.base + self.premium * counted) * self.factor


def honours_dealt(commitment: Commitment, seat: Seat, tricks: Tricks) -> Bonus | None:
    """The honours that the seat was dealt, if they are enough to count (BO-7.2).

    If honours count, nothing is discarded and everything is played, so the seat has played all cards that it was dealt.
    """
    if commitment.trump is None:
        return None
    honours = honours_of(commitment.trump)
    own = [each.card for trick in tricks.complete for each in trick.cards if each.seat == seat and each.card in honours]
    return next((row for row in HONOURS if row.honours == len(own)), None)


def value(commitment: Commitment, seat: Seat, goal: int, tricks: Tricks, five_base: int) -> Value:
    """The value of the contract for the seat, whose goal was this number of tricks (BO-7.1 to BO-7.4)."""
    contract, factor = commitment.bid.contract, commitment.bid.factor
    base = five_base if contract.contract == FIVE else contract.base
    if contract.premium is None:
        return Value(base, 0, factor)
    over = tricks.winners.count(seat) - goal
    return Value(base, contract.premium, factor, over, honours_dealt(commitment, seat, tricks))


def formula(value: Value) -> str:
    """The formula of the value, with tricks and honours apart (BO-9.2): `(24 + 8 × 1 over) × 2`."""
    premiums = []
    if value.over:
        premiums.append(f"{value.premium} × {abs(value.over)} {'over' if value.over > 0 else 'short'}")
    if value.honours is not None:
        name = value.honours.name.lower()
        premiums.append(f"{value.premium} × {value.honours.premiums} for {name} by BO-7.2")
    counted = " + ".join((str(value.base), *premiums))
    return f"({counted}) × {value.factor}" if premiums else f"{counted} × {value.factor}"


def half(points: int) -> int:
    """Half of the points, rounded up to a whole point (BO-8.4)."""
    return (points + 1) // 2


class Booked(Struct, frozen=True, gc=False):
    """A seat's score: the amount, its formula, the part in an alliance, and the values behind it."""

    seat: Seat
    amount: int
    formula: str
    part: str | None
    values: tuple[Value, ...]


def score(state: State, formula: Callable[[Value], str] = formula, *, cites_deal: bool = True) -> Score | None:
    """The score of the deal; None until it is settled.

    A line states its values with `formula`. It cites the deal of the cards if honours count (BO-9.2) and `cites_deal`
    is true.
    """
    ended = settled(state)
    if ended is None:
        return None
    if not isinstance(state, Playing):
        return Score(ended.outcome, (), _extra(None))
    return _score(state, ended, formula, cites_deal=cites_deal)


def _score(state: Playing, ended: Result, formula: Callable[[Value], str], *, cites_deal: bool) -> Score:
    commitment, contract = state.commitment, state.commitment.bid.contract
    events = cited(*commitment.made_at, *state.tricks.won_at)
    with_deal = cited(state.common.dealt_at, *events) if cites_deal else events
    transfers = tuple(
        Transfer(
            each.seat, BANK, each.amount, "contract", ended.rule,
            reason(contract.name, each.seat, ended.name, each.formula, each.part),
            with_deal if any(value.honours for value in each.values) else events,
        )
        for each in _booked(state, ended, formula)
    )  # fmt: skip
    return Score(ended.outcome, transfers, _extra(commitment))


def _booked(state: Playing, ended: Result, formula: Callable[[Value], str]) -> list[Booked]:
    """The scores of declarer and then of the supporter."""
    commitment, base = state.commitment, state.common.options.five_base
    declarer, supporter, contract = commitment.declarer, commitment.supporter, commitment.bid.contract
    own = value(commitment, declarer, contract.least, state.tricks, base)
    if supporter is None or contract.supporter is None:
        return [Booked(declarer, own.points if ended.declarer else -own.points, formula(own), None, (own,))]
    other = value(commitment, supporter, contract.supporter, state.tricks, base)
    if ended.declarer == ended.supporter:
        sign = 1 if ended.declarer else -1
        halves = ((declarer, own, "declarer"), (supporter, other, "supporter"))
        return [
            Booked(seat, sign * half(each.points), f"half of {formula(each)}", part, (each,))
            for seat, each, part in halves
        ]
    failed, part = (supporter, "supporter") if ended.declarer else (declarer, "declarer")
    says = f"half the sum of {formula(own)} and {formula(other)}"
    return [Booked(failed, -half(own.points + other.points), says, part, (own, other))]


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
