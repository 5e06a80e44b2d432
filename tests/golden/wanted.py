"""What recorded games must be there: of each game those that show all that can happen, and those of tables."""

from collections.abc import Mapping

from domain.table.options import SpectatorDelay
from tests.golden.labels import Golden
from tests.support.helpers import helper
from tests.support.registry import GAMES

GOLDEN: Mapping[str, Golden] = {name: helper(name, "golden") for name in GAMES}

TABLES = ("left-and-closed", "table-expired", "table-under-clock", "table-abandoned", "table-with-bots")
"""Tables whose games never came to their end: their recorded games show the events of a table's life."""

LATE: Mapping[str, SpectatorDelay] = {
    "table-late-by-events": SpectatorDelay(events=12),
    "table-late-by-time": SpectatorDelay(seconds=7),
}
"""Tables that spectators see late, of one game alone: their recorded games say how far spectators see (TL-6.1)."""

SHORTEST = "don"
"""The game with the fewest events in a deal."""
