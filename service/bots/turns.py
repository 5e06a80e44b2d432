"""When the bots of a table are to act, from what everybody knows of the table."""

from collections.abc import Sequence

from msgspec import Struct

from domain.kernel.game import Game
from domain.record.history import History, Reader
from domain.record.recorded import Recorded
from domain.seats import CLOCK, PUBLIC, Seat, acting_seat
from domain.table.clock import micros
from domain.table.state import bots_playing, seats_due
from service.bots.thinking import Thought
from service.live.whole_acts import same_act

ALONE = 8
"""How many times as long bots pause at a table where nobody else plays, so that nobody waits for them."""

RECENT = 64
"""The events of a table that are kept for the seats of its bots."""


def act_time(since: int, pause: int, now: int) -> int:
    """When a bot acts that is due since then: one pause later, or as many whole pauses as have begun by now.

    All times are in microseconds. Nothing else decides when a bot acts, so the time tells nothing of what it thought.
    Without a pause it acts now.
    """
    return since + max(1, -((since - now) // pause)) * pause if pause else max(since, now)


class Choice(Struct, frozen=True):
    """What a bot has chosen."""

    thought: Thought
    at: int
    """When it acts, in microseconds since 1970."""


class Holding:
    """A bot in a deal without turns, which stops where its acts lead it nowhere.

    It acts until it takes the mildest act, or is back where it has been before. Then it waits for other offers.
    """

    def __init__(self) -> None:
        self._been: set[bytes] = set()
        self._held: bytes | None = None
        """The offers at which it waits; None while it acts."""
        self.mildest = 0
        """The version of its last act that was the mildest one. It waits at the offers right after it: what follows by
        itself may be others.
        """

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
        """Whether it has acted at this place since it began to act."""
        return place in self._been

    def act(self, place: bytes) -> None:
        """Notes that it acted at this place."""
        self._been.add(place)


class Turns:
    """A table, with since when each of its bots is to act, and what each has chosen. Used from one event loop.

    Bots pause for `pause` microseconds, and ALONE times as long where only bots play.
    """

    def __init__(self, reader: Reader, history: History, pause: int) -> None:
        self._reader = reader
        self._pause = pause
        self.history = history
        self.game: Game = reader.of(history.table)
        self.recent: list[Recorded] = []
        """The table's last events, without gaps."""
        self.since: dict[Seat, int] = {}
        """When the event happened that made each bot due, in microseconds since 1970; without bots that are not due."""
        self._choices: dict[Seat, Choice] = {}
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
    def pause(self) -> int:
        """How long a bot pauses before it acts, in microseconds."""
        table = self.history.table
        return self._pause * (ALONE if len(bots_playing(table)) == len(table.players) else 1)

    @property
    def undecided(self) -> list[Seat]:
        """The seats of the bots that are to choose, in the order of their acts.

        Without turns any event may change what they would choose. Until they have chosen again, they act as they chose.
        """
        undecided = [seat for seat in self.since if not self._decided(seat)]
        return sorted(undecided, key=lambda seat: (self.since[seat], seat))

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

    def thinks_until(self, now: int) -> int:
        """When the first bot is to act that has not by now."""
        return min(act_time(since, self.pause, now) for since in self.since.values())

    def choose(self, seat: Seat, since: int, thought: Thought, now: int) -> None:
        """Takes in what the bot chose that is due since then, unless it is not any more."""
        if self.since.get(seat) == since:
            self._choices[seat] = Choice(thought, act_time(since, self.pause, now))

    def first(self) -> int | None:
        """When the first of those acts that have chosen an act; None if none has."""
        return min((choice.at for choice in self._choices.values() if choice.thought.action is not None), default=None)

    def due(self, now: int) -> Seat | None:
        """The seat whose act's time has come first, of several at once the one of the lowest number."""
        ready = [(one.at, seat) for seat, one in self._choices.items() if one.thought.action is not None]
        at, seat = min(ready, default=(now + 1, 0))
        return seat if at <= now else None

    @property
    def busy(self) -> bool:
        """Whether a bot is to choose or to act."""
        return bool(self.undecided) or self.first() is not None

    def take(self, seat: Seat) -> Thought:
        """What the bot has chosen; if it is not done, it must choose again."""
        return self._choices.pop(seat).thought

    def _follow_act(self, act: Sequence[Recorded]) -> None:
        history = self._reader.history(act, self.history, PUBLIC)
        if history is not None:
            self.history = history
        self.recent = [*self.recent, *act][-RECENT:]
        if any(record.actor == CLOCK for record in act):
            # It may have acted for a bot.
            self._choices.clear()
        self._settle({acting_seat(record.actor) for record in act}, micros(act[-1].at))

    def _decided(self, seat: Seat) -> bool:
        choice = self._choices.get(seat)
        if choice is None:
            return False
        # What others have answered meanwhile changes nothing of an act that was chosen.
        lasts = choice.thought.action is not None and not self.turnless
        return lasts or choice.thought.version == self.version

    def _settle(self, acted: "set[Seat | None] | tuple[()]", at: int) -> None:
        """Notes which bots are to act after an act of these seats at this time."""
        table, turnless = self.history.table, self.turnless
        bots = () if table.over else bots_playing(table)
        waited = bots if turnless else seats_due(self.game, table)
        if self.holding and not turnless:
            # There is something else to do now.
            self.holding.clear()
            self._choices.clear()
        since: dict[Seat, int] = {}
        for seat in bots:
            if seat in waited:
                since[seat] = at if seat in acted else self.since.get(seat, at)
            if turnless:
                self.holding.setdefault(seat, Holding())
        self._choices = {seat: one for seat, one in self._choices.items() if since.get(seat) == self.since[seat]}
        self.since = since
