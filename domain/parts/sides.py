"""Sides: seats that win and lose together."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from domain.kernel.course import Standing
from domain.seats import Seat

Side: TypeAlias = tuple[Seat, ...]
"""The seats of a side, in their order."""

OPPOSITE: tuple[Side, ...] = ((0, 2), (1, 3))
"""Four players, of whom those are partners who sit opposite each other."""


def number_of(seat: Seat, sides: Sequence[Side] = OPPOSITE) -> int:
    """The place of the seat's side among the sides. Raises ValueError for a seat without a side."""
    return [seat in side for side in sides].index(True)


def together(values: Sequence[int], sides: Sequence[Side] = OPPOSITE) -> tuple[int, ...]:
    """By side, the sum of what its seats have."""
    return tuple([sum([values[seat] for seat in side]) for side in sides])


def highest_together(sides: Sequence[Side] = OPPOSITE) -> Callable[[Standing], tuple[Seat, ...]]:
    """The winners: the seats of the side whose totals together are the highest; of all such sides where several are."""

    def winners(standing: Standing) -> tuple[Seat, ...]:
        sums = together(standing.totals, sides)
        return tuple(
            sorted(seat for side, total in zip(sides, sums, strict=True) if total == max(sums) for seat in side)
        )

    return winners
