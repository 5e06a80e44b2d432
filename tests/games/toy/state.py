"""A deal of the toy: a union of phases, and the fold of events into them.

phase     acts                      leads to
passing   pass                      pledging
pledging  pledge (all at once)      playing
playing   lay, capture, turn, snap  the score
"""

from typing import ClassVar, TypeAlias, assert_never

from msgspec import Struct
from msgspec.structs import replace

from domain.cards import Card
from domain.fair.deck import Deck
from domain.kernel.action import Phase
from domain.kernel.dealing import Dealt
from domain.kernel.event import Event
from domain.kernel.hands import Hand, Hands, Pile, with_hand
from domain.parts.phases import expect
from domain.seats import Seat, clockwise, seat_audience
from tests.games.toy.events import (
    BatchDealt,
    CardLaid,
    CardPassed,
    CardsCaptured,
    CardTurned,
    DealtCards,
    PassedCard,
    Pledged,
    PledgedCards,
    PledgeMade,
    PledgesOpened,
    RenewedStock,
    Snapped,
    StockRenewed,
    ToyEvent,
    TurnLapsed,
)
from tests.games.toy.meta import BATCHES, BLIND, BROW, ORDER, PACK, REST, SEATS, TABLE, Options, eldest, value


class Cards(Struct, frozen=True, gc=False):
    """Where the cards of a deal lie. `blinds` and `brows` are piles of one card at most, by seat."""

    deck: Deck
    hands: Hands
    blinds: tuple[Pile, ...]
    brows: tuple[Pile, ...]
    stock: Pile
    table: tuple[Card, ...]
    discards: tuple[Card, ...] = ()
    """The captured cards, sorted."""

    def with_hand(self, seat: Seat, hand: Hand) -> "Cards":
        """These cards with this hand for the seat."""
        return replace(self, hands=with_hand(self.hands, seat, hand))

    def discarded(self, cards: tuple[Card, ...]) -> "Cards":
        """These cards after some of the table, or from a hand, were captured."""
        table = tuple([card for card in self.table if card not in cards])
        return replace(self, table=table, discards=PACK.sorted((*self.discards, *cards)))


class Common(Struct, frozen=True, gc=False):
    """What holds in every phase of a deal."""

    options: Options
    eldest: Seat
    cards: Cards


class Answer(Struct, frozen=True, gc=False):
    """A seat's answer; the cards are None where they are not known."""

    seat: Seat
    cards: tuple[Card, ...] | None


class Captured(Struct, frozen=True, gc=False):
    """What a seat captured: its value, and the event's version."""

    seat: Seat
    value: int
    version: int


class Noted(Struct, frozen=True, gc=False):
    """A seat that snapped, or whose turn lapsed, and the event's version."""

    seat: Seat
    version: int


class Passing(Phase, frozen=True):
    """Eldest is to pass a card to the partner (TY-2.1)."""

    PHASE: ClassVar = "passing"
    RULE: ClassVar = "TY-2.1"
    TURN: ClassVar = frozenset({"pass"})

    common: Common


class Pledging(Phase, frozen=True):
    """All are to answer at once (TY-2.2)."""

    PHASE: ClassVar = "pledging"
    RULE: ClassVar = "TY-2.2"
    TURN: ClassVar = frozenset({"pledge"})

    common: Common
    answers: tuple[Answer, ...] = ()

    @property
    def waiting(self) -> tuple[Seat, ...]:
        """The seats that have not answered."""
        answered = [answer.seat for answer in self.answers]
        return tuple(seat for seat in range(SEATS) if seat not in answered)


class Playing(Phase, frozen=True):
    """The cards are played (TY-3)."""

    PHASE: ClassVar = "playing"
    RULE: ClassVar = "TY-3.1"
    TURN: ClassVar = frozenset({"lay", "capture", "turn"})
    FREE: ClassVar = frozenset({"snap"})

    common: Common
    pledges: tuple[Pledged, ...]
    opened: int
    """The version of `pledges-opened`."""
    after: Seat
    """The seat whose turn it is if it holds a card, else the next that does."""
    since: int
    """The version of the event that began the turn."""
    top: str | None = None
    """The rank of the card that was put on the table last, if it is still there."""
    alike: bool = False
    """Whether that card lies on one of its rank."""
    snapper: Seat | None = None
    """The seat that has snapped since."""
    snaps: tuple[Noted, ...] = ()
    captures: tuple[Captured, ...] = ()
    batches: int = 0
    renewals: int = 0
    lapse: Noted | None = None

    @property
    def turn(self) -> Seat | None:
        """The seat whose turn it is; None when no hand holds a card, or the deal is lost."""
        hands = self.common.cards.hands
        holding = [seat for seat in clockwise(self.after, SEATS) if hands[seat].size]
        return holding[0] if holding and self.lapse is None else None

    def put(self, seat: Seat, card: Card, cards: Cards, version: int) -> "Playing":
        """The phase after the seat put this card on the table, which leaves these cards."""
        rank = PACK.rank(card)
        return replace(
            self,
            common=replace(self.common, cards=replace(cards, table=(*cards.table, card))),
            after=(seat + 1) % SEATS,
            since=version,
            top=rank,
            alike=rank == self.top,
            snapper=None,
        )


State: TypeAlias = Passing | Pledging | Playing


def begin(dealt: Dealt) -> State:
    """A new deal."""
    seats = range(SEATS)
    table = tuple(card for card in dealt.pile(TABLE) if card is not None)
    cards = Cards(
        dealt.deck,
        dealt.hands,
        tuple(dealt.pile(BLIND, seat) for seat in seats),
        tuple(dealt.pile(BROW, seat) for seat in seats),
        dealt.pile(REST),
        table,
    )
    return Passing(Common(dealt.options, eldest(dealt.standing.deal), cards))


def must_renew(cards: Cards) -> bool:
    """Whether the stock is too small for a batch (TY-3.5)."""
    return len(cards.stock) < SEATS


def may_deal(state: Playing) -> bool:
    """Whether a batch follows once the hands are empty (TY-3.5)."""
    cards = state.common.cards
    return state.batches < BATCHES and len(cards.stock) + len(cards.discards) >= SEATS


def evolve(state: State, event: Event[ToyEvent]) -> State:
    """The state after the event. It assigns what the event says and checks nothing."""
    cards, version = state.common.cards, event.version
    match event.public:
        case CardPassed() as public:
            return Pledging(replace(state.common, cards=_passed(cards, event, public)))
        case PledgeMade() as public:
            own = event.section(seat_audience(public.seat), PledgedCards)
            answer = Answer(public.seat, own.cards if own else None)
            phase = expect(state, Pledging)
            return replace(phase, answers=(*phase.answers, answer))
        case PledgesOpened() as public:
            for pledge in public.pledges:
                cards = cards.with_hand(pledge.seat, cards.hands[pledge.seat].revealed(pledge.cards, ORDER))
            first = state.common.eldest
            top = PACK.rank(cards.table[0])
            return Playing(replace(state.common, cards=cards), public.pledges, version, first, version, top)
        case CardLaid() as public:
            hand = cards.hands[public.seat].played(public.card)
            return expect(state, Playing).put(public.seat, public.card, cards.with_hand(public.seat, hand), version)
        case CardTurned() as public:
            blinds = tuple(() if seat == public.seat else pile for seat, pile in enumerate(cards.blinds))
            return expect(state, Playing).put(public.seat, public.turned.card, replace(cards, blinds=blinds), version)
        case CardsCaptured() as public:
            return _captured(expect(state, Playing), public, version)
        case Snapped() as public:
            phase = expect(state, Playing)
            return replace(phase, snapper=public.seat, snaps=(*phase.snaps, Noted(public.seat, version)))
        case BatchDealt() as public:
            common = replace(state.common, cards=_dealt(expect(state, Playing), event))
            return replace(expect(state, Playing), common=common, batches=public.batch, since=version)
        case StockRenewed() as public:
            phase, own_ = expect(state, Playing), event.section("house", RenewedStock)
            new: Pile = tuple(each.card for each in own_.stock) if own_ else (None,) * len(public.card_commitments)
            cards = replace(cards, deck=cards.deck.renewed(new), stock=(*cards.stock, *new), discards=())
            return replace(phase, common=replace(phase.common, cards=cards), renewals=public.renewal)
        case TurnLapsed() as public:
            return replace(expect(state, Playing), lapse=Noted(public.seat, version))
        case _:
            assert_never(event.public)


def _passed(cards: Cards, event: Event[ToyEvent], public: CardPassed) -> Cards:
    giver, receiver = cards.hands[public.seat], cards.hands[public.to]
    sections = [event.section(seat_audience(seat), PassedCard) for seat in (public.seat, public.to)]
    card = next((section.card for section in sections if section), None)
    # An audience that does not know the card knows none of the giver's any more.
    left = Hand(hidden=giver.size - 1) if card is None else giver.played(card)
    return cards.with_hand(public.seat, left).with_hand(public.to, receiver.joined((card,), ORDER))


def _captured(state: Playing, public: CardsCaptured, version: int) -> Playing:
    cards, seat = state.common.cards, public.seat
    cards = cards.with_hand(seat, cards.hands[seat].played(public.card)).discarded((public.card, *public.taken))
    gained = sum(map(value, (public.card, *public.taken)))
    return replace(
        state,
        common=replace(state.common, cards=cards),
        after=(seat + 1) % SEATS,
        since=version,
        top=None,
        alike=False,
        snapper=None,
        captures=(*state.captures, Captured(seat, gained, version)),
    )


def _dealt(state: Playing, event: Event[ToyEvent]) -> Cards:
    cards = state.common.cards
    for place, seat in enumerate(clockwise(state.common.eldest, SEATS)):
        own = event.section(seat_audience(seat), DealtCards)
        drawn: Pile = tuple(each.card for each in own.cards) if own else (cards.stock[place],)
        cards = cards.with_hand(seat, cards.hands[seat].joined(drawn, ORDER))
    return replace(cards, stock=cards.stock[SEATS:])
