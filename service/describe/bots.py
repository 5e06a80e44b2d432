"""The bots that may be seated: their levels, what they cost, and how strong they are."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from domain.opponents import VERSION
from domain.opponents.choosing import LEVELS
from domain.seats import Bot, Level


class BotStrength(Struct, frozen=True):
    """How much more one level wins than another in a game, as measured in duplicate deals."""

    game: str
    level: Level
    against: Annotated[Level, Meta(description="The level at the other seats.")]
    difference: Annotated[
        float, Meta(description="The mean of what the level wins more than the other in a deal, in the game's unit.")
    ]
    interval: Annotated[
        tuple[float, float], Meta(description="The 95 % interval of the difference: its least and its greatest value.")
    ]
    deals: Annotated[int, Meta(description="The number of deals played, each with the levels on every seat.")]


class BotList(Struct, frozen=True):
    """The bots that may be seated, what they cost, and their strength in each game."""

    items: Annotated[tuple[Bot, ...], Meta(description="The bots, the weakest first.")]
    worlds: Annotated[
        Mapping[str, int],
        Meta(
            description="By level, the number of worlds in which a bot tries its acts: what it costs, and how long it "
            "thinks. 0: it takes any act."
        ),
    ]
    strength: Annotated[
        tuple[BotStrength, ...], Meta(description="What was measured; other games and levels are left out.")
    ]


@cache
def bots() -> BotList:
    """The levels of bots, with the strengths that were measured last."""
    measured = msgspec.json.decode(files("domain.opponents").joinpath("strength.json").read_bytes())
    strength = [
        dict(zip(("level", "against"), levels.split("-"), strict=True), game=game, **result)
        for game, results in measured.items()
        for levels, result in results.items()
    ]
    levels = tuple(Bot(msgspec.convert(level, Level), VERSION) for level in LEVELS)
    return BotList(levels, LEVELS, msgspec.convert(strength, tuple[BotStrength, ...]))
