"""King's part of a table's view."""

from typing import Any

from msgspec import Struct

from domain.cards import Card, Suit
from domain.games.king.contracts import VALUES, AimName
from domain.games.king.meta import PACK, SEATS
from domain.games.king.scoring import points
from domain.games.king.state import Auction, Choice, Naming, Playing, State
from domain.kernel.game import Players
from domain.kernel.hands import Hand, Hands
from domain.parts.raising import NumberCall
from domain.parts.tricks import Played, Trick
from domain.parts.views import TrickSeatView, TrickTableView, trick_fields
from domain.seats import Seat


class TrumpsView(Struct, frozen=True, gc=False):
    """The trumps, the seat that named them, and the price of the right."""

    namer: Seat
    trump: Suit | None
    price: int | None


class KingSeatView(TrickSeatView, frozen=True, gc=False):
    """A seat: its player, the known part of its hand, and its captures in this deal."""

    captured: tuple[Card, ...]


class KingView(TrickTableView, frozen=True, kw_only=True):
    """A table of King as its audience knows it. `order` runs from the dealer's left to the dealer."""

    seats: tuple[KingSeatView, ...]
    order: tuple[Seat, ...] = ()
    aim: AimName | None = None
    auction: tuple[NumberCall, ...] = ()
    trumps: TrumpsView | None = None
    points: tuple[int, ...] = ()
    trick: tuple[Played, ...] = ()
    last_trick: Trick | None = None


def seat_views(players: Players, state: State | None) -> tuple[KingSeatView, ...]:
    """The seats; the state is None before the first deal."""
    held: Hands = (Hand(),) * SEATS if state is None else state.hands
    won = (0,) * SEATS
    captured: tuple[tuple[Card, ...], ...] = ((),) * SEATS
    if isinstance(state, Playing):
        won, captured = state.tricks.won_by(SEATS), _captured(state)
    return tuple(map(KingSeatView, range(SEATS), players, held, won, captured))


def _captured(state: Playing) -> tuple[tuple[Card, ...], ...]:
    counting = VALUES[state.contract.aim.aim]
    if not counting:
        return ((),) * SEATS
    return tuple([PACK.sorted(cards) if cards else () for cards in state.tricks.captures(SEATS, counting)])


def show(state: State) -> dict[str, Any]:
    """The fields that King adds to a table's view."""
    common = state.common
    fields: dict[str, Any] = {"order": common.order, "auction": () if common.bids is None else common.bids.calls}
    if isinstance(state, Playing):
        fields |= {"aim": state.contract.aim.aim, "points": points(state)} | trick_fields(state.tricks)
    trumps = None
    match state:
        case Playing():
            trumps = state.contract.trumps
        case Choice() | Auction() | Naming():
            pass
        case _:
            trumps = state.trumps
    if trumps is not None:
        price = None if trumps.bought is None else trumps.bought.price
        fields["trumps"] = TrumpsView(trumps.namer, trumps.suit, price)
    return fields
