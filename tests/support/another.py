"""Another registry than the service's own: Solo, and Solo once more under another name."""

from collections.abc import Mapping

from msgspec.structs import replace

from domain.games.solo import SOLO
from domain.games.solo.view import SoloView
from domain.kernel.game import Game


class GermanSoloView(SoloView, frozen=True):
    """Solo's view, named after the game, as the specification's components are."""


GERMAN_SOLO: Game = replace(
    SOLO, name="german-solo", title="German Solo", showing=replace(SOLO.showing, view=GermanSoloView)
)

GAMES: Mapping[str, Game] = {game.name: game for game in (SOLO, GERMAN_SOLO)}
REGISTRY = f"{__name__}:GAMES"
