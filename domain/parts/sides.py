"""Sides: seats that win and lose together."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec.structs import replace

from domain.kernel.course import Course, Standing
from domain.parts.target import ToTarget
from domain.parts.turns import HasPlayers, next_dealer, seats_of_players
from domain.seats import Seat

Side: TypeAlias = tuple[Seat, ...]
"""The seats of a side, in their order."""

OPPOSITE: tuple[Side, ...] = ((0, 2), (1, 3))
"""The sides of four players whose partners sit opposite each other."""

TWO_SIDES: Mapping[int, tuple[Side, ...]] = {2: ((0,), (1,)), 4: OPPOSITE}
"""The two sides, by the number of players: partners opposite each other, or one player a side."""


def two_sides(options: HasPlayers) -> tuple[Side, ...]:
    """The two sides of a table with these options: partners sit opposite each other, and each of two players is
    a side.
    """
    return TWO_SIDES[options.players]


def course_of_two_sides(target: ToTarget) -> Course:
    """The course of a game of two sides to this target, whose options give the number of players."""
    return Course(
        seats=seats_of_players,
        deals=target.deals,
        next_dealer=next_dealer,
        sides=two_sides,
        over=target.over,
        winners=winners_of_two_sides,
    )


def in_words(side: Sequence[Seat]) -> str:
    """The seats of a side: `seat 1`, `seats 0 and 2`."""
    return f"seat {side[0]}" if len(side) == 1 else f"seats {' and '.join(map(str, side))}"


def number_of(seat: Seat, sides: Sequence[Side] = OPPOSITE) -> int:
    """The index of the seat's side among the sides. Raises ValueError for a seat without a side."""
    return [seat in side for side in sides].index(True)


def together(values: Sequence[int], sides: Sequence[Side] = OPPOSITE) -> tuple[int, ...]:
    """The sum of the seats' values, by side."""
    return tuple([sum([values[seat] for seat in side]) for side in sides])


def scores(totals: Sequence[int], sides: Sequence[Side] = OPPOSITE) -> tuple[int, ...]:
    """The score of each side, if a side's points are booked in full to each of its players.

    Every account of a side equals its score, unless an arbiter has booked to one of them alone; then the score is their
    mean, rounded down.
    """
    return tuple([total // len(side) for side, total in zip(sides, together(totals, sides), strict=True)])


def scores_settled(fields: Mapping[str, Any], standing: Standing) -> dict[str, Any]:
    """The view's `sides` with the scores that the totals make, corrections included: a deal counts on without them."""
    made = scores(standing.totals, [side.seats for side in fields["sides"]])
    return {"sides": tuple([replace(side, score=score) for side, score in zip(fields["sides"], made, strict=True)])}


class OfTwoSides:
    """A state whose options give the number of players, who are in two sides."""

    __slots__ = ()

    options: Any

    @property
    def sides(self) -> tuple[Side, ...]:
        """The two sides of the table."""
        return two_sides(self.options)

    def side(self, seat: Seat) -> int:
        """The index of the seat's side."""
        return number_of(seat, self.sides)


def scores_of_two_sides(standing: Standing) -> tuple[int, ...]:
    """The score of each side at a table whose options give the number of players."""
    return scores(standing.totals, two_sides(standing.options))


def highest_together(sides: Sequence[Side] = OPPOSITE) -> Callable[[Standing], tuple[Seat, ...]]:
    """The function that gives the winners: the seats of the side whose totals together are the highest, or of all such
    sides.
    """

    def winners(standing: Standing) -> tuple[Seat, ...]:
        sums = together(standing.totals, sides)
        return tuple(
            sorted(seat for side, total in zip(sides, sums, strict=True) if total == max(sums) for seat in side)
        )

    return winners


def winners_of_two_sides(standing: Standing) -> tuple[Seat, ...]:
    """The winners at a table whose options give the number of players: the side with more points, or all if both are
    equal.
    """
    return highest_together(two_sides(standing.options))(standing)
