"""The rules that an act may break, in their order, and the sentences that explain the fault."""

from domain.games.ombre.actions import (
    AnswerSurrender,
    Bid,
    Declare,
    Exchange,
    Hold,
    OfferSurrender,
    Pass,
    Play,
    Stop,
    YieldExchange,
)
from domain.games.ombre.contracts import CONTRACTS
from domain.games.ombre.offers import SURRENDER_UNTIL, TRUMPS, may_yield
from domain.games.ombre.scoring import tallied
from domain.games.ombre.state import Auction, Declaration, Exchanging, Playing
from domain.kernel.refusals import Refusal, Refusals
from domain.parts.holding import not_held
from domain.parts.objections import no_stop, none_to_hold, not_higher, not_left, wrong_trump
from domain.parts.tricks import play_refusals
from domain.seats import Seat


def _no_higher(state: Auction, _: Seat, action: Bid) -> str | None:
    bidding = state.common.bidding
    return not_higher(bidding, action.contract, bidding.higher)


def _no_hold(state: Auction, seat: Seat, _: Hold) -> str | None:
    bidding = state.common.bidding
    return none_to_hold(bidding, seat) if bidding.hold else "nobody holds a bid at this table, by its option hold"


def _wrong_trump(state: Declaration, _: Seat, action: Declare) -> str | None:
    return wrong_trump(state.bid, action.trump, TRUMPS[CONTRACTS[state.bid].trumps])


def _not_ombres(state: Exchanging, seat: Seat, action: Exchange) -> str | None:
    return not_held(state.hands[seat], *action.discard) if seat == state.commitment.ombre else None


def _not_defenders(state: Exchanging, seat: Seat, action: Exchange) -> str | None:
    contract, number = state.commitment.contract, len(action.discard)
    if seat == state.commitment.ombre:
        return None
    wrong = not_held(state.hands[seat], *action.discard) or not_left(len(state.exchange.talon), number)
    if wrong is None and number > contract.defender:
        return f"a defender exchanges at most {contract.defender} cards in {contract.contract}, not {number}"
    return wrong


def _no_yielding(state: Exchanging, seat: Seat, _: YieldExchange) -> str | None:
    if may_yield(state):
        return None
    if seat == state.commitment.ombre:
        return "Ombre exchanges before the defenders: only they leave the first turn to each other"
    return "only the defender at Ombre's right leaves the first turn to the other, and only once"


def _no_stop(state: Playing, seat: Seat, _: Stop) -> str | None:
    if state.new_ombre is not None:
        return "a new Ombre plays for five tricks alone: there is no vole to decline"
    return no_stop("Ombre", seat, state.commitment.ombre, tallied(state))


def _no_surrender(state: Playing, seat: Seat, _: OfferSurrender) -> str | None:
    contract, tricks = state.commitment.contract, state.tricks
    if seat != state.commitment.ombre:
        return "only Ombre offers to surrender"
    if not contract.surrender:
        return f"nobody surrenders in {contract.contract}"
    if state.surrender is not None:
        return "you have offered to surrender already"
    if tricks.trick:
        return "a card lies on the table"
    won = len(tricks.winners)
    return None if won <= SURRENDER_UNTIL else f"{won} tricks are complete, more than {SURRENDER_UNTIL}"


REFUSALS = Refusals(
    cards="OM-2.1",
    acts={
        Bid: (Refusal("OM-4.1", _no_higher, ("contract",)),),
        Hold: (Refusal("OM-4.2", _no_hold),),
        Pass: (),
        Declare: (Refusal("OM-4.4", _wrong_trump, ("trump",)),),
        Exchange: (
            Refusal("OM-4.4", _not_ombres, ("discard",)),
            Refusal("OM-4.5", _not_defenders, ("discard",)),
        ),
        YieldExchange: (Refusal("OM-4.5", _no_yielding),),
        Play: play_refusals("OM-5.1", "OM-5.1"),
        Stop: (Refusal("OM-6.2", _no_stop),),
        OfferSurrender: (Refusal("OM-7.1", _no_surrender),),
        AnswerSurrender: (),
    },
)
