"""The fields of a view for the phases that games share. A game's own view adds the fields of that game alone."""

from typing import Any, Generic, TypeVar

from msgspec import Struct

from domain.cards import Card, Suit
from domain.kernel.hands import Hand
from domain.parts.auction import B
from domain.parts.exchange import Exchanged
from domain.parts.tricks import Played, Trick, Tricks
from domain.parts.view import TrickTableView
from domain.seats import Seat

CallT = TypeVar("CallT")
ContractViewT = TypeVar("ContractViewT")


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


def trick_fields(tricks: Tricks) -> dict[str, Any]:
    """The view's fields for the tricks: the cards on the table, and the last complete trick."""
    return {"trick": tricks.trick, "last_trick": tricks.last}
