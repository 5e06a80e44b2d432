"""The rules' worked examples from facts typed by hand, and facts that contradict the rules."""

from typing import Any

from tests.support.facts import fault, gains, typed
from tests.support.for_each import for_each


def facts(bum: str, tricks: str, numbered: int, last: int, costly: str, **others: Any) -> dict[str, Any]:
    """The facts, with the tricks of the seats, and each costly card with its seat and its trick, if that is known."""
    taken = [
        {"card": card, "seat": int(seat), **({"trick": int(trick)} if trick else {})}
        for card, seat, trick in (each.split(":") for each in costly.split())
    ]
    won = [int(each) for each in tricks.split()]
    return {"bum": bum, "tricks": won, "costly": taken, "numbered": numbered, "last": last, **others}


NO_OTHER = "Qh:2: Qs:2: Qd:2: Qc:2:"
TIED = facts("5c", "5 5 2 1", 2, 2, f"5c:2: {NO_OTHER}")


@for_each(
    "facts, due",
    [
        (facts("5d", "3 5 3 2", 0, 2, "5d:0:5 Qd:0:5 Qc:0:5 Qh:1: Qs:1:"), (-5, -3, -1, 0)),
        (facts("Ks", "2 5 3 3", 0, 0, "Qh:0:13 Ks:1: Qs:2: Qd:2: Qc:2:"), (-3, -2, -4, 0)),
        (facts("Qc", "3 5 3 2", 0, 2, "Qc:0:12 Qh:1: Qs:1: Qd:1:"), (-4, -4, -1, 0)),
        (facts("Ah", "1 5 4 3", 0, 1, f"Ah:1: {NO_OTHER}"), (-1, -3, -5, 0)),
        (facts("Ah", "1 5 4 3", 0, 1, f"Ah:0:1 {NO_OTHER}"), (-2, -2, -5, 0)),
        (facts("Ah", "1 5 4 3", 0, 1, "Ah:0:1 Qh:0:1 Qs:2: Qd:2: Qc:2:"), (-4, -2, -3, 0)),
        ({**TIED, "bum_suit": [6, 4, 3, 0]}, (-1, 0, -8, 0)),
        ({**TIED, "bum_suit": [4, 4, 4, 1], "highest": 1}, (0, -1, -8, 0)),
        (facts("5c", "4 4 3 2", 2, 2, f"5c:2: {NO_OTHER}", bum_suit=[0, 0, 9, 4]), (0, 0, -8, 0)),
        (facts("5c", "13 0 0 0", 0, 0, "5c:0:1 Qh:0:2 Qs:0:3 Qd:0:4 Qc:0:6"), (-9, 0, 0, 0)),
    ],
)
def test_worked_examples(facts: dict[str, Any], due: tuple[int, ...]) -> None:
    assert gains(typed("tetka", facts), 4) == due


def test_the_bum_suit_may_be_given_where_it_does_not_count() -> None:
    one = facts("5d", "3 5 3 2", 0, 2, "5d:0: Qd:0: Qc:0: Qh:1: Qs:1:")
    more = {**one, "bum_suit": [4, 4, 3, 2], "highest": 0}
    assert gains(typed("tetka", one), 4) == gains(typed("tetka", more), 4)


@for_each(
    "facts, rule",
    [
        (facts("5c", "5 5 3 1", 2, 2, f"5c:2: {NO_OTHER}"), "TE-3.3"),
        (facts("5c", "5 4 2 1", 2, 2, f"5c:2: {NO_OTHER}"), "TE-3.3"),
        (facts("5c", "5 4 3 1", 2, 2, f"5c:2: 5c:1: {NO_OTHER}"), "TE-4.3"),
        (facts("5c", "5 4 3 1", 2, 2, NO_OTHER), "TE-4.3"),
        (facts("5c", "5 4 3 1", 2, 2, f"5c:2:13 {NO_OTHER.replace('Qh:2:', 'Qh:1:13')}"), "TE-3.2"),
        (facts("5c", "5 4 3 1", 2, 2, f"5c:2:14 {NO_OTHER}"), "TE-3.2"),
        (facts("5c", "6 4 3 0", 3, 2, f"5c:2: {NO_OTHER}"), "TE-3.2"),
        (facts("5c", "6 5 1 1", 0, 1, f"5c:2: {NO_OTHER}"), "TE-3.2"),
        (TIED, "TE-4.9"),
        ({**TIED, "bum_suit": [6, 6, 1, 0]}, "TE-4.9"),
        ({**TIED, "bum_suit": [4, 4, 4, 1]}, "TE-4.9"),
        ({**TIED, "bum_suit": [4, 4, 4, 1], "highest": 2}, "TE-4.9"),
        ({**TIED, "bum_suit": [2, 2, 4, 5], "highest": 0}, "TE-4.9"),
    ],
)
def test_flaws(facts: dict[str, Any], rule: str) -> None:
    assert fault(typed("tetka", facts)) == rule
