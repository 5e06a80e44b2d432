"""The parts of a view that games share: seats with hands, tricks, and the contracts of L'Hombre's family."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from msgspec import Struct

from domain.cards import Card, Suit
from domain.kernel.game import Players
from domain.kernel.hands import Hand, Hands, Pile
from domain.kernel.table_view import HandView, TableView
from domain.parts.auction import B
from domain.parts.exchange import Exchanged
from domain.parts.matadors import PACK
from domain.parts.phases import Common, HasHands, PlayPhase
from domain.parts.piles import pile_view
from domain.parts.tricks import Played, Trick, Tricks
from domain.seats import Seat

CallT = TypeVar("CallT")
ContractViewT = TypeVar("ContractViewT")


class TrickSeatView(HandView, frozen=True, gc=False):
    """A seat: its player, the known part of its hand, and the number of tricks it won in this deal."""

    tricks: int


class TrickTableView(TableView, frozen=True, kw_only=True, gc=False):
    """A table at which tricks are taken."""

    seats: tuple[TrickSeatView, ...]


def hands(state: HasHands) -> Hands:
    """The hands, by seat."""
    return state.hands


def tricks_won(state: HasHands) -> tuple[int, ...]:
    """The numbers of tricks won, by seat; none outside the play."""
    seats = len(state.hands)
    return state.tricks.won_by(seats) if isinstance(state, PlayPhase) else (0,) * seats


def hand_seats(players: Players, state: HasHands | None) -> tuple[HandView, ...]:
    """The seats with their hands, which are empty before the first deal."""
    numbers = range(len(players))
    return tuple(map(HandView, numbers, players, [Hand()] * len(players) if state is None else state.hands))


def trick_seats(
    tricks: Callable[[Any], tuple[int, ...]] = tricks_won,
) -> Callable[[Players, HasHands | None], tuple[TrickSeatView, ...]]:
    """The function that makes a view's seats with the numbers of tricks won, by seat."""

    def seats(players: Players, state: HasHands | None) -> tuple[TrickSeatView, ...]:
        numbers = range(len(players))
        if state is None:
            return tuple([TrickSeatView(seat, players[seat], Hand(), 0) for seat in numbers])
        return tuple(map(TrickSeatView, numbers, players, state.hands, tricks(state)))

    return seats


class DeclaredView(Struct, Generic[B], frozen=True, gc=False):
    """Declarer's contract, and its value."""

    declarer: Seat
    contract: B
    value: int
    trump: Suit | None
    turned: Card | None


class ExchangeGameView(TrickTableView, Generic[CallT, ContractViewT], frozen=True, kw_only=True):
    """A table of a game with an auction, an exchange with the talon, and tricks. `order` is the seats that play, eldest
    first.
    """

    order: tuple[Seat, ...] = ()
    talon: Hand = Hand()
    auction: tuple[CallT, ...] = ()
    contract: ContractViewT | None = None
    exchanges: tuple[Exchanged, ...] = ()
    trick: tuple[Played, ...] = ()
    last_trick: Trick | None = None


_talon_hand = pile_view(PACK.order)


def auction_fields(common: Common[Any, Any], talon: Pile) -> dict[str, Any]:
    """The view's fields, in L'Hombre's family, for the auction and the talon."""
    return {"order": common.order, "auction": common.bidding.calls, "talon": _talon_hand(talon)}


def trick_fields(tricks: Tricks) -> dict[str, Any]:
    """The view's fields for the tricks: the cards on the table, and the last complete trick."""
    return {"trick": tricks.trick, "last_trick": tricks.last}
