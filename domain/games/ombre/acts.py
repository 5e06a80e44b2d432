"""The acts of a player in Ombre, the rules that limit them, and the events that they cause."""

from typing import ClassVar, TypeAlias

from domain.cards import SUITS, Card, Suit
from domain.games.ombre.contracts import CONTRACTS, ContractName, Trumps
from domain.games.ombre.events import BidMade, ContractDeclared, ExchangeYielded, SurrenderAnswered, SurrenderOffered
from domain.games.ombre.meta import ORDER
from domain.games.ombre.scoring import tallied
from domain.games.ombre.state import Auction, Declaration, Exchanging, Playing, defenders
from domain.kernel.action import Action
from domain.kernel.acts import ActRules, Acts, Among, Bar, Count, Free
from domain.kernel.event import Event
from domain.parts.auction import BidPassed, PassBid, outranking
from domain.parts.exchange import ExchangeCards, exchanging, talon_left
from domain.parts.holding import not_held
from domain.parts.objections import no_stop, none_to_hold, wrong_trump
from domain.parts.tally import PlayStopped, StopPlay
from domain.parts.tricks import PlayCard, playing
from domain.seats import HOUSE, Seat


class Bid(Action, frozen=True, tag="bid"):
    """Bid a contract higher than every bid before it."""

    RULE: ClassVar = "OM-4.1"

    contract: ContractName


class Hold(Action, frozen=True, tag="hold"):
    """Make the highest bid one's own, by coming before its bidder."""

    RULE: ClassVar = "OM-4.2"
    ORDER: ClassVar = "OM-4.1"


class Pass(PassBid, frozen=True):
    """Pass for the rest of the auction."""

    RULE: ClassVar = "OM-4.1"


class Declare(Action, frozen=True, tag="declare"):
    """Begin the contract bid, and name its trumps if they are named."""

    RULE: ClassVar = "OM-4.4"

    trump: Suit | None = None


class Exchange(ExchangeCards, frozen=True):
    """Discard cards and draw as many."""

    RULE: ClassVar = "OM-4.5"


class YieldExchange(Action, frozen=True, tag="yield-exchange"):
    """Let the other defender exchange first."""

    RULE: ClassVar = "OM-4.5"


class Play(PlayCard, frozen=True):
    """Play a card to the trick."""

    RULE: ClassVar = "OM-5.1"


class Stop(StopPlay, frozen=True):
    """Stop with primeras after the first five tricks, and do not try for all nine."""

    RULE: ClassVar = "OM-6.2"


class OfferSurrender(Action, frozen=True, tag="offer-surrender"):
    """Offer to surrender, as Ombre, in turn or out of turn."""

    RULE: ClassVar = "OM-7.1"


class AnswerSurrender(Action, frozen=True, tag="answer-surrender"):
    """Accept the surrender, or forbid it and become new Ombre."""

    RULE: ClassVar = "OM-7.2"

    accept: bool


OmbreAction: TypeAlias = (
    Bid | Hold | Pass | Declare | Exchange | YieldExchange | Play | Stop | OfferSurrender | AnswerSurrender
)


TRUMPS: dict[Trumps, tuple[Suit | None, ...]] = {"named": SUITS, "turned": (None,)}
"""The trump suits that may be named with the declaration; null if the trump suit is still to be turned."""
SURRENDER_UNTIL = 3
"""The most complete tricks with which Ombre may still offer to surrender (OM-7.1)."""


def _no_hold(state: Auction, seat: Seat) -> str | None:
    if not state.common.bidding.hold:
        return "nobody holds a bid at this table, by its option hold"
    return none_to_hold(state, seat)


def _bid_made(_: Auction, seat: Seat, action: Bid) -> Event[BidMade]:
    return Event(BidMade(seat, action.contract, False))


def _bid_of(event: Event[BidMade]) -> Bid | Hold:
    return Hold() if event.public.hold else Bid(event.public.contract)


def _bid_held(state: Auction, seat: Seat, _: Hold) -> Event[BidMade]:
    return Event(BidMade(seat, state.common.bidding.to_hold, True))


def _trumps(state: Declaration, _seat: Seat, _: Declare) -> tuple[Suit | None, ...]:
    return TRUMPS[CONTRACTS[state.bid].trumps]


def _wrong_trump(state: Declaration, seat: Seat, action: Declare) -> str | None:
    return wrong_trump(state.bid, action.trump, _trumps(state, seat, action))


def _declared(state: Declaration, seat: Seat, action: Declare) -> Event[ContractDeclared]:
    return Event(ContractDeclared(seat, state.bid, action.trump))


def _declaration_of(event: Event[ContractDeclared]) -> Declare | None:
    return None if event.actor == HOUSE else Declare(event.public.trump)


def _ombres(state: Exchanging, seat: Seat, _: Exchange) -> tuple[Card, ...] | None:
    return state.hands[seat].known if seat == state.commitment.ombre else None


def _defenders(state: Exchanging, seat: Seat, _: Exchange) -> tuple[Card, ...] | None:
    return None if seat == state.commitment.ombre else state.hands[seat].known


def _not_held(state: Exchanging, seat: Seat, action: Exchange) -> str | None:
    return not_held(state.hands[seat], *action.discard)


def _most_of_defender(state: Exchanging, seat: Seat, _: Exchange) -> tuple[int, int] | None:
    return None if seat == state.commitment.ombre else (0, state.commitment.contract.defender)


def _too_many(state: Exchanging, _: Seat, action: Exchange) -> str:
    contract = state.commitment.contract
    return f"a defender exchanges at most {contract.defender} cards in {contract.contract}, not {len(action.discard)}"


def _no_yielding(state: Exchanging, seat: Seat) -> str | None:
    if state.exchange.queue == defenders(state.commitment.ombre, state.common.order):
        return None
    if seat == state.commitment.ombre:
        return "Ombre exchanges before the defenders: only they leave the first turn to each other"
    return "only the defender at Ombre's right leaves the first turn to the other, and only once"


def _yielded(state: Exchanging, seat: Seat, _: YieldExchange) -> Event[ExchangeYielded]:
    return Event(ExchangeYielded(seat, state.exchange.queue[1]))


def _no_stop(state: Playing, seat: Seat) -> str | None:
    if state.new_ombre is not None:
        return "a new Ombre plays for five tricks alone: there is no vole to decline"
    return no_stop("Ombre", tallied(state)) if seat == state.commitment.ombre else "only Ombre stops"


def _no_surrender(state: Playing, seat: Seat) -> str | None:
    if seat != state.commitment.ombre:
        return None if seat == state.new_ombre else "only Ombre offers to surrender"
    contract, tricks = state.commitment.contract, state.tricks
    if not contract.surrender:
        return f"nobody surrenders in {contract.contract}"
    if state.surrender is not None:
        return "you have offered to surrender already"
    if tricks.trick:
        return "a card lies on the table"
    won = len(tricks.winners)
    return None if won <= SURRENDER_UNTIL else f"{won} tricks are complete, more than {SURRENDER_UNTIL}"


def _not_again(state: Playing, seat: Seat) -> str | None:
    return "a new Ombre cannot surrender" if seat == state.new_ombre else None


ACTS = Acts("OM-2.1", (
    ActRules(Bid, BidMade, (outranking("OM-4.1"),), make=_bid_made, read=_bid_of),
    ActRules(Hold, BidMade, (Bar("OM-4.2", _no_hold),), make=_bid_held, read=_bid_of),
    ActRules(Pass, BidPassed),
    ActRules(Declare, ContractDeclared, (
        Among("OM-4.4", "trump", _trumps, _wrong_trump),
    ), make=_declared, read=_declaration_of),
    exchanging(
        Exchange, ORDER,
        Among("OM-4.4", "discard", _ombres, _not_held),
        Among("OM-4.5", "discard", _defenders, _not_held),
        talon_left("OM-4.5"),
        Count("OM-4.5", "discard", _most_of_defender, _too_many),
    ),
    ActRules(YieldExchange, ExchangeYielded, (Bar("OM-4.5", _no_yielding),), make=_yielded),
    playing(Play, "OM-5.1", "OM-5.1"),
    ActRules(Stop, PlayStopped, (Bar("OM-6.2", _no_stop),)),
    ActRules(OfferSurrender, SurrenderOffered, (Bar("OM-7.1", _no_surrender), Bar("OM-7.3", _not_again))),
    ActRules(AnswerSurrender, SurrenderAnswered, (Free("accept", (True, False)),), names={"accept": "accepted"}),
))  # fmt: skip

MILDEST: tuple[type[Action], ...] = (Pass, Declare, Exchange, AnswerSurrender, Stop, Play)
"""The acts that the house takes for a player whose clock has run out, mildest first.

It accepts a surrender, since the defender who forbids it must play on alone.
"""
