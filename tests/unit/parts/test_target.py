"""Games to a target: over once a score is high enough, and by how many deals at the latest."""

import msgspec

from domain.kernel.course import Deals, Standing
from domain.parts.target import ToTarget, each_total
from tests.support.for_each import for_each


class Options(msgspec.Struct, frozen=True):
    """The points of the target."""

    target: int = 10


@for_each(
    "game, scores, reason",
    [
        (ToTarget("R"), (9, 0), None),
        (ToTarget("R"), (0, 10), "target reached"),
        (ToTarget("R"), (11, 11), "target reached"),
        (ToTarget("R", passed=True), (10, 0), None),
        (ToTarget("R", passed=True), (11, 0), "target passed"),
        (ToTarget("R", alone=True), (12, 12), None),
        (ToTarget("R", alone=True), (13, 12), "target reached"),
        (ToTarget("R", lambda standing: (sum(standing.totals),)), (5, 5), "target reached"),
    ],
)
def test_a_game_is_over_once_a_score_is_high_enough(
    game: ToTarget, scores: tuple[int, ...], reason: str | None
) -> None:
    assert game.over(Standing(Options(), 99, 1, 0, scores, {})) == reason


def test_a_game_to_a_target_has_99_deals_at_most() -> None:
    assert ToTarget("R-1").deals(Options()) == Deals(99, 1, 99, "R-1")
    assert each_total(Standing(Options(), 99, 1, 0, (3, 4), {})) == (3, 4)
