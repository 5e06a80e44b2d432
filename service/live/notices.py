"""What a player's stream and webhooks tell: it is the player's turn, or something became of one of the player's games.

A notice follows from one event and goes to one player who sits at the table. Its kind is the type of that event, or
`your-turn` where the event made the seat one that must act. An event may have two notices for one player.

Tables are folded as the public knows them, so a notice cannot hold a secret: `to_act` is equal on all folds.
"""

from collections import OrderedDict
from collections.abc import Sequence
from typing import Literal, TypeAlias, get_args

from msgspec import Struct
from msgspec.structs import replace

from domain.record.history import Reader
from domain.record.recorded import Recorded
from domain.seats import PUBLIC, Seat
from domain.table.state import Table, evolve
from domain.table.view import to_act
from service.store.store import Store

Kind: TypeAlias = Literal["your-turn", "game-started", "deal-scored", "game-finished", "dispute-ruled"]
KINDS: tuple[Kind, ...] = get_args(Kind)

_YOUR_TURN: Kind = "your-turn"


class Notice(Struct, frozen=True, gc=False):
    """Something that a player is told."""

    kind: Kind
    player: str
    seat: Seat
    """The player's seat at the event's table."""
    record: Recorded
    """The event that it follows from."""


def follow(reader: Reader, before: Table | None, records: Sequence[Recorded]) -> tuple[Table, list[Notice]]:
    """The table after these events of it, at least one, and their notices in order.

    They follow on `before`, the public's fold; None stands for a table that is not open yet. Raises UnknownEvent.
    """
    if before is None:
        before, records = reader.opened(records[0], PUBLIC), records[1:]
    table, notices = before, []
    game = reader.of(table)
    acting = to_act(game, table)
    for record in records:
        # What is booked is not asked for here, and would grow with the game.
        table = replace(evolve(game, table, reader.read(record, PUBLIC)), booked=())
        now_acting = to_act(game, table)
        if record.type in KINDS:
            notices += _to(table, range(len(table.players)), record.type, record)
        if now_acting != acting:
            notices += _to(table, [seat for seat in now_acting if seat not in acting], _YOUR_TURN, record)
            acting = now_acting
    return table, notices


def _to(table: Table, seats: Sequence[Seat], kind: Kind, record: Recorded) -> list[Notice]:
    """The notice to the players in these seats."""
    return [Notice(kind, player, seat, record) for seat in seats if (player := table.players[seat]) is not None]


class FollowedTables:
    """Makes the notices of events as they come; at most `capacity` tables are kept, others are folded again."""

    def __init__(self, store: Store, reader: Reader, *, capacity: int = 5_000) -> None:
        self._store = store
        self._reader = reader
        self._capacity = capacity
        self._tables: OrderedDict[str, Table] = OrderedDict()

    async def notices(self, records: Sequence[Recorded]) -> list[Notice]:
        """The notices of these events, in the order of the log; no event of a table between two of them is left out.

        Raises StoreUnavailable, UnknownEvent.
        """
        streams: dict[str, list[Recorded]] = {}
        for record in records:
            streams.setdefault(record.table, []).append(record)
        notices: list[Notice] = []
        for table, stream in streams.items():
            before = await self._before(stream[0])
            after, made = follow(self._reader, before, stream)
            self._keep(table, after)
            notices += made
        notices.sort(key=lambda notice: notice.record.position)
        return notices

    async def _before(self, record: Recorded) -> Table | None:
        """The table as it was before this event; None before its first."""
        if record.version == 1:
            return None
        known = self._tables.get(record.table)
        if known is not None and known.version == record.version - 1:
            return known
        outline = await self._store.outline(record.table, self._reader.outlasting, record.version - 1)
        return self._reader.fold(None, outline, PUBLIC)

    def _keep(self, name: str, table: Table) -> None:
        if table.over:
            self._tables.pop(name, None)
            return
        self._tables[name] = table
        self._tables.move_to_end(name)
        while len(self._tables) > self._capacity:
            self._tables.popitem(last=False)
