"""Games to a target: deals are played until somebody has `options.target` points."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from domain.kernel.course import Deals, Standing

MOST_DEALS = 99
"""The most deals of a game to a target: perhaps nobody ever reaches it."""


def each_total(standing: Standing) -> tuple[int, ...]:
    """The players' points, by seat."""
    return standing.totals


class ToTarget(Struct, frozen=True, gc=False):
    """A game that is over once a score is as high as the target; `scores` are those of the players or of the sides."""

    rule: str
    """The numbered rule that bounds the number of deals."""
    scores: Callable[[Standing], tuple[int, ...]] = each_total
    passed: bool = False
    """Whether the score must be higher than the target."""
    alone: bool = False
    """Whether the highest score must be that of one player or side alone."""

    def deals(self, _: Any) -> Deals:
        """The most deals of the game."""
        return Deals(MOST_DEALS, 1, MOST_DEALS, self.rule)

    def over(self, standing: Standing) -> str | None:
        """The reason why the game is over; None while it goes on."""
        scores, target = self.scores(standing), standing.options.target
        highest = max(scores)
        if highest < target + self.passed or (self.alone and scores.count(highest) > 1):
            return None
        return "target passed" if self.passed else "target reached"
