"""The acts of a player in Burraco: to draw, to meld as often as wished, and to discard (BU-4).

The rules that limit them, and the events that they cause, stand with them.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar, TypeAlias

from msgspec import Struct

from domain.cards import Card
from domain.games.burraco.events import (
    CardAdded,
    CardDiscarded,
    CardDrawn,
    DrawnCard,
    MeldLaid,
    PileTaken,
)
from domain.games.burraco.melds import BURRACO, LEAST, Arranged, added, arranged, burraco, layings
from domain.games.burraco.meta import PACK, WILD
from domain.games.burraco.state import Meld, Melding, State
from domain.kernel.action import Action
from domain.kernel.acts import ActRules, Acts, Refusal
from domain.kernel.event import Event
from domain.parts.holding import not_held
from domain.parts.phases import expect
from domain.parts.piles import openings_of_pile
from domain.seats import Seat, seat_audience


class Draw(Action, frozen=True, tag="draw"):
    """Draw the top card of the stock."""

    RULE: ClassVar = "BU-4.1"


class TakePile(Action, frozen=True, tag="take-pile"):
    """Take the whole discard pile."""

    RULE: ClassVar = "BU-4.1"


class Lay(Action, frozen=True, tag="lay"):
    """Lay three cards of the hand as a meld: the natural ones in `cards`, and the wild one in `wild`, if any."""

    RULE: ClassVar = "BU-6.1"
    ORDER: ClassVar = "BU-4.1"

    cards: tuple[Card, ...]
    wild: Card | None = None


class Add(Action, frozen=True, tag="add"):
    """Add a card of the hand to a meld of the player's side."""

    RULE: ClassVar = "BU-6.2"
    ORDER: ClassVar = "BU-4.1"

    meld: int
    card: Card


class Discard(Action, frozen=True, tag="discard"):
    """Discard a card, which ends the turn."""

    RULE: ClassVar = "BU-4.3"
    ORDER: ClassVar = "BU-4.1"

    card: Card


BurracoAction: TypeAlias = Draw | TakePile | Lay | Add | Discard


NEW = 0
"""The number for a meld that is not laid yet."""


class Turn(Struct, frozen=True, gc=False):
    """The facts that decide the offers of the player in turn: the hand, the side's melds by number, and limits on the
    end.
    """

    held: tuple[Card, ...]
    melds: Mapping[int, Arranged]
    barred: Card | None
    pozzetto: bool
    """Whether the side has still to take its pozzetto."""

    def without(self, gone: Sequence[Card]) -> tuple[Card, ...]:
        """The cards of the hand without these."""
        return tuple([card for card in self.held if card not in gone])

    def can_end_without(self, gone: Sequence[Card], changed: Mapping[int, Arranged]) -> bool:
        """Whether the turn can still end without these cards, once these melds are new or have grown (BU-6.5)."""
        left = self.without(gone)
        if len(left) != 1:
            return self.pozzetto or bool(left)
        (card,) = left
        melds = {**self.melds, **changed}.values()
        if card == self.barred:
            return self.pozzetto and any(added(meld, card) for meld in melds)
        # Otherwise the last card closes (BU-9.2).
        return self.pozzetto or (card not in WILD and any(len(meld.cards) >= BURRACO for meld in melds))


def turn_of(state: Melding) -> Turn:
    """The facts that decide the offers of the player in turn."""
    common = state.common
    side = common.side(state.turn)
    melds = {meld.meld: meld.arranged for meld in common.melds_of(side)}
    return Turn(common.hands[state.turn].known, melds, state.barred, common.takers[side] is None)


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


def _second_wild_laid(_: Melding, _seat: Seat, action: Lay) -> str | None:
    cards = _named(action)
    wilds = [card for card in cards if card in WILD]
    if len(set(cards)) < len(cards) or len(cards) != LEAST or len(wilds) < 2 or arranged(cards) is not None:
        return None
    return f"{' and '.join(wilds)} would count as wild, and one card at most may"


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
        return f"{', '.join(cards)} are no meld: they are not of one rank, nor consecutive in one suit"
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
    suits = [PACK.faces[card].suit for card in meld.arranged.natural]
    alike = meld.arranged.rank is None and PACK.faces[action.card].suit in suits
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


def _discarded(state: Melding, seat: Seat, action: Discard) -> Event[CardDiscarded]:
    """The discard; it closes if it is the last card of a side that has its pozzetto (BU-9.2)."""
    common = state.common
    closes = common.hands[seat].size == 1 and common.takers[common.side(seat)] is not None
    # A turn is idle if it took a pile of one card and melded nothing (BU-9.4).
    idle = common.idle + 1 if state.barred is not None and not state.melded else 0
    return Event(CardDiscarded(seat, action.card, closes, idle))


def _drawn(state: State, seat: Seat, _: Draw) -> Event[CardDrawn]:
    (drawn,) = openings_of_pile(state.common.deck, state.common.stock[:1])
    return Event(CardDrawn(seat), {seat_audience(seat): DrawnCard(drawn)})


def _pile_taken(state: State, seat: Seat, _: TakePile) -> Event[PileTaken]:
    return Event(PileTaken(seat, state.common.pile))


def _laid(state: State, seat: Seat, action: Lay) -> Event[MeldLaid]:
    laid = expect(arranged(_named(action)), Arranged)
    return Event(MeldLaid(seat, len(state.common.melds) + 1, laid.cards, laid.wild))


def _added(state: State, seat: Seat, action: Add) -> Event[CardAdded]:
    grown = expect(added(state.common.melds[action.meld - 1].arranged, action.card), Arranged)
    kind = burraco(grown, semi_clean=state.common.options.semi_clean)
    return Event(CardAdded(seat, action.meld, action.card, grown.cards, grown.wild, kind))


def _laying_of(event: Event[MeldLaid]) -> Lay:
    public = event.public
    return Lay(Arranged(public.cards, public.wild).natural, public.wild)


ACTS = Acts("BU-2.1", (
    ActRules(Draw, CardDrawn, make=_drawn),
    ActRules(TakePile, PileTaken, make=_pile_taken),
    ActRules(Lay, MeldLaid, (
        Refusal("BU-5.1", _second_set, ("cards", "wild")),
        Refusal("BU-5.1", _second_wild_laid, ("cards", "wild")),
        Refusal("BU-6.1", _no_cards_laid, ("cards",)),
        Refusal("BU-6.1", _not_laid, ("cards", "wild")),
        Refusal("BU-6.1", _nothing_to_lay),
        Refusal("BU-6.5", _ends_by_laying, ("cards", "wild")),
    ), make=_laid, read=_laying_of),
    ActRules(Add, CardAdded, (
        Refusal("BU-5.6", _second_wild, ("meld", "card")),
        Refusal("BU-6.2", _not_in_hand, ("card",)),
        Refusal("BU-6.2", _not_own, ("meld",)),
        Refusal("BU-6.2", _does_not_fit, ("meld", "card")),
        Refusal("BU-6.2", _nothing_to_add),
        Refusal("BU-6.5", _ends_by_adding, ("meld", "card")),
    ), make=_added),
    ActRules(Discard, CardDiscarded, (
        Refusal("BU-4.1", _not_in_hand, ("card",)),
        Refusal("BU-4.2", _is_barred, ("card",)),
        Refusal("BU-4.2", _only_barred),
    ), make=_discarded),
))  # fmt: skip

MILDEST: tuple[type[Action], ...] = (Draw, Discard, Add)
"""The acts that the house takes for a player whose clock has run out. It adds a card only if none may be discarded
(BU-6.5).
"""
