"""Sides: seats that win and lose together."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeAlias

from domain.kernel.course import Standing
from domain.seats import Seat

Side: TypeAlias = tuple[Seat, ...]
"""The seats of a side, in their order."""

OPPOSITE: tuple[Side, ...] = ((0, 2), (1, 3))
"""Four players, of whom those are partners who sit opposite each other."""

TWO_SIDES: Mapping[int, tuple[Side, ...]] = {2: ((0,), (1,)), 4: OPPOSITE}
"""The two sides, by the number of players: of two each is a side."""


class HasPlayers(Protocol):
    """Options that say how many play."""

    @property
    def players(self) -> int:
        """The number of players."""


def two_sides(options: HasPlayers) -> tuple[Side, ...]:
    """Partners sit opposite each other; of two players each is a side."""
    return TWO_SIDES[options.players]


def in_words(side: Sequence[Seat]) -> str:
    """The seats of a side: `seat 1`, `seats 0 and 2`."""
    return f"seat {side[0]}" if len(side) == 1 else f"seats {' and '.join(map(str, side))}"


def number_of(seat: Seat, sides: Sequence[Side] = OPPOSITE) -> int:
    """The place of the seat's side among the sides. Raises ValueError for a seat without a side."""
    return [seat in side for side in sides].index(True)


def together(values: Sequence[int], sides: Sequence[Side] = OPPOSITE) -> tuple[int, ...]:
    """By side, the sum of what its seats have."""
    return tuple([sum([values[seat] for seat in side]) for side in sides])


def scores(totals: Sequence[int], sides: Sequence[Side] = OPPOSITE) -> tuple[int, ...]:
    """By side, its score, where a side's points are booked in full to each of its players.

    Either account of a side is its score. An arbiter may have booked to one of them alone; then it is their mean,
    rounded down.
    """
    return tuple([total // len(side) for side, total in zip(sides, together(totals, sides), strict=True)])


def highest_together(sides: Sequence[Side] = OPPOSITE) -> Callable[[Standing], tuple[Seat, ...]]:
    """The winners: the seats of the side whose totals together are the highest; of all such sides where several are."""

    def winners(standing: Standing) -> tuple[Seat, ...]:
        sums = together(standing.totals, sides)
        return tuple(
            sorted(seat for side, total in zip(sides, sums, strict=True) if total == max(sums) for seat in side)
        )

    return winners


def winners_of_two_sides(standing: Standing) -> tuple[Seat, ...]:
    """The winners where the options say how many play: the players of the side with more, all if both have as many."""
    return highest_together(two_sides(standing.options))(standing)
