"""The score of a deal, and its lines: one for each item and player (BU-10)."""

from collections.abc import Iterator, Sequence

from domain.cards import Card
from domain.games.burraco.contracts import (
    BURRACO_OF,
    CLEAN,
    CLOSED,
    CLOSING,
    EXHAUSTED,
    NO_POZZETTO,
    STALEMATE,
    Ending,
    worth,
)
from domain.games.burraco.events import SideScore
from domain.games.burraco.meta import LAST_STOCK, ORDER
from domain.games.burraco.state import Common, Drawing, Meld, State
from domain.kernel.game import Score
from domain.kernel.hands import Hand
from domain.kernel.ledger import BANK, Transfer
from domain.parts.scoring import cited, once_settled
from domain.parts.sides import in_words
from domain.seats import Seat


def points(melds: Sequence[Meld]) -> int:
    """The value of these melds, including burrachi (BU-10.1 to BU-10.3)."""
    bonuses = [BURRACO_OF[meld.burraco].bonus for meld in melds if meld.burraco is not None]
    return worth([card for meld in melds for card in meld.arranged.cards]) + sum(bonuses)


def settled(state: State) -> Ending | None:
    """How the deal has ended; None while it goes on.

    It ends with the turn in which a seat closes (BU-9.2), the stock comes to its last cards (BU-9.3) or all have had an
    idle turn (BU-9.4), and once the last pozzetto is taken.
    """
    if not isinstance(state, Drawing):
        return None
    common = state.common
    if state.closer is not None:
        ending = CLOSED
    elif len(common.stock) <= LAST_STOCK:
        ending = EXHAUSTED
    elif common.idle == common.options.players:
        ending = STALEMATE
    else:
        return None
    return ending if common.taking is None else None


def _score(state: Drawing, ending: Ending) -> Score:
    common = state.common
    transfers = tuple([line for seat in range(common.options.players) for line in _of_seat(state, seat)])
    amounts = [sum(each.amount for each in transfers if each.account == side[0]) for side in common.sides]
    return Score(ending.outcome, transfers, {"sides": tuple(map(SideScore, common.sides, amounts))})


score = once_settled(settled, _score)
"""The score of the deal; None until it is settled."""


def _of_seat(state: Drawing, seat: Seat) -> Iterator[Transfer]:
    """The lines of a player: the side's whole score, row by row (BU-10.7)."""
    common, side = state.common, state.common.side(seat)
    ended = cited(state.discarded)
    who = in_words(common.sides[side])
    melds = common.melds_of(side)
    for meld in melds:
        value = worth(meld.arranged.cards)
        text = f"Meld {meld.meld} of {who}: {value} ({' '.join(meld.arranged.cards)})"
        yield _booked(seat, value, "meld", "BU-10.1", text, meld.events)
    kinds = [(meld, BURRACO_OF[meld.burraco]) for meld in melds if meld.burraco is not None]
    for meld, kind in sorted(kinds, key=lambda each: each[1] != CLEAN):
        text = f"{kind.name.capitalize()}, meld {meld.meld} of {who}: {kind.bonus} ({' '.join(meld.arranged.cards)})"
        yield _booked(seat, kind.bonus, "burraco", kind.rule, text, meld.events)
    if state.closer in common.sides[side]:
        yield _booked(seat, CLOSING, "closing", "BU-10.4", f"Closing by seat {state.closer}: {CLOSING}", ended)
    for holder in common.sides[side]:
        held = _held(common, holder)
        value = worth(held)
        if value:
            text = f"Cards left to seat {holder}: {value} ({' '.join(held)})"
            yield _booked(seat, -value, "hand", "BU-10.5", text, ended)
    if common.takers[side] is None:
        text = f"No pozzetto taken by {who}: {NO_POZZETTO}"
        yield _booked(seat, -NO_POZZETTO, "pozzetto", "BU-10.6", text, ended)


def _held(common: Common, seat: Seat) -> tuple[Card, ...]:
    """The cards of the seat, sorted; a pozzetto not yet looked at is its owner's hand (BU-10.5)."""
    lying = common.face_down(seat)
    return (common.hands[seat] if lying is None else Hand.of(lying.cards, ORDER)).known


def _booked(seat: Seat, amount: int, kind: str, rule: str, text: str, events: tuple[int, ...]) -> Transfer:
    return Transfer(seat, BANK, amount, kind, rule, text, events)
