"""L'Hombre's part of a table's view."""

from typing import Any

from domain.games.lhombre.contracts import ContractName
from domain.games.lhombre.meta import ORDER
from domain.games.lhombre.state import Abandoned, Auction, Call, Declaration, Exchanging, Playing, State, WashedOut
from domain.parts.piles import pile_view
from domain.parts.views import DeclaredView, ExchangeGameView, trick_fields


class ContractView(DeclaredView[ContractName], frozen=True, gc=False):
    """Declarer's contract, its payment, and whether declarer has undertaken to win all tricks."""

    undertaken: bool


class LhombreView(ExchangeGameView[Call, ContractView], frozen=True, kw_only=True):
    """A table of L'Hombre as its audience knows it. `order` is forehand, middlehand, backhand."""


_talon_hand = pile_view(ORDER)


def show(state: State) -> dict[str, Any]:
    """The fields that L'Hombre adds to a table's view."""
    match state:
        # The most frequent cases come first, since they are tried in turn.
        case Playing():
            return _exchange(state, undertaken=state.undertaken is not None) | trick_fields(state.tricks)
        case Exchanging():
            return _exchange(state, undertaken=False)
        case Abandoned():
            return show(state.before)
        case _:
            return _auction(state) | {"talon": _talon_hand(state.talon)}


def _auction(state: Auction | WashedOut | Declaration | Exchanging | Playing) -> dict[str, Any]:
    return {"order": state.common.order, "auction": state.common.bidding.calls}


def _exchange(state: Exchanging | Playing, *, undertaken: bool) -> dict[str, Any]:
    plays, row = state.commitment, state.commitment.contract
    return _auction(state) | {
        "talon": _talon_hand(state.exchange.talon),
        "contract": ContractView(plays.declarer, row.contract, row.value, plays.trump, plays.turned, undertaken),
        "exchanges": state.exchange.done,
    }
