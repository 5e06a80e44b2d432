"""The rules' worked examples from facts typed by hand, and facts that contradict the rules."""

from typing import Any

from domain.kernel.ledger import POOL
from tests.support.facts import fault, gained, gains, typed
from tests.support.for_each import for_each

BASTA = {"trump": "h", "estuches": ["As", "7h", "Ac"]}


def facts(contract: str, *tricks: int, **others: Any) -> dict[str, Any]:
    return {"ended": "played", "ombre": 0, "contract": contract, "tricks": tricks, **others}


@for_each(
    "pool, facts, due, put",
    [
        (5, facts("entrada", 5, 3, 1, **BASTA), (21, -8, -8), -5),
        (10, facts("solo", 3, 3, 3), (-20, 5, 5), 10),
        (5, facts("vuelta", 3, 5, 1), (-15, 10, 5), 0),
        (5, facts("entrada", 3, 4, 2, new_ombre=1), (-10, -10, 10), 10),
    ],
)
def test_worked_examples(pool: int, facts: dict[str, Any], due: tuple[int, ...], put: int) -> None:
    score = typed("ombre", facts, accounts={POOL: pool})
    assert (gains(score, 3), gained(score, POOL)) == (due, put)


@for_each(
    "stopped, beyond",
    [
        (facts("solo", 6, 1, 0, undertaken=True), facts("solo", 8, 1, 0, undertaken=True)),
        (facts("solo", 5, 1, 0), facts("solo", 5, 4, 0)),
        (facts("vuelta", 1, 5, 0), facts("vuelta", 3, 6, 0)),
        (facts("entrada", 1, 5, 0, new_ombre=1), facts("entrada", 2, 7, 0, new_ombre=1)),
        (facts("entrada", 3, 0, 2, new_ombre=1), facts("entrada", 5, 2, 2, new_ombre=1)),
    ],
)
def test_play_beyond_the_stop_changes_nothing(stopped: dict[str, Any], beyond: dict[str, Any]) -> None:
    assert gains(typed("ombre", stopped), 3) == gains(typed("ombre", beyond), 3)


def test_estuches_of_a_lost_deal_cost_nothing() -> None:
    assert gains(typed("ombre", facts("solo", 3, 3, 3, **BASTA)), 3) == gains(typed("ombre", facts("solo", 3, 3, 3)), 3)


@for_each(
    "facts, rule",
    [
        (facts("solo", 5, 4, 1), "OM-3.1"),
        (facts("solo", 5, 4), "OM-3.1"),
        (facts("solo", 4, 3, 0), "OM-6.4"),
        (facts("solo", 4, 4, 1, undertaken=True), "OM-6.2"),
        (facts("solo", 5, 0, 0, undertaken=True), "OM-6.4"),
        (facts("solo", 4, 4, 1, new_ombre=1), "OM-7.3"),
        (facts("vuelta", 4, 4, 1, new_ombre=0), "OM-7.3"),
        (facts("solo", 5, 3, 1, trump="h", estuches=["As", "7h"]), "OM-6.3"),
        (facts("solo", 5, 3, 1, trump="h", estuches=["As", "7h", "Ac", "Kh"]), "OM-6.3"),
        (facts("solo", 5, 3, 1, trump="s", estuches=["As", "7h", "Ac"]), "OM-6.3"),
        (facts("solo", 5, 3, 1, estuches=["As", "7h", "Ac"]), "OM-6.3"),
        ({**facts("solo", 5, 3, 1), "ombre": 3}, "OM-1.1"),
        ({"ended": "surrendered", "ombre": 0, "contract": "solo"}, "OM-7.1"),
    ],
)
def test_flaws(facts: dict[str, Any], rule: str) -> None:
    assert fault(typed("ombre", facts)) == rule
