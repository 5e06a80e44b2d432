"""Records: the fold equals the live state, and what is read is written again byte for byte."""

import random
from collections.abc import Iterator
from itertools import chain, pairwise
from typing import Any

import msgspec
from hypothesis import strategies as st

from domain.record.recorded import GENESIS, write
from domain.seats import HOUSE
from domain.table.events import CardsDealt, DealScored, GameFinished, lines_of
from domain.table.view import view
from tests.property.strategies import (
    every_options,
    in_random_games,
    numbers_of_deals,
    of_each_game,
    playing,
    started,
    texts,
)
from tests.support.for_each import for_each
from tests.support.games import READER, Live, chance, finished, moment, read
from tests.support.long import ended


@in_random_games(20)
def test_the_fold_of_the_record_equals_the_live_state(
    tables: type[Live], data: st.DataObject, rng: random.Random
) -> None:
    live = data.draw(started(tables))
    states = [(state.version, state.history) for state in playing(live, rng)]
    folded = read(live.records[: states[0][0]])
    assert folded == states[0][1]
    for (before, _), (after, history) in pairwise(states):
        again = READER.history(live.records[before:after], folded)
        assert again is not None
        folded = again
        assert folded == history
    assert read(live.records) == live.history


@in_random_games(20)
def test_records_round_trip_byte_for_byte(tables: type[Live], data: st.DataObject, rng: random.Random) -> None:
    live = ended(data.draw(started(tables)), rng)
    previous = GENESIS
    for record in live.records:
        assert record.action is not None
        drawn = moment(int(record.action[-12:]))
        again = write(
            READER.read(record),
            table=record.table,
            game=record.game,
            previous=previous,
            at=record.at,
            action=record.action,
            chance=drawn.chance,
        )
        assert again == record
        previous = record.hash


@in_random_games(30)
def test_every_event_books_to_zero_and_totals_are_sums_of_lines(
    tables: type[Live], data: st.DataObject, rng: random.Random
) -> None:
    live = ended(data.draw(started(tables)), rng)
    totals = [0] * len(live.seats)
    accounts: dict[str, int] = {}
    for event in live.events:
        lines = lines_of(event.public)
        assert sum(line.amount for line in lines) == 0
        assert all(line.amount for line in lines)
        for line in lines:
            assert all(version in range(1, event.version + 1) for version in line.events)
            if line.seat is None:
                accounts[line.account] = accounts.get(line.account, 0) + line.amount
            else:
                totals[line.seat] += line.amount
        if isinstance(event.public, DealScored | GameFinished):
            assert list(event.public.totals) == totals
    assert sum(accounts.values()) == -sum(totals)
    assert live.table.accounts == accounts
    assert list(live.view("public")["totals"]) == totals


def lying(shown: object) -> Iterator[str]:
    """The cards of all hands and piles in a view, as JSON."""
    match shown:
        case {"known": list(known), "hidden": 0}:
            yield from known
        case dict():
            yield from chain.from_iterable(map(lying, shown.values()))
        case list():
            yield from chain.from_iterable(map(lying, shown))
        case _:
            pass


@in_random_games(15)
def test_the_pack_stays_whole(tables: type[Live], data: st.DataObject, rng: random.Random) -> None:
    """No card lies in two places; none comes but by an event that names it, nor goes before one has named it."""
    live = ended(data.draw(started(tables)), rng)
    pack, table = set(tables.game.pack), None
    before, named = set[str](), set[str]()
    for record, event in zip(live.records, live.events, strict=True):
        table = READER.fold(table, [record])
        if table.running_deal is None:
            continue
        cards = list(lying(msgspec.json.decode(msgspec.json.encode(view(tables.game, table, HOUSE)))))
        now = set(cards)
        assert len(cards) == len(now)
        if isinstance(event.public, CardsDealt):
            assert now == set(live.dealt(record.version))
            named = set()
        else:
            payload = msgspec.json.decode(msgspec.json.encode([event.public, *event.sealed.values()]))
            by_event = pack.intersection(texts(payload))
            named |= by_event
            assert now - before <= by_event, event.public.TYPE
            assert before - now <= named, event.public.TYPE
        before = now


@of_each_game
def test_every_combination_of_options_is_played_to_the_end(tables: type[Live]) -> None:
    @for_each("number, options", enumerate(every_options(tables.game)))
    def is_played_to_the_end(number: int, options: Any) -> None:
        allowed = numbers_of_deals(tables.game, options)
        live = finished(tables.started(options=options, deals=allowed[number % len(allowed)]), chance(options))
        assert live.table.status == "finished"
        assert live.table.options == options
        assert view(tables.game, live.table, HOUSE).winners == live.of(GameFinished)[0].winners

    is_played_to_the_end()
