"""The scores of sides in views: those of the deal while it is played, then those that the totals make."""

from domain.registry import GAMES
from domain.table.events import DealScored, GameFinished, LedgerCorrected
from domain.table.state import Table
from domain.table.view import view
from tests.golden.games import names, records
from tests.support.for_each import for_each
from tests.support.games import READER

SIDED = [name for name, game in GAMES.items() if "sides" in game.showing.view.__struct_fields__]

CHANGING = {DealScored.TYPE, GameFinished.TYPE, LedgerCorrected.TYPE}
"""The events with which totals change between deals."""


@for_each("of", SIDED)
def test_between_deals_the_scores_of_sides_are_those_of_the_totals_after_corrections_too(of: str) -> None:
    corrected = False
    for name in names(of):
        table: Table | None = None
        for record in records(of, name):
            table = READER.fold(table, [record])
            if record.type not in CHANGING or table.running_deal is not None or table.deal_state is None:
                continue
            shown = view(READER.of(table), table, "public")
            due = [sum(table.totals[seat] for seat in side.seats) // len(side.seats) for side in shown.sides]
            assert [side.score for side in shown.sides] == due, (name, record.version)
            corrected |= record.type == LedgerCorrected.TYPE
    assert corrected
    assert SIDED == ["burraco", "diloti", "don"]
