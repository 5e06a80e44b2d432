"""The bots that may be seated: their levels, what they cost, and how strong they are."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from domain.opponents import VERSION
from domain.opponents.choosing import LEVELS
from domain.seats import Level


class BotLevel(Struct, frozen=True):
    """A level of bots."""

    level: Level
    worlds: Annotated[
        int,
        Meta(
            description="The number of worlds in which the bot tries its acts: what it costs, and how long it thinks. "
            "0: it takes any act."
        ),
    ]


class BotStrength(Struct, frozen=True):
    """How much more one level wins than another, as `codille tournament` has measured it."""

    difference: Annotated[
        float, Meta(description="The mean of what the first level wins more in a deal, in the game's unit.")
    ]
    interval: Annotated[
        tuple[float, float], Meta(description="The 95 % interval of the difference: its least and its greatest value.")
    ]
    deals: Annotated[int, Meta(description="The number of deals played, each with the levels on every seat.")]


class BotList(Struct, frozen=True):
    """The levels of bots, and their strength in each game."""

    version: Annotated[int, Meta(description="The version of the bots' code, which the record of a table names.")]
    items: Annotated[tuple[BotLevel, ...], Meta(description="The levels, the weakest first.")]
    strength: Annotated[
        Mapping[str, Mapping[str, BotStrength]],
        Meta(
            description="By game and by two levels, such as `strong-quick`, how much more the first of them wins. "
            "Games and levels that were not measured are left out."
        ),
    ]


@cache
def bots() -> BotList:
    """The levels of bots, with the strengths that were measured last."""
    measured = files("domain.opponents").joinpath("strength.json").read_bytes()
    strength = msgspec.json.decode(measured, type=dict[str, dict[str, BotStrength]])
    levels = tuple(BotLevel(msgspec.convert(level, Level), worlds) for level, worlds in LEVELS.items())
    return BotList(VERSION, levels, strength)
