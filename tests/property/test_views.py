"""Views: the fold of the redacted events, which can show no more than those."""

import random
import re
from collections.abc import Iterator
from typing import Any

import msgspec
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from domain.fair.deck import Deck
from domain.kernel.canonical import canonical
from domain.kernel.event import Event, Payload
from domain.kernel.rejection import Rejected
from domain.seats import Audience
from domain.table.events import CardsDealt, DealScored
from domain.table.offers import offers
from domain.table.state import Table, evolve, opened
from domain.table.view import view
from tests.property.strategies import luck, of_each_game, playing, started
from tests.support.games import READER, Live, Wire, finished, redacted
from tests.support.repetition import times

CARD = re.compile(rb'"([2-9TJQKA][shdc])"')

IN_PUBLIC = {
    "talon-turned": ("card",),
    "card-played": ("card",),
    "casco-laid": ("cards",),
    "hand-exposed": ("cards",),
    "cards-exchanged": ("taken",),
    "bid-made": ("shown",),
    "deal-abandoned": ("cards",),
    "queen-shown": ("card",),
    "contract-declared": ("called",),
}
"""The fields of events that show or name cards to everybody, as the catalogue of events has them."""

IN_SECTION = {"cards-dealt": ("cards",), "cards-exchanged": ("drawn",), "casco-taken": ("taken",)}
"""The fields of sealed sections that show cards to the seat whose section it is."""

DIFFERING = {"seats", "talon", "stock"}
"""The fields of a view that audiences see differently."""


def encoded_view(live: Live, table: Table) -> bytes:
    """The view of the audience whose fold the table is, as canonical JSON."""
    return canonical(view(live.game, table))


def named(value: Any) -> Iterator[str]:
    """The cards in a field: one, several, none, or as openings."""
    for one in value if isinstance(value, tuple) else (value,):
        if one is not None:
            yield getattr(one, "card", one)


def cards_revealed(event: Event[Payload], audience: Audience) -> set[str]:
    """The cards that the event shows to the audience, by the rules."""
    kind = event.public.TYPE
    cards = [getattr(event.public, field, None) for field in IN_PUBLIC.get(kind, ())]
    own: Any = event.sealed.get(audience)
    cards += [getattr(own, field) for field in IN_SECTION.get(kind, ()) if own is not None]
    return {card for value in cards for card in named(value)}


@of_each_game
@given(data=st.data(), rng=luck)
@settings(max_examples=times(30))
def test_a_view_holds_no_card_that_its_audience_was_not_shown(
    tables: type[Live], data: st.DataObject, rng: random.Random
) -> None:
    live = finished(data.draw(started(tables)), rng)
    audience = data.draw(st.sampled_from(live.audiences))
    table: Table | None = None
    house: Table | None = None
    known: set[str] = set()
    for record, event in zip(live.records, live.events, strict=True):
        table = READER.fold(table, [record], audience)
        house = READER.fold(house, [record])
        assert table is not None
        assert house is not None
        if isinstance(event.public, CardsDealt):
            known = set()
        known |= cards_revealed(event, audience)
        shown = encoded_view(live, table)
        assert {card.decode() for card in CARD.findall(shown)} <= known
        truth = view(live.game, house)
        for own, true in zip(view(live.game, table).seats, truth.seats, strict=True):
            assert set(own.hand.known) <= set(true.hand.known)
            assert own.hand.size == true.hand.size
            if audience == f"seat:{own.seat}":
                assert own == true
            own_but_the_hand = msgspec.structs.replace(own, hand=true.hand)
            assert own_but_the_hand == true


@of_each_game
@given(data=st.data(), rng=luck)
@settings(max_examples=times(15))
def test_a_view_is_the_fold_of_redacted_events(tables: type[Live], data: st.DataObject, rng: random.Random) -> None:
    live, game = finished(data.draw(started(tables)), rng), tables.game
    for audience in (*live.audiences, "house"):
        table: Table | None = None
        folded: Table | None = None
        for record, event in zip(live.records, live.events, strict=True):
            redacted_event = redacted(event, audience)
            assert set(redacted_event.sealed) <= (set(event.sealed) if audience == "house" else {audience, "public"})
            assert redacted_event.public == event.public
            table = evolve(game, table, redacted_event) if table else opened(game, record.table, redacted_event)
            folded = READER.fold(folded, [record], audience)
            assert folded is not None
            assert folded == table
            assert encoded_view(live, folded) == encoded_view(live, table)


@of_each_game
@given(data=st.data(), rng=luck)
@settings(max_examples=times(12))
def test_what_is_the_same_for_all_is_told_to_all(tables: type[Live], data: st.DataObject, rng: random.Random) -> None:
    live = data.draw(started(tables))
    for state in playing(live, rng, until=lambda live: live.table.scored == 1):
        first, *others = ({**state.view(audience)} for audience in (*live.audiences, "house"))
        for event in others:
            assert {name for name in event if event[name] != first.get(name)} <= DIFFERING


def renamed(wire: Wire, names: dict[str, str]) -> Wire:
    """The action with other cards."""

    def rename(value: object) -> object:
        if isinstance(value, list | tuple):
            return [names.get(card, card) for card in value]
        return names.get(str(value), value)

    return {name: value if name == "text" else rename(value) for name, value in wire.items()}


def world(live: Live, start: int, version: int, names: dict[str, str]) -> Live | None:
    """The deal that begins at `start` with other cards, in which the same is done up to `version`, if that is legal."""
    event = live.events[start - 1]
    before = live.known_to("house", start)
    assert isinstance(event.public, CardsDealt)
    deck: Deck = before.deal_state.common.deck
    cards = tuple(names.get(card, card) for card in deck.cards if card is not None)
    other = type(live)(live.records[: start - 1])
    other.append([other.dealing(cards, event.public.dealer)])  # type: ignore[arg-type] # cards
    try:
        for at, seat, wire in live.acts:
            if start <= at < version:
                other.take(seat, renamed(wire, names))
    except Rejected:
        return None
    return other


@of_each_game
@given(data=st.data(), rng=luck)
@settings(max_examples=times(50))
def test_what_an_audience_cannot_know_does_not_change_its_view(
    tables: type[Live], data: st.DataObject, rng: random.Random
) -> None:
    live = data.draw(started(tables))
    audience = data.draw(st.sampled_from(live.audiences))
    for _ in playing(live, rng, until=lambda live: live.table.scored == 2):
        pass
    deals = [event.version for event in live.events if isinstance(event.public, CardsDealt)]
    scores = [event.version for event in live.events if isinstance(event.public, DealScored)]
    deal = data.draw(st.integers(0, 1))
    start, end = deals[deal], scores[deal]
    version = data.draw(st.integers(start, end - 1))
    shown = set[str]().union(*(cards_revealed(event, audience) for event in live.events[start - 1 : version]))
    unseen: list[str] = [card for card in live.game.pack if card not in shown]
    assume(len(unseen) > 1)
    names = dict(zip(unseen, rng.sample(unseen, len(unseen)), strict=True))
    other = world(live, start, version, names)
    if other is None:
        names = {}
        for _ in range(12):
            one, two = rng.sample(unseen, 2)
            swapped = {**names, one: names.get(two, two), two: names.get(one, one)}
            moved = world(live, start, version, swapped)
            names, other = (swapped, moved) if moved else (names, other)
    assume(other is not None)
    assert other is not None
    first: Table | None = READER.fold(None, live.records[: start - 1], audience)
    second = first
    for number in range(start, version + 1):
        first = READER.fold(first, [live.records[number - 1]], audience)
        second = READER.fold(second, [other.records[number - 1]], audience)
        assert first is not None
        assert second is not None
        assert encoded_view(live, first) == encoded_view(live, second)
        if audience.startswith("seat:"):
            seat = int(audience[5:])
            assert offers(live.game, first, seat) == offers(live.game, second, seat)
