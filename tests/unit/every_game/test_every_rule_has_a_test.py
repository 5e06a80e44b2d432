"""Every numbered rule of a game is proved by tests that name it."""

import re
from pathlib import Path

import pytest

from tests.support.registry import GAMES

TESTS = Path(__file__).parents[2] / "games"


@pytest.mark.parametrize("of", GAMES)
def test_the_tests_name_every_rule_and_no_other(of: str) -> None:
    rules = {rule.id for rule in GAMES[of].rulebook.rules}
    (letters,) = {rule.partition("-")[0] for rule in rules}
    most = max(rule.count(".") for rule in rules) + 1
    names = re.compile(rf"^def test_{letters.lower()}((?:_\d+){{2,{most}}})_", re.MULTILINE)
    tests = [file.read_text(encoding="utf-8") for file in (TESTS / of).glob("test_*.py")]
    assert rules == {f"{letters}-{numbers[1:].replace('_', '.')}" for text in tests for numbers in names.findall(text)}
