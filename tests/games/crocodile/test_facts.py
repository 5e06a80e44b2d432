"""The rules' worked examples from facts typed by hand, and facts that contradict the rules."""

from typing import Any

from tests.support.facts import fault, gains, typed
from tests.support.for_each import for_each


def facts(contract: str, *tricks: int, **others: Any) -> dict[str, Any]:
    return {"ended": "played", "declarer": 0, "contract": contract, "tricks": tricks, **others}


FIRST, OTHERS = {"first_five": "declarer"}, {"first_five": "opponents"}


@for_each(
    "facts, due",
    [
        (facts("tournee", 4, 3, 2), 6),
        (facts("play", 5, 1, 0, bonus="primeras", **FIRST), 6),
        (facts("solo", 8, 1, 0, bonus="tout", **FIRST), -20),
        (facts("grand", 0, 5, 0), -8),
        (facts("exchange-nolo", 4, 3, 2), -12),
        (facts("nolo-ouvert", 1, 4, 4, bonus="talking"), -20),
        (facts("nolo-ouvert", 2, 4, 3, bonus="talking"), -30),
        (facts("grand", 9, 0, 0), 8),
        (facts("grand", 9, 0, 0, bonus="tout"), 16),
        (facts("grand", 9, 0, 0, bonus="primeras"), 12),
        (facts("grand", 9, 0, 0, bonus="cuatro"), 4),
        (facts("play", 1, 4, 4), -2),
        (facts("play", 1, 4, 4, **OTHERS), -8),
        ({"ended": "conceded", "declarer": 0, "contract": "tournee", "bonus": "cuatro"}, -9),
    ],
)
def test_worked_examples(facts: dict[str, Any], due: int) -> None:
    assert gains(typed("crocodile", facts), 3) == (due, 0, 0)


TABLE: dict[str | None, tuple[int, ...]] = {
    None: (-4, -2, -1, 1, 2, 2, 4),
    "cuatro": (-6, -4, -3, -1, 3, 0, 2),
    "primeras": (-6, -4, -3, -1, 0, 3, 6),
    "tout": (-11, -9, -8, -6, -5, -5, 8),
}


@for_each("bonus", TABLE)
def test_the_table_of_results(bonus: str | None) -> None:
    ends = [
        facts("solo", 0, 5, 0), facts("solo", 2, 4, 3), facts("solo", 4, 4, 1), facts("solo", 5, 4, 0),
        facts("solo", 4, 3, 2), facts("solo", 5, 4, 0, **FIRST), facts("solo", 9, 0, 0),
    ]  # fmt: skip
    made = [gains(typed("crocodile", {**each, "bonus": bonus}), 3) for each in ends]
    assert made == [(4 * due, 0, 0) for due in TABLE[bonus]]


@for_each(
    "stopped, beyond",
    [
        (facts("play", 5, 1, 0, bonus="primeras", **FIRST), facts("play", 7, 1, 1, bonus="primeras", **FIRST)),
        (facts("grand", 0, 3, 2), facts("grand", 3, 4, 2, **OTHERS)),
        (facts("nolo", 5, 0, 0), facts("nolo", 6, 1, 2)),
    ],
)
def test_play_beyond_the_stop_changes_nothing(stopped: dict[str, Any], beyond: dict[str, Any]) -> None:
    assert gains(typed("crocodile", stopped), 3) == gains(typed("crocodile", beyond), 3)


@for_each(
    "facts, rule",
    [
        (facts("solo", 5, 4, 1), "CR-8.1"),
        (facts("solo", 5, 4, 0, 0), "CR-8.1"),
        (facts("solo", 4, 3, 0), "CR-8.4"),
        (facts("solo", 4, 4, 1, **FIRST), "CR-10.1"),
        (facts("solo", 5, 4, 0, **OTHERS), "CR-10.1"),
        (facts("nolo", 5, 4, 0, **FIRST), "CR-10.1"),
        (facts("solo", 5, 4, 0, bonus="talking"), "CR-10.1"),
        ({**facts("solo", 5, 4, 0), "declarer": 3}, "CR-1.1"),
        ({"ended": "conceded", "declarer": 0, "contract": "nolo-ouvert"}, "CR-9.11"),
    ],
)
def test_flaws(facts: dict[str, Any], rule: str) -> None:
    assert fault(typed("crocodile", facts)) == rule
