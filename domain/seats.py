"""Seats, numbered 0, 1, 2, … clockwise, and the audiences of events."""

from collections.abc import Sequence
from typing import TypeAlias

Seat: TypeAlias = int

Audience: TypeAlias = str
"""`public` (everybody), `seat:N` (the player on that seat) or `house` (the service, which knows everything)."""

PUBLIC: Audience = "public"
HOUSE: Audience = "house"

CLOCK = "clock"
"""The actor of an event that a time limit causes."""


def seat_audience(seat: Seat) -> Audience:
    """The audience that is the player on `seat`."""
    return f"seat:{seat}"


def bot(seat: Seat) -> str:
    """The actor of an event that the house causes when it plays the seat."""
    return f"bot:{seat}"


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
