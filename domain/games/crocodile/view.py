"""Crocodile's part of a table's view."""

from typing import Any

from msgspec import Struct

from domain.cards import Card
from domain.games.crocodile.contracts import BonusName, ContractName
from domain.games.crocodile.meta import ORDER
from domain.games.crocodile.state import (
    Asking,
    Commitment,
    Conceded,
    Exchanged,
    Exchanging,
    LayingCasco,
    Playing,
    State,
)
from domain.kernel.hands import Hand
from domain.parts.auction import Call
from domain.parts.piles import pile_view
from domain.parts.tricks import Played, Trick
from domain.parts.views import DeclaredView, TrickTableView, trick_fields


class ContractView(DeclaredView[ContractName], frozen=True, gc=False):
    """Declarer's contract, and the bonus bid with it."""

    bonus: BonusName | None


class StockView(Struct, frozen=True, gc=False):
    """Declarer's discards in Casco, for the opponents to draw: face up, and face down from the top."""

    face_up: tuple[Card, ...]
    face_down: Hand


class CrocodileView(TrickTableView, frozen=True, kw_only=True):
    """A table of Crocodile as its audience knows it."""

    talon: Hand = Hand()
    auction: tuple[Call, ...] = ()
    contract: ContractView | None = None
    exchanges: tuple[Exchanged, ...] = ()
    stock: StockView | None = None
    trick: tuple[Played, ...] = ()
    last_trick: Trick | None = None


_talon_hand = pile_view(ORDER)


def show(state: State) -> dict[str, Any]:
    """The fields that Crocodile adds to a table's view."""
    match state:
        # The most frequent cases come first, since they are tried in turn.
        case Playing():
            return _exchange(state) | trick_fields(state.tricks)
        case Asking():
            return show(state.exchange)
        case Conceded():
            return show(state.before)
        case LayingCasco():
            stock = StockView((), _talon_hand(state.discards))
            return {"auction": state.common.calls, "stock": stock}
        case Exchanging():
            return _exchange(state)
        case _:
            return {"auction": state.common.calls, "talon": _talon_hand(state.talon)}


def _exchange(state: Exchanging | Playing) -> dict[str, Any]:
    pile = _talon_hand(state.stock.pile)
    casco = state.commitment.contract.contract == "casco"
    return {
        "auction": state.common.calls,
        "contract": _contract(state.commitment),
        "exchanges": state.exchanges,
        **({"stock": StockView(state.stock.face_up, pile)} if casco else {"talon": pile}),
    }


def _contract(commitment: Commitment) -> ContractView:
    contract = commitment.contract
    return ContractView(
        commitment.declarer, contract.contract, contract.value, commitment.trump, commitment.turned, commitment.bonus
    )
