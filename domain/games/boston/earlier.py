"""Boston under earlier versions of its rules: the differences of each."""

from functools import partial

from msgspec.structs import replace

from domain.games.boston.scoring import SCORING, Value, grounds, worth
from domain.kernel.game import Game, rescored
from domain.kernel.rulebook import Rule


def version_1(game: Game) -> Game:
    """Version 1: a line counts tricks and honours together, and does not cite the deal of the cards (BO-9.2)."""
    booked = Rule("BO-9.2", "Declarer has one line, then the supporter; a score of 0 has none.")
    scoring = replace(
        SCORING, worth=partial(worth, formula=_formula), grounds=lambda state: {**grounds(state), "honours": ()}
    )
    return rescored(replace(game, rulebook=game.rulebook.before(1, booked)), scoring)


def _formula(value: Value) -> str:
    if not value.premium:
        return f"{value.base} × {value.factor}"
    counted = abs(value.over) + (0 if value.honours is None else value.honours.premiums)
    return f"({value.base} + {value.premium} × {counted}) × {value.factor}"
