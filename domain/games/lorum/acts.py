"""The acts of a player in Lórum, the rules that limit them, and the events that they cause."""

from typing import ClassVar, TypeAlias

from domain.cards import Card
from domain.games.lorum.contracts import NO_HEARTS, value_of
from domain.games.lorum.events import CardAdded, CardCounted, CardLaid, CardTurned, TurnPassed
from domain.games.lorum.meta import PACK, above, beside
from domain.games.lorum.state import Blind, Domino, Playing, Quart, Train
from domain.kernel.action import Action
from domain.kernel.acts import ActRules, Acts, Among, Bar
from domain.kernel.event import Event
from domain.parts.holding import either, held, not_held
from domain.parts.tricks import Leads, PlayCard, playing
from domain.seats import Seat


class Play(PlayCard, frozen=True):
    """Play a card: to a trick, to the count, to a sequence or to the layout."""

    RULE: ClassVar = "LO-1.4"


class TurnUp(Action, frozen=True, tag="turn-up"):
    """Name a place of one's own hand, whose card is turned up and played."""

    RULE: ClassVar = "LO-4.2"

    place: int


class Pass(Action, frozen=True, tag="pass"):
    """Pass, for lack of a card that fits."""

    RULE: ClassVar = "LO-7.3"


LorumAction: TypeAlias = Play | TurnUp | Pass


def leads(state: Playing, seat: Seat) -> tuple[Card, ...]:
    """The cards that the seat may lead (LO-3.1, LO-3.2)."""
    held = state.hands[seat].known
    if state.common.kind != NO_HEARTS or state.tricks.played_at:
        return held
    return tuple([card for card in held if PACK.suit(card) != "h"]) or held


def _counted(state: Train, seat: Seat, action: Play) -> Event[CardCounted]:
    value = value_of(PACK.rank(action.card), state.common.options.train_ten)
    return Event(CardCounted(seat, action.card, state.count + value))


def due_card(state: Quart) -> Card | None:
    """The card that must be played next (LO-6.2); None if any card starts a sequence."""
    return above(state.sequence[-1].card) if state.sequence else None


def _first_start(state: Quart, seat: Seat, _: Play) -> tuple[Card, ...] | None:
    return None if state.sequence or state.gone else state.hands[seat].known


def _next(state: Quart, _seat: Seat, _: Play) -> tuple[Card, ...] | None:
    due = due_card(state)
    return None if due is None else (due,)


def _not_next(state: Quart, _seat: Seat, _: Play) -> str:
    return f"the sequence goes on with {due_card(state)}, which you hold"


def _added(state: Quart, seat: Seat, action: Play) -> Event[CardAdded]:
    return Event(CardAdded(seat, action.card, _next_after(state, seat, action.card)))


def _next_after(state: Quart, seat: Seat, card: Card) -> Seat | None:
    """The seat that plays after this card; only the house knows who holds the next card (LO-6.6)."""
    if state.hands[seat].size == 1:
        return None
    if state.completed_by(card):
        return seat
    return next(holder for holder, hand in enumerate(state.hands) if above(card) in hand.known)


def _first_laid(state: Domino, seat: Seat, _: Play) -> tuple[Card, ...] | None:
    return None if state.laid else state.hands[seat].known


def fitting(state: Domino, seat: Seat) -> tuple[Card, ...]:
    """The cards of the seat's hand that may be played; any card may be the first (LO-7.1, LO-7.2)."""
    held = state.hands[seat].known
    if not state.laid:
        return held
    start, laid = state.starting_rank, set(state.rows)
    return tuple([card for card in held if PACK.rank(card) == start or not laid.isdisjoint(beside(card))])


def _fitting(state: Domino, seat: Seat, _: Play) -> tuple[Card, ...]:
    return fitting(state, seat)


def _not_fitting(state: Domino, seat: Seat, action: Play) -> str:
    fit = fitting(state, seat)
    would = f"play {either(fit)}" if fit else "none of your cards does, so pass"
    return f"{not_held(state.hands[seat], action.card) or f'{action.card} does not fit the layout'}: {would}"


def _may_play(state: Domino, seat: Seat) -> str | None:
    fit = fitting(state, seat)
    return f"you have cards that fit: play {either(fit)}" if fit else None


def _places(state: Blind, seat: Seat, _: TurnUp) -> tuple[int, ...]:
    return tuple([place.number for place in state.places[seat]])


def _empty(state: Blind, seat: Seat, action: TurnUp) -> str:
    return f"no card stands at place {action.place}: turn up {either(_places(state, seat, action))}"


def _turned(state: Blind, seat: Seat, action: TurnUp) -> Event[CardTurned]:
    """The event that turns up the card at that place, which its player sees only now (LO-4.2).

    Raises ValueError on any fold but the house's.
    """
    card = next(each.card for each in state.places[seat] if each.number == action.place)
    if card is None:
        raise ValueError("only the house can turn up a card")
    (opening,) = state.common.deck.openings_of((card,))
    return Event(CardTurned(seat, action.place, card, opening))


ACTS = Acts("LO-2.1", (
    playing(
        Play, "LO-3.1", "LO-3.1", phase=Playing, leads=Leads("LO-3.2", leads, "no heart is led to the first trick")
    ),
    ActRules(TurnUp, CardTurned, (Among("LO-4.2", "place", _places, _empty),), make=_turned),
    ActRules(Play, CardCounted, (held("LO-5.1"),), make=_counted, phase=Train),
    ActRules(Play, CardAdded, (
        Among("LO-6.1", "card", _first_start, lambda state, seat, action: not_held(state.hands[seat], action.card)),
        Among("LO-6.2", "card", _next, _not_next),
        held("LO-6.4", ": start a sequence with any card that you do"),
    ), make=_added, phase=Quart),
    ActRules(Play, CardLaid, (
        Among("LO-7.1", "card", _first_laid, lambda state, seat, action: not_held(state.hands[seat], action.card)),
        Among("LO-7.2", "card", _fitting, _not_fitting),
    ), phase=Domino),
    ActRules(Pass, TurnPassed, (Bar("LO-7.3", _may_play),)),
))  # fmt: skip
