"""The rules of a table's life (TL): clocks, absence, leaving, talk, bots, ends before a game's own rules end it."""

from collections.abc import Callable, Collection, Mapping
from datetime import datetime, timedelta
from typing import Any

from tests.support.checker.chance import Envelope
from tests.support.checker.shapes import (
    Test,
    from_to,
    is_bool,
    is_opponent,
    is_seat,
    is_text,
    list_of,
    one_of,
    record_of,
    record_with,
    seat_only,
    time_of,
)

Must = Callable[[bool, str, str], None]

_is_clock = record_of(
    seconds=from_to(1, 2_592_000), reserve=from_to(0, 2_592_000), increment=from_to(0, 86_400),
    absent_after=from_to(1, 100),
)  # fmt: skip
_by_time, _by_events = record_of(seconds=from_to(1, 3600)), record_of(events=from_to(1, 1000))


def _is_delay(value: object) -> bool:
    """By time or by events."""
    return _by_time(value) or _by_events(value)


_is_options = record_with(
    record_of(), clock=_is_clock, on_abandon=one_of("end"), visibility=one_of("unlisted", "private"),
    talk=one_of(True), spectator_delay=_is_delay,
)  # fmt: skip


def is_options(value: object) -> bool:
    """The table's own options: those that are not as by default, and there are some."""
    return _is_options(value) and value != {}


is_clocks = list_of(record_of(reserve_ms=from_to(0, 10**15), run_out=from_to(0, 10**6)))

SHAPES: Mapping[str, tuple[Test, Mapping[str, Test]]] = {
    "table-expired": (record_of(), {}),
    "end-proposed": (record_of(seat=is_seat, agree=is_bool), {}),
    "seat-abandoned": (seat_only, {}),
    "seat-taken-over": (seat_only, {}),
    "seat-resumed": (seat_only, {}),
    "substitute-seated": (record_of(seat=is_seat, opponent=is_opponent), {}),
    "table-talk": (seat_only, {"public": record_of(text=is_text)}),
}

LEAVING = {"end-proposed", "seat-abandoned", "seat-taken-over", "seat-resumed", "substitute-seated"}
"""What may come between any two acts of a game that is on."""


class EarlyEnd(Exception):
    """The game ends before its rules end it."""


class Life:
    """What a table's own rules look at. `must` complains of what breaks them.

    The game waits for one seat at a time: from the last event on that was an act or followed from one. Only acts of the
    types `together` are waited for from all seats at once, each from the event on before the first of them.
    """

    def __init__(self, own: Mapping[str, Any], seats: int, together: Collection[str], must: Must) -> None:
        self.clock: Mapping[str, int] | None = own.get("clock")
        self.talks = "talk" in own
        self.said = [0] * seats
        """How often each seat has talked since the last deal began."""
        self.ends: bool = own.get("on_abandon") == "end"
        self.seats = seats
        self.together = {"player-ready", *together}
        self.must = must
        self.reserves = [1000 * self.clock["reserve"] if self.clock else 0] * seats
        self.run_out = [0] * seats
        self.agreed: list[int] = []
        self.abandoned: list[int] = []
        self.bots: list[int] = []
        """The seats that the house plays."""
        self.substitutes: set[int] = set()
        """Those among them at which a bot plays on."""
        self.opponents: dict[int, str | None] = {}
        """The seats of bots that take part as players, with the player who seated each; null: the opener did."""
        self.due: tuple[str, int] | None = None
        """What has to come next by itself: its type and seat."""
        self.last: Envelope | None = None
        """The last event that was an act, or followed from one."""
        self.before: Envelope | None = None
        """The last one before that."""
        self.waiting: int | None = None
        """The seat whose time goes on since then."""
        self.began: datetime | None = None
        """From when all have been waited for."""
        self.kind = ""

    def act(self, event: Envelope, *, free: bool) -> bool:
        """An act of a seat, which needs no turn if it is `free`; whether it follows by itself, as the house's do."""
        seat, actor = event["public"]["seat"], event["actor"]
        self.must(self.due is None, f"{self.due} is missing", "TL-3.1")
        if actor == f"bot:{seat}" and self.by_bot(seat):
            if not free:
                self._stopped(event, seat, by_player=True)
            return False
        if actor == f"bot:{seat}":
            self.must(seat in self.bots and not free, f"the house does not play seat {seat}", "TL-3.1")
            return True
        if actor == "clock":
            self.must(not free and (seat not in self.bots or self.by_bot(seat)), "no time ran for the seat", "TL-2.3")
            self._stopped(event, seat, by_player=False)
            return False
        self.must(actor == f"seat:{seat}", f"{actor} acts for seat {seat}", "record")
        self.must(seat not in self.abandoned, f"seat {seat} has left the game", "TL-3.3")
        self.must(seat not in self.opponents, f"seat {seat} is a bot's", "TL-7.2")
        if seat in self.bots:
            self.must(free or seat in self.substitutes, f"the house plays seat {seat}", "TL-3.1")
            self.due = ("seat-resumed", seat)
        if not free and (seat not in self.bots or seat in self.substitutes):
            self._stopped(event, seat, by_player=True)
        return False

    def by_bot(self, seat: int) -> bool:
        """Whether a bot plays the seat, and not a person, nor the house with the mildest acts."""
        return seat in (self.substitutes if seat in self.bots else self.opponents)

    def moved(self, event: Envelope) -> None:
        """An act that was waited for, or an event that follows by itself."""
        if event["type"] in self.together:
            if self.kind != event["type"]:
                self.began = self._time()
            self.kind = event["type"]
        else:
            self.kind = ""
        self.before, self.last, self.waiting = self.last, event, None

    def goes_on(self, seat: int) -> None:
        """The game waited for the seat already before the last act, which was another's and needed no turn."""
        self.waiting = seat

    def _time(self, seat: int | None = None) -> datetime | None:
        since = self.last if seat is None or seat != self.waiting else self.before
        return None if since is None else time_of(since["at"])

    def _stopped(self, event: Envelope, seat: int, *, by_player: bool) -> None:
        """TL-2.1 to TL-2.4."""
        if self.clock is None:
            self.must(by_player, "there is no clock", "TL-2.3")
            return
        since = self.began if self.kind == event["type"] and event["type"] in self.together else self._time(seat)
        assert since is not None
        microseconds = (time_of(event["at"]) - since) // timedelta(microseconds=1)
        beyond = -(-microseconds // 1000) - 1000 * self.clock["seconds"]
        allowed = 1_000_000 * self.clock["seconds"] + 1000 * self.reserves[seat]
        self.reserves[seat] -= min(self.reserves[seat], max(0, beyond))
        if by_player:
            self.reserves[seat] += 1000 * self.clock["increment"]
            self.run_out[seat] = 0
        else:
            self.must(microseconds >= allowed, "the time had not run out", "TL-2.3")
            self.run_out[seat] += 1
            if self.run_out[seat] >= self.clock["absent_after"]:
                self.due = ("seat-taken-over", seat)

    def talk(self, event: Envelope) -> None:
        """TL-5: something that is said, and is no act."""
        seat = event["public"]["seat"]
        self.said[seat] += 1
        self.must(self.due is None, f"{self.due} is missing", "TL-3.1")
        self.must(event["actor"] == f"seat:{seat}", f"{event['actor']} talks for seat {seat}", "TL-5.1")
        self.must(seat not in self.abandoned, f"seat {seat} has left the game", "TL-5.1")
        self.must(self.said[seat] <= 50, f"seat {seat} has talked more than 50 times", "TL-5.2")
        words = event["sealed"].get("public")
        self.must(words is None or 1 <= len(words["data"]["text"]) <= 280, "the text is too long", "TL-5.1")

    def dealt(self, event: Envelope) -> None:
        """What the clocks carry into a deal. Talk is counted anew."""
        self.said = [0] * self.seats
        due = [
            {"reserve_ms": reserve, "run_out": run_out}
            for reserve, run_out in zip(self.reserves, self.run_out, strict=True)
        ]
        clocks = event["public"].get("clocks")
        self.must(clocks == (due if self.clock else None), f"the clocks are {clocks} and should be {due}", "TL-2.1")

    def left(self, event: Envelope) -> bool:
        """An event of leaving; whether it follows by itself."""
        seat, type_ = event["public"]["seat"], event["type"]
        if type_ == "substitute-seated":
            self._substituted(event, seat)
            return False
        follows = self.due == (type_, seat)
        self.must(follows or self.due is None, f"{self.due} is missing", "TL-3.1")
        self.must(event["actor"] == ("house" if follows else f"seat:{seat}"), "another does it", "record")
        self.must(follows or seat not in self.abandoned, f"seat {seat} has left the game", "TL-3.3")
        self.due = None
        match type_:
            case "end-proposed" if event["public"]["agree"]:
                self.must(seat not in self.agreed, f"seat {seat} has agreed already", "TL-4.1")
                self.agreed.append(seat)
            case "end-proposed":
                self.must(bool(self.agreed), "nobody has proposed an end", "TL-4.1")
                self.agreed = []
            case "seat-abandoned":
                self.abandoned.append(seat)
                if not self.ends and seat not in self.bots:
                    self.due = ("seat-taken-over", seat)
            case "seat-taken-over":
                self.must(follows, f"the house need not play seat {seat}", "TL-3.1")
                self.bots = [*self.bots, seat] if seat not in self.bots else self.bots
                self.substitutes.discard(seat)
            case _:
                self.must(seat in self.bots, f"seat {seat} is not absent", "TL-3.2")
                self.bots = [bot for bot in self.bots if bot != seat]
                self.substitutes.discard(seat)
                self.run_out[seat] = 0
        return follows

    def _substituted(self, event: Envelope, seat: int) -> None:
        """TL-7.3."""
        self.must(self.due is None, f"{self.due} is missing", "TL-3.1")
        self.must(seat in self.bots and seat not in self.substitutes, f"the house does not play seat {seat}", "TL-7.3")
        asked = [f"seat:{each}" for each in range(self.seats) if each not in (*self.abandoned, *self.opponents)]
        self.must(event["actor"] in ("house", *asked), f"{event['actor']} seats a substitute", "TL-7.3")
        self.substitutes.add(seat)
        self.run_out[seat] = 0

    @property
    def out(self) -> int | None:
        """The seat that cannot win."""
        return self.abandoned[0] if self.ends and self.abandoned else None

    @property
    def ended(self) -> str | None:
        """Why the game ends, though by its rules it goes on; null while it does go on."""
        if self.out is not None:
            return f"abandoned by seat {self.out}"
        people = set(range(self.seats)) - self.opponents.keys()
        if (people or set(range(self.seats))) <= set(self.bots):
            return "no player is left"
        agree = bool(self.agreed) and people <= {*self.agreed, *self.abandoned}
        return "ended by agreement" if agree else None

    def expired(self, opened: Envelope, event: Envelope) -> None:
        """TL-1.3."""
        self.must(event["actor"] == "clock", "the clock closes the table", "TL-1.3")
        late = time_of(event["at"]) - time_of(opened["at"]) >= timedelta(days=7)
        self.must(late, "the table had not expired", "TL-1.3")
