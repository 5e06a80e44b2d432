"""Solo's part of a table's view."""

from typing import Any

from msgspec import Struct

from domain.cards import Card, Suit
from domain.games.solo.contracts import GameName
from domain.games.solo.meta import SEATS
from domain.games.solo.state import Playing, State
from domain.kernel.hands import Hands
from domain.kernel.view import TableView
from domain.parts.questioning import Said
from domain.parts.tricks import Played, Trick
from domain.seats import Seat


class ContractView(Struct, frozen=True, gc=False):
    """What declarer plays and what it is worth. `partner` is null until the called card has been played."""

    declarer: Seat
    game: GameName
    level: int
    value: int
    trump: Suit
    called: Card | None
    partner: Seat | None


class SoloView(TableView, frozen=True, kw_only=True):
    """A table of Solo as its audience knows it. `order` runs from the dealer's left to the dealer."""

    order: tuple[Seat, ...] = ()
    auction: tuple[Said, ...] = ()
    contract: ContractView | None = None
    trick: tuple[Played, ...] = ()
    last_trick: Trick | None = None


def hands(state: State) -> Hands:
    """The hands, by seat."""
    return state.hands


def tricks(state: State) -> tuple[int, ...]:
    """Tricks won, by seat."""
    return state.tricks.won_by(SEATS) if isinstance(state, Playing) else (0,) * SEATS


def show(state: State) -> dict[str, Any]:
    """The fields that Solo adds to a table's view."""
    fields: dict[str, Any] = {"order": state.common.order, "auction": state.common.auction.said}
    if isinstance(state, Playing):
        fields |= {"contract": _contract(state), "trick": state.tricks.trick, "last_trick": state.tricks.last}
    return fields


def _contract(state: Playing) -> ContractView:
    commitment, contract = state.commitment, state.commitment.contract
    partner = None if state.partner is None else state.partner.seat
    return ContractView(
        commitment.declarer,
        contract.game,
        contract.level,
        contract.value,
        commitment.trump,
        commitment.called,
        partner,
    )
