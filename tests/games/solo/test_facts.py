"""The rules' worked examples from facts typed by hand, and facts that contradict the rules."""

from typing import Any

from tests.support.facts import fault, gains, typed
from tests.support.for_each import for_each


def facts(level: int, *tricks: int, **others: Any) -> dict[str, Any]:
    return {"declarer": 0, "level": level, "tricks": tricks, **others}


@for_each(
    "facts, due",
    [
        # Six of the rules' text (SO-2, SO-4.2), which has no worked examples.
        (facts(1, 3, 2, 2, 1, partner=2), (2, 0, 2, 0)),
        (facts(2, 2, 3, 2, 1, partner=2), (-4, 0, -4, 0)),
        (facts(3, 5, 1, 0, 0), (4, 0, 0, 0)),
        (facts(4, 4, 4, 0, 0), (-8, 0, 0, 0)),
        (facts(5, 8, 0, 0, 0), (16, 0, 0, 0)),
        (facts(6, 6, 1, 0, 0), (-32, 0, 0, 0)),
    ],
)
def test_examples(facts: dict[str, Any], due: tuple[int, ...]) -> None:
    assert gains(typed("solo", facts), 4) == due


@for_each(
    "stopped, beyond",
    [
        (facts(3, 5, 1, 0, 0), facts(3, 7, 1, 0, 0)),
        (facts(4, 0, 4, 0, 0), facts(4, 4, 4, 0, 0)),
        (facts(6, 0, 1, 0, 0), facts(6, 7, 1, 0, 0)),
        (facts(1, 3, 0, 2, 0, partner=2), facts(1, 3, 2, 2, 1, partner=2)),
    ],
)
def test_play_beyond_the_stop_changes_nothing(stopped: dict[str, Any], beyond: dict[str, Any]) -> None:
    assert gains(typed("solo", stopped), 4) == gains(typed("solo", beyond), 4)


@for_each(
    "facts, rule",
    [
        (facts(3, 5, 4, 0, 0), "SO-1.1"),
        (facts(3, 5, 3, 0), "SO-1.1"),
        (facts(3, 4, 3, 0, 0), "SO-4.3"),
        (facts(5, 7, 0, 0, 0), "SO-4.3"),
        (facts(3, 5, 3, 0, 0, partner=1), "SO-2.1"),
        (facts(1, 5, 3, 0, 0), "SO-2.1"),
        (facts(1, 5, 3, 0, 0, partner=0), "SO-2.1"),
    ],
)
def test_flaws(facts: dict[str, Any], rule: str) -> None:
    assert fault(typed("solo", facts)) == rule
