"""A deal of Khanhoo: a union of phases, and the fold of events into them.

phase      acts                      leads to
draw       draw-stock, draw-discard  discard
discard    discard, go-out           draw, with two players; claim; the score
claim      bump, let-go (at once)    draw; challenge
challenge  challenge, yield          draw; discard, by the bumper; the score

A deal begins with eldest's discard. In the phase draw the stock may be renewed first; with four players, and after a
challenge, the discard is taken automatically. When the deal is over, the hands are shown.
"""

from typing import ClassVar, TypeAlias, assert_never

from msgspec import Struct
from msgspec.structs import replace

from domain.cards import Card
from domain.fair.deck import Deck
from domain.games.khanhoo.contracts import Meld
from domain.games.khanhoo.events import (
    BumpChallenged,
    Bumped,
    BumpsAnnounced,
    BumpYielded,
    CardDiscarded,
    Claim,
    ClaimAnswered,
    DiscardDrawn,
    DiscardTaken,
    DrawnCard,
    HandsShown,
    KhanhooEvent,
    MeldLaid,
    RenewedStock,
    StockDrawn,
    StockRenewed,
    WentOut,
)
from domain.games.khanhoo.meta import HAND, ORDER, STOCK, Options
from domain.kernel.action import Phase
from domain.kernel.dealing import Dealt
from domain.kernel.event import Event
from domain.kernel.hands import Hand, Hands, Pile, with_hand
from domain.parts.phases import InTurn, expect
from domain.parts.turns import order_of_turns
from domain.seats import Seat, clockwise, seat_audience

WITH_CLAIMS = 3
"""The least number of players with which discards can be bumped (KH-6.1)."""
WITHOUT_STOCK = 4
"""The number of players with which all but one card are dealt (KH-3.2)."""


class Laid(Struct, frozen=True, gc=False):
    """A meld on the table, and the version of the event that laid it."""

    meld: Meld
    version: int


class Cards(Struct, frozen=True, gc=False):
    """The facts that hold in every phase of a deal: the location of its cards, and its progress."""

    options: Options
    eldest: Seat
    deck: Deck
    hands: Hands
    laid: tuple[tuple[Laid, ...], ...]
    """The melds on the table, by seat."""
    stock: Pile
    discards: tuple[Card, ...] = ()
    """The discard pile, from the top."""
    discarded: int = 0
    """The number of discards so far."""
    renewals: int = 0

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.hands)

    @property
    def limit(self) -> int:
        """The number of discards that ends the deal (KH-4.5)."""
        return self.options.turn_limit * self.players

    @property
    def must_renew(self) -> bool:
        """Whether the stock must be renewed before a draw (KH-4.4)."""
        return not self.stock and self.players < WITHOUT_STOCK

    def left(self, seat: Seat) -> Seat:
        """The seat to the left, which comes next."""
        return (seat + 1) % self.players

    def all_laid(self, seat: Seat) -> bool:
        """Whether the seat has laid fifteen cards (KH-6.7)."""
        return sum(len(laid.meld.cards) for laid in self.laid[seat]) == HAND

    def drawn(self, seat: Seat, cards: Pile) -> "Cards":
        """The cards after the seat's hand got these."""
        return replace(self, hands=with_hand(self.hands, seat, self.hands[seat].joined(cards, ORDER)))

    def from_stock(self, seat: Seat, own: DrawnCard | None) -> "Cards":
        """The cards after the seat drew from the stock; the seat's own section tells which card it was."""
        top, *rest = self.stock
        return replace(self.drawn(seat, (top if own is None else own.drawn.card,)), stock=tuple(rest))

    def from_discards(self, seat: Seat, card: Card) -> "Cards":
        """The cards after the seat drew the top card of the discard pile."""
        return replace(self.drawn(seat, (card,)), discards=self.discards[1:])

    def put_down(self, seat: Seat, card: Card) -> "Cards":
        """The cards after the seat discarded this one."""
        hands = with_hand(self.hands, seat, self.hands[seat].played(card))
        return replace(self, hands=hands, discards=(card, *self.discards), discarded=self.discarded + 1)

    def laid_by(self, public: MeldLaid, version: int) -> "Cards":
        """The cards after the bumper took the discard and laid the meld."""
        hands = with_hand(self.hands, public.seat, self.hands[public.seat].without(set(public.cards) - {self.top}))
        laid = list(self.laid)
        laid[public.seat] += (Laid(Meld(public.meld, public.cards), version),)
        return replace(self, hands=hands, laid=tuple(laid), discards=self.discards[1:])

    def renewed(self, public: StockRenewed, house: RenewedStock | None) -> "Cards":
        """The cards after all discards but the top one became the new stock."""
        new: Pile = (
            (None,) * len(public.card_commitments) if house is None else tuple([each.card for each in house.stock])
        )
        deck = self.deck.renewed(new)
        return replace(self, deck=deck, stock=new, discards=self.discards[:1], renewals=public.renewal)

    @property
    def top(self) -> Card:
        """The top card of the discard pile."""
        return self.discards[0]


class WithCards(Phase, frozen=True):
    """A phase of a deal, with its cards."""

    cards: Cards

    @property
    def hands(self) -> Hands:
        """The hands, by seat."""
        return self.cards.hands


class Drawing(WithCards, frozen=True):
    """A player's turn begins with a draw (KH-4.1). With `taking`, only the discard can be drawn (KH-4.2, KH-6.5)."""

    PHASE: ClassVar = "draw"
    RULE: ClassVar = "KH-4.1"
    TURN: ClassVar = frozenset({"draw-stock", "draw-discard"})

    turn: Seat
    taking: bool


class Discarding(InTurn, WithCards, frozen=True):
    """A player is to discard, or to go out by discarding (KH-4.1, KH-7.1)."""

    PHASE: ClassVar = "discard"
    RULE: ClassVar = "KH-4.1"
    TURN: ClassVar = frozenset({"discard", "go-out"})

    turn: Seat
    bumped: bool = False
    """Whether the player has just laid a meld with a bump (KH-6.6)."""

    def acts_rule(self) -> str:
        """The rule of a turn, or of a bumper's."""
        return "KH-6.6" if self.bumped else self.RULE


class Answer(Struct, frozen=True, gc=False):
    """A seat's answer; the claim is None for audiences that do not know it."""

    seat: Seat
    claim: Claim | None


class Claiming(WithCards, frozen=True):
    """All but the discarder and the next player decide at once whether to bump or to let go (KH-6.1)."""

    PHASE: ClassVar = "claim"
    RULE: ClassVar = "KH-6.1"
    TURN: ClassVar = frozenset({"bump", "let-go"})

    discarder: Seat
    answers: tuple[Answer, ...] = ()

    @property
    def asked(self) -> tuple[Seat, ...]:
        """The seats that must answer, from the discarder's left on."""
        return clockwise(self.discarder, self.cards.players)[2:]

    @property
    def waiting(self) -> tuple[Seat, ...]:
        """The seats that have not answered, lowest first."""
        answered = [answer.seat for answer in self.answers]
        return tuple(sorted(seat for seat in self.asked if seat not in answered))


class Challenging(WithCards, frozen=True):
    """A bump was announced, and the next player is to challenge or to yield (KH-6.4)."""

    PHASE: ClassVar = "challenge"
    RULE: ClassVar = "KH-6.4"
    TURN: ClassVar = frozenset({"challenge", "yield"})

    discarder: Seat
    bumps: tuple[Bumped, ...]
    """All bumps, as announced."""
    bump: Bumped
    claim: Claim | None
    """The claim of the best bump; None for audiences that do not know it."""
    yielded: bool = False

    @property
    def turn(self) -> Seat:
        """The next player's seat."""
        return self.cards.left(self.discarder)


class Ended(WithCards, frozen=True):
    """The deal is over: somebody is out, by the event of the version `ended`, or the limit is reached."""

    PHASE: ClassVar = "shown"
    RULE: ClassVar = "KH-8.1"

    ended: int
    out: Seat | None = None
    shown: int | None = None
    """The version of the event that showed the hands."""


State: TypeAlias = Drawing | Discarding | Claiming | Challenging | Ended


def begin(dealt: Dealt) -> State:
    """A new deal, which eldest begins by discarding (KH-4.1)."""
    first, hands = order_of_turns(dealt.standing)[0], dealt.hands
    return Discarding(Cards(dealt.options, first, dealt.deck, hands, ((),) * len(hands), dealt.pile(STOCK)), first)


def evolve(state: State, event: Event[KhanhooEvent]) -> State:
    """The state after the event. It copies the event's facts and checks nothing."""
    cards, version = state.cards, event.version
    match event.public:
        # The most frequent cases come first, since they are tried in turn.
        case ClaimAnswered() as public:
            answer = Answer(public.seat, event.section(seat_audience(public.seat), Claim))
            phase = expect(state, Claiming)
            return replace(phase, answers=(*phase.answers, answer))
        case BumpsAnnounced() as public:
            return _announced(expect(state, Claiming), public)
        case CardDiscarded() as public:
            return _discarded(cards.put_down(public.seat, public.card), public.seat, version)
        case StockDrawn() as public:
            own = event.section(seat_audience(public.seat), DrawnCard)
            return Discarding(cards.from_stock(public.seat, own), public.seat)
        case DiscardDrawn() | DiscardTaken() as public:
            return Discarding(cards.from_discards(public.seat, public.card), public.seat)
        case MeldLaid() as public:
            cards = cards.laid_by(public, version)
            done = cards.all_laid(public.seat)
            return Ended(cards, version, public.seat) if done else Discarding(cards, public.seat, bumped=True)
        case BumpYielded():
            return replace(expect(state, Challenging), yielded=True)
        case BumpChallenged() as public:
            return Drawing(cards, public.seat, taking=True)
        case StockRenewed() as public:
            renewed = cards.renewed(public, event.section("house", RenewedStock))
            return replace(expect(state, Drawing), cards=renewed)
        case WentOut() as public:
            return Ended(cards.put_down(public.seat, public.card), version, public.seat)
        case HandsShown() as public:
            hands = tuple([Hand(shown.cards) for shown in public.hands])
            return replace(expect(state, Ended), cards=replace(cards, hands=hands), shown=version)
        case _:
            assert_never(event.public)


def _discarded(cards: Cards, seat: Seat, version: int) -> State:
    """The phase after a discard: the end at the limit, before any claim; claims; or with two players the next turn."""
    if cards.discarded == cards.limit:
        return Ended(cards, version)
    if cards.players < WITH_CLAIMS:
        return turn_of(cards, cards.left(seat))
    return Claiming(cards, seat)


def _announced(state: Claiming, public: BumpsAnnounced) -> State:
    """A challenge to the best bump or, without a bump, the next player's turn."""
    for bump in public.bumps:
        if bump.seat == public.standing:
            claim = next(answer.claim for answer in state.answers if answer.seat == bump.seat)
            return Challenging(state.cards, state.discarder, public.bumps, bump, claim)
    return turn_of(state.cards, state.cards.left(state.discarder))


def turn_of(cards: Cards, seat: Seat) -> Drawing:
    """The beginning of the seat's turn; with four players it takes the discard (KH-4.2)."""
    return Drawing(cards, seat, taking=cards.players == WITHOUT_STOCK)
