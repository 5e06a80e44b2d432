"""The acts of a player in Boston, the rules that limit them, and the events that they cause."""

from collections.abc import Callable
from typing import ClassVar, TypeAlias

from msgspec.structs import replace

from domain.cards import Card, Suit
from domain.games.boston.contracts import (
    BIDS,
    FOUR_ACE_MISERE,
    PICCOLISSIMO,
    ContractInSuit,
    ContractName,
    bid_name,
    ranks,
)
from domain.games.boston.events import (
    BidMade,
    CardOfDiscard,
    CardPutDown,
    PlayedAlone,
    SupportAnswered,
    SupportCalled,
)
from domain.games.boston.meta import ACES, LAST_TO_BREAK, PACK, RANKINGS
from domain.games.boston.state import Auction, Playing
from domain.kernel.action import Action
from domain.kernel.acts import ActRules, Acts, Free, Refusal
from domain.kernel.event import Event
from domain.parts.auction import BidPassed, PassBid
from domain.parts.holding import either, held, not_held
from domain.parts.tricks import CardPlayed, PlayCard, following, not_led, not_playable, played
from domain.seats import Seat


class Bid(Action, frozen=True, tag="bid"):
    """Bid a contract and a suit."""

    RULE: ClassVar = "BO-3.3"
    ORDER: ClassVar = "BO-3.1"

    contract: ContractName
    suit: Suit


class Pass(PassBid, frozen=True):
    """Pass for the rest of the auction."""

    RULE: ClassVar = "BO-3.1"


class PlayAlone(Action, frozen=True, tag="play-alone"):
    """Play the contract alone."""

    RULE: ClassVar = "BO-5.1"


class CallSupporter(Action, frozen=True, tag="call"):
    """Call for a supporter."""

    RULE: ClassVar = "BO-5.1"


class Answer(Action, frozen=True, tag="answer"):
    """Agree to be the supporter, or decline."""

    RULE: ClassVar = "BO-5.2"

    accept: bool


class PutDown(Action, frozen=True, tag="put-down"):
    """Put a card face down."""

    RULE: ClassVar = "BO-5.3"

    card: Card


class Play(PlayCard, frozen=True):
    """Play a card to the trick."""

    RULE: ClassVar = "BO-6.2"
    ORDER: ClassVar = "BO-6.1"


BostonAction: TypeAlias = Bid | Pass | PlayAlone | CallSupporter | Answer | PutDown | Play


def _outranking(state: Auction) -> tuple[ContractInSuit, ...]:
    """The bids that outrank the highest bid, from low to high.

    Piccolissimo is included at every table; another rule refuses it at tables without it.
    """
    return tuple([BIDS[bid] for bid in replace(state.common.bidding, ranks=ranks(piccolissimo=True)).higher])


def _too_low(state: Auction, named: str, is_such: Callable[[ContractInSuit], bool]) -> str | None:
    high_bid, higher = state.common.bidding.high_bid, _outranking(state)
    if high_bid is None or any(map(is_such, higher)):
        return None
    than = BIDS[high_bid.bid]
    alike = [_named(bid) for bid in higher if bid.contract == than.contract]
    others = ["a higher contract"] if len(alike) < len(higher) else []
    return f"{named} does not outrank {_named(than)}: bid {either([*alike, *others])}"


def _named(bid: ContractInSuit) -> str:
    return f"{bid.contract.contract} in {bid.suit}"


def _low_contract(state: Auction, _: Seat, action: Bid) -> str | None:
    return _too_low(state, action.contract, lambda bid: bid.contract.contract == action.contract)


def _low_suit(state: Auction, _: Seat, action: Bid) -> str | None:
    return _too_low(state, f"a bid in {action.suit}", lambda bid: bid.suit == action.suit)


def _low_bid(state: Auction, _: Seat, action: Bid) -> str | None:
    bid = BIDS[bid_name(action.contract, action.suit)]
    return _too_low(state, _named(bid), lambda other: other == bid)


def _without_aces(state: Auction, seat: Seat, action: Bid) -> str | None:
    missing = not_held(state.hands[seat], *ACES) if action.contract == FOUR_ACE_MISERE else None
    return missing and f"{FOUR_ACE_MISERE} takes all four aces, and {missing}"


def _not_played(state: Auction, _: Seat, action: Bid) -> str | None:
    played = action.contract != PICCOLISSIMO or state.common.options.piccolissimo
    return None if played else f"there is no {PICCOLISSIMO} at this table, by its option {PICCOLISSIMO}"


def in_four_aces(state: Playing, seat: Seat) -> bool:
    """Whether the seat is declarer in a Four-ace misère."""
    return state.commitment.declarer == seat and state.commitment.bid.contract.contract == FOUR_ACE_MISERE


def may_break(state: Playing, seat: Seat) -> bool:
    """Whether the seat, in a Four-ace misère, may now play another suit while holding the suit led (BO-6.4)."""
    if not in_four_aces(state, seat) or len(state.tricks.winners) >= LAST_TO_BREAK:
        return False
    return state.common.options.four_ace_revoke == "free" or not has_broken(state, seat)


def has_broken(state: Playing, seat: Seat) -> bool:
    """Whether the seat, whose turn it is, has earlier played another suit while it held the suit led.

    No event and no field says so: it follows from the cards that the seat has played, and from its own hand. The seat
    held the suit led if it played a card of that suit later, or still has one.
    """
    held = {PACK.suit(card) for card in state.hands[seat].known}
    for trick in reversed(state.tricks.complete):
        led = PACK.suit(trick.cards[0].card)
        suit = next(PACK.suit(played.card) for played in trick.cards if played.seat == seat)
        if suit != led and led in held:
            return True
        held.add(suit)
    return False


def _playable(state: Playing, seat: Seat) -> tuple[Card, ...]:
    hand = state.hands[seat].known
    if may_break(state, seat):
        return hand
    return following(hand, state.tricks.led, RANKINGS[state.commitment.trump])


def _not_followed(state: Playing, seat: Seat, action: Play) -> str | None:
    """None for declarer in a Four-ace misère, to whom another rule about following suit applies."""
    hand, led = state.hands[seat], state.tricks.led
    if led is None or (in_four_aces(state, seat) and action.card in hand.known):
        return None
    return not_playable(hand, led, action.card, _playable(state, seat))


def _not_free(state: Playing, seat: Seat, action: Play) -> str | None:
    """The fault of declarer in a Four-ace misère; the rule before covers everybody else."""
    led = state.tricks.led
    if led is None:
        return None
    if len(state.tricks.winners) >= LAST_TO_BREAK:
        why = f"from trick {LAST_TO_BREAK + 1} on you follow suit if you can"
    else:
        why = "you have played another suit once while you held the suit led"
    return not_playable(state.hands[seat], led, action.card, _playable(state, seat), why)


def _bid_made(_: Auction, seat: Seat, action: Bid) -> Event[BidMade]:
    shown = ACES if action.contract == FOUR_ACE_MISERE else ()
    return Event(BidMade(seat, action.contract, action.suit, shown))


ACTS = Acts("BO-2.1", (
    ActRules(Bid, BidMade, (
        Refusal("BO-3.3", _low_contract, ("contract",)),
        Refusal("BO-3.3", _low_suit, ("suit",)),
        Refusal("BO-3.3", _low_bid, ("contract", "suit")),
        Refusal("BO-3.7", _without_aces, ("contract",)),
        Refusal("BO-4.3", _not_played, ("contract",)),
    ), make=_bid_made),
    ActRules(Pass, BidPassed),
    ActRules(PlayAlone, PlayedAlone),
    ActRules(CallSupporter, SupportCalled),
    ActRules(Answer, SupportAnswered, (Free("accept", (True, False)),), names={"accept": "accepted"}),
    ActRules(PutDown, CardPutDown, (held("BO-5.3"),), section=CardOfDiscard),
    ActRules(Play, CardPlayed, (
        Refusal("BO-6.1", not_led, ("card",)),
        Refusal("BO-6.2", _not_followed, ("card",)),
        Refusal("BO-6.4", _not_free, ("card",)),
    ), played),
))  # fmt: skip

MILDEST: tuple[type[Action], ...] = (Pass, PlayAlone, Answer, PutDown, Play)
"""The acts that the house takes for a player whose clock has run out: nobody is called, and nobody supports."""
