"""The rules' worked examples from facts typed by hand, and facts that contradict the rules."""

from typing import Any

from domain.games.king.contracts import DEALS
from domain.kernel.worth import Flaw, Score
from tests.support.facts import fault, gains, typed
from tests.support.for_each import for_each


def facts(aim: str, *captured: int, **others: Any) -> dict[str, Any]:
    return {"aim": aim, "captured": captured, **others}


def score(facts: dict[str, Any]) -> Score | Flaw:
    """The score in the deal of that aim, or the first flaw."""
    return typed("king", facts, deal=next((row.deal for row in DEALS if row.aim == facts["aim"]), len(DEALS)))


BOUGHT = {"buyer": 1, "price": 3}


@for_each(
    "facts, due",
    [
        (facts("no-tricks", 5, 4, 3, 1), (-100, -80, -60, -20)),
        (facts("no-kings-no-jacks", 4, 3, 1, 0, stopped=True), (-120, -90, -30, 0)),
        (facts("no-king-of-hearts", 1, 0, 0, 0, stopped=True), (-160, 0, 0, 0)),
        (facts("not-last-two", 2, 0, 0, 0), (-180, 0, 0, 0)),
        (facts("not-last-two", 1, 0, 1, 0), (-90, 0, -90, 0)),
        (facts("up", 6, 4, 2, 1), (150, 100, 50, 25)),
        (facts("down", 6, 4, 2, 1), (-125, 25, 175, 250)),
        (facts("up", 2, 6, 4, 1, **BOUGHT), (125, 75, 100, 25)),
        (facts("down", 2, 6, 4, 1, **BOUGHT), (-50, 100, 25, 250)),
        (facts("up", 5, 0, 4, 4, buyer=1, price=13), (450, -325, 100, 100)),
    ],
)
def test_worked_examples(facts: dict[str, Any], due: tuple[int, ...]) -> None:
    assert gains(score(facts), 4) == due


def test_play_beyond_the_stop_changes_nothing() -> None:
    stopped = score(facts("no-hearts", 5, 4, 3, 1, stopped=True))
    assert gains(stopped, 4) == gains(score(facts("no-hearts", 5, 4, 3, 1)), 4)


@for_each(
    "facts, rule",
    [
        (facts("no-tricks", 5, 4, 3, 2), "KG-4.1"),
        (facts("no-tricks", 5, 4, 3), "KG-1.1"),
        (facts("no-king-of-hearts", 1, 1, 0, 0), "KG-4.5"),
        (facts("no-queens", 3, 0, 0, 0), "KG-4.3"),
        (facts("up", 6, 4, 2, 1, stopped=True), "KG-3.5"),
        (facts("up", 6, 4, 2, 1, buyer=1), "KG-6.3"),
        (facts("no-tricks", 6, 4, 2, 1, **BOUGHT), "KG-6.3"),
        (facts("up", 6, 4, 2, 1, buyer=0, price=3), "KG-5.2"),
    ],
)
def test_flaws(facts: dict[str, Any], rule: str) -> None:
    assert fault(score(facts)) == rule


@for_each("deal, aim", [(1, "no-hearts"), (2, "no-tricks"), (6, "up"), (7, "not-last-two")])
def test_the_number_of_the_deal_fixes_its_aim(deal: int, aim: str) -> None:
    assert fault(typed("king", facts(aim, 1, 1, 1, 1), deal=deal)) == "KG-1.2"
