"""What the events of Khanhoo move unseen, and the claims that nobody sees."""

from collections.abc import Mapping, Sequence

from domain.cards import Card
from domain.games.khanhoo.acts import Bump, Challenge, DrawStock, LetGo
from domain.games.khanhoo.claims import claims
from domain.games.khanhoo.contracts import MeldName
from domain.games.khanhoo.events import (
    BumpChallenged,
    BumpsAnnounced,
    ClaimAnswered,
    MeldLaid,
    RenewedStock,
    StockDrawn,
    StockRenewed,
)
from domain.games.khanhoo.meta import STOCK
from domain.games.khanhoo.state import State
from domain.kernel.event import Payload
from domain.kernel.unseen import Renewal, Unseen, UnseenDraw
from domain.seats import HOUSE, Seat


def _answer(
    state: State, public: ClaimAnswered, _left: tuple[Card, ...], later: Sequence[Payload]
) -> Bump | LetGo | None:
    """The answer that was announced; before that, the discard is taken to be let go.

    None if the hand holds no such meld.
    """
    announced = next((each for each in later if isinstance(each, BumpsAnnounced)), None)
    bump = next((each for each in announced.bumps if each.seat == public.seat), None) if announced else None
    if bump is None or announced is None:
        return LetGo()
    after = later[later.index(announced) + 1 :]
    laid = after[1] if len(after) > 1 and announced.standing == public.seat else None
    if isinstance(laid, MeldLaid) and laid.seat == public.seat:
        return Bump(bump.meld, tuple([card for card in laid.cards if card != state.cards.top]))
    cards = _claimed(state, public.seat, bump.meld, sequences=False)
    return None if cards is None else Bump(bump.meld, cards)


def _challenge(
    state: State, public: BumpChallenged, _left: tuple[Card, ...], _later: Sequence[Payload]
) -> Challenge | None:
    cards = _claimed(state, public.seat, public.meld, sequences=True)
    return None if cards is None else Challenge(public.meld, cards)


def _claimed(state: State, seat: Seat, meld: MeldName, *, sequences: bool) -> tuple[Card, ...] | None:
    """Cards of the hand that form the meld with the discard; None if it has none."""
    made = claims(state.cards.hands[seat].known, state.cards.top, sequences=sequences)
    return next(iter(made.get(meld, ())), None)


def _renewed(state: State) -> Renewal:
    return Renewal(STOCK, state.cards.discards[1:], lambda openings: {HOUSE: RenewedStock(openings)})


UNSEEN: Mapping[type[Payload], Unseen] = {
    StockDrawn: Unseen(draws=lambda _, public: (UnseenDraw(public.seat, STOCK, number=1),), act=lambda *_: DrawStock()),
    ClaimAnswered: Unseen(act=_answer),
    BumpChallenged: Unseen(act=_challenge),
    StockRenewed: Unseen(renewal=_renewed),
}
"""What each event moves that its payload does not name (KH-4, KH-6)."""
