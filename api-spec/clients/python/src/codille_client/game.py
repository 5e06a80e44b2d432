"""What differs from game to game, as types: `Client[crocodile.Game]` has those of Crocodile."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

V = TypeVar("V")
E = TypeVar("E")
A = TypeVar("A")
R = TypeVar("R")


class GameTypes(Generic[V, E, A, R]):
    """The types of a game: its views, its events, the acts of its players, and what an act is answered with."""


if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    # Checkers know this module wherever they run. A default is for them alone.
    from typing_extensions import TypeVar as TypeVarWithDefault

    from codille_client import models

    class AnyGame(GameTypes[models.View, models.Event, Mapping[str, Any], models.Acted]):
        """What all games have."""

    G = TypeVarWithDefault("G", bound=GameTypes[Any, Any, Any, Any], default=AnyGame)
    G_co = TypeVarWithDefault("G_co", bound=GameTypes[Any, Any, Any, Any], default=AnyGame, covariant=True)
else:
    G = TypeVar("G")
    G_co = TypeVar("G_co", covariant=True)
