"""The score of a deal, judged from the tricks won alone, and its lines (BO-7, BO-8)."""

from collections.abc import Callable, Iterator

from msgspec import Struct

from domain.games.boston.contracts import (
    BIDS,
    CONTRACTS,
    FIVE,
    HONOURS,
    RESULTS,
    THROWN_IN,
    Bonus,
    Contract,
    Result,
    bid_name,
)
from domain.games.boston.facts import SEARCHED, Facts, NotPlayed, Played, facts, flaws
from domain.games.boston.meta import HAND
from domain.games.boston.state import Playing, State, ThrownIn
from domain.kernel.ledger import BANK, Transfer
from domain.kernel.worth import Grounds, Score, Scoring, Terms
from domain.parts.scoring import in_common, in_turn, reason
from domain.seats import Seat

_FIELDS = ("declarer", "supporter", "contract", "suit")
"""The facts that Boston adds to `deal-scored`, null in a deal that was thrown in."""


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
    match state:
        case Playing(commitment=plays, tricks=tricks):
            helped = None if plays.supporter is None else tricks.winners.count(plays.supporter)
            return result(plays.bid.contract, tricks.winners.count(plays.declarer), helped, len(tricks.winners))
        case ThrownIn():
            return THROWN_IN
        case _:
            return None


def result(contract: Contract, won: int, helped: int | None, played: int) -> Result | None:
    """The result of the tricks won by declarer, and by a supporter if there is one; None while play goes on."""
    declarer_made = made(contract, won, played)
    if declarer_made is None:
        return None
    supporter_made = None if helped is None or contract.supporter is None else helped >= contract.supporter
    return next(row for row in RESULTS if (row.declarer, row.supporter) == (declarer_made, supporter_made))


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


def value(facts: Played, seat: Seat, goal: int, honours: int, five_base: int) -> Value:
    """The value of the contract for the seat, whose goal was this number of tricks (BO-7.1 to BO-7.4)."""
    bid = BIDS[bid_name(facts.contract, facts.suit)]
    base = five_base if facts.contract == FIVE else bid.contract.base
    if bid.contract.premium is None:
        return Value(base, 0, bid.factor)
    counting = next((row for row in HONOURS if row.honours == honours), None)
    return Value(base, bid.contract.premium, bid.factor, facts.tricks[seat] - goal, counting)


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


def worth(terms: Terms, facts: Facts, formula: Callable[[Value], str] = formula) -> Score | None:
    """The score of the deal, whose lines state their values with `formula`; None while play goes on."""
    if isinstance(facts, NotPlayed):
        return Score(THROWN_IN.outcome, (), dict.fromkeys(_FIELDS))
    contract = CONTRACTS[facts.contract]
    helped = None if facts.supporter is None else facts.tricks[facts.supporter]
    ended = result(contract, facts.tricks[facts.declarer], helped, sum(facts.tricks))
    if ended is None:
        return None
    lines = tuple(_lines(facts, terms.options.five_base, ended, formula))
    return Score(ended.outcome, lines, {field: getattr(facts, field) for field in _FIELDS})


def _lines(facts: Played, five_base: int, ended: Result, formula: Callable[[Value], str]) -> Iterator[Transfer]:
    """The lines of declarer and then of the supporter."""
    declarer, supporter, contract = facts.declarer, facts.supporter, CONTRACTS[facts.contract]

    def line(seat: Seat, amount: int, says: str, part: str | None, *values: Value) -> Transfer:
        text = reason(contract.name, seat, ended.name, says, part)
        # The deal of the cards, if honours count (BO-9.2).
        rests = ("play", "honours") if any(value.honours for value in values) else ("play",)
        return Transfer(seat, BANK, amount, "contract", ended.rule, text, rests=rests)

    own = value(facts, declarer, contract.least, facts.honours, five_base)
    sign = 1 if ended.declarer else -1
    if supporter is None or contract.supporter is None:
        yield line(declarer, sign * own.points, formula(own), None, own)
        return
    other = value(facts, supporter, contract.supporter, facts.supporter_honours, five_base)
    if ended.declarer == ended.supporter:
        yield line(declarer, sign * half(own.points), f"half of {formula(own)}", "declarer", own)
        yield line(supporter, sign * half(other.points), f"half of {formula(other)}", "supporter", other)
        return
    failed, part = (supporter, "supporter") if ended.declarer else (declarer, "declarer")
    says = f"half the sum of {formula(own)} and {formula(other)}"
    yield line(failed, -half(own.points + other.points), says, part, own, other)


def grounds(state: State) -> Grounds:
    """The events behind contract and play, and behind the honours dealt."""
    if not isinstance(state, Playing):
        return {}
    return {"play": (*state.commitment.made_at, *state.tricks.won_at), "honours": (state.common.dealt_at,)}


SCORING = Scoring(Facts, facts, settled, flaws, worth, grounds, in_turn, in_common, searched=SEARCHED)
