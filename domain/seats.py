"""Ids and times. Seats, numbered 0, 1, 2, … clockwise, the bots that may play them, and the audiences of events."""

from collections.abc import Sequence
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

Id: TypeAlias = Annotated[str, Meta(extra_json_schema={"format": "uuid"})]
"""The id of a player, a table or an action."""
Time: TypeAlias = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]
"""A time in its recorded form."""

Seat: TypeAlias = int

Audience: TypeAlias = str
"""`public` (everybody), `seat:N` (the player on that seat) or `house` (the service, which knows everything)."""

PUBLIC: Audience = "public"
HOUSE: Audience = "house"

CLOCK = "clock"
"""The actor of an event that a time limit causes."""


Level: TypeAlias = Literal["random", "quick", "strong"]
"""How well a bot plays."""


class Bot(Struct, frozen=True, gc=False):
    """A bot that plays a seat: its level, and the version of the bots' code."""

    level: Level
    version: int


def seat_audience(seat: Seat) -> Audience:
    """The audience that is the player on `seat`."""
    return f"seat:{seat}"


def bot(seat: Seat) -> str:
    """The actor of an event that a bot causes at the seat, or the house when it plays the seat."""
    return f"bot:{seat}"


def bot_in(actor: str) -> Seat | None:
    """The seat for which an event of this actor is caused by a bot or the house; None for any other actor."""
    return int(actor[4:]) if actor.startswith("bot:") else None


def seat_in(audience: Audience) -> Seat | None:
    """The seat of the audience's player; None for the public and the house."""
    return int(audience[5:]) if audience.startswith("seat:") else None


def acting_seat(actor: str) -> Seat | None:
    """The seat for which the actor acts: its player, or the house in the player's stead; None for any other actor."""
    kind, _, number = actor.partition(":")
    return int(number) if kind in ("seat", "bot") else None


def clockwise(first: Seat, seats: int) -> tuple[Seat, ...]:
    """All seats in clockwise order, beginning with `first`."""
    return tuple((first + step) % seats for step in range(seats))


def counterclockwise(first: Seat, seats: int) -> tuple[Seat, ...]:
    """All seats in counter-clockwise order, beginning with `first`: each seat is one below the last."""
    return tuple((first - step) % seats for step in range(seats))


def rotated(order: Sequence[Seat], first: Seat) -> tuple[Seat, ...]:
    """The seats of `order` in the same cycle, beginning with `first`. Raises ValueError if `first` is not one
    of them.
    """
    start = order.index(first)
    return (*order[start:], *order[:start])
