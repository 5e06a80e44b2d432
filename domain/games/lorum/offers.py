"""The acts open to a seat now, from public fields and the seat's own cards alone."""

from typing import assert_never

from domain.cards import Card
from domain.games.lorum.actions import Pass, Play, TurnUp
from domain.games.lorum.contracts import NO_HEARTS
from domain.games.lorum.meta import PACK, above, beside
from domain.games.lorum.scoring import settled
from domain.games.lorum.state import Blind, Domino, Playing, Quart, State, Train
from domain.kernel.offers import Offer, OneOf
from domain.parts.defaults import low_first, mildest
from domain.parts.tricks import play_offer
from domain.parts.turns import in_turn, one_at_a_time
from domain.seats import Seat

PASS = Offer("pass")


to_act = one_at_a_time(settled)
"""The seat that must act; none while a trick is to be captured, and once the deal is settled."""


def _acts(state: State, seat: Seat) -> tuple[Offer, ...]:
    match state:
        case Playing():
            return (_to_trick(state, seat),)
        case Blind():
            numbers = tuple([place.number for place in state.places[seat]])
            return (Offer("turn-up", {"place": OneOf(numbers, "LO-4.2")}),)
        case Train():
            return (Offer("play", {"card": OneOf(state.hands[seat].known, "LO-5.1")}),)
        case Quart():
            return (_to_sequence(state, seat),)
        case Domino():
            cards = fitting(state, seat)
            return (Offer("play", {"card": OneOf(cards, "LO-7.2")}),) if cards else (PASS,)
        case _:
            assert_never(state)


def _to_trick(state: Playing, seat: Seat) -> Offer:
    """A card that follows suit; to lead, any card (LO-3.1), except a heart to the first trick of No hearts (LO-3.2)."""
    if not state.tricks.trick:
        return Offer("play", {"card": OneOf(leads(state, seat), "LO-3.1")})
    return play_offer(state, seat, "LO-3.1")


def leads(state: Playing, seat: Seat) -> tuple[Card, ...]:
    """The cards that the seat may lead (LO-3.1, LO-3.2)."""
    held = state.hands[seat].known
    if state.common.kind != NO_HEARTS or state.tricks.played_at:
        return held
    return tuple([card for card in held if PACK.suit(card) != "h"]) or held


def _to_sequence(state: Quart, seat: Seat) -> Offer:
    """The next card of the sequence (LO-6.2); any card starts one (LO-6.1, LO-6.4)."""
    due = due_card(state)
    return Offer("play", {"card": OneOf(state.hands[seat].known, "LO-6.1") if due is None else OneOf((due,), "LO-6.2")})


def due_card(state: Quart) -> Card | None:
    """The card that must be played next (LO-6.2); None if any card starts a sequence."""
    return above(state.sequence[-1].card) if state.sequence else None


def fitting(state: Domino, seat: Seat) -> tuple[Card, ...]:
    """The cards of the seat's hand that may be played; any card may be the first (LO-7.1, LO-7.2)."""
    held = state.hands[seat].known
    if not state.laid:
        return held
    start, laid = state.starting_rank, set(state.rows)
    return tuple([card for card in held if PACK.rank(card) == start or not laid.isdisjoint(beside(card))])


offers = in_turn(to_act, _acts)
"""The acts open to the seat now: none unless it must act."""

default_action = mildest(offers, low_first(PACK), (Pass, TurnUp, Play))
"""The act that the house takes for a player whose clock has run out."""
