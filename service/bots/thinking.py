"""What a bot does at its turn, within the time that there is for it: the busier, the fewer worlds it tries."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from select import select

import msgspec
from msgspec import Struct

from domain.kernel.action import Action
from domain.opponents.choosing import LEVELS
from domain.seats import Seat
from domain.table.seat_offers import default_action
from service.bots.chance import chance_of
from service.bots.seats import FollowedSeat

BUDGET_S = 1.0
"""The most seconds for an act."""

QUEUE_S = 2.0
"""Seconds within which all acts that wait are to be chosen, where their times are later or there is no pause."""

YIELD_S = 0.001
"""Seconds between two looks whether acts are being taken."""

REMEMBERED = 0.7
"""The weight of earlier worlds of a game in what one is expected to take."""

HOPE = 0.99
"""By this factor a world is expected to take less, after each act for which there was no time for one."""


class Thought(Struct, frozen=True):
    """What a bot wants to do."""

    action: Action | None
    """None for nothing."""
    fallback: Action | None
    """The mildest act."""
    version: int
    """The version of the table that it knows."""
    own: int
    """The version of the seat's last own event, as in FollowedSeat."""
    worlds: int = 0
    """The number of worlds in which it tried acts."""
    hurried: bool = False
    """Whether there was no time for as many worlds as its level has."""
    error: Exception | None = None
    """Why the mildest act was taken, where the bot could not choose."""
    place: bytes = b""
    """Where it is, in a deal without turns."""

    @property
    def mildest(self) -> bool:
        """Whether the action is the mildest one."""
        return self.action is not None and self.action == self.fallback


class Stopwatch:
    """Says before each world whether there is time left for it, and counts those for which there was.

    The first is expected to take `world_s` seconds, and each later one as long as the longest of those before it. The
    time ends at `end`, which may become earlier. Worlds give way to acts that are taken within so many seconds as
    `acting` is called with, but for no longer than they took themselves.
    """

    def __init__(
        self,
        clock: Callable[[], float],
        end: Callable[[], float],
        world_s: float,
        acting: Callable[[float], bool] = lambda _: False,
    ) -> None:
        self._clock = clock
        self._end = end
        self._acting = acting
        self._thought_s = self._waited_s = 0.0
        self._began: float | None = None
        self.world_s = world_s
        self._longest = world_s
        self.worlds = 0
        self.hurried = False

    def __call__(self) -> bool:
        """Whether there is time for another world."""
        now = self._look()
        while self._waited_s < self._thought_s and self._acting(self._longest):
            # `time.sleep` refuses where a library of tests sets the clock back.
            select([], [], [], YIELD_S)
            self._waited_s += YIELD_S
            now = self._clock()
        if now + self._longest > self._end():
            self.hurried = True
            self._began = None
            return False
        self._began = now
        self.worlds += 1
        return True

    def stop(self) -> None:
        """Ends the last world."""
        self._look()

    def _look(self) -> float:
        now = self._clock()
        if self._began is not None:
            self.world_s = now - self._began
            self._longest = max(self._longest, self.world_s)
            self._thought_s += self.world_s
        return now


class Thinking:
    """Chooses acts, one at a time. `clock` gives seconds."""

    def __init__(
        self, secret: bytes, *, budget_s: float = BUDGET_S, clock: Callable[[], float] = time.perf_counter
    ) -> None:
        self._secret = secret
        self._budget_s = budget_s
        self._clock = clock
        self._left = False
        self._world_s: dict[str, float] = {}
        """The seconds that a world took lately, by game."""

    @contextmanager
    def until_left(self) -> Iterator[None]:
        """When the context is left, there is no more time for what is being chosen in another thread."""
        self._left = False
        try:
            yield
        finally:
            self._left = True

    def budget_s(self, left_s: float, waiting: int) -> float:
        """The seconds for an act that is to be chosen within `left_s`, while so many others wait."""
        return min(self._budget_s, min(QUEUE_S, left_s) / (waiting + 1))

    def choose(
        self,
        table: str,
        seat: Seat,
        level: str,
        followed: FollowedSeat,
        left_s: float,
        waiting: Callable[[], int],
        acting: Callable[[float], bool] = lambda _: False,
    ) -> Thought:
        """The act that the seat's bot chooses in a deal, or that it is ready for one.

        It is chosen within `left_s` seconds, less if others begin to wait, and gives way to acts that are taken within
        so many seconds as `acting` is called with. Where the bot fails, it is the mildest act.
        """
        known, own, opponent, mildest = followed.version, followed.own, followed.opponent, mildest_act(followed, seat)
        if opponent is None or followed.table.running_deal is None:
            return Thought(mildest, mildest, known, own)
        game, began = followed.table.game, self._clock()

        def end() -> float:
            return -inf if self._left else began + self.budget_s(left_s, waiting())

        watch = Stopwatch(self._clock, end, self._world_s.get(game, 0.0), acting)
        try:
            action = opponent.choose(LEVELS.get(level, 0), chance_of(self._secret, table, seat, known), watch)
        except Exception as error:  # the table must go on whatever is wrong with the bot
            return Thought(mildest, mildest, known, own, error=error)
        watch.stop()
        self._learn(game, watch)
        return Thought(action, mildest, known, own, watch.worlds, watch.hurried)

    def _learn(self, game: str, watch: Stopwatch) -> None:
        """Takes in how long a world took; where there was no time for one, it may by now take less."""
        known = self._world_s.get(game, watch.world_s)
        if watch.worlds:
            self._world_s[game] = REMEMBERED * known + (1 - REMEMBERED) * watch.world_s
        elif watch.hurried:
            self._world_s[game] = HOPE * known


def offered(followed: FollowedSeat, seat: Seat) -> bytes:
    """What the seat is offered in the running deal, as JSON."""
    offers = followed.game.decider.offers(followed.table.deal_state, seat)
    return msgspec.json.encode([offer.describe() for offer in offers])


def place(followed: FollowedSeat, seat: Seat) -> bytes:
    """What the seat is offered, and what it has before it, as JSON."""
    own = followed.table
    seen = followed.game.showing.seats(own.players, own.deal_state)[seat]
    return offered(followed, seat) + msgspec.json.encode(seen)


def mildest_act(followed: FollowedSeat, seat: Seat) -> Action | None:
    """The mildest act that the seat is offered; None if there is none."""
    try:
        return default_action(followed.game, followed.table, seat)
    except ValueError:
        return None
