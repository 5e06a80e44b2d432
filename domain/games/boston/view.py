"""Boston's part of a table's view."""

from typing import Any

from msgspec import Struct

from domain.cards import Suit
from domain.games.boston.contracts import BIDS, ContractName
from domain.games.boston.meta import ORDER
from domain.games.boston.state import Auction, Commitment, Common, Playing, Reply, State, ThrownIn
from domain.kernel.hands import Hand
from domain.parts.auction import PASS, Call
from domain.parts.tricks import Played, Trick
from domain.parts.views import TrickTableView, trick_fields
from domain.seats import Seat


class Said(Struct, frozen=True, gc=False):
    """A call in the auction; contract and suit are null for a pass."""

    seat: Seat
    contract: ContractName | None
    suit: Suit | None


class ContractView(Struct, frozen=True, gc=False):
    """Declarer's contract and supporter. `trump` is null in a misère, whose suit only multiplies."""

    declarer: Seat
    contract: ContractName
    suit: Suit
    trump: Suit | None
    supporter: Seat | None
    answers: tuple[Reply, ...]
    exposed: bool


class BostonView(TrickTableView, frozen=True, kw_only=True):
    """A table of Boston as its audience knows it. `order` runs from eldest to the dealer."""

    order: tuple[Seat, ...] = ()
    auction: tuple[Said, ...] = ()
    contract: ContractView | None = None
    trick: tuple[Played, ...] = ()
    last_trick: Trick | None = None
    put_down: Hand = Hand()


def show(state: State) -> dict[str, Any]:
    """The fields that Boston adds to a table's view."""
    match state:
        case Playing():
            put_down = Hand.of(state.commitment.put_down, ORDER)
            contract = _contract(state.commitment, state.exposed)
            return _auction(state.common) | {"contract": contract, "put_down": put_down} | trick_fields(state.tricks)
        case Auction() | ThrownIn():
            return _auction(state.common)
        case _:
            return _auction(state.common) | {"contract": _contract(state.commitment, exposed=False)}


def _auction(common: Common) -> dict[str, Any]:
    return {"order": common.order, "auction": tuple(map(_said, common.bidding.calls))}


def _said(call: Call) -> Said:
    if call.bid == PASS:
        return Said(call.seat, None, None)
    bid = BIDS[call.bid]
    return Said(call.seat, bid.contract.contract, bid.suit)


def _contract(commitment: Commitment, exposed: bool) -> ContractView:
    bid = commitment.bid
    return ContractView(
        commitment.declarer,
        bid.contract.contract,
        bid.suit,
        bid.trump,
        commitment.supporter,
        commitment.answers,
        exposed,
    )
