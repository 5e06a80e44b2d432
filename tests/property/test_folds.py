"""Folding the log for the read models: what need not be followed is left out, and nobody can tell."""

import random

import pytest
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.record.catalogue import UnknownEvent
from domain.table.events import CardsDealt
from projections.fold import Folded, fold
from tests.property.strategies import in_random_games, started
from tests.support.games import READER, Live, chance, finished
from tests.support.long import ended


@in_random_games(15)
def test_in_how_many_pieces_a_table_is_folded_changes_nothing(
    tables: type[Live], data: st.DataObject, rng: random.Random
) -> None:
    live = ended(data.draw(started(tables)), rng)
    stepwise: list[Folded] = []
    for record in live.records:
        after, _ = fold(READER, [record], stepwise[-1] if stepwise else None)
        stepwise.append(after)
    ends = data.draw(st.sets(st.integers(1, len(live.records)), max_size=5)) | {len(live.records)}
    begin, folded = 0, None
    for end in sorted(ends):
        folded, _ = fold(READER, live.records[begin:end], folded)
        begin = end
        assert folded == stepwise[end - 1]


@in_random_games(15)
def test_what_will_be_dealt_need_not_be_waited_for(tables: type[Live], data: st.DataObject, rng: random.Random) -> None:
    live = ended(data.draw(started(tables)), rng)
    whole, booking = fold(READER, live.records)
    newest = max(record.deal or 0 for record in live.records)
    half = data.draw(st.integers(1, len(live.records) - 1))
    before, first = fold(READER, live.records[:half], None, newest)
    after, then = fold(READER, live.records[half:], before, newest)
    assert after == whole
    assert [(step.record, step.lines) for step in (*first, *then)] == [(step.record, step.lines) for step in booking]


def test_what_is_not_followed_is_read_all_the_same() -> None:
    live = finished(Live.started(deals=3), chance("read"))
    place = next(place for place, record in enumerate(live.records) if record.type == "card-played")
    records = [*live.records]
    records[place] = replace(records[place], type="no-such-event")
    with pytest.raises(UnknownEvent):
        fold(READER, records)


@in_random_games(15)
def test_a_fold_needs_of_earlier_deals_only_what_outlasts_them(
    tables: type[Live], data: st.DataObject, rng: random.Random
) -> None:
    live = ended(data.draw(started(tables)), rng)
    records = live.records[: data.draw(st.integers(1, len(live.records)))]
    start = max((record.version for record in records if record.type == CardsDealt.TYPE), default=0)
    outline = [record for record in records if record.version >= start or record.type not in READER.passing]
    for audience in ("public", "seat:0", "house"):
        assert READER.fold(None, outline, audience) == READER.fold(None, records, audience)
