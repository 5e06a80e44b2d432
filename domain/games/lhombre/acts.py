"""The acts of a player in L'Hombre, the rules that limit them, and the events that they cause."""

from typing import ClassVar, TypeAlias

from domain.cards import Suit
from domain.games.lhombre.contracts import CONTRACTS, ContractName, declarable, nameable
from domain.games.lhombre.events import BidMade, ContractDeclared, DealAbandoned
from domain.games.lhombre.meta import ORDER
from domain.games.lhombre.scoring import tallied
from domain.games.lhombre.state import Auction, Exchanging, Playing
from domain.kernel.action import Action
from domain.kernel.acts import ActRules, Acts, Among, Bar
from domain.kernel.event import Event
from domain.parts.auction import BidPassed, PassBid, outranking
from domain.parts.exchange import ExchangeCards, exchanging, talon_left
from domain.parts.holding import held
from domain.parts.objections import becomes, named_trumps, no_stop, no_way_out, none_to_hold
from domain.parts.tally import PlayStopped, StopPlay
from domain.parts.tricks import PlayCard, playing
from domain.seats import HOUSE, Seat


class Bid(Action, frozen=True, tag="bid"):
    """Bid a contract that outranks every bid before it."""

    RULE: ClassVar = "LH-4.3"
    ORDER: ClassVar = "LH-4.2"

    contract: ContractName


class SelfBid(Action, frozen=True, tag="self"):
    """Make the highest bid one's own, by coming before its bidder."""

    RULE: ClassVar = "LH-4.3"
    ORDER: ClassVar = "LH-4.2"


class Pass(PassBid, frozen=True):
    """Pass for the rest of the auction."""

    RULE: ClassVar = "LH-4.3"
    ORDER: ClassVar = "LH-4.2"


class Declare(Action, frozen=True, tag="declare"):
    """Declare the contract bid last or one that it may become, and trumps if it names them."""

    RULE: ClassVar = "LH-5.1"

    contract: ContractName
    trump: Suit | None = None


class Exchange(ExchangeCards, frozen=True):
    """Discard cards and draw as many."""

    RULE: ClassVar = "LH-6.1"


class Play(PlayCard, frozen=True):
    """Play a card to the trick."""

    RULE: ClassVar = "LH-7.1"


class Stop(StopPlay, frozen=True):
    """Stop with the win after the first five tricks, and do not try for all nine."""

    RULE: ClassVar = "LH-8.3"


class Abandon(Action, frozen=True, tag="abandon"):
    """Lay the hand open and pay a bête, as declarer, in turn or out of turn."""

    RULE: ClassVar = "LH-8.4"


LhombreAction: TypeAlias = Bid | SelfBid | Pass | Declare | Exchange | Play | Stop | Abandon


def _shows(state: Auction, seat: Seat, bid: ContractName) -> bool:
    """Whether the seat has the cards that the bid must show (LH-4.5)."""
    return set(CONTRACTS[bid].shown).issubset(state.hands[seat].known)


def _to_show(state: Auction, seat: Seat, _: Bid) -> tuple[ContractName, ...]:
    return tuple([bid for bid in CONTRACTS if _shows(state, seat, bid)])


def _not_shown(_state: Auction, _: Seat, action: Bid) -> str:
    return f"{action.contract} is bid only by who was dealt {_shown(action.contract)}, and shows them"


def _bid_made(_: Auction, seat: Seat, action: Bid) -> Event[BidMade]:
    return Event(BidMade(seat, action.contract, False, CONTRACTS[action.contract].shown))


def _bid_of(event: Event[BidMade]) -> Bid | SelfBid:
    return SelfBid() if event.public.held else Bid(event.public.contract)


def _not_shown_again(state: Auction, seat: Seat) -> str | None:
    bid = state.common.bidding.to_hold
    return None if _shows(state, seat, bid) else f"{bid} was bid with {_shown(bid)}, which you do not hold"


def _shown(bid: ContractName) -> str:
    return " and ".join(CONTRACTS[bid].shown)


def _bid_held(state: Auction, seat: Seat, _: SelfBid) -> Event[BidMade]:
    contract = state.common.bidding.to_hold
    return Event(BidMade(seat, contract, True, CONTRACTS[contract].shown))


def _declaration_of(event: Event[ContractDeclared]) -> Declare | None:
    return None if event.actor == HOUSE else Declare(event.public.contract, event.public.trump)


def _no_stop(state: Playing, seat: Seat) -> str | None:
    if not state.commitment.contract.positive:
        return "a nolo is played to win no trick: there is no tout to decline"
    return no_stop("declarer", tallied(state)) if seat == state.commitment.declarer else "only declarer stops"


def _not_abandoned(state: Exchanging | Playing, seat: Seat) -> str | None:
    contract = state.commitment.contract
    if seat != state.commitment.declarer:
        return "only declarer may abandon"
    queue, tricks = state.exchange.queue, state.tricks if isinstance(state, Playing) else None
    return no_way_out("abandon", contract.contract, seat, may=contract.abandon, queue=queue, tricks=tricks)


def _abandoned(state: Exchanging | Playing, seat: Seat, _: Abandon) -> Event[DealAbandoned]:
    return Event(DealAbandoned(seat, state.hands[seat].known))


ACTS = Acts("LH-2.1", (
    ActRules(Bid, BidMade, (
        outranking("LH-4.3", _shows),
        Among("LH-4.5", "contract", _to_show, _not_shown),
    ), make=_bid_made, read=_bid_of),
    ActRules(SelfBid, BidMade, (
        Bar("LH-4.3", none_to_hold),
        Bar("LH-4.5", _not_shown_again),
    ), make=_bid_held, read=_bid_of),
    ActRules(Pass, BidPassed),
    ActRules(Declare, ContractDeclared, (
        becomes("LH-5.1", declarable, "is not made into {}"),
        named_trumps("LH-5.1", nameable),
    ), read=_declaration_of, each="contract"),
    exchanging(
        Exchange, ORDER,
        held("LH-6.1", field="discard"),
        talon_left("LH-6.1"),
    ),
    playing(Play, "LH-7.1", "LH-7.1", to_trump="LH-7.2"),
    ActRules(Stop, PlayStopped, (Bar("LH-8.3", _no_stop),)),
    ActRules(Abandon, DealAbandoned, (Bar("LH-8.4", _not_abandoned),), make=_abandoned),
))  # fmt: skip

MILDEST: tuple[type[Action], ...] = (Pass, Declare, Exchange, Stop, Play)
"""The acts that the house takes for a player whose clock has run out, mildest first."""
