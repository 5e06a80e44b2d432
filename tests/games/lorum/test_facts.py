"""The rules' worked examples from facts typed by hand, and facts that contradict the rules."""

from typing import Any

from domain.games.lorum.contracts import KINDS
from domain.kernel.ledger import POOL
from domain.kernel.worth import Flaw, Score
from tests.support.facts import fault, gained, gains, typed
from tests.support.for_each import for_each


def captured(kind: str, *captured: int) -> dict[str, Any]:
    return {"ended": "captured", "kind": kind, "captured": captured}


def queens(hearts: int, diamonds: int, spades: int, clubs: int) -> dict[str, Any]:
    return {"ended": "queens", "hearts": hearts, "diamonds": diamonds, "spades": spades, "clubs": clubs}


def out(ended: str, *held: int, **others: Any) -> dict[str, Any]:
    return {"ended": ended, "out": 0, "held": held, **others}


def score(facts: dict[str, Any], **standing: Any) -> Score | Flaw:
    """The score in the deal of that kind, or the first flaw."""
    kind = facts.get("kind", facts["ended"])
    return typed("lorum", facts, deal=[each.kind for each in KINDS].index(kind) + 1, **standing)


@for_each(
    "pool, facts, due, put",
    [
        (0, captured("no-hearts", 4, 2, 1, 1), (-4, -2, -1, -1), 8),
        (0, captured("no-hearts", 3, 3, 2, 0), (-3, -3, -2, 8), 0),
        (0, captured("no-hearts", 5, 3, 0, 0), (-5, -3, 4, 4), 0),
        (0, captured("no-hearts", 8, 0, 0, 0), (24, -8, -8, -8), 0),
        (0, queens(0, 1, 2, 0), (-5, -3, -2, 10), 0),
        (0, queens(0, 0, 1, 1), (-7, -3, 5, 5), 0),
        (0, queens(0, 0, 0, 0), (30, -10, -10, -10), 0),
        (0, captured("no-tricks", 5, 2, 1, 0), (-5, -2, -1, 8), 0),
        (0, captured("no-tricks", 4, 2, 1, 1), (-4, -2, -1, -1), 8),
        (0, {"ended": "hairy-ape", "captor": 1}, (0, -4, 0, 0), 4),
        (0, {"ended": "hairy-ape", "captor": 0}, (-4, 0, 0, 0), 4),
        (0, {"ended": "train", "passed": [3, 0, 1]}, (-2, -3, 0, -1), 6),
        (0, out("quart", 0, 3, 2, 5), (10, -3, -2, -5), 0),
        (13, out("domino", 0, 4, 1, 2), (20, -4, -1, -2), -13),
    ],
)
def test_worked_examples(pool: int, facts: dict[str, Any], due: tuple[int, ...], put: int) -> None:
    found = score(facts, accounts={POOL: pool})
    assert (gains(found, 4), gained(found, POOL)) == (due, put)


ONE_EACH = [[], ["7h"], ["8h"], ["9h"]]


@for_each(
    "facts, rule",
    [
        (captured("no-hearts", 4, 2, 1, 2), "LO-3.3"),
        (captured("no-tricks", 4, 2, 1, 0), "LO-3.5"),
        (captured("no-tricks", 4, 3, 1), "LO-1.1"),
        ({"ended": "train", "passed": [3, 0]}, "LO-5.4"),
        (out("quart", 1, 3, 2, 5), "LO-6.5"),
        (out("domino", 0, 3, 0, 5), "LO-8.1"),
        (out("quart", 0, 3, 2, 9), "LO-2.2"),
        (out("quart", 0, 1, 1, 2, cards=ONE_EACH), "LO-6.5"),
        (out("quart", 0, 1, 1, 1, cards=[[], ["7h"], ["7h"], ["9h"]]), "LO-2.1"),
    ],
)
def test_flaws(facts: dict[str, Any], rule: str) -> None:
    assert fault(score(facts)) == rule


@for_each(
    "deal, facts", [(2, captured("no-hearts", 4, 2, 1, 1)), (1, queens(0, 1, 2, 0)), (6, out("domino", 0, 3, 2, 5))]
)
def test_the_number_of_the_deal_fixes_its_kind(deal: int, facts: dict[str, Any]) -> None:
    assert fault(typed("lorum", facts, deal=deal)) == "LO-1.2"
    assert fault(typed("lorum", facts, deal=deal + 7)) == "LO-1.2"


def test_the_cards_held_may_be_named() -> None:
    assert gains(score(out("quart", 0, 1, 1, 1, cards=ONE_EACH)), 4) == (3, -1, -1, -1)
