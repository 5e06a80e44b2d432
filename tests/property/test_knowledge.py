"""A view derived from the house's view equals the view of the fold of the redacted events."""

import asyncio
import random
from collections.abc import Iterator
from hashlib import sha256
from typing import ClassVar

import msgspec
import pytest
from hypothesis import strategies as st
from msgspec import Struct

from domain.games.crocodile.events import CardsExchanged
from domain.kernel.event import Event, Payload
from domain.kernel.hands import Hand
from domain.kernel.table_view import HandView, TableView
from domain.record.history import Reader
from domain.seats import HOUSE, Audience
from domain.table import knowledge
from domain.table.events import EVENTS, CardsDealt
from domain.table.knowledge import Known, KnownCards, OwnFolds, audiences, known_at_opening, redacted
from domain.table.state import Table
from domain.table.view import view
from projections.checkpoint import LogPoint
from projections.fold import Batch, TableChange, fold
from projections.redis_keys import TABLES as SHARDS
from projections.redis_keys import Layout
from projections.table_views import table_writes
from tests.golden.games import names as golden_names
from tests.golden.games import records as golden_records
from tests.golden.labels import Golden
from tests.golden.wanted import GOLDEN
from tests.property.strategies import (
    TABLES,
    every_options,
    in_random_games,
    numbers_of_deals,
    of_each_game,
    started,
    tries,
)
from tests.support.games import READER, TABLE, Live, chance, finished
from tests.support.long import ended
from tests.support.registry import GAMES
from tests.support.repetition import times

_encoder = msgspec.json.Encoder()


def derived(live: Live) -> Iterator[tuple[int, Audience, bytes, bytes]]:
    """At every version, for every audience: its view as it is derived, and as it is defined."""
    house: Table | None = None
    folds: dict[Audience, Table | None] = dict.fromkeys(live.audiences)
    known: Known | None = None
    assert audiences(len(live.table.players)) == tuple(live.audiences)
    for record in live.records:
        before, house = house, READER.fold(house, [record])
        if before is None or known is None:
            known = known_at_opening(live.game, house)
        else:
            known = known.after(live.game, before, READER.read(record))
        views = known.views(live.game, house)
        for audience, shown in zip(live.audiences, views, strict=True):
            folds[audience] = table = READER.fold(folds[audience], [record], audience)
            yield record.version, audience, shown, _encoder.encode(view(live.game, table, audience))


def agree(live: Live) -> None:
    for version, audience, one, other in derived(live):
        assert one == other, (version, audience)


@in_random_games(20, events=400)
def test_what_is_derived_is_what_is_defined(tables: type[Live], data: st.DataObject, rng: random.Random) -> None:
    agree(ended(data.draw(started(tables)), rng))


@of_each_game
def test_under_every_option_too(tables: type[Live]) -> None:
    """Each combination of options is played at least once, and more often where views are derived."""
    every, derives = every_options(tables.game), tables.game.showing.hands is not None
    for number in range(max(times(len(every)), tries(tables.game, 20) if derives else 0)):
        options = every[number % len(every)]
        allowed = numbers_of_deals(tables.game, options)
        deals = allowed[number % len(allowed)] if derives else allowed[0]
        seed = sha256(f"{options} {number}".encode()).digest()
        agree(ended(tables.started(options=options, deals=deals, seed=seed), chance(seed)))


@pytest.mark.parametrize("golden", GOLDEN.values(), ids=lambda golden: golden.name)
def test_in_recorded_games_too(golden: Golden) -> None:
    """These show all that can happen."""
    tables = next(tables for tables in TABLES if tables.game.name == golden.name)
    for name in golden_names(golden.name):
        agree(tables(golden_records(golden.name, name)))


def test_of_every_event_it_is_known_what_it_tells() -> None:
    deriving = [game for game in GAMES.values() if game.showing.hands is not None]
    payloads = {*EVENTS, *(event for game in deriving for each in (*game.earlier, game) for event in each.events)}
    assert {payload for payload in payloads if "REVEALS" not in vars(payload)} == set()


class CardsSwapped(Payload, frozen=True):
    """Nobody knows what this does."""

    TYPE: ClassVar = "cards-swapped"


class LaterExchange(CardsExchanged, frozen=True):
    """An event of a known type may do something else in another schema."""

    SCHEMA: ClassVar = 2


@pytest.mark.parametrize("unknown", [CardsSwapped(), LaterExchange(0, 3, ("As",))])
def test_after_an_unknown_event_nothing_is_known(unknown: Payload) -> None:
    live = Live.started()
    known = KnownCards((1, 2, 3, 4)).after(live.game, live.table, Event(unknown, version=live.version + 1))
    assert known == KnownCards((0,) * 4)
    for hidden in map(msgspec.json.decode, known.views(live.game, live.table)):
        assert [seat["hand"] for seat in hidden["seats"]] == [{"known": [], "hidden": 9}] * 3
        assert hidden["talon"] == {"known": [], "hidden": 13}


def test_a_section_tells_only_its_own_audience() -> None:
    """The house's event holds all sections; of those of others nobody learns anything."""
    live = Live.started()
    dealt = next(event for event in live.events if isinstance(event.public, CardsDealt))
    known = KnownCards((0,) * 4).after(live.game, live.table, dealt)
    assert known.cards[0] == 0
    assert [one.bit_count() for one in known.cards] == [0, 9, 9, 9]
    assert known.cards[1] & known.cards[2] == known.cards[2] & known.cards[3] == known.cards[1] & known.cards[3] == 0
    others = msgspec.structs.replace(dealt, sealed={HOUSE: dealt.sealed[HOUSE]})
    assert known.after(live.game, live.table, others) == KnownCards((0,) * 4)


class Odd(Struct, frozen=True):
    """A view with a hand where none were before, and a text."""

    you: None
    hands: dict[str, Hand]
    text: str


def test_a_hand_anywhere_is_shown_to_those_who_know_its_cards_alone_and_no_text_is_taken_for_one() -> None:
    pack, text = Live.game.pack, '{"known":["As"],"hidden":0}'
    house = Odd(None, {"one": Hand(("As", "Ks"), 1)}, text)
    knowing = [(), ("Ks",), ("As", "Ks"), ("As",)]
    views = redacted(pack, house, tuple(map(pack.bits, knowing)))  # type: ignore[arg-type] # it is no view
    assert [msgspec.json.decode(one) for one in views] == [
        {"you": you, "hands": {"one": {"known": list(cards), "hidden": 3 - len(cards)}}, "text": text}
        for you, cards in zip((None, 0, 1, 2), knowing, strict=True)
    ]


class TwoHanded(HandView, frozen=True):
    """A seat with a second hand."""

    other: Hand


class TwoHandedView(TableView, frozen=True, kw_only=True):
    """A view of such seats."""

    seats: tuple[TwoHanded, ...]


def test_a_second_hand_of_a_seat_is_shown_to_those_who_know_its_cards_alone() -> None:
    live = Live.started()
    pack = live.game.pack
    fields = msgspec.structs.asdict(view(live.game, live.table, HOUSE))
    fields = {name: fields[name] for name in TableView.__struct_fields__}
    seats = tuple(TwoHanded(seat, None, Hand(("As",)), Hand(("Ks",))) for seat in range(3))
    house = TwoHandedView(**fields | {"seats": seats})
    public, knowing, *others = map(msgspec.json.decode, redacted(pack, house, (0, pack.bits(("Ks",)), 0, 0)))
    hidden, king = {"known": [], "hidden": 1}, {"known": ["Ks"], "hidden": 0}
    for one in (public, *others):
        assert [(seat["hand"], seat["other"]) for seat in one["seats"]] == [(hidden, hidden)] * 3
    assert [(seat["hand"], seat["other"]) for seat in knowing["seats"]] == [(hidden, king)] * 3


class Counting:
    """An encoder that counts what it encodes."""

    def __init__(self) -> None:
        self.encoded: list[object] = []

    def encode(self, value: object) -> bytes:
        self.encoded.append(value)
        return _encoder.encode(value)


@pytest.mark.parametrize("alike", [True, False])
def test_where_all_see_alike_there_is_one_fold_and_one_view_rendered(
    alike: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    showing = msgspec.structs.replace(Live.game.showing, hands=None, alike=alike)
    game = msgspec.structs.replace(Live.game, showing=showing)
    live = finished(Live.started(), chance("alike"))
    folded, _ = fold(Reader({game.name: game}), live.records)
    assert isinstance(folded.known, OwnFolds)
    assert len(folded.known.folds) == (1 if alike else 4)
    batch = Batch(start := LogPoint(0, b""), start, (), {TABLE: folded}, {TABLE: TableChange(None, folded)})
    encoder = Counting()
    monkeypatch.setattr(knowledge, "_encode", encoder.encode)
    writing = table_writes(Layout(1), Reader({game.name: game}), batch, SHARDS, retention_s=9e8, now=0)
    (writes,) = asyncio.run(writing).values()
    views = {write[1]: write[2] for write in writes if write[0] == "SET" and ":view:" in str(write[1])}
    assert len(views) == 4
    assert len(encoder.encoded) == (1 if alike else 4)
    for audience, written in zip(live.audiences, views.values(), strict=True):
        expected = view(game, live.known_to("public" if alike else audience), audience)
        assert written == b"%d %b" % (live.version, _encoder.encode(expected))
