"""The rules' worked examples from facts typed by hand, and facts that contradict the rules."""

from typing import Any

from domain.kernel.worth import Score
from tests.support.facts import fault, gains, typed
from tests.support.for_each import for_each


def facts(*piles: str, aces: tuple[str, ...] = ("", "", "", "-Ah -Ad")) -> dict[str, Any]:
    """The piles by seat, penalties with a minus; unless said, the aces cost seat 3 six points."""
    won = [
        {"seat": seat, "card": card.lstrip("-"), "scored": not card.startswith("-")}
        for some in (piles, aces)
        for seat, cards in enumerate(some)
        for card in cards.split()
    ]
    return {"won": won}


@for_each(
    "facts, due",
    [
        (facts("", "7h", "7s 7d"), (0, 1, 2, -6)),
        (facts("Qh Qc", "", "", "Qs Qd"), (4, 0, 0, -2)),
        (facts("-Th"), (-2, 0, 0, -6)),
        (facts(), (0, 0, 0, -6)),
        (facts("-8h"), (-1, 0, 0, -6)),
        (facts(aces=("", "Ac Ad", "Ah", "As")), (0, 13, 3, 3)),
        (facts(aces=("", "-Ad", "Ah Ac", "As")), (0, -3, 6, 3)),
        (facts(aces=("", "", "Ah Ac Ad", "As")), (0, 0, 16, 3)),
        (facts(aces=("", "", "Ah -Ad", "As")), (0, 0, 0, 3)),
        (facts(aces=("", "-Ad", "-Ah", "")), (0, -3, -3, 0)),
        (facts(aces=("", "", "-Ah -Ad", "")), (0, 0, -6, 0)),
    ],
)
def test_worked_examples(facts: dict[str, Any], due: tuple[int, ...]) -> None:
    assert gains(typed("dingo", facts), 4) == due


def test_the_rule_of_a_catch_follows_from_the_piles() -> None:
    found = typed("dingo", facts("Qh Qc", "7h -Th", "7s 7d", "Qs Qd"))
    assert isinstance(found, Score)
    rules = {each.text.split(" by ")[0]: each.rule for each in found.transfers}
    assert rules == dict.fromkeys(("Qh", "Qc", "Qs", "Qd"), "DG-5.6") | dict.fromkeys(("7h", "7s", "7d"), "DG-5.5") | {
        "Th": "DG-5.4", "Ah": "DG-6.5", "Ad": "DG-6.5",
    }  # fmt: skip


def test_equal_totals_go_by_the_best_rabbits_of_the_piles() -> None:
    found = typed("dingo", facts("Kd Ks", "", "Kh Qh 9h", "Qd Qs 9d 9s", aces=("", "", "-Ah", "-Ad")))
    assert isinstance(found, Score)
    assert found.extra["rabbits"] == ("K", None, None, "Q")


@for_each(
    "facts, rule",
    [
        (facts("7h", "7h"), "DG-2.1"),
        (facts("", "7s 7h 7d"), "DG-5.6"),
        (facts("7h", "7s"), "DG-5.6"),
        (facts("7h", "7s 7c 7d"), "DG-5.6"),
        (facts("7h"), "DG-5.6"),
        (facts(aces=("Ah",)), "DG-6.5"),
        (facts(aces=("Ah", "Ad")), "DG-6.5"),
        (facts(aces=("-Ah", "Ad As Ac")), "DG-6.5"),
    ],
)
def test_flaws(facts: dict[str, Any], rule: str) -> None:
    assert fault(typed("dingo", facts)) == rule
