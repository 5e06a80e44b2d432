"""The automatic events, which need no act."""

from domain.games.khanhoo.contracts import ROWS
from domain.games.khanhoo.events import (
    Bumped,
    BumpsAnnounced,
    DiscardTaken,
    HandShown,
    HandsShown,
    MeldLaid,
    RenewedStock,
    StockRenewed,
)
from domain.games.khanhoo.meta import PACK
from domain.games.khanhoo.state import Cards, Challenging, Claiming, Drawing, Ended, State
from domain.kernel.event import Event, Payload
from domain.seats import HOUSE


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
