"""Tëtka's part of a table's view."""

from typing import Any

from domain.cards import Card, Suit
from domain.games.tetka.meta import SEATS
from domain.games.tetka.penalties import OF_SUIT
from domain.games.tetka.scoring import points
from domain.games.tetka.state import State
from domain.parts.plain_tricks import plain_fields
from domain.parts.tricks import Played, Trick
from domain.parts.views import TrickTableView
from domain.seats import Seat


class TetkaView(TrickTableView, frozen=True, kw_only=True):
    """A table of Tëtka as its audience knows it. `order` runs from the dealer's left to the dealer."""

    order: tuple[Seat, ...] = ()
    bum_card: Card | None = None
    bum_suit: Suit | None = None
    bum_trick: int | None = None
    points: tuple[int, ...] = ()
    captured: tuple[int, ...] = ()
    trick: tuple[Played, ...] = ()
    last_trick: Trick | None = None


def show(state: State) -> dict[str, Any]:
    """The fields that Tëtka adds to a table's view."""
    bum = state.bum
    return plain_fields(state) | {
        "bum_card": bum.card,
        "bum_suit": bum.suit,
        "bum_trick": bum.number,
        "points": points(state),
        "captured": state.tricks.worth(SEATS, OF_SUIT[bum.suit]),
    }
