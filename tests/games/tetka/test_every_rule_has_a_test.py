"""Every numbered rule is proved by tests that name it, and cited where it is decided."""

import re
from pathlib import Path

from domain.games.tetka.rules import RULES
from tests.support.for_each import for_each

NAMED = {
    f"TE-{chapter}.{number}"
    for file in Path(__file__).parent.glob("test_*.py")
    for chapter, number in re.findall(r"^def test_te_(\d+)_(\d+)_", file.read_text(), re.MULTILINE)
}
NUMBERS = [
    f"TE-{chapter}.{number}" for chapter, last in enumerate((4, 4, 3, 11, 2), 1) for number in range(1, last + 1)
]


def test_the_rules_are_all_there() -> None:
    assert [rule.id for rule in RULES] == NUMBERS


@for_each("rule", NUMBERS)
def test_the_rule_has_a_test(rule: str) -> None:
    assert rule in NAMED


def test_no_test_names_a_rule_that_is_not_there() -> None:
    assert set(NUMBERS) >= NAMED
