"""The rules' worked examples from facts typed by hand, and facts that contradict the rules."""

from typing import Any

from tests.support.facts import fault, gains, typed
from tests.support.for_each import for_each


def facts(trump: str, captured: str, *counts: int) -> dict[str, Any]:
    """The facts, with each card captured, its seat and its trick, if that is known."""
    taken = [
        {"card": card, "seat": int(seat), **({"trick": int(trick)} if trick else {})}
        for card, seat, trick in (each.split(":") for each in captured.split())
    ]
    return {"trump": trump, "captured": taken, **({"counts": counts} if counts else {})}


@for_each(
    "before, facts, due",
    [
        ((0, 0), facts("h", "5h:0:1 Jh:0:1 Ah:0:1", 14, 14), (15, 0)),
        ((0, 0), facts("s", "5d:1: 5s:1:", 14, 14), (0, 15)),
        ((0, 0), facts("c", "", 17, 11), (8, 0)),
        ((0, 0), facts("c", "", 17, 17), (0, 0)),
        ((118, 120), facts("d", "Qd:0: Jd:0:"), (3, 0)),
        ((118, 0), facts("h", "Ah:0:2 5h:0:2"), (14, 0)),
        ((118, 0), facts("h", "Ah:0:2 5h:1:"), (4, 10)),
        ((114, 117), facts("d", "", 20, 10), (8, 0)),
        ((116, 119), facts("d", "", 14, 14), (0, 0)),
    ],
)
def test_worked_examples(before: tuple[int, int], facts: dict[str, Any], due: tuple[int, int]) -> None:
    assert gains(typed("don", facts, totals=before * 2), 4) == due * 2


@for_each(
    "before, facts, rule",
    [
        ((0, 0), facts("h", "5h:0: 5h:1:", 14, 14), "ND-4.1"),
        ((0, 0), facts("h", "Kd:0:", 14, 14), "ND-4.1"),
        ((0, 0), facts("h", "5h:0:1 Jh:1:1", 14, 14), "ND-3.3"),
        ((0, 0), facts("h", "5h:0:10", 14, 14), "ND-3.3"),
        ((0, 0), facts("h", "Ah:0:1 Kh:0:1 Qh:0:1 Jh:0:1 9h:0:1", 14, 14), "ND-3.3"),
        ((0, 0), facts("h", "5h:0:"), "ND-5.1"),
        ((0, 0), facts("h", "5h:0:", 60, 60), "ND-5.1"),
        ((0, 0), facts("h", "Ah:0: Kh:0:", 6, 20), "ND-5.1"),
        ((118, 0), facts("h", "Ah:0:", 14, 14), "ND-6.1"),
        ((118, 0), facts("h", "Ah:0:2 5h:1:3"), "ND-6.1"),
    ],
)
def test_flaws(before: tuple[int, int], facts: dict[str, Any], rule: str) -> None:
    assert fault(typed("don", facts, totals=before * 2)) == rule
