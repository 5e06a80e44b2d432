"""Sides: who plays together, what they have together, and who has won."""

import pytest
from msgspec import Struct
from msgspec.structs import replace

from domain.kernel.course import Standing
from domain.parts.sides import (
    OPPOSITE,
    highest_together,
    in_words,
    number_of,
    scores,
    together,
    two_sides,
    winners_of_two_sides,
)


class Options(Struct, frozen=True):
    """Options that say how many play."""

    players: int


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


@pytest.mark.parametrize(
    ("players", "totals", "winners"),
    [(2, (3, 2), (0,)), (2, (2, 2), (0, 1)), (4, (3, 5, 3, 5), (1, 3)), (4, (5, 5, 5, 5), (0, 1, 2, 3))],
)
def test_of_two_players_each_is_a_side(players: int, totals: tuple[int, ...], winners: tuple[int, ...]) -> None:
    stands = replace(standing(*totals), options=Options(players))
    assert sorted(seat for side in two_sides(Options(players)) for seat in side) == list(range(players))
    assert winners_of_two_sides(stands) == winners


def test_either_account_is_the_score_and_else_their_mean_rounded_down() -> None:
    assert scores((7, 5, 7, 5)) == (7, 5)
    assert scores((7, 5, 10, 5)) == (8, 5)
    assert scores((-7, 5, -10, 5)) == (-9, 5)
    assert scores((7, 5), ((0,), (1,))) == (7, 5)


def test_a_side_in_words() -> None:
    assert [in_words(side) for side in ((1,), (0, 2))] == ["seat 1", "seats 0 and 2"]
