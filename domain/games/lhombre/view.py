"""L'Hombre's part of a table's view."""

from typing import Any

from msgspec import Struct

from domain.cards import Card, Suit
from domain.games.lhombre.contracts import ContractName
from domain.games.lhombre.meta import ORDER
from domain.games.lhombre.state import Abandoned, Exchanging, Playing, State
from domain.kernel.hands import Hand, Hands
from domain.kernel.view import TableView
from domain.parts.auction import Call
from domain.parts.exchange import Exchanged, pile_view
from domain.parts.tricks import Played, Trick
from domain.seats import Seat


class ContractView(Struct, frozen=True, gc=False):
    """What declarer plays, what it pays, and whether declarer has undertaken to win all tricks."""

    declarer: Seat
    contract: ContractName
    value: int
    trump: Suit | None
    turned: Card | None
    undertaken: bool


class LhombreView(TableView, frozen=True, kw_only=True):
    """A table of L'Hombre as its audience knows it. `order` is forehand, middlehand, backhand."""

    order: tuple[Seat, ...] = ()
    talon: Hand = Hand()
    auction: tuple[Call, ...] = ()
    contract: ContractView | None = None
    exchanges: tuple[Exchanged, ...] = ()
    trick: tuple[Played, ...] = ()
    last_trick: Trick | None = None


_talon_hand = pile_view(ORDER)


def hands(state: State) -> Hands:
    """The hands, by seat; empty for who sits out."""
    return state.before.hands if isinstance(state, Abandoned) else state.hands


def tricks(state: State) -> tuple[int, ...]:
    """Tricks won, by seat."""
    seats = len(hands(state))
    return state.tricks.won_by(seats) if isinstance(state, Playing) else (0,) * seats


def show(state: State) -> dict[str, Any]:
    """The fields that L'Hombre adds to a table's view."""
    if isinstance(state, Abandoned):
        return show(state.before)
    fields: dict[str, Any] = {"order": state.common.order, "auction": state.common.bidding.calls}
    if not isinstance(state, Exchanging | Playing):
        return fields | {"talon": _talon_hand(state.talon)}
    fields |= {
        "talon": _talon_hand(state.exchange.talon),
        "contract": _contract(state),
        "exchanges": state.exchange.done,
    }
    if isinstance(state, Playing):
        fields |= {"trick": state.tricks.trick, "last_trick": state.tricks.last}
    return fields


def _contract(state: Exchanging | Playing) -> ContractView:
    commitment = state.commitment
    undertaken = isinstance(state, Playing) and state.undertaken is not None
    contract = commitment.contract
    return ContractView(
        commitment.declarer, contract.contract, contract.value, commitment.trump, commitment.turned, undertaken
    )
