"""The games that the suites run for: those of the service's registry, and those registered for tests alone."""

from collections.abc import Mapping

from domain.kernel.game import Game
from domain.registry import GAMES as OFFERED

GAMES: Mapping[str, Game] = {**OFFERED}
