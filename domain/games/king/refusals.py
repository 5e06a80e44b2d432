"""The rules that an act may break, in their order, and the sentences that explain the fault."""

from domain.games.king.actions import Bid, DeclareDirection, NameTrumps, OpenAuction, Pass, Play
from domain.games.king.contracts import TRICKS
from domain.games.king.offers import leads
from domain.games.king.state import Auction
from domain.kernel.refusals import Refusal, Refusals
from domain.parts.tricks import lead_refusal, play_refusals
from domain.seats import Seat


def _no_higher(state: Auction, _: Seat, action: Bid) -> str | None:
    may = state.bids.open_numbers
    if action.tricks in may:
        return None
    high_bid = state.bids.high_bid
    than = "" if high_bid is None else f", higher than the {high_bid.number} that is bid"
    return f"{action.tricks} is no bid: a number from {may[0]} to {TRICKS} is one{than}"


def _must_open(state: Auction, _: Seat, _action: Pass) -> str | None:
    return None if state.bids.may_pass else "nobody has bid, and you must open"


REFUSALS = Refusals(
    cards="KG-2.1",
    acts={
        NameTrumps: (),
        OpenAuction: (),
        Bid: (Refusal("KG-5.2", _no_higher, ("tricks",)),),
        Pass: (Refusal("KG-5.3", _must_open),),
        DeclareDirection: (),
        Play: (
            *play_refusals("KG-3.1", "KG-3.2"),
            lead_refusal("KG-3.4", leads, "you hold other suits than hearts, of which one is led"),
        ),
    },
)
