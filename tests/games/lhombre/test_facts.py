"""The rules' worked examples from facts typed by hand, and facts that contradict the rules."""

from typing import Any

import msgspec
import pytest

from domain.games.lhombre.meta import Options
from tests.support.facts import fault, gains, typed
from tests.support.for_each import for_each

THREE, FOUR = Options(players=3), Options()


def facts(contract: str, *tricks: int, **others: Any) -> dict[str, Any]:
    return {"ended": "played", "declarer": 0, "contract": contract, "tricks": tricks, **others}


@for_each(
    "options, facts, due",
    [
        (FOUR, facts("solo", 5, 0, 0, 0), (6, -2, -2, -2)),
        (THREE, facts("simple-nolo", 4, 3, 2), (-10, 5, 5)),
        (THREE, facts("spade-solo", 6, 1, 0, undertaken=True), (4, -2, -2)),
        (FOUR, facts("nolo-ouvert", 2, 0, 0, 0), (-24, 8, 8, 8)),
        (THREE, facts("tourne", 4, 4, 1), (-2, 1, 1)),
        (THREE, facts("tourne", 1, 4, 4), (-4, 2, 2)),
    ],
)
def test_worked_examples(options: Options, facts: dict[str, Any], due: tuple[int, ...]) -> None:
    assert gains(typed("lhombre", facts, options), options.players) == due


@for_each(
    "stopped, beyond",
    [
        (facts("spade-solo", 6, 1, 0, undertaken=True), facts("spade-solo", 7, 1, 1, undertaken=True)),
        (facts("nolo-ouvert", 2, 0, 0), facts("nolo-ouvert", 3, 3, 3)),
        (facts("solo", 2, 5, 0), facts("solo", 3, 6, 0)),
        (facts("solo", 5, 1, 0), facts("solo", 8, 1, 0)),
    ],
)
def test_play_beyond_the_stop_changes_nothing(stopped: dict[str, Any], beyond: dict[str, Any]) -> None:
    assert gains(typed("lhombre", stopped, THREE), 3) == gains(typed("lhombre", beyond, THREE), 3)


@for_each("wrong", [{"declarer": -1}, {"declarer": 4}, {"contract": "mort"}, {"tricks": [-1, 5, 5]}, {"trump": "s"}])
def test_what_no_sheet_can_hold(wrong: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        typed("lhombre", facts("solo", 5, 0, 0, 0) | wrong)


@for_each(
    "facts, rule",
    [
        (facts("solo", 5, 4, 1, 0), "LH-3.1"),
        (facts("solo", 5, 4, 0), "LH-3.1"),
        (facts("solo", 5, 2, 1, 1), "LH-3.1"),
        (facts("solo", 6, 0, 0, 0), "LH-8.5"),
        (facts("solo", 4, 3, 0, 0), "LH-8.5"),
        (facts("solo", 4, 3, 0, 2, undertaken=True), "LH-8.3"),
        (facts("solo", 5, 0, 0, 0, undertaken=True), "LH-8.5"),
        (facts("pure-nolo", 5, 2, 0, 2, undertaken=True), "LH-8.3"),
        ({**facts("solo", 3, 3, 0, 3), "declarer": 2}, "LH-1.2"),
        ({"ended": "abandoned", "declarer": 0, "contract": "solo"}, "LH-8.4"),
    ],
)
def test_flaws(facts: dict[str, Any], rule: str) -> None:
    assert fault(typed("lhombre", facts, FOUR)) == rule
