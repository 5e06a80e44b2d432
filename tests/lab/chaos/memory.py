"""What clients write down: every request with its answer, and every frame of a stream.

All clients run in one process, so one counter orders what they do as it really happened.
"""

from collections import defaultdict
from collections.abc import Mapping
from itertools import count
from typing import Any, Literal, TypeAlias

from msgspec import Struct

Kind: TypeAlias = Literal["act", "offers", "view", "replay", "ledger"]

HELD_BACK = frozenset({429, 502, 503, 504})
"""The statuses with which a client is asked to come again."""


class Call(Struct):
    """A request about a table, and its answer."""

    kind: Kind
    client: int
    table: str
    seat: int | None
    """The caller's seat; None without a token."""
    asked: int
    """When the request was sent, by the memory's counter."""
    key: str = ""
    """The idempotency key of an act."""
    body: Mapping[str, Any] | None = None
    least: int | None = None
    """The `min_version` that was asked for."""
    at: int | None = None
    """The version that a replay was asked for."""
    expected: int | None = None
    """The only version at which an act may be taken; None for any."""
    answered: int | None = None
    """When the answer had arrived; None if none did."""
    status: int = 0
    replayed: bool = False
    answer: Any = None
    """The body of the answer."""

    @property
    def version(self) -> int | None:
        """The version that the answer names."""
        return self.answer.get("version") if isinstance(self.answer, dict) else None


class Frame(Struct):
    """A frame of a stream."""

    opened: int
    """The number of the connection over which it came."""
    kind: str
    id: int | None
    data: Any
    heard: int
    """When it came, by the memory's counter."""


class Listening(Struct):
    """Everything that came over one client's stream of a table, which it opened again after each end."""

    table: str
    seat: int | None
    frames: list[Frame]

    @property
    def last(self) -> int | None:
        """The version of the last event; None before the first."""
        return next((frame.id for frame in reversed(self.frames) if frame.kind == "event"), None)


class Notice(Struct, frozen=True, order=True):
    """What a webhook says about an event."""

    table: str
    version: int
    kind: str
    player: str


class Memory:
    """What all clients have written down."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self.streams: list[Listening] = []
        self.statements: dict[str, list[dict[str, Any]]] = {}
        """The booked lines of each player, as the player was told of them in the end, newest first."""
        self.boards: dict[str, dict[str, int]] = {}
        """The totals of the players of each game on its leaderboard in the end."""
        self.lists: list[dict[str, Any]] = []
        """The tables of the list in the end."""
        self.begun: dict[str, int] = {}
        """The version that a table had when clients came, if it was not theirs from the first."""
        self.subscribed: set[str] = set()
        """The players who are notified by webhook."""
        self.notices: defaultdict[Notice, set[str]] = defaultdict(set)
        """The ids of the messages that brought each notice."""
        self.raised: list[str] = []
        """What kits have found to be altered or missing, and streams that were refused."""
        self.acknowledged = 0
        """The number of acts whose first acknowledgement has arrived."""
        self._acknowledged: set[str] = set()
        self._ticks = count(1)

    def now(self) -> int:
        """The next number of the counter."""
        return next(self._ticks)

    def ask(self, call: Call) -> Call:
        """Writes down a request that is about to be sent."""
        self.calls.append(call)
        return call

    def answer(self, call: Call, status: int, body: Any, *, replayed: bool = False) -> None:
        """Writes down the answer to a request."""
        call.answered, call.status, call.answer, call.replayed = self.now(), status, body, replayed
        if call.kind == "act" and status == 201 and call.key not in self._acknowledged:
            self._acknowledged.add(call.key)
            self.acknowledged += 1

    def listen(self, table: str, seat: int | None) -> Listening:
        """A new stream."""
        made = Listening(table, seat, [])
        self.streams.append(made)
        return made
