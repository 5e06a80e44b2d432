"""The deal of a line, as ledgers are served: a line that takes another back belongs to that one's deal."""

import json
from typing import Any

import pytest

from domain.games.ombre import OMBRE
from domain.kernel.ledger import LineAt
from domain.table.actions import OpenDispute, ProposeEnd, RuleDispute
from projections.fold import fold
from projections.ledgers import ledger_of
from tests.support.games import EVERYBODY, READER, Live, chance, finished, step


class OmbreLive(Live):
    game = OMBRE


def served(live: Live) -> list[dict[str, Any]]:
    """The lines of the table's ledger, which are the same from the fold of its record and from that of the log."""
    lines: list[dict[str, Any]] = json.loads(ledger_of(live.table, OMBRE.unit))["lines"]
    folded, changes = fold(READER, live.records)
    assert json.loads(b"[%b]" % folded.lines) == lines
    assert [deal for change in changes for deal in change.deals] == [line["deal"] for line in lines]
    return lines


def take_back(live: Live, *places: LineAt) -> int:
    """Disputes the lines, and has them taken back; the version of the correction."""
    live.command(OpenDispute(EVERYBODY[0], places, None, "Why?"))
    live.command(RuleDispute("an arbiter", len(live.table.disputes), "upheld", "So it was."))
    return live.version


def test_the_end_of_a_game_during_a_deal_takes_back_lines_of_that_deal() -> None:
    live = OmbreLive.started(deals=6)
    while live.table.deal < 2:
        step(live, chance(live.version), rare=0)
    for player in EVERYBODY[:3]:
        live.command(ProposeEnd(player, agree=True))
    assert live.table.status == "finished"
    last = [line for line in served(live) if line["version"] == live.version]
    assert {(line["kind"], line["deal"]) for line in last if line["kind"] == "reversal"} == {("reversal", 2)}
    assert {line["deal"] for line in last if line["kind"] != "reversal"} <= {None}


@pytest.mark.parametrize("counter", [0, 1])
def test_a_correction_takes_back_lines_of_several_deals(counter: int) -> None:
    live = finished(OmbreLive.started(deals=3), chance("corrected"))
    first, second, third = [booked for booked in live.table.booked if booked.deal is not None][:3]
    places = [LineAt(booked.version, counter) for booked in (third, first, second)]
    version = take_back(live, *places)
    own = [line for line in served(live) if line["version"] == version]
    deals = [deal for booked in (third, first, second) for deal in (booked.deal, booked.deal)]
    assert [line["deal"] for line in own if line["kind"] == "reversal"] == deals
    # Taken back in turn, each belongs to the deal of the line that it stood for.
    again = take_back(live, LineAt(version, 2 + counter), LineAt(version, 1 - counter))
    own = [line for line in served(live) if line["version"] == again]
    assert [line["deal"] for line in own] == [*deals[2:4], *deals[:2]]
