"""L'Hombre's part of a table's view."""

from typing import Any

from domain.games.lhombre.contracts import ContractName
from domain.games.lhombre.state import Abandoned, Call, Exchanging, Playing, State
from domain.parts.views import DeclaredView, ExchangeGameView, auction_fields, trick_fields


class ContractView(DeclaredView[ContractName], frozen=True, gc=False):
    """Declarer's contract, its payment, and whether declarer has undertaken to win all tricks."""

    undertaken: bool


class LhombreView(ExchangeGameView[Call, ContractView], frozen=True, kw_only=True):
    """A table of L'Hombre as its audience knows it. `order` is forehand, middlehand, backhand."""


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
            return auction_fields(state.common, state.talon)


def _exchange(state: Exchanging | Playing, *, undertaken: bool) -> dict[str, Any]:
    plays, row = state.commitment, state.commitment.contract
    return auction_fields(state.common, state.exchange.talon) | {
        "contract": ContractView(plays.declarer, row.contract, row.value, plays.trump, plays.turned, undertaken),
        "exchanges": state.exchange.done,
    }
