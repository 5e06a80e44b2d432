"""The games that the suites run for: those of the service's registry, and those registered for tests alone.

Contract, properties, replay, audit, tampering, projections, page, terminal, several processes and strangers take each
game from here, and its helpers by its name (`tests.support.helpers`).
"""

import os
from collections.abc import Mapping

from msgspec import Struct

from domain.kernel.game import Game
from domain.registry import GAMES as OFFERED
from tests.games.toy.game import TOY

GAMES: Mapping[str, Game] = {**OFFERED, TOY.name: TOY}
REGISTRY = f"{__name__}:GAMES"
"""The setting by which a service offers these games."""
ONE_GAME: Mapping[str, Game] = {"crocodile": OFFERED["crocodile"]}
"""For what takes as much time as there are games."""

if "TEST_PING_S" in os.environ:
    # Each process of a service imports this module before it has streams.
    from service.live.pings import Pings

    Pings.__init__.__defaults__ = (float(os.environ["TEST_PING_S"]),)


def fewest_deals(game: Game, options: Struct | None = None) -> int:
    """The smallest number of deals that the game allows under the options."""
    return game.course.deals(options or game.options()).least
