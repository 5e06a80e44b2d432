"""Notices: each turn that begins, and each event that a player is told of, once, to whoever sits there."""

import random
from collections.abc import Sequence

import pytest

from domain.kernel.game import Game
from domain.record.recorded import Recorded
from domain.table.state import Table, evolve
from domain.table.view import to_act
from service.live.notices import KINDS, Notice, follow
from tests.support.projecting import READER, Play
from tests.support.registry import GAMES

Told = tuple[int, str, str | None]
"""Version, kind and player of a notice."""


def records_of(game: Game, number: int = 1) -> list[Recorded]:
    play = Play(number, random.Random(number), game=game)  # noqa: S311 (nothing secret hangs on it)
    return [record for step in play.steps() for record in step]


def due(records: Sequence[Recorded]) -> set[Told]:
    """The notices of a whole record, as the house's fold has them."""
    table = READER.opened(records[0])
    game = READER.of(table)
    told: set[Told] = set()
    for record in records[1:]:
        before, table = table, evolve(game, table, READER.read(record))
        began = set(to_act(game, table)) - set(to_act(game, before))
        told |= {(record.version, "your-turn", table.players[seat]) for seat in began}
        if record.type in set(KINDS) - {"your-turn"}:
            told |= {(record.version, record.type, player) for player in table.players}
    return told


def told_by(notices: Sequence[Notice]) -> list[Told]:
    return [(notice.record.version, notice.kind, notice.player) for notice in notices]


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_turn_and_every_end_is_told_once_however_the_events_come(game: Game) -> None:
    records = records_of(game)
    _, at_once = follow(READER, None, records)
    table: Table | None = None
    bit_by_bit: list[Notice] = []
    for record in records:
        table, notices = follow(READER, table, [record])
        bit_by_bit += notices
    assert bit_by_bit == at_once
    told = told_by(at_once)
    assert len(told) == len(set(told))
    assert set(told) == due(records)


def test_a_seat_that_is_told_is_its_players() -> None:
    for number in range(5):
        table, notices = follow(READER, None, records_of(GAMES["crocodile"], number))
        assert all(table.players[notice.seat] == notice.player for notice in notices)


def test_who_does_not_sit_there_is_told_nothing() -> None:
    records = records_of(GAMES["crocodile"])
    table, notices = follow(READER, None, records)
    assert {notice.player for notice in notices} == set(table.players)
    assert follow(READER, None, records[:3])[1] == []
