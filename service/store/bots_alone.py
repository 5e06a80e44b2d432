"""The tables at which only bots play. They go on without anybody, so there are no more than so many at a time."""

from datetime import datetime
from typing import Literal, TypeAlias, cast

from domain.table.events import ENDINGS
from service.store.database import Database

MOST_OF_PLAYER = 8
"""The most running tables of a player's at which only bots play: more than anybody looks at."""

MOST_OF_ALL = 200
"""The most running tables at which only bots play: so many are beside people's in the benchmark of bots' tables."""

Outcome: TypeAlias = Literal["begun", "player", "all"]


class BotsAlone:
    """Counts, in a database, the tables at which only bots play. Its methods raise `StoreUnavailable` on an outage."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def begin(self, table: str, player: str, at: datetime) -> Outcome:
        """Counts a table of the player's before it begins, unless the player or all players have too many running.

        A table whose game has not started a minute later counts no more.
        """
        ((outcome,),) = await self._database.call(
            "codille.begin_bots_alone", table, player, at, sorted(ENDINGS), MOST_OF_PLAYER, MOST_OF_ALL
        )
        return cast("Outcome", outcome)

    async def end(self, table: str) -> None:
        """Takes back what `begin` has counted, for a table that was not opened."""
        await self._database.call("codille.end_bots_alone", table)
