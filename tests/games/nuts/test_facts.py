"""The rules' worked examples from facts typed by hand, and facts that contradict the rules."""

from typing import Any

from domain.games.nuts.meta import Options
from domain.kernel.ledger import BANK
from tests.support.facts import fault, gained, gains, typed
from tests.support.for_each import for_each


def facts(ended: str, *seats: tuple[int, int], **others: Any) -> dict[str, Any]:
    return {"ended": ended, "seats": [{"founded": founded, "left": left, **others} for founded, left in seats]}


@for_each(
    "facts, due, bank",
    [
        (facts("nuts", (22, 0), (17, 4), (5, 9)), (22, 9, -13), -18),
        (facts("stuck", (0, 13), (0, 13)), (-26, -26), 52),
    ],
)
def test_worked_examples(facts: dict[str, Any], due: tuple[int, ...], bank: int) -> None:
    score = typed("nuts", facts, Options(players=len(due)))
    assert (gains(score, len(due)), gained(score, BANK)) == (due, bank)


@for_each(
    "facts, rule",
    [
        (facts("nuts", (22, 0)), "NU-1.1"),
        (facts("nuts", (22, 0), (0, 14)), "NU-3.2"),
        (facts("nuts", (53, 0), (0, 13)), "NU-3.2"),
        (facts("stuck", (22, 2), (1, 2), cards=["0.5h", "0.5h"]), "NU-9.2"),
        (facts("stuck", (22, 2), (1, 2), cards=["0.5h", "0.6h"]), "NU-2.1"),
        (facts("nuts", (22, 1), (1, 2)), "NU-8.1"),
        (facts("stuck", (22, 0), (1, 2)), "NU-8.1"),
        (facts("nuts", (22, 0), (1, 0)), "NU-8.1"),
    ],
)
def test_flaws(facts: dict[str, Any], rule: str) -> None:
    assert fault(typed("nuts", facts)) == rule


def test_with_a_time_limit_alone_a_hand_is_stalled() -> None:
    hand = facts("stalled", (22, 1), (1, 2))
    assert fault(typed("nuts", hand, Options(stall=120))) == "NU-7.5"
