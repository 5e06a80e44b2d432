"""The rules that an act may break, in their order, and the sentences that explain the fault."""

from domain.games.lhombre.actions import Abandon, Bid, Declare, Exchange, Pass, Play, SelfBid, Stop
from domain.games.lhombre.contracts import CONTRACTS, ContractName, declarable
from domain.games.lhombre.offers import biddable, may_bid
from domain.games.lhombre.scoring import tallied
from domain.games.lhombre.state import Auction, Declaration, Exchanging, Playing
from domain.kernel.refusals import Refusal, Refusals
from domain.parts.holding import not_held
from domain.parts.objections import no_stop, no_way_out, none_to_hold, not_higher, not_left, one_of, wrong_trump
from domain.parts.tricks import play_refusals
from domain.seats import Seat


def _no_higher(state: Auction, seat: Seat, action: Bid) -> str | None:
    bidding = state.common.bidding
    return not_higher(bidding, action.contract, biddable(bidding, state.hands[seat]))


def _not_shown(state: Auction, seat: Seat, action: Bid) -> str | None:
    if may_bid(state.hands[seat], action.contract):
        return None
    return f"{action.contract} is bid only by who was dealt {_shown(action.contract)}, and shows them"


def _none_to_hold(state: Auction, seat: Seat, _: SelfBid) -> str | None:
    return none_to_hold(state.common.bidding, seat)


def _not_shown_again(state: Auction, _: Seat, _action: SelfBid) -> str | None:
    bid = state.common.bidding.to_hold
    return f"{bid} was bid with {_shown(bid)}, which you do not hold" if CONTRACTS[bid].shown else None


def _shown(bid: ContractName) -> str:
    return " and ".join(CONTRACTS[bid].shown)


def _not_declarable(state: Declaration, _: Seat, action: Declare) -> str | None:
    may = declarable(state.bid)
    if action.contract in may:
        return None
    return f"{state.bid} was bid, and is not made into {action.contract}: contract must be {one_of(may)}"


def _wrong_trump(_: Declaration, _seat: Seat, action: Declare) -> str | None:
    return wrong_trump(action.contract, action.trump, CONTRACTS[action.contract].choices)


def _not_discarded(state: Exchanging, seat: Seat, action: Exchange) -> str | None:
    return not_held(state.hands[seat], *action.discard) or not_left(len(state.exchange.talon), len(action.discard))


def _no_stop(state: Playing, seat: Seat, _: Stop) -> str | None:
    if not state.commitment.contract.positive:
        return "a nolo is played to win no trick: there is no tout to decline"
    return no_stop("declarer", seat, state.commitment.declarer, tallied(state))


def _not_abandoned(state: Exchanging | Playing, seat: Seat, _: Abandon) -> str | None:
    declarer, contract = state.commitment.declarer, state.commitment.contract
    queue, tricks = state.exchange.queue, state.tricks if isinstance(state, Playing) else None
    return no_way_out("abandon", contract.contract, seat, declarer, may=contract.abandon, queue=queue, tricks=tricks)


REFUSALS = Refusals(
    cards="LH-2.1",
    acts={
        Bid: (
            Refusal("LH-4.3", _no_higher, ("contract",)),
            Refusal("LH-4.5", _not_shown, ("contract",)),
        ),
        SelfBid: (
            Refusal("LH-4.3", _none_to_hold),
            Refusal("LH-4.5", _not_shown_again),
        ),
        Pass: (),
        Declare: (
            Refusal("LH-5.1", _not_declarable, ("contract",)),
            Refusal("LH-5.1", _wrong_trump, ("contract", "trump")),
        ),
        Exchange: (Refusal("LH-6.1", _not_discarded, ("discard",)),),
        Play: play_refusals("LH-7.1", "LH-7.1", to_trump="LH-7.2"),
        Stop: (Refusal("LH-8.3", _no_stop),),
        Abandon: (Refusal("LH-8.4", _not_abandoned),),
    },
)
