"""Tëtka's part of a table's view."""

from typing import Annotated, Any

from msgspec import Meta

from domain.cards import Card, Suit
from domain.games.tetka.meta import PACK, SEATS
from domain.games.tetka.scoring import points
from domain.games.tetka.state import State
from domain.parts.tricks import Played, Trick
from domain.parts.views import TrickTableView, trick_fields
from domain.seats import Seat


class TetkaView(TrickTableView, frozen=True, kw_only=True):
    """A table of Tëtka as its audience knows it. `order` runs from the dealer's left to the dealer."""

    order: tuple[Seat, ...] = ()
    bum_card: Annotated[
        Card | None, Meta(description="The card that was dealt last and shown; null before the first deal.")
    ] = None
    bum_suit: Annotated[Suit | None, Meta(description="The suit whose queen is Tëtka; null before the first deal.")] = (
        None
    )
    bum_trick: Annotated[
        int | None,
        Meta(description="The number of the trick that the bum card's rank names; null before the first deal."),
    ] = None
    points: Annotated[
        tuple[int, ...], Meta(description="What the complete tricks of the deal have cost, by seat.")
    ] = ()
    captured: Annotated[
        tuple[int, ...], Meta(description="How many cards of the bum suit were captured in the deal, by seat.")
    ] = ()
    trick: tuple[Played, ...] = ()
    last_trick: Trick | None = None


def show(state: State) -> dict[str, Any]:
    """The fields that Tëtka adds to a table's view."""
    bum = state.bum
    captured = tuple(sum(PACK.suit(card) == bum.suit for card in state.tricks.captured(seat)) for seat in range(SEATS))
    return trick_fields(state.tricks) | {
        "order": state.tricks.order,
        "bum_card": bum.card,
        "bum_suit": bum.suit,
        "bum_trick": bum.number,
        "points": points(state),
        "captured": captured,
    }
