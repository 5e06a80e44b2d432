"""What players are to be told of a record, as the house's fold has it."""

from collections.abc import Sequence

from domain.record.recorded import Recorded
from domain.table.state import evolve
from domain.table.view import to_act
from tests.support.projecting import READER

Told = tuple[str, int, str, str]
"""Table, version, kind and player of a notice."""

EVENTS = {
    "game-started": "game-started",
    "deal-scored": "deal-scored",
    "game-finished": "game-over",
    "table-closed": "table-closed",
    "table-expired": "table-closed",
    "dispute-ruled": "dispute-ruled",
    "table-opened": "rematch",
}


def due(records: Sequence[Recorded]) -> list[Told]:
    """The notices of a table's whole record, in order."""
    table = READER.opened(records[0])
    game = READER.of(table)
    kept = () if table.rematch is None else table.rematch.players
    told = [(table.table, 1, "rematch", player) for player in kept if player != table.opener]
    for record in records[1:]:
        before, table = table, evolve(game, table, READER.read(record))
        kinds = [EVENTS[record.type]] if record.type in EVENTS else []
        began = set(to_act(game, table)) - set(to_act(game, before))
        for seat, player in enumerate(table.players):
            both = [*kinds, *(["your-turn"] if seat in began else [])]
            told += [(record.table, record.version, kind, str(player)) for kind in both]
    return told
