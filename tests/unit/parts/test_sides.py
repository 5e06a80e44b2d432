"""Sides: who plays together, what they have together, and who has won."""

import pytest

from domain.kernel.course import Standing
from domain.parts.sides import OPPOSITE, highest_together, number_of, together

UNEVEN = ((0,), (1, 2, 3))


def standing(*totals: int) -> Standing:
    return Standing(None, 1, 1, 0, totals, {})


def test_opposite_seats_are_partners() -> None:
    assert [number_of(seat) for seat in range(4)] == [0, 1, 0, 1]
    assert sorted(seat for side in OPPOSITE for seat in side) == [0, 1, 2, 3]


def test_sides_may_be_of_any_size() -> None:
    assert [number_of(seat, UNEVEN) for seat in range(4)] == [0, 1, 1, 1]
    assert together((5, 1, 2, 3), UNEVEN) == (5, 6)


def test_a_seat_without_a_side_has_none() -> None:
    with pytest.raises(ValueError, match="True is not in list"):
        number_of(4)


@pytest.mark.parametrize(
    ("totals", "winners"),
    [
        ((3, 2, 3, 2), (0, 2)),
        ((-3, -2, -3, -2), (1, 3)),
        ((2, 2, 2, 2), (0, 1, 2, 3)),
        ((9, 5, 0, 5), (1, 3)),
        ((4, 3, 2, 3), (0, 1, 2, 3)),
    ],
)
def test_the_side_with_most_together_wins_and_equals_share(totals: tuple[int, ...], winners: tuple[int, ...]) -> None:
    assert highest_together()(standing(*totals)) == winners


def test_a_single_player_may_win_against_several() -> None:
    assert highest_together(UNEVEN)(standing(7, 1, 2, 3)) == (0,)
    assert highest_together(UNEVEN)(standing(6, 1, 2, 3)) == (0, 1, 2, 3)
