"""Worlds: a deal as a seat saw it, with every sealed section filled in."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from msgspec.structs import asdict, replace

from domain.cards import Card
from domain.fair.deck import Opening
from domain.kernel.action import Action, tag_of
from domain.kernel.dealing import DealtHand, DealtTalon, Portion
from domain.kernel.event import Event, Payload
from domain.kernel.game import Game
from domain.kernel.offers import described
from domain.kernel.unseen import Renewal, Unseen
from domain.opponents.drawing import Cards
from domain.seats import CLOCK, HOUSE, PUBLIC, Audience, Seat, seat_audience
from domain.table.events import CardsDealt, TablePayload
from domain.table.state import Table, evolve

NO_SEED = "00" * 32
"""The seed of a world: nothing in a deal depends on it before the deal is over."""


class Followed(NamedTuple):
    """An event of the deal as the seat saw it, and what is known of the act behind it."""

    event: Event[Any]
    seat: Seat | None = None
    action: Action | None = None
    unseen: Unseen | None = None
    left: int | None = None
    """The number of the fact by which cards left a hand unseen."""
    cards: tuple[Card, ...] = ()
    """The cards that left it, if the seat knows them."""
    renewal: Renewal | None = None
    places: int = 0
    """The places of the deal after the event."""


class World(NamedTuple):
    """The house's fold of a deal so far, and the deal's events."""

    table: Table
    events: tuple[Event[Any], ...]


def openings_of(event: Event[Any], seat: Seat) -> tuple[Opening, ...]:
    """The openings that the seat has from an event: the public ones and its own."""
    own = event.sealed.get(seat_audience(seat))
    parts = (event.public,) if own is None else (event.public, own)
    return tuple([one for part in parts for value in asdict(part).values() for one in _openings(value)])


def _openings(value: object) -> tuple[Opening, ...]:
    match value:
        case Opening():
            return (value,)
        case tuple():
            return tuple([one for one in value if isinstance(one, Opening)])
        case _:
            return ()


def filled(
    dealt: Event[CardsDealt], portions: Sequence[Portion], seat: Seat, at: Mapping[int, Card]
) -> Event[CardsDealt]:
    """The dealing with all cards at their places."""
    known = {one.position: one for one in openings_of(dealt, seat)}
    sections: dict[Audience, list[Opening]] = {}
    for portion in portions:
        for position in portion.places:
            opening = known.get(position) or Opening(position, at[position], "")
            for audience in portion.learns or (HOUSE,):
                sections.setdefault(audience, []).append(opening)
    house = sections.pop(HOUSE, [])
    sealed: dict[Audience, Any] = {
        audience: DealtHand(tuple(sorted(openings, key=lambda one: one.position)))
        for audience, openings in sections.items()
        if audience != PUBLIC
    }
    sealed |= {audience: section for audience, section in dealt.sealed.items() if audience == seat_audience(seat)}
    return replace(dealt, sealed={**sealed, HOUSE: DealtTalon(tuple(house), NO_SEED)})


def followed(
    game: Game, table: Table, dealt: Event[CardsDealt], later: Sequence[Followed], cards: Cards, seat: Seat
) -> World | None:
    """The world after all that was seen; None if something else would have been seen.

    What follows from single cards is known before. Several cards together may still be what a seat cannot have held,
    and an event may say what follows from a hand, such as who is next.
    """
    events: list[Event[Any]] = [dealt]
    for number, one in enumerate(later):
        event = one.event
        if not isinstance(event.public, TablePayload):
            made = _made(game, table, later, number, cards)
            if made is None or not _same(made.public, event.public):
                return None
            if one.unseen is not None and event.public.SECTIONS.keys() - {PUBLIC}:
                if not _agree(made, event, seat):
                    return None
                event = replace(event, sealed=made.sealed | event.sealed)
        table = evolve(game, table, event)
        events.append(event)
    return World(table, tuple(events))


def _made(game: Game, table: Table, later: Sequence[Followed], number: int, cards: Cards) -> Event[Any] | None:
    """The event that happens in the world; None if its act is not open."""
    one, state, decider = later[number], table.deal_state, game.decider
    if one.renewal is not None:
        first = one.places - len(one.renewal.cards)
        openings = tuple([Opening(place, cards.at[place], "") for place in range(first, one.places)])
        return replace(one.event, sealed=dict(one.renewal.sealed(openings)))
    action = one.action
    if action is None and one.unseen is not None and one.unseen.act is not None:
        gone = one.cards if one.left is None else cards.left[one.left]
        action = one.unseen.act(state, one.event.public, gone, [each.event.public for each in later[number + 1 :]])
        if action is None:
            return None
    if action is None or one.seat is None:
        timer = decider.timer(state) if one.event.actor == CLOCK else None
        return decider.next_automatic(state) if timer is None else Event(timer.event)
    if not described(decider.offers(state, one.seat), tag_of(type(action)), asdict(action)):
        return None
    return decider.decide(state, one.seat, action)


def _agree(made: Event[Any], seen: Event[Any], seat: Seat) -> bool:
    """Whether the seat's own section says the same."""
    own = seen.sealed.get(seat_audience(seat))
    return own is None or _unsalted(asdict(own)) == _unsalted(asdict(made.sealed[seat_audience(seat)]))


def _same(made: Payload, seen: Payload) -> bool:
    """Whether the payloads say the same. A world has other salts, which nobody learns anything from."""
    return made == seen or _unsalted(asdict(made)) == _unsalted(asdict(seen))


def _unsalted(value: object) -> object:
    match value:
        case Opening():
            return replace(value, salt="")
        case dict():
            return {key: _unsalted(each) for key, each in value.items()}
        case tuple():
            return tuple([_unsalted(each) for each in value])
        case _:
            return value
