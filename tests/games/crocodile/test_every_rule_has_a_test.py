"""Every numbered rule is proved by tests that name it."""

import re
from pathlib import Path

from domain.games.crocodile.rules import RULES
from tests.support.for_each import for_each

NAMED = {
    f"CR-{chapter}.{number}"
    for file in Path(__file__).parent.glob("test_*.py")
    for chapter, number in re.findall(r"^def test_cr_(\d+)_(\d+)_", file.read_text(), re.MULTILINE)
}


@for_each("rule", [rule.id for rule in RULES])
def test_the_rule_has_a_test(rule: str) -> None:
    assert rule in NAMED


def test_no_test_names_a_rule_that_is_not_there() -> None:
    assert {rule.id for rule in RULES} >= NAMED
