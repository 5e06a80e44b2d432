"""Ombre's part of a table's view."""

from typing import Any

from msgspec import Struct

from domain.cards import Card, Suit
from domain.games.ombre.contracts import ContractName
from domain.games.ombre.meta import ORDER, SEATS
from domain.games.ombre.state import (
    Answer,
    Commitment,
    Exchanging,
    Playing,
    State,
    Surrender,
    Surrendered,
    Surrendering,
)
from domain.kernel.hands import Hand, Hands
from domain.kernel.view import TableView
from domain.parts.auction import Call
from domain.parts.exchange import Exchanged, pile_view
from domain.parts.tricks import Played, Trick
from domain.seats import Seat


class ContractView(Struct, frozen=True, gc=False):
    """What Ombre (`declarer`) plays and is paid for winning, and whether Ombre has undertaken to win all tricks."""

    declarer: Seat
    contract: ContractName
    value: int
    trump: Suit | None
    turned: Card | None
    undertaken: bool


class SurrenderView(Struct, frozen=True, gc=False):
    """Ombre's offer to surrender, the answers so far, and who forbade it and plays on as new Ombre."""

    seat: Seat
    answers: tuple[Answer, ...]
    new_ombre: Seat | None


class OmbreView(TableView, frozen=True, kw_only=True):
    """A table of Ombre as its audience knows it. `order` is eldest, second, dealer."""

    pool: int
    chips: tuple[int, ...]
    """What each player has: the chips started with, and the total."""
    order: tuple[Seat, ...] = ()
    talon: Hand = Hand()
    auction: tuple[Call, ...] = ()
    contract: ContractView | None = None
    exchanges: tuple[Exchanged, ...] = ()
    trick: tuple[Played, ...] = ()
    last_trick: Trick | None = None
    surrender: SurrenderView | None = None


_talon_hand = pile_view(ORDER)


def hands(state: State) -> Hands:
    """The hands, by seat."""
    return state.play.hands if isinstance(state, Surrendering | Surrendered) else state.hands


def tricks(state: State) -> tuple[int, ...]:
    """Tricks won, by seat."""
    play = state.play if isinstance(state, Surrendering | Surrendered) else state
    return play.tricks.won_by(SEATS) if isinstance(play, Playing) else (0,) * SEATS


def show(state: State) -> dict[str, Any]:
    """The fields that Ombre adds to a table's view."""
    if isinstance(state, Surrendering | Surrendered):
        return show(state.play) | {"surrender": _surrender(state.play.commitment, state.surrender)}
    fields: dict[str, Any] = {"order": state.common.order, "auction": state.common.bidding.calls}
    if not isinstance(state, Exchanging | Playing):
        return fields | {"talon": _talon_hand(state.talon)}
    fields |= {
        "talon": _talon_hand(state.exchange.talon),
        "contract": _contract(state),
        "exchanges": state.exchange.done,
    }
    if isinstance(state, Playing):
        fields |= {
            "trick": state.tricks.trick,
            "last_trick": state.tricks.last,
            "surrender": _surrender(state.commitment, state.surrender),
        }
    return fields


def _contract(state: Exchanging | Playing) -> ContractView:
    commitment = state.commitment
    undertaken = isinstance(state, Playing) and state.undertaken is not None
    contract = commitment.contract
    return ContractView(
        commitment.ombre, contract.contract, contract.value, commitment.trump, commitment.turned, undertaken
    )


def _surrender(commitment: Commitment, surrender: Surrender | None) -> SurrenderView | None:
    if surrender is None:
        return None
    return SurrenderView(commitment.ombre, surrender.answers, surrender.new_ombre)
