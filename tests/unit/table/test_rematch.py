"""A rematch keeps seats for its players; the independent check finds who sits on another's."""

from typing import Any

import msgspec
import pytest

from domain.kernel.rejection import Code
from domain.record.envelope import served
from domain.record.history import record_opening
from domain.seats import HOUSE
from domain.table.actions import OpenTable, ProposeEnd, TakeSeat
from domain.table.events import Rematch
from domain.table.options import TableOptions
from tests.support.altering import forge
from tests.support.checker import violations
from tests.support.games import EVERYBODY, OPENER, SEED, TABLE, Live, moment
from tests.support.registry import GAMES

EARLIER = "01970000-0000-7000-8000-00000000000e"
GAME = GAMES["solo"]
KEPT = tuple(EVERYBODY[place] for place in (3, 0, 1, 2))


class SoloLive(Live):
    game = GAME


def rematch() -> SoloLive:
    """A private rematch at which nobody sits."""
    table = TableOptions(visibility="private")
    command = OpenTable(OPENER, 4, GAME.options(), SEED, table, rematch=Rematch(EARLIER, KEPT))
    return SoloLive(record_opening(GAME, TABLE, command, moment(0))[1])


def envelopes(live: SoloLive) -> list[dict[str, Any]]:
    return [msgspec.json.decode(served(record, HOUSE, over=True)) for record in live.records]


def test_everybody_takes_the_seat_that_is_kept() -> None:
    live = rematch()
    for player in EVERYBODY[:4]:
        live.command(TakeSeat(player))
    assert live.table.players == KEPT
    assert live.table.status == "playing"
    for player in KEPT:
        live.command(ProposeEnd(player, agree=True))
    assert violations(forge(envelopes(live))) == []


@pytest.mark.parametrize(("seat", "player", "code"), [(0, EVERYBODY[0], Code.SEAT_TAKEN), (0, OPENER, Code.SEAT_TAKEN)])
def test_nobody_else_takes_it(seat: int, player: str, code: Code) -> None:
    live = rematch()
    assert live.refused(TakeSeat(player, seat)).code == code


def test_the_check_finds_who_sits_on_a_seat_kept_for_another() -> None:
    live = rematch()
    live.command(TakeSeat(KEPT[0]))
    events = envelopes(live)
    events[0]["public"]["rematch"]["players"].reverse()
    assert any("kept for another" in found for found in violations(forge(events)))
