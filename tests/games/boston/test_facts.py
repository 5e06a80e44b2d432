"""The rules' worked examples from facts typed by hand, and facts that contradict the rules."""

from typing import Any

from domain.games.boston.meta import Options
from tests.support.facts import fault, gains, typed
from tests.support.for_each import for_each


def facts(contract: str, suit: str, *tricks: int, **others: Any) -> dict[str, Any]:
    return {"ended": "played", "declarer": 0, "contract": contract, "suit": suit, "tricks": tricks, **others}


@for_each(
    "facts, due",
    [
        (facts("eight", "d", 9, 2, 1, 1, honours=3), (72, 0, 0, 0)),
        (facts("eight", "d", 7, 2, 2, 2), (-48, 0, 0, 0)),
        (facts("nine", "h", 6, 3, 2, 2, honours=4), (-200, 0, 0, 0)),
        (facts("grande-misere", "c", 0, 5, 4, 4), (64, 0, 0, 0)),
        (facts("grande-misere", "c", 1, 0, 0, 0), (-64, 0, 0, 0)),
        (facts("petite-misere", "s", 0, 4, 4, 4), (16, 0, 0, 0)),
        (facts("petite-misere", "s", 1, 3, 0, 0), (-16, 0, 0, 0)),
        (facts("boston", "s", 5, 1, 0, 0), (-100, 0, 0, 0)),
        (facts("boston-ouvert", "h", 13, 0, 0, 0), (800, 0, 0, 0)),
        (facts("six", "c", 7, 1, 4, 1, supporter=2), (8, 0, 6, 0)),
        (facts("six", "c", 5, 2, 5, 1, supporter=2), (-16, 0, 0, 0)),
        (facts("seven", "h", 6, 3, 2, 2, supporter=2), (-24, 0, -30, 0)),
        (facts("five", "s", 5, 3, 3, 2, supporter=2, supporter_honours=3), (2, 0, 3, 0)),
        (facts("seven", "s", 7, 2, 2, 2), (9, 0, 0, 0)),
    ],
)
def test_worked_examples(facts: dict[str, Any], due: tuple[int, ...]) -> None:
    assert gains(typed("boston", facts), 4) == due


@for_each(
    "stopped, beyond",
    [
        (facts("boston", "s", 5, 1, 0, 0), facts("boston", "s", 10, 1, 1, 1)),
        (facts("petite-misere", "s", 1, 3, 0, 0), facts("petite-misere", "s", 3, 3, 3, 3)),
        (facts("grande-misere", "c", 1, 0, 0, 0), facts("grande-misere", "c", 1, 4, 4, 4)),
    ],
)
def test_play_beyond_the_stop_changes_nothing(stopped: dict[str, Any], beyond: dict[str, Any]) -> None:
    assert gains(typed("boston", stopped), 4) == gains(typed("boston", beyond), 4)


PICCOLISSIMO = facts("piccolissimo", "d", 1, 5, 4, 2)


@for_each(
    "facts, rule",
    [
        (facts("eight", "d", 9, 2, 2, 1), "BO-2.2"),
        (facts("eight", "d", 8, 1, 0, 0), "BO-6.5"),
        (facts("petite-misere", "d", 0, 5, 4, 4), "BO-2.2"),
        (PICCOLISSIMO, "BO-4.3"),
        (facts("nine", "d", 9, 2, 1, 1, supporter=1), "BO-5.1"),
        (facts("five", "d", 6, 5, 1, 1, supporter=0), "BO-5.1"),
        (facts("five", "d", 6, 5, 1, 1, supporter=1, honours=3, supporter_honours=2), "BO-2.4"),
        (facts("five", "d", 6, 5, 1, 1, supporter_honours=2), "BO-5.2"),
    ],
)
def test_flaws(facts: dict[str, Any], rule: str) -> None:
    assert fault(typed("boston", facts)) == rule


def test_a_contract_is_scored_where_the_option_allows_it() -> None:
    assert gains(typed("boston", facts("piccolissimo", "s", 1, 5, 4, 2), Options(piccolissimo=True)), 4)[0] > 0
