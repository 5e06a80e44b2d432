"""The acts of a player in King, the rules that limit them, and the events that they cause."""

from typing import ClassVar, TypeAlias

from domain.cards import SUITS, Card, Suit
from domain.games.king.contracts import DIRECTIONS, HEARTS_COUNT, TRICKS, Direction
from domain.games.king.events import AuctionOpened, DirectionDeclared, TricksBid, TrumpsNamed
from domain.games.king.meta import PACK
from domain.games.king.state import Auction, Playing
from domain.kernel.action import Action
from domain.kernel.acts import ActRules, Acts, Among, Bar, Free
from domain.parts.auction import BidPassed, PassBid
from domain.parts.tricks import Leads, PlayCard, playing
from domain.seats import Seat


class NameTrumps(Action, frozen=True, tag="name-trumps"):
    """Name the trump suit, or null for no trumps."""

    RULE: ClassVar = "KG-5.1"

    trump: Suit | None = None


class OpenAuction(Action, frozen=True, tag="auction"):
    """Put the right to name trumps up for auction among the three others."""

    RULE: ClassVar = "KG-5.1"


class Bid(Action, frozen=True, tag="bid"):
    """Bid a number of tricks for the right to name trumps."""

    RULE: ClassVar = "KG-5.2"

    tricks: int


class Pass(PassBid, frozen=True):
    """Pass."""

    RULE: ClassVar = "KG-5.4"
    ORDER: ClassVar = "KG-5.2"


class DeclareDirection(Action, frozen=True, tag="declare-direction"):
    """Say whether the deal is played up or down."""

    RULE: ClassVar = "KG-5.7"

    direction: Direction


class Play(PlayCard, frozen=True):
    """Play a card to the trick."""

    RULE: ClassVar = "KG-3.2"
    ORDER: ClassVar = "KG-3.1"


KingAction: TypeAlias = NameTrumps | OpenAuction | Bid | Pass | DeclareDirection | Play


def _open_numbers(state: Auction, _seat: Seat, _: Bid) -> tuple[int, ...]:
    return tuple(state.bids.open_numbers)


def _no_higher(state: Auction, _: Seat, action: Bid) -> str:
    high_bid = state.bids.high_bid
    than = "" if high_bid is None else f", higher than the {high_bid.number} that is bid"
    return f"{action.tricks} is no bid: a number from {state.bids.open_numbers[0]} to {TRICKS} is one{than}"


def _must_open(state: Auction, _: Seat) -> str | None:
    return None if state.bids.may_pass else "nobody has bid, and you must open"


def leads(state: Playing, seat: Seat) -> tuple[Card, ...]:
    """The cards that the seat may lead (KG-3.4)."""
    held = state.hands[seat].known
    if state.contract.aim.aim not in HEARTS_COUNT or state.common.options.heart_leads == "free":
        return held
    return tuple([card for card in held if PACK.suit(card) != "h"]) or held


ACTS = Acts("KG-2.1", (
    ActRules(NameTrumps, TrumpsNamed, (Free("trump", (*SUITS, None)),)),
    ActRules(OpenAuction, AuctionOpened),
    ActRules(Bid, TricksBid, (Among("KG-5.2", "tricks", _open_numbers, _no_higher),)),
    ActRules(Pass, BidPassed, (Bar("KG-5.3", _must_open),)),
    ActRules(DeclareDirection, DirectionDeclared, (Free("direction", DIRECTIONS),)),
    playing(
        Play, "KG-3.1", "KG-3.2",
        leads=Leads("KG-3.4", leads, "you hold other suits than hearts, of which one is led"),
    ),
))  # fmt: skip

MILDEST: tuple[type[Action], ...] = (Pass, NameTrumps, Bid, DeclareDirection, Play)
"""The acts that the house takes for a player whose clock has run out, mildest first: as dealer it opens no auction."""
