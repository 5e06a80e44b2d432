"""What paired differences show: their mean, and an interval that may be looked at after each of them."""

from math import inf, sqrt

from msgspec import Struct

LEAST = 8
"""The fewest differences from which anything is concluded."""

MISSES = 0.05
"""The probability that an interval ever misses the true mean."""


class Strength(Struct, frozen=True):
    """How much more a level gains in a deal than another."""

    difference: float
    """The mean of the paired differences."""
    interval: tuple[float, float]
    deals: int
    """The number of differences."""

    @property
    def decided(self) -> bool:
        """Whether the interval excludes 0, so that one level is better."""
        low, high = self.interval
        return low > 0 or high < 0


class Differences:
    """Differences, one by one, until their interval excludes 0 or there are as many as there may be.

    The interval holds for all numbers of differences at once. Who looks at it after each difference, and stops when it
    excludes 0, is wrong with a probability of 5 % at most. That is why it is wider than the interval of a test whose
    number is fixed beforehand. All this is exact for independent, normally distributed differences of any variance, and
    an approximation for others. It is Lai's sequential t-test (1976), with a normal mixture of variance 1 over the
    effect size: Wang and Ramdas, "Anytime-valid t-tests and confidence sequences for Gaussian means with unknown
    variance" (2024).
    """

    def __init__(self, most: int) -> None:
        self.number = 0
        self._most = most
        self._mean = self._squares = 0.0

    @property
    def complete(self) -> bool:
        """Whether no more differences are needed. What is added then changes nothing."""
        if self.number >= self._most:
            return True
        return self.number >= LEAST and self.strength.decided

    @property
    def strength(self) -> Strength:
        """What the differences show so far."""
        number = self.number
        if not number:
            return Strength(0.0, (-inf, inf), 0)
        threshold = (sqrt(number + 1) / MISSES) ** (2 / number)
        # So few differences exclude no mean at all.
        left = number + 1 - threshold
        half = sqrt(self._squares / number * (threshold - 1) * (number + 1) / left) if left > 0 else inf
        return Strength(self._mean, (self._mean - half, self._mean + half), number)

    def add(self, difference: float) -> None:
        """Adds the next difference, unless no more are needed."""
        if self.complete:
            return
        self.number += 1
        before = difference - self._mean
        self._mean += before / self.number
        self._squares += before * (difference - self._mean)
