"""What a document is for: everything, any game, or one game."""

from msgspec import Struct

from domain.kernel.game import Game
from service.http.interface import GENERIC


class Need(Struct, frozen=True):
    """The name of a need, the title of what is described, and the addresses of its documents."""

    name: str
    title: str
    openapi: str
    asyncapi: str


EVERYTHING = Need("", "Card games", "/v1/openapi.json", "/v1/asyncapi.json")
ANY_GAME = Need(GENERIC, "Card games", f"/v1/openapi/{GENERIC}.json", f"/v1/asyncapi/{GENERIC}.json")


def for_game(game: Game) -> Need:
    """The need of a client for this game alone."""
    return Need(game.name, game.title, f"/v1/games/{game.name}/openapi.json", f"/v1/games/{game.name}/asyncapi.json")
