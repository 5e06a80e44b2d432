"""The games on offer, by name. A demonstration and a load test play the first by default."""

from collections.abc import Mapping

from domain.games.boston import BOSTON
from domain.games.burraco import BURRACO
from domain.games.crocodile import CROCODILE
from domain.games.diloti import DILOTI
from domain.games.dingo import DINGO
from domain.games.don import DON
from domain.games.khanhoo import KHANHOO
from domain.games.king import KING
from domain.games.lhombre import LHOMBRE
from domain.games.lorum import LORUM
from domain.games.nuts import NUTS
from domain.games.ombre import OMBRE
from domain.games.solo import SOLO
from domain.games.tetka import TETKA
from domain.kernel.game import Game

GAMES: Mapping[str, Game] = {
    game.name: game
    for game in (
        CROCODILE,
        BOSTON,
        BURRACO,
        DILOTI,
        DINGO,
        DON,
        KHANHOO,
        KING,
        LHOMBRE,
        LORUM,
        NUTS,
        OMBRE,
        SOLO,
        TETKA,
    )
}
