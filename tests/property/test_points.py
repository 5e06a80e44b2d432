"""Points in views are those that the ledger books, under every version of a game's rules."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import pytest

from domain.kernel.game import Game
from domain.seats import HOUSE
from domain.table.events import DealScored
from domain.table.state import Table
from domain.table.view import view
from tests.golden.games import as_recorded, names, records
from tests.golden.test_earlier import EARLIER, recorded
from tests.support.games import READER, Live, chance
from tests.support.long import ended
from tests.support.registry import GAMES

Lines = Sequence[Any]
Count = Callable[[Game, Any, Lines], Iterable[tuple[int, int]]]
"""Pairs of points in a deal's last view, and what the lines of its score make of them."""


def booked(lines: Lines, seat: int, *kinds: str) -> int:
    """The sum of the seat's lines of these kinds; of all without one."""
    return sum(line.amount for line in lines if line.seat == seat and (not kinds or line.kind in kinds))


def _burraco(_: Game, last: Any, lines: Lines) -> Iterable[tuple[int, int]]:
    return ((side.points, booked(lines, side.seats[0], "meld", "burraco")) for side in last.sides)


def _diloti(_: Game, last: Any, lines: Lines) -> Iterable[tuple[int, int]]:
    return ((side.points, booked(lines, side.seats[0], "xeri", "card")) for side in last.sides)


def _dingo(_: Game, last: Any, lines: Lines) -> Iterable[tuple[int, int]]:
    return ((seat.points, booked(lines, seat.seat)) for seat in last.seats)


def _don(_: Game, last: Any, lines: Lines) -> Iterable[tuple[int, int]]:
    before = [side.score for side in last.sides]
    return ((score, last.totals[seat] + booked(lines, seat)) for seat, score in enumerate(before))


def _king(game: Game, last: Any, lines: Lines) -> Iterable[tuple[int, int]]:
    (base,) = {row.base for row in game.rulebook.tables["contracts"] if row.aim == last.aim}  # type: ignore[attr-defined]
    return ((points, booked(lines, seat, "captured") - base) for seat, points in enumerate(last.points))


def _lorum(_: Game, last: Any, lines: Lines) -> Iterable[tuple[int, int]]:
    captors = [seat for seat, points in enumerate(last.points) if points]
    alone = len(captors) == 1 and any(line.kind == "captured" for line in lines)
    for seat in captors:
        paid = booked(lines, seat, "captured", "king-of-hearts", "mark")
        # Each other player pays who captured everything.
        yield (last.points[seat] * (len(last.points) - 1), paid) if alone else (last.points[seat], -paid)


def _tetka(_: Game, last: Any, lines: Lines) -> Iterable[tuple[int, int]]:
    kinds = {line.kind for line in lines} - {"most-tricks"}
    return ((points, -booked(lines, seat, *kinds)) for seat, points in enumerate(last.points))


POINTS: Mapping[str, Count] = {
    "burraco": _burraco,
    "diloti": _diloti,
    "dingo": _dingo,
    "don": _don,
    "king": _king,
    "lorum": _lorum,
    "tetka": _tetka,
}
"""The games whose views count points while a deal is played."""


def counting(shown: Any) -> bool:
    """Whether a view has points, of the table, seats or sides."""
    parts = (shown, *shown.seats, *getattr(shown, "sides", ()))
    return any(name in part.__struct_fields__ for part in parts for name in ("points", "score"))


def differing(log: Iterable[Any]) -> list[str]:
    """Where a deal's last view has other points than its score books; whether there were any scores is asserted."""
    table: Table | None = None
    wrong, scored = [], 0
    for record in log:
        before, table = table, READER.fold(table, [record])
        if record.type != DealScored.TYPE or before is None:
            continue
        scored += 1
        game = READER.of(before)
        last = view(game, before, HOUSE)
        assert counting(last) is (game.name in POINTS), f"a line in POINTS says what the points of {game.name} book"
        if game.name in POINTS:
            pairs = list(POINTS[game.name](game, last, READER.read(record).public.lines))  # type: ignore[attr-defined]
            wrong += [f"event {record.version}: {shown} shown, {due} booked" for shown, due in pairs if shown != due]
    assert scored
    return wrong


@pytest.mark.parametrize("of", GAMES)
def test_points_in_views_are_those_that_the_ledger_books(of: str) -> None:
    ends = [records(of, name) for name in names(of)]
    whole = [each for each in ends if any(record.type == DealScored.TYPE for record in each)]
    assert [differing(each) for each in whole] == [[]] * len(whole)


VERSIONS = [version for game in GAMES.values() for version in game.earlier]


@pytest.mark.parametrize("game", VERSIONS, ids=lambda game: f"{game.name} {game.rulebook.version}")
def test_they_are_under_earlier_versions_of_the_rules(game: Game) -> None:
    tables = type("EarlierLive", (Live,), {"game": game})
    for number in range(3):
        live = ended(tables.started(seed=bytes([number]) * 32), chance(("points", number)))
        assert differing(live.records) == []


@pytest.mark.parametrize("path", EARLIER, ids=lambda path: f"{path.parts[-3]} {path.stem}")
def test_they_are_in_games_kept_from_earlier_versions(path: Any) -> None:
    assert differing(as_recorded(recorded(path)["events"])) == []
