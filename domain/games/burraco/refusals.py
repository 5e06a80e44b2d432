"""The rules that an act may break, in their order, and the sentences that explain the fault."""

from collections.abc import Mapping, Sequence

from domain.cards import Card
from domain.games.burraco.actions import Add, Discard, Draw, Lay, TakePile
from domain.games.burraco.melds import LEAST, Arranged, added, arranged, layings
from domain.games.burraco.meta import PACK, WILD
from domain.games.burraco.offers import NEW, Turn, turn_of
from domain.games.burraco.state import Meld, Melding
from domain.kernel.refusals import Refusal, Refusals
from domain.parts.holding import not_held
from domain.seats import Seat


def _not_in_hand(state: Melding, seat: Seat, action: Discard | Add) -> str | None:
    return not_held(state.common.hands[seat], action.card)


def _is_barred(state: Melding, _: Seat, action: Discard) -> str | None:
    return _as_barred(action.card) if action.card == state.barred else None


def _only_barred(state: Melding, seat: Seat, _: Discard) -> str | None:
    hand = state.common.hands[seat].known
    return f"{_as_barred(hand[0])}, and you hold nothing else" if hand == (state.barred,) else None


def _as_barred(card: Card) -> str:
    return f"{card} was the whole pile that you took in this turn"


def _second_set(state: Melding, _: Seat, action: Lay) -> str | None:
    meld = arranged(set(_named(action)))
    if meld is None or meld.rank is None or len(meld.cards) < len(_named(action)):
        return None
    own = next((number for number, other in turn_of(state).melds.items() if other.rank == meld.rank), None)
    return None if own is None else f"meld {own} of your side is a set of that rank already: add to it"


def _no_cards_laid(state: Melding, seat: Seat, action: Lay) -> str | None:
    return not_held(state.common.hands[seat], *action.cards)


def _not_laid(state: Melding, seat: Seat, action: Lay) -> str | None:
    cards = _named(action)
    missing = not_held(state.common.hands[seat], *cards)
    if missing is not None:
        return missing
    if len(cards) != LEAST:
        return f"a meld is laid as three cards, and {len(cards)} are named"
    meld = arranged(cards)
    if meld is None:
        return f"{', '.join(cards)} are no meld: {_why_no_meld(cards)}"
    if meld.wild == action.wild:
        return None
    if meld.wild is None:
        return f"{action.wild} stands in its own place here: it is named among cards, and wild is left out"
    return f"{meld.wild} counts as wild here: it is named in the field wild, and not among cards"


def _nothing_to_lay(state: Melding, seat: Seat, _: Lay) -> str | None:
    return None if layings(state.common.hands[seat].known) else "no three cards of your hand are a meld"


def _ends_by_laying(state: Melding, _: Seat, action: Lay) -> str | None:
    cards = _named(action)
    meld = arranged(cards)
    return None if meld is None else _no_end(turn_of(state), cards, {NEW: meld})


def _second_wild(state: Melding, _: Seat, action: Add) -> str | None:
    meld = _on_table(state, action.meld)
    if meld is None or action.card not in WILD or action.card in meld.arranged.cards:
        return None
    wild = meld.arranged.wild
    if wild is None or added(meld.arranged, action.card) is not None:
        return None
    second = f"{wild} counts as wild in meld {action.meld}, which takes no second wild card"
    suit = PACK.suit(meld.arranged.natural[0])
    alike = meld.arranged.rank is None and PACK.faces[action.card].suit == suit
    return f"{second}, and no 2 of its suit would stand in its own place" if alike else second


def _not_own(state: Melding, seat: Seat, action: Add) -> str | None:
    meld = _on_table(state, action.meld)
    if meld is None:
        return f"there is no meld {action.meld} on the table"
    return None if meld.side == state.common.side(seat) else f"meld {action.meld} is one of the other side"


def _does_not_fit(state: Melding, _: Seat, action: Add) -> str | None:
    meld = turn_of(state).melds[action.meld]
    return None if added(meld, action.card) else f"{', '.join(meld.cards)} with {action.card} are no meld"


def _nothing_to_add(state: Melding, _: Seat, _action: Add) -> str | None:
    turn = turn_of(state)
    if not turn.melds:
        return "your side has no melds"
    fits = any(added(meld, card) for meld in turn.melds.values() for card in turn.held)
    return None if fits else "no card of your hand fits any meld of your side"


def _ends_by_adding(state: Melding, _: Seat, action: Add) -> str | None:
    turn = turn_of(state)
    meld = turn.melds.get(action.meld)
    grown = None if meld is None else added(meld, action.card)
    return None if grown is None else _no_end(turn, (action.card,), {action.meld: grown})


def _named(action: Lay) -> tuple[Card, ...]:
    """The cards to be laid."""
    return action.cards if action.wild is None else (*action.cards, action.wild)


def _on_table(state: Melding, number: int) -> Meld | None:
    """The meld of this number, of either side."""
    return next((meld for meld in state.common.melds if meld.meld == number), None)


def _why_no_meld(cards: Sequence[Card]) -> str:
    """The reason why three cards are not a meld."""
    wilds = [card for card in cards if card in WILD]
    if len(wilds) > 1:
        return f"{' and '.join(wilds)} would count as wild, and one card at most may"
    return "they are not of one rank, nor consecutive in one suit"


def _no_end(turn: Turn, gone: Sequence[Card], changed: Mapping[int, Arranged]) -> str | None:
    """The sentence that the turn cannot end without these cards of the hand, once these melds are new or have grown."""
    if turn.can_end_without(gone, changed):
        return None
    left = turn.without(gone)
    if not left:
        return "no card would be left to close with, and your side has taken its pozzetto"
    (card,) = left
    if card == turn.barred:
        nowhere = " and does not go into a meld" if turn.pozzetto else ""
        return f"only {card} would be left, which may not be discarded in this turn{nowhere}"
    return f"only {card} would be left, and {'no wild card closes' if card in WILD else 'your side has no burraco'}"


REFUSALS = Refusals(
    cards="BU-2.1",
    acts={
        Draw: (),
        TakePile: (),
        Lay: (
            Refusal("BU-5.1", _second_set, ("cards", "wild")),
            Refusal("BU-6.1", _no_cards_laid, ("cards",)),
            Refusal("BU-6.1", _not_laid, ("cards", "wild")),
            Refusal("BU-6.1", _nothing_to_lay),
            Refusal("BU-6.5", _ends_by_laying, ("cards", "wild")),
        ),
        Add: (
            Refusal("BU-5.6", _second_wild, ("meld", "card")),
            Refusal("BU-6.2", _not_in_hand, ("card",)),
            Refusal("BU-6.2", _not_own, ("meld",)),
            Refusal("BU-6.2", _does_not_fit, ("meld", "card")),
            Refusal("BU-6.2", _nothing_to_add),
            Refusal("BU-6.5", _ends_by_adding, ("meld", "card")),
        ),
        Discard: (
            Refusal("BU-4.1", _not_in_hand, ("card",)),
            Refusal("BU-4.2", _is_barred, ("card",)),
            Refusal("BU-4.2", _only_barred),
        ),
    },
)
