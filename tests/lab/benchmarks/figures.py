"""What is measured, beside what, and what it must reach."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct


class Bound(Struct, frozen=True, kw_only=True):
    """What a figure must reach: a least or a greatest value, or ratio to what it is measured beside."""

    least: float | None = None
    most: float | None = None
    of_ratio: bool = True

    def holds(self, number: float) -> bool:
        """Whether the number is within the bound."""
        return (self.least is None or number >= self.least) and (self.most is None or number <= self.most)

    def __str__(self) -> str:
        sign, number = ("≥", self.least) if self.least is not None else ("≤", self.most)
        return f"{sign} {number:,g}{' ×' if self.of_ratio else ''}"


class Beside(Struct, frozen=True, kw_only=True):
    """What a figure is measured beside, in the same unit; without a value, `note` says why there is none."""

    name: str
    value: float | None = None
    note: str = ""


class Figure(Struct, frozen=True, kw_only=True):
    """One line of the table."""

    row: str
    """What of the issue's table it belongs to."""
    case: str
    value: float | None
    """None: it could not be measured, and `note` says why."""
    unit: str
    beside: Beside | None = None
    must: Bound | None = None
    aim: Bound | None = None
    note: str = ""
    others: float | None = None
    """How many cores other processes took meanwhile, as far as it was measured."""
    details: Mapping[str, Any] = {}
    """What else was measured, for the JSON file."""

    @property
    def ratio(self) -> float | None:
        """The value, as a multiple of what it is measured beside."""
        if self.value is None or self.beside is None or not self.beside.value:
            return None
        return self.value / self.beside.value

    @property
    def reached(self) -> bool | None:
        """Whether the bound holds; None where there is none, or nothing to hold against it."""
        if self.must is None:
            return None
        number = self.ratio if self.must.of_ratio else self.value
        return None if number is None else self.must.holds(number)
