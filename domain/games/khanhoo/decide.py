"""The events that legal actions cause, and the automatic events, which need no action."""

from typing import assert_never

from domain.games.khanhoo.actions import (
    Bump,
    Challenge,
    Discard,
    DrawDiscard,
    DrawStock,
    GoOut,
    KhanhooAction,
    LetGo,
    Yield,
)
from domain.games.khanhoo.contracts import ROWS
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
    HandShown,
    HandsShown,
    KhanhooEvent,
    MeldLaid,
    RenewedStock,
    StockDrawn,
    StockRenewed,
    WentOut,
)
from domain.games.khanhoo.meta import PACK
from domain.games.khanhoo.state import Cards, Challenging, Claiming, Drawing, Ended, State
from domain.kernel.event import Event, Payload
from domain.parts.piles import openings_of_pile
from domain.seats import HOUSE, Seat, seat_audience


def decide(state: State, seat: Seat, action: KhanhooAction) -> Event[Payload]:
    """The event that the seat's action causes; `offers` has described the action, so it is legal."""
    match action:
        case DrawStock():
            return _stock_drawn(state.cards, seat)
        case DrawDiscard():
            return Event(DiscardDrawn(seat, state.cards.top))
        case Discard():
            return Event(CardDiscarded(seat, action.card))
        case GoOut():
            return Event(WentOut(seat, action.card))
        case Bump():
            return Event(ClaimAnswered(seat), {seat_audience(seat): Claim(action.meld, PACK.sorted(action.cards))})
        case LetGo():
            return Event(ClaimAnswered(seat), {seat_audience(seat): Claim(None, ())})
        case Challenge():
            claim = Claim(action.meld, PACK.sorted(action.cards))
            return Event(BumpChallenged(seat, action.meld), {seat_audience(seat): claim})
        case Yield():
            return Event(BumpYielded(seat))
        case _:
            assert_never(action)


def _stock_drawn(cards: Cards, seat: Seat) -> Event[Payload]:
    (drawn,) = openings_of_pile(cards.deck, cards.stock[:1])
    return Event(StockDrawn(seat), {seat_audience(seat): DrawnCard(drawn)})


def next_automatic(state: State) -> Event[Payload] | None:
    """The automatic event that is due; None if none is."""
    match state:
        case Drawing() if state.cards.must_renew:
            return _stock_renewed(state.cards)
        case Drawing() if state.taking:
            return Event(DiscardTaken(state.turn, state.cards.top))
        case Claiming() if not state.waiting:
            return _bumps_announced(state)
        case Challenging() if state.yielded:
            return _meld_laid(state)
        case Ended() if state.shown is None:
            hands = enumerate(state.cards.hands)
            return Event(HandsShown(tuple([HandShown(seat, hand.known) for seat, hand in hands])))
        case _:
            return None


def _stock_renewed(cards: Cards) -> Event[Payload]:
    """The discards below the top one are sorted and shuffled under a label of their own (KH-4.4)."""
    renewal, start = cards.renewals + 1, len(cards.deck.cards)
    order = cards.deck.shuffled(f"codille-renewal-{renewal}", PACK.sorted(cards.discards[1:]))
    deck = cards.deck.renewed(order)
    stock = RenewedStock(deck.openings(range(start, len(deck.cards))))
    return Event(StockRenewed(renewal, deck.commitments(start)), {HOUSE: stock})


def _bumps_announced(state: Claiming) -> Event[Payload]:
    """The bumps; the one of most points is carried out, or of equal ones the first from the discarder's left
    (KH-6.3).
    """
    melds = {answer.seat: answer.claim.meld for answer in state.answers if answer.claim}
    bumps = tuple([Bumped(seat, meld) for seat in state.asked if (meld := melds.get(seat)) is not None])
    best = max(bumps, key=lambda bump: ROWS[bump.meld].points, default=None)
    return Event(BumpsAnnounced(bumps, best.seat if best else None))


def _meld_laid(state: Challenging) -> Event[Payload]:
    cards = state.claim.cards if state.claim else ()
    return Event(MeldLaid(state.bump.seat, state.bump.meld, PACK.sorted((*cards, state.cards.top))))


def action_of(event: Event[KhanhooEvent]) -> KhanhooAction | None:
    """The action that caused this event; None for an automatic event, and if the seat's section is not open."""
    public = event.public
    match public:
        case StockDrawn():
            return DrawStock()
        case DiscardDrawn():
            return DrawDiscard()
        case CardDiscarded():
            return Discard(public.card)
        case WentOut():
            return GoOut(public.card)
        case ClaimAnswered():
            claim = event.section(seat_audience(public.seat), Claim)
            return None if claim is None else LetGo() if claim.meld is None else Bump(claim.meld, claim.cards)
        case BumpChallenged():
            claim = event.section(seat_audience(public.seat), Claim)
            return None if claim is None else Challenge(public.meld, claim.cards)
        case BumpYielded():
            return Yield()
        case DiscardTaken() | BumpsAnnounced() | MeldLaid() | StockRenewed() | HandsShown():
            return None
        case _:
            assert_never(public)
