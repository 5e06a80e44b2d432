"""When the bots of a table are to act, from what everybody knows of the table."""

from collections.abc import Sequence

from domain.kernel.game import Game
from domain.record.history import History, Reader
from domain.record.recorded import Recorded
from domain.seats import PUBLIC, Seat, bot_in, seat_in
from domain.table.clock import micros
from domain.table.state import bots_playing, seats_due
from service.live.whole_acts import same_act

RECENT = 64
"""The events of a table that are kept for the seats of its bots."""


class Holding:
    """A bot in a deal without turns, which stops where its acts lead it nowhere.

    It acts until it takes the mildest act, or is back where it has been before. Then it waits for other offers.
    """

    def __init__(self) -> None:
        self._been: set[bytes] = set()
        self._held: bytes | None = None
        """The offers at which it waits; None while it acts."""

    def hold(self, offers: bytes) -> None:
        """Waits until the offers are others than these."""
        self._held = offers

    def waits(self, offers: bytes) -> bool:
        """Whether it still waits at these offers. If it does not any more, it begins anew."""
        if self._held == offers:
            return True
        if self._held is not None:
            self._held = None
            self._been.clear()
        return False

    def returned(self, place: bytes) -> bool:
        """Whether it has been at this place since it began to act; it is there now."""
        before = place in self._been
        self._been.add(place)
        return before


class Turns:
    """A table, with since when each of its bots is to act. Used from one event loop."""

    def __init__(self, reader: Reader, history: History) -> None:
        self._reader = reader
        self.history = history
        self.game: Game = reader.of(history.table)
        self.recent: list[Recorded] = []
        """The table's last events, without gaps."""
        self.since: dict[Seat, int] = {}
        """When the event happened that made each bot due, in microseconds since 1970; without bots that are not due."""
        self.holding: dict[Seat, Holding] = {}
        """The bots in a deal without turns."""
        self._settle((), micros(history.at))

    @property
    def version(self) -> int:
        """The version of the table's last event."""
        return self.history.version

    @property
    def turnless(self) -> bool:
        """Whether a deal is running in which anybody may act, and nobody must."""
        table = self.history.table
        return table.running_deal is not None and not seats_due(self.game, table)

    @property
    def alone(self) -> bool:
        """Whether bots play at all seats."""
        table = self.history.table
        return len(bots_playing(table)) == len(table.players)

    def follow(self, records: Sequence[Recorded]) -> None:
        """Follows the next events, in whole acts; those that were followed are skipped, and those after a gap too.

        Raises Unreadable.
        """
        act: list[Recorded] = []
        for record in records:
            if record.version != self.version + len(act) + 1:
                continue
            if act and not same_act(act[-1], record):
                self._follow_act(act)
                act = []
            act.append(record)
        if act:
            self._follow_act(act)

    def first(self) -> int | None:
        """Since when the bot is to act that has been for longest; None if none is."""
        return min(self.since.values(), default=None)

    def due(self, until: int) -> Seat | None:
        """The seat of the bot that has been to act for longest, of those that have since this time."""
        due = min(self.since, key=lambda seat: (self.since[seat], seat), default=None)
        return due if due is not None and self.since[due] <= until else None

    def wait(self, seat: Seat) -> None:
        """Lets the bot wait until the next event."""
        self.since.pop(seat, None)

    def _follow_act(self, act: Sequence[Recorded]) -> None:
        history = self._reader.history(act, self.history, PUBLIC)
        if history is not None:
            self.history = history
        self.recent = [*self.recent, *act][-RECENT:]
        self._settle({_seat(record.actor) for record in act}, micros(act[-1].at))

    def _settle(self, acted: "set[Seat | None] | tuple[()]", at: int) -> None:
        """Notes which bots are to act after an act of these seats at this time."""
        table, turnless = self.history.table, self.turnless
        bots = () if table.over else bots_playing(table)
        waited = bots if turnless else seats_due(self.game, table)
        if not turnless:
            self.holding.clear()
        since: dict[Seat, int] = {}
        for seat in bots:
            if seat in waited:
                since[seat] = at if seat in acted else self.since.get(seat, at)
            if turnless:
                self.holding.setdefault(seat, Holding())
        self.since = since


def _seat(actor: str) -> Seat | None:
    """The seat that the actor acts for."""
    seat = bot_in(actor)
    return seat_in(actor) if seat is None else seat
