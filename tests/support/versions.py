"""Crocodile under a second version of its rules' data, which differs from the first in one point."""

from functools import partial

from msgspec.structs import replace

from domain.games.crocodile import CROCODILE
from domain.games.crocodile.contracts import BONUSES
from domain.games.crocodile.scoring import score
from domain.kernel.game import Game

BONUSES_2 = BONUSES | {"primeras": replace(BONUSES["primeras"], silent=2)}
"""A silent Primeras is worth twice the contract, not once (CR-10.3)."""

CROCODILE_2: Game = replace(
    CROCODILE,
    rulebook=replace(
        CROCODILE.rulebook,
        version=2,
        tables={**CROCODILE.rulebook.tables, "bonuses": tuple(BONUSES_2.values())},
    ),
    score=partial(score, bonuses=BONUSES_2),
    earlier=(CROCODILE,),
)
