"""The sample tables of every game, each played once a run."""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from domain.kernel.game import Game
from domain.record.recorded import Recorded
from domain.table.events import events_of
from domain.table.talk import action_types_of
from service.http.examples import OneOfEach, Sample, SampleTable
from service.spec.example_bodies import Bodies
from service.spec.generated import bodies_of
from service.spec.sample import SampleTables, sample_of
from tests.support.registry import GAMES
from tests.support.run import made_once

KEPT = 12
"""So many tables are kept, which are more than most tests look at. Further ones are played anew."""


class KeptTable(Struct, frozen=True):
    """A table, as it is kept for all test processes."""

    records: tuple[Recorded, ...]
    actions: Mapping[int, tuple[int, Mapping[str, Any]]]


class KeptSample(Struct, frozen=True):
    """A sample, as it is kept for all test processes."""

    tables: tuple[KeptTable, ...]
    by_type: OneOfEach
    needed: int
    """The tables that together hold every event and every action."""


class Tables:
    """The tables of a sample: the kept ones, and then others."""

    def __init__(self, game: Game, kept: KeptSample) -> None:
        self._kept = [SampleTable(game, table.records, table.actions) for table in kept.tables]
        self._every = SampleTables(game)

    def __iter__(self) -> Iterator[SampleTable]:
        yield from self._kept
        yield from islice(self._every, KEPT, None)


@cache
def sample(game: str) -> Sample:
    """The sample of the game of this name. It is shared: nothing of it may be changed."""
    return Sample(GAMES[game], Tables(GAMES[game], _kept(game)), _kept(game).by_type)


def tables_needed(game: str) -> int:
    """How many tables of the sample together hold every event and every action of the game."""
    return _kept(game).needed


@cache
def bodies(games: tuple[str, ...] = tuple(GAMES)) -> Bodies:
    """The example bodies from the samples of these games, shared likewise."""
    return bodies_of([sample(game) for game in games])


@cache
def _kept(game: str) -> KeptSample:
    def keep(path: Path) -> None:
        played = sample_of(GAMES[game])
        tables = tuple(KeptTable(table.records, table.actions) for table in islice(played.tables, KEPT))
        path.write_bytes(msgspec.msgpack.encode(KeptSample(tables, played.by_type, _needed(played))))

    return msgspec.msgpack.decode(made_once(f"sample-{game}", keep).read_bytes(), type=KeptSample)


def _needed(played: Sample) -> int:
    types = {payload.TYPE for payload in events_of(played.game)}
    acts = {str(action.__struct_config__.tag) for action in action_types_of(played.game)}
    for number, table in enumerate(played.tables, 1):
        types -= {record.type for record in table.records}
        acts -= {action["type"] for _, action in table.actions.values()}
        if not types | acts:
            return number
    raise AssertionError(f"never in all tables: {sorted(types | acts)}")
