"""The ways in which a deal ends, the texts of its lines, and the events that they cite.

A line and its counter-line have the same text, so the text names the player by seat and has amounts without a sign. The
line's own amount shows whether an account gains or loses.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Generic, Protocol, TypeAlias, TypeVar

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.kernel.course import Standing
from domain.kernel.ledger import BANK, Line
from domain.kernel.worth import Flaw, Flaws, Grounds, Scoring, Terms
from domain.parts.turns import order_of_turns
from domain.seats import Seat

AtTable: TypeAlias = Annotated[Seat, Meta(ge=0, le=3, extra_json_schema={"format": "seat"})]
"""A seat, as a fact."""

Number: TypeAlias = Annotated[int, Meta(ge=0, le=99)]
"""A number of tricks or cards, as a fact."""

FactT = TypeVar("FactT")
"""A fact of one seat or side."""

BySeat: TypeAlias = Annotated[tuple[FactT, ...], Meta(extra_json_schema={"x-by": "seat"})]
"""Facts by seat, one for each."""

BySide: TypeAlias = Annotated[tuple[FactT, FactT], Meta(extra_json_schema={"x-by": "side"})]
"""Facts by side, where partners sit opposite each other or two play alone."""

Uncounted: TypeAlias = Annotated[FactT, Meta(extra_json_schema={"x-counts": False})]
"""A fact on which no amount depends, so nobody needs to ask for it."""

OutcomeT = TypeVar("OutcomeT", bound=str)
"""The names of a game's outcomes."""


class Ending(Struct, Generic[OutcomeT], frozen=True, gc=False):
    """One way in which a deal ends, and the rule behind it. A game's own row adds columns."""

    outcome: OutcomeT
    rule: str
    name: str


class HasOptions(Protocol):
    """A standing, or a state, with the options of its table."""

    @property
    def options(self) -> Any:
        """The options."""


def options_alone(dealt: HasOptions) -> Terms:
    """The terms where only the options count beside the facts."""
    return Terms(dealt.options)


def in_turn(standing: Standing) -> Terms:
    """The terms where all seats play, in the order of turns."""
    return Terms(standing.options, order_of_turns(standing))


def in_common(state: Any) -> Terms:
    """The terms of a deal whose phases have options and order in common."""
    return Terms(state.common.options, state.common.order)


class Fact(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Facts of a deal. The schema of facts says what their fields mean."""


class Ended(Fact, frozen=True, gc=False, tag_field="ended"):
    """The facts of a deal that ended in one of several ways, each of which has a tag."""


def flaws_of_tricks(rule: str, won: Sequence[int], order: Sequence[Seat], hand: int, seats: int) -> Flaws:
    """The flaws of numbers of tricks won by each of `seats` seats, where those of `order` play `hand` cards each."""
    if len(won) != seats:
        yield Flaw(rule, f"tricks are given for {len(won)} seats, and {seats} sit at the table", ("tricks",))
    elif sum(won) > hand:
        yield Flaw(rule, f"{sum(won)} tricks are won, and {hand} are played", ("tricks",))
    elif any(won[seat] for seat in range(seats) if seat not in order):
        yield Flaw(rule, "a seat that sits out wins no trick", ("tricks",))


def bank_by_deals(lines: Sequence[Sequence[Line]]) -> list[int]:
    """What the bank gains in each of several deals, by their lines."""
    return [sum([line.amount for line in booked if line.account == BANK]) for booked in lines]


def all_citing(scoring: Scoring, events: Callable[[Any], tuple[int, ...]]) -> Scoring:
    """The scoring by which every line cites these events."""

    def grounds(state: Any) -> Grounds:
        versions = events(state)
        return defaultdict(lambda: versions)

    return replace(scoring, grounds=grounds)


def reason(what: str, seat: Seat, how: str | None, amount: int | str, note: str | None = None) -> str:
    """The text of a line: what the seat played or did, the result, and the amount or its formula, unsigned.

    `Tournee by seat 1, crocodile lunch: 2 × 3`. A note follows in brackets.
    """
    outcome = "" if how is None else f", {how}"
    formula = amount if isinstance(amount, str) else f"{amount:,}"
    return f"{what} by seat {seat}{outcome}: {formula}" + ("" if note is None else f" ({note})")
