"""Every numbered rule is proved by tests that name it."""

import re
from pathlib import Path

from domain.games.lhombre.rules import RULES
from tests.support.for_each import for_each

NAMED = {
    f"LH-{chapter}.{number}"
    for file in Path(__file__).parent.glob("test_*.py")
    for chapter, number in re.findall(r"^def test_lh_(\d+)_(\d+)_", file.read_text(), re.MULTILINE)
}


@for_each("rule", [rule.id for rule in RULES])
def test_the_rule_has_a_test(rule: str) -> None:
    assert rule in NAMED


def test_no_test_names_a_rule_that_is_not_there() -> None:
    assert {rule.id for rule in RULES} >= NAMED


def test_rules_that_the_options_change_say_so() -> None:
    assert {rule.option: rule.id for rule in RULES if rule.option} == {"players": "LH-1.1", "sitter_pays": "LH-9.2"}


def test_readings_are_told_as_such() -> None:
    assert [rule.id for rule in RULES if rule.reading] == ["LH-1.2", "LH-1.4", "LH-9.2"]
