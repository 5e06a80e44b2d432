"""Each mutant of a game's rules is another program, and keeps its name when only comments change."""

import ast

import pytest

from domain.registry import GAMES
from tests.lab.mutants.__main__ import drawn, modules
from tests.lab.mutants.changes import changes, described, mutants_of, mutated, source_of


def test_each_drawn_mutant_changes_its_module() -> None:
    for game in GAMES:
        for mutant in drawn(game, count=2, seed=1):
            compile(mutated(mutant, source_of(mutant.module).read_text(encoding="utf-8")), "mutant", "exec")
            assert described(mutant)


@pytest.mark.long
def test_all_mutants_of_a_module_differ() -> None:
    mutants = [mutant for module in modules("lorum") for mutant in mutants_of(module)]
    assert len({*mutants}) == len(mutants)


@pytest.mark.long
def test_a_mutant_keeps_its_name_when_lines_move() -> None:
    source = "def less(a: int, b: int) -> bool:\n    return a < b\n"
    moved = "# A comment.\n\n" + source.replace("    return", '    """Says more."""\n\n    # Another.\n    return')
    names = [[mutant for mutant, _ in changes("module", ast.parse(text))] for text in (source, moved)]
    assert names[0] == names[1]
    assert [mutant.kind for mutant in names[0]] == ["comparison", "boundary"]
