"""The ways in which a deal ends, the texts of its lines, and the events that they cite.

A line and its counter-line have the same text, so the text names the player by seat and has amounts without a sign. The
line's own amount shows whether an account gains or loses.
"""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from domain.kernel.game import Score
from domain.seats import Seat

OutcomeT = TypeVar("OutcomeT", bound=str)
"""The names of a game's outcomes."""


class Ending(Struct, Generic[OutcomeT], frozen=True, gc=False):
    """One way in which a deal ends, and the rule behind it. A game's own row adds columns."""

    outcome: OutcomeT
    rule: str
    name: str


EndT = TypeVar("EndT")


def once_settled(
    settled: Callable[[Any], EndT | None], score: Callable[[Any, EndT], Score]
) -> Callable[[Any], Score | None]:
    """A game's score: None until the deal is settled, then that of the deal with this end."""

    def scored(state: Any) -> Score | None:
        end = settled(state)
        return None if end is None else score(state, end)

    return scored


def reason(what: str, seat: Seat, how: str | None, amount: int | str, note: str | None = None) -> str:
    """The text of a line: what the seat played or did, the result, and the amount or its formula, unsigned.

    `Tournee by seat 1, crocodile lunch: 2 × 3`. A note follows in brackets.
    """
    outcome = "" if how is None else f", {how}"
    formula = amount if isinstance(amount, str) else f"{amount:,}"
    return f"{what} by seat {seat}{outcome}: {formula}" + ("" if note is None else f" ({note})")


def cited(*versions: int | None) -> tuple[int, ...]:
    """The versions of the events that justify a line, ascending, each once; None is left out."""
    return tuple(sorted({version for version in versions if version is not None}))


def citing(
    score: Callable[[Any], Score | None], events: Callable[[Any], tuple[int, ...]]
) -> Callable[[Any], Score | None]:
    """A game's score, with every line of a settled deal citing these events."""

    def cited_otherwise(state: Any) -> Score | None:
        result = score(state)
        if result is None or not result.transfers:
            return result
        versions = events(state)
        return replace(result, transfers=tuple(replace(each, events=versions) for each in result.transfers))

    return cited_otherwise
