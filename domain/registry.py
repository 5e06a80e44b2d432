"""The games that are offered, by name."""

from collections.abc import Mapping

from domain.games.boston import BOSTON
from domain.games.crocodile import CROCODILE
from domain.games.don import DON
from domain.games.king import KING
from domain.games.lhombre import LHOMBRE
from domain.games.ombre import OMBRE
from domain.games.solo import SOLO
from domain.games.tetka import TETKA
from domain.kernel.game import Game

GAMES: Mapping[str, Game] = {
    game.name: game
    for game in (
        BOSTON,
        CROCODILE,
        DON,
        KING,
        LHOMBRE,
        OMBRE,
        SOLO,
        TETKA,
    )
}
