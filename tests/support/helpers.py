"""A game's helpers for tests, which its folder `tests/games/<name>/` brings.

| file | its value, or what stands there |
|---|---|
| `tables.py` | its tables, `tests.support.games.Live` of this game, and hands that tests stack |
| `golden.py` | `GOLDEN`, `tests.golden.labels.Golden`: what recorded games show together, read from their events |
| `recorded.txt` | those games as acts and results, as `tests.golden.games` says |
| `earlier/` | games that were recorded under earlier versions of its rules, which nothing writes again |
| `checker.py` | `CHECKER`, `tests.support.checker.record.Rules`: its rules, for an independent check of records |
| `habits.py` | `HABITS`, `tests.support.habits.Habits`: how strangers play it, and what they must come across |
| `test_*.py` | the tests of its rules, by their numbers; in `test_checker.py` those of `tests.games.checking` |

Outcomes, lines, options and types of event that recorded games must show follow from the game, and habits and rules
have defaults for a game of tricks for four: Tëtka has least of its own. `make game-missing` says what is not there yet.

A game that is registered for tests alone has its own modules there too, laid out as in `domain/games`; its value stands
in `game.py`.
"""

from importlib import import_module
from typing import Any, Literal


def helper(game: str, name: Literal["golden", "checker", "habits"]) -> Any:
    """The value of that name in the game's folder. Raises ModuleNotFoundError when the folder has no such file."""
    return getattr(import_module(f"tests.games.{game}.{name}"), name.upper())
