"""Seats: numbered 0, 1, 2, … clockwise."""

from typing import TypeAlias

Seat: TypeAlias = int

Audience: TypeAlias = str
"""Who may know: `public`, `seat:N`, or `house`, which knows everything."""

PUBLIC: Audience = "public"
HOUSE: Audience = "house"


def seat_audience(seat: Seat) -> Audience:
    """The audience that is the player on `seat`."""
    return f"seat:{seat}"


def clockwise(first: Seat, seats: int) -> tuple[Seat, ...]:
    """All seats in clockwise order, beginning with `first`."""
    return tuple((first + step) % seats for step in range(seats))
