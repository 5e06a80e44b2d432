"""Views: the fold of the redacted events, which can show no more than those."""

import random
from collections.abc import Iterator
from itertools import repeat
from typing import Any

import msgspec
from hypothesis import assume
from hypothesis import strategies as st
from msgspec import UNSET, Struct
from msgspec.structs import astuple, replace

from domain.cards import Pack
from domain.fair.deck import Opening
from domain.kernel.canonical import canonical
from domain.kernel.event import Event, Payload
from domain.kernel.rejection import Rejected
from domain.seats import PUBLIC, Audience
from domain.table.events import CardsDealt, DealScored
from domain.table.seat_offers import offers
from domain.table.state import Table, evolve, opened
from domain.table.view import view
from tests.property.strategies import in_random_games, playing, started, texts
from tests.support.games import READER, Live, Wire, redacted
from tests.support.habits import Habits
from tests.support.helpers import helper
from tests.support.long import ended
from tests.support.worlds import said


def encoded_view(live: Live, table: Table) -> bytes:
    """The view of the audience whose fold the table is, as canonical JSON, but for whose it is."""
    return canonical(view(live.game, table, PUBLIC))


def cards_in(value: Any) -> Iterator[Any]:
    """The cards in a field: one, several, none, or as openings."""
    match value:
        case Opening():
            yield value.card
        case tuple() | list():
            for one in value:
                yield from cards_in(one)
        case Struct():
            yield from cards_in(astuple(value))
        case None:
            pass
        case _:
            yield value


def cards_revealed(event: Event[Payload], audience: Audience, habits: Habits) -> set[str]:
    """The cards that the event shows to the audience, by the rules."""
    kind, own = event.public.TYPE, event.sealed.get(audience)
    fields = [getattr(event.public, field, None) for field in habits.in_public.get(kind, ())]
    if own is not None:
        in_section = {CardsDealt.TYPE: ("cards",), **habits.in_section}
        fields += [getattr(own, field) for field in in_section.get(kind, ())]
    return set(cards_in(fields))


def hides(own: object, true: object, pack: Pack) -> bool:
    """Whether the value is the true one but for cards and sealed claims, of which it knows at most the true ones."""
    match own, true:
        case {"known": list(known), "hidden": int(hidden)}, {"known": list(all_known), "hidden": int(unknown)}:
            return set(known) <= set(all_known) and len(known) + hidden == len(all_known) + unknown
        case dict(), dict():
            return own.keys() == true.keys() and all(hides(own[name], true[name], pack) for name in own)
        case list(), list():
            return len(own) == len(true) and all(map(hides, own, true, repeat(pack)))
        case None, str(card) if card in pack:
            return True
        case None, {"meld": _, "cards": list()}:
            return True
        case _:
            return own == true


@in_random_games(15)
def test_a_view_holds_no_card_that_its_audience_was_not_shown(
    tables: type[Live], data: st.DataObject, rng: random.Random
) -> None:
    live, habits = ended(data.draw(started(tables)), rng), helper(tables.game.name, "habits")
    audience = data.draw(st.sampled_from(live.audiences))
    pack, table, house = live.game.pack, None, None
    known: set[str] = set()
    for record, event in zip(live.records, live.events, strict=True):
        table = READER.fold(table, [record], audience)
        house = READER.fold(house, [record])
        if isinstance(event.public, CardsDealt):
            known = set(habits.open)
        known |= cards_revealed(event, audience, habits)
        own, true = (msgspec.json.decode(msgspec.json.encode(view(live.game, fold, PUBLIC))) for fold in (table, house))
        assert {text for text in texts(own) if text in pack} <= known
        assert hides(own, true, pack)
        for seat, truth in zip(own["seats"], true["seats"], strict=True):
            if audience == f"seat:{seat['seat']}":
                # A seat may be dealt what it does not see.
                held = truth.get("hand", {}).get("known", [])
                assert seat.get("hand", {}).get("known", []) == [card for card in held if card in known]


@in_random_games(15)
def test_a_view_is_the_fold_of_redacted_events(tables: type[Live], data: st.DataObject, rng: random.Random) -> None:
    live, game = ended(data.draw(started(tables)), rng), tables.game
    for audience in (*live.audiences, "house"):
        table: Table | None = None
        folded: Table | None = None
        for record, event in zip(live.records, live.events, strict=True):
            redacted_event = redacted(event, audience)
            assert set(redacted_event.sealed) <= (set(event.sealed) if audience == "house" else {audience, "public"})
            assert redacted_event.public == event.public
            table = evolve(game, table, redacted_event) if table else opened(game, record.table, redacted_event)
            folded = READER.fold(folded, [record], audience)
            assert folded == table
            # The view follows from the fold; it is looked at where deals begin and end, and now and then.
            if record.version % 10 == 0 or record.deal is None or isinstance(event.public, CardsDealt | DealScored):
                assert encoded_view(live, folded) == encoded_view(live, table)


@in_random_games(12)
def test_what_is_the_same_for_all_is_told_to_all(tables: type[Live], data: st.DataObject, rng: random.Random) -> None:
    live, differing = data.draw(started(tables)), {"seats", "you", *helper(tables.game.name, "habits").differing}
    folds: dict[Audience, Table | None] = dict.fromkeys((*live.audiences, "house"))
    folded, deals = 0, live.table.scored + 1
    for state in playing(live, rng, until=lambda live: live.table.scored == deals):
        new, folded = state.records[folded:], len(state.records)
        folds = {audience: READER.fold(table, new, audience) for audience, table in folds.items()}
        views = [view(live.game, table, audience) for audience, table in folds.items() if table is not None]
        first, *others = map(msgspec.to_builtins, views)
        for other in others:
            assert {name for name in other if other[name] != first.get(name)} <= differing


def renamed(wire: Wire, names: dict[str, str]) -> Wire:
    """The action with other cards."""

    def rename(value: object) -> object:
        if isinstance(value, list | tuple):
            return [*map(rename, value)]
        return names.get(str(value), value)

    return {name: value if name == "text" else rename(value) for name, value in wire.items()}


def world(live: Live, audience: Audience, start: int, version: int, names: dict[str, str]) -> Live | None:
    """The deal that begins at `start` with other cards, in which the same is done up to `version`, if that is legal.

    None too where an event then tells the audience something else.
    """
    event = live.events[start - 1]
    assert isinstance(event.public, CardsDealt)
    cards = tuple(names.get(card, card) for card in live.dealt(start))
    other = type(live)(live.records[: start - 1])
    other.append([other.dealing(cards, event.public.dealer)])  # type: ignore[arg-type] # cards
    try:
        for at, seat, wire in live.acts:
            if start <= at < version:
                other.again(seat, renamed(wire, names))
    except Rejected:
        return None
    pairs = zip(live.events[start - 1 : version], other.events[start - 1 : version], strict=True)
    return other if all(said(one, audience) == said(two, audience) for one, two in pairs) else None


@in_random_games(20)
def test_what_an_audience_cannot_know_does_not_change_its_view(
    tables: type[Live], data: st.DataObject, rng: random.Random
) -> None:
    live, habits = data.draw(started(tables)), helper(tables.game.name, "habits")
    audience = data.draw(st.sampled_from(live.audiences))
    begun_at = live.table.scored
    for _ in playing(live, rng, until=lambda live: live.table.scored == begun_at + 2):
        pass
    deals = [event.version for event in live.events if isinstance(event.public, CardsDealt)]
    scores = [event.version for event in live.events if isinstance(event.public, DealScored)]
    deal = data.draw(st.integers(begun_at, len(scores) - 1))
    start, end = deals[deal], scores[deal]
    version = data.draw(st.integers(start, end - 1))
    shown = set(habits.open).union(
        *(cards_revealed(event, audience, habits) for event in live.events[start - 1 : version])
    )
    unseen: list[str] = [card for card in live.game.pack if card not in shown]
    assume(len(unseen) > 1)
    names = dict(zip(unseen, rng.sample(unseen, len(unseen)), strict=True))
    other = world(live, audience, start, version, names)
    if other is None:
        names = {}
        for _ in range(12):
            one, two = rng.sample(unseen, 2)
            swapped = {**names, one: names.get(two, two), two: names.get(one, one)}
            moved = world(live, audience, start, version, swapped)
            names, other = (swapped, moved) if moved else (names, other)
    assume(other is not None)
    assert other is not None
    first: Table | None = READER.fold(None, live.records[: start - 1], audience)
    second = first
    for number in range(start, version + 1):
        first = READER.fold(first, [live.records[number - 1]], audience)
        second = READER.fold(second, [other.records[number - 1]], audience)
        # The other world is dealt at a time of its own.
        one, other_view = (replace(view(live.game, fold, PUBLIC), deadlines=UNSET) for fold in (first, second))
        assert canonical(one) == canonical(other_view)
        if audience.startswith("seat:"):
            seat = int(audience[5:])
            assert offers(live.game, first, seat) == offers(live.game, second, seat)
