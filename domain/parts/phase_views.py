"""What a view shows of the phases that games have in common. A game's own view adds what exists in that game alone."""

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
    """What declarer plays, and what the contract is worth."""

    declarer: Seat
    contract: B
    value: int
    trump: Suit | None
    turned: Card | None


class ExchangeGameView(TrickTableView, Generic[CallT, ContractViewT], frozen=True, kw_only=True):
    """A table of a game with an auction, an exchange with the talon, and tricks. `order` is who plays, eldest first."""

    order: tuple[Seat, ...] = ()
    talon: Hand = Hand()
    auction: tuple[CallT, ...] = ()
    contract: ContractViewT | None = None
    exchanges: tuple[Exchanged, ...] = ()
    trick: tuple[Played, ...] = ()
    last_trick: Trick | None = None


def trick_fields(tricks: Tricks) -> dict[str, Any]:
    """The view's fields for the tricks: the cards on the table, and the last trick complete."""
    return {"trick": tricks.trick, "last_trick": tricks.last}
