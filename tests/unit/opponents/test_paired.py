"""Paired differences: their mean and interval by hand, and what stopping at any time costs."""

from math import inf

import pytest

from domain.opponents.paired import LEAST, MISSES, Differences, Strength
from tests.support.picking import repeatable


def after(*differences: float, most: int = 1000) -> Differences:
    made = Differences(most)
    for difference in differences:
        made.add(difference)
    return made


def test_mean_and_interval_are_those_computed_by_hand() -> None:
    # Variance 5.25, threshold (√9 / 0.05)^(2/8) = 60^(1/4) = 2.783158; the half width is the root of
    # 5.25 · 1.783158 · 9 / (9 − 2.783158) = 13.5525, that is 3.68137.
    strength = after(1, 2, 3, 4, 5, 6, 7, 8).strength
    assert strength.difference == pytest.approx(4.5)
    assert strength.interval == pytest.approx((0.81863, 8.18137), abs=1e-4)
    assert strength.deals == 8


def test_the_interval_of_a_hundred_is_that_computed_by_hand() -> None:
    # Variance 1, threshold (√101 / 0.05)^(1/50) = 200.9975^0.02 = 1.11188; √(0.11188 · 101 / 99.88812) = 0.33634.
    strength = after(*[1.0, -1.0] * 50).strength
    assert strength.interval == pytest.approx((-0.33634, 0.33634), abs=1e-4)


def test_few_differences_show_nothing() -> None:
    assert after().strength == Strength(0.0, (-inf, inf), 0)
    assert after(3.0).strength.interval == (-inf, inf)
    same = after(*[3.0] * (LEAST - 1))
    assert same.strength.interval == (3.0, 3.0)
    assert not same.complete
    same.add(3.0)
    assert same.complete


def test_nothing_is_added_once_the_interval_excludes_0() -> None:
    won = after(*[3.0, 4.0] * 4)
    assert won.complete
    before = won.strength
    won.add(-1000.0)
    assert won.strength == before
    assert won.strength.deals == LEAST


def test_no_more_are_taken_than_there_may_be() -> None:
    even = after(*[1.0, -1.0] * 10, most=12)
    assert even.complete
    assert not even.strength.decided
    assert even.strength.deals == 12


def test_no_difference_decides_nothing() -> None:
    none = after(*[0.0] * 20, most=20)
    assert none.strength == Strength(0.0, (0.0, 0.0), 20)
    assert not none.strength.decided


def test_stopping_at_any_time_is_wrong_no_more_often_than_stated() -> None:
    """The interval of a test with a fixed number, looked at so often, would be wrong in every third series."""
    chance, series, wrong = repeatable(27), 1000, 0
    for _ in range(series):
        differences = Differences(200)
        while not differences.complete:
            differences.add(chance.gauss(0.0, 3.0))
        wrong += differences.strength.decided
    assert 0 < wrong <= MISSES * series


def test_a_true_difference_is_found() -> None:
    chance, found = repeatable(28), 0
    for _ in range(100):
        differences = Differences(1000)
        while not differences.complete:
            differences.add(chance.gauss(1.0, 3.0))
        low, high = differences.strength.interval
        found += low > 0
        assert high > 0
    assert found == 100
