"""The checker finds nothing in a game that clients were told right, and each way in which they may be told wrong.

`test_bugs.py` does the same with services that have bugs, in `make long`.
"""

import random
import re
from collections.abc import Callable, Sequence
from copy import deepcopy
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.games.crocodile import CROCODILE
from domain.kernel.rejection import Rejected
from domain.record.envelope import served
from domain.record.history import Reader, record_command, record_opening
from domain.record.recorded import Recorded
from domain.seats import PUBLIC, seat_audience
from domain.table.actions import Act, OpenTable, TakeSeat
from domain.table.clock import micros
from domain.table.decide import act
from domain.table.events import CardsDealt, DealScored
from domain.table.options import DAY, DEFAULT, SpectatorDelay, TableOptions
from domain.table.seat_offers import offers
from domain.table.state import Table, evolve
from domain.table.talk import actions_of
from domain.table.view import to_act, view
from tests.lab.chaos.checker import LISTED, Log, booked, check, check_deadlines, last_seen, notices, totals
from tests.lab.chaos.memory import Call, Frame, Kind, Memory
from tests.support.games import EVERYBODY, SEED, moment
from tests.support.picking import pick
from tests.support.registry import GAMES

READER = Reader(GAMES)
TABLE = "01970000-0000-7000-8000-000000000001"
SEATS = range(3)


def plain(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


class Told:
    """A game of Crocodile, and what its players were told of it, which the tests alter."""

    def __init__(self, options: TableOptions = DEFAULT) -> None:
        self.memory = Memory()
        self.records: list[Recorded] = []
        self._rng = random.Random(7)  # noqa: S311 (no secret)
        self._known: dict[int, Table] = {}
        opening = OpenTable(EVERYBODY[0], 3, CROCODILE.options(), SEED, options)
        self._history, records = record_opening(CROCODILE, TABLE, opening, moment(0))
        self._add(records)
        for seat in SEATS:
            self._take(TakeSeat(EVERYBODY[seat], seat))
        while not self._history.table.over:
            self._turn(to_act(CROCODILE, self._history.table)[0])
        self._in_the_end()

    @property
    def log(self) -> Log:
        """The log as it is read."""
        records = [replace(record, position=number) for number, record in enumerate(self.records, 1)]
        last = records[-1]
        return Log(records, {TABLE: (last.version, last.hash)}, len(records), [], micros(moment(last.version).at))

    def found(self) -> list[str]:
        """What the checker finds."""
        return list(check(READER, self.log, self.memory))

    def act(self) -> Call:
        """An act that was acknowledged, from the middle of the game."""
        acts = [call for call in self.memory.calls if call.status == 201]
        return acts[len(acts) // 2]

    def call(self, kind: str, status: int = 200) -> Call:
        """The last call of a kind that was answered so."""
        return [call for call in self.memory.calls if (call.kind, call.status) == (kind, status)][-1]

    def _add(self, given: Sequence[Recorded]) -> list[Recorded]:
        first = len(self.records) + 1
        records = [replace(record, position=number) for number, record in enumerate(given, first)]
        self.records += records
        for record in records:
            for seat in SEATS:
                audience = seat_audience(seat)
                self._known[seat] = (
                    evolve(CROCODILE, self._known[seat], READER.read(record, audience))
                    if seat in self._known
                    else READER.opened(record, audience)
                )
        return records

    def _take(self, command: Any) -> list[Recorded]:
        self._history, records = record_command(CROCODILE, self._history, command, moment(self._history.version))
        return self._add(records)

    def _turn(self, seat: int) -> None:
        """Another seat tries the same; the seat reads its offers, acts and reads the table."""
        table, audience = self._history.table, seat_audience(seat)
        open_ = [offer.describe() for offer in offers(CROCODILE, table, seat)]
        asked: dict[str, Any] = {
            "version": table.version,
            "you": seat,
            "to_act": to_act(CROCODILE, table),
            "offers": open_,
        }
        self._read("offers", seat, asked)
        body = pick(plain(open_), self._rng)
        self._tried((seat + 1) % 3, body)
        call = self._ask("act", seat, key=f"key {table.version}", body=body)
        records = self._take(Act(EVERYBODY[seat], msgspec.convert(body, actions_of(CROCODILE))))
        events = [msgspec.json.decode(served(record, audience, over=False)) for record in records]
        self.memory.answer(call, 201, {"version": records[-1].version, "events": events})
        self._read("view", seat, view(CROCODILE, self._known[seat], audience))

    def _tried(self, seat: int, body: Any) -> None:
        """The seat tries an act, and reads why it is refused; nothing is asked if the rules allow it."""
        action = msgspec.convert(body, actions_of(CROCODILE))
        try:
            act(CROCODILE, self._history.table, Act(EVERYBODY[seat], action))
        except Rejected as rejected:
            call = self._ask("act", seat, key=f"refused {self._history.table.version}", body=body)
            answer = {"code": rejected.code, "rule": rejected.rule, "version": self._history.table.version}
            self.memory.answer(call, 409, answer)

    def _read(self, kind: Kind, seat: int, answer: Any) -> None:
        call = self._ask(kind, seat, least=self._history.table.version)
        self.memory.answer(call, 200, plain(answer))

    def _ask(self, kind: Kind, seat: int, **more: Any) -> Call:
        return self.memory.ask(Call(kind, seat, TABLE, seat, self.memory.now(), **more))

    def _in_the_end(self) -> None:
        """What is read when the game is over: streams, statements, leaderboards and notices."""
        memory = self.memory
        more = [*(record.action == after.action for record, after in pairwise(self.records)), False]
        for seat in (0, None):
            audience = PUBLIC if seat is None else seat_audience(seat)
            stream = memory.listen(TABLE, seat)
            for record, follows in zip(self.records, more, strict=True):
                event = msgspec.json.decode(served(record, audience, over=False)) | {"more": follows}
                stream.frames.append(Frame(1, "event", record.version, event, memory.now()))
        for player, lines in booked(READER, self.records).items():
            balance, told = 0, memory.statements.setdefault(player, [])
            for line in lines:
                balance += line.amount
                told.insert(0, plain(line) | {"game": "crocodile", "bots": False, "balance": balance})
        memory.boards = {game: dict(of) for game, of in totals(READER, self.log).items()}
        table = READER.history(self.records).table
        memory.lists = [plain({name: getattr(table, name) for name in ("table", *LISTED)})]
        memory.subscribed = {EVERYBODY[0]}
        for notice in notices(READER, self.records):
            if notice.player in memory.subscribed:
                memory.notices[notice] = {f"message {notice.version} {notice.kind}"}


@pytest.fixture(scope="module")
def once() -> Told:
    return Told()


@pytest.fixture
def told(once: Told) -> Told:
    return deepcopy(once)


def test_nothing_is_found_where_all_is_right(told: Told) -> None:
    assert told.found() == []
    assert told.memory.boards["crocodile"]
    assert len(told.memory.notices) > 3
    assert told.call("act", 409)


def lose_the_end(told: Told) -> None:
    del told.records[told.act().answer["events"][0]["version"] - 1 :]


def lose_one_event(told: Told) -> None:
    del told.records[len(told.records) // 2]


def answer_twice_with_one_event(told: Told) -> None:
    told.memory.calls.append(replace(told.act(), key="another"))


def answer_in_two_ways(told: Told) -> None:
    act = told.act()
    told.memory.calls.append(replace(act, answer=act.answer | {"version": act.answer["version"] + 1}))


def forget_an_acknowledgement(told: Told) -> None:
    told.memory.calls.remove(told.act())


def acknowledge_an_event_of_others(told: Told) -> None:
    told.act().answer["events"][0]["hash"] = "00" * 32


def acknowledge_another_act(told: Told) -> None:
    acts = [call for call in told.memory.calls if call.status == 201]
    plays = [act for act in acts if act.body and act.body["type"] == "play"]
    plays[0].body = plays[1].body


def act_before_what_was_known(told: Told) -> None:
    act = told.act()
    act.asked = told.memory.calls[-1].answered or 0


def refuse_what_is_allowed(told: Told) -> None:
    refused, act = told.call("act", 409), told.act()
    refused.seat, refused.body = act.seat, act.body
    refused.answer["version"] = act.answer["events"][0]["version"] - 1
    refused.asked = refused.answered = 0


def refuse_by_another_rule(told: Told) -> None:
    told.call("act", 409).answer["rule"] = "CR-1.1"


def read_what_is_not_so(told: Told) -> None:
    told.call("view").answer["totals"] = [1, 2, 3]


def offer_what_is_not_open(told: Told) -> None:
    told.call("offers").answer["offers"] = []


def go_back(told: Told) -> None:
    view = told.call("view")
    view.least = view.answer["version"] + 1


def replay_another_version(told: Told) -> None:
    view = told.call("view")
    view.kind, view.at = "replay", view.answer["version"] - 1


def repeat_a_frame(told: Told) -> None:
    frames = told.memory.streams[0].frames
    frames.insert(5, frames[5])


def miss_a_frame(told: Told) -> None:
    del told.memory.streams[1].frames[7]


def swap_frames(told: Told) -> None:
    frames = told.memory.streams[0].frames
    frames[8], frames[9] = frames[9], frames[8]


def show_what_another_knows(told: Told) -> None:
    own, public = told.memory.streams
    dealt = next(number for number, frame in enumerate(own.frames) if frame.data != public.frames[number].data)
    public.frames[dealt] = own.frames[dealt]


def book_a_line_twice(told: Told) -> None:
    lines = told.memory.statements[EVERYBODY[1]]
    lines.insert(0, lines[0])


def miscount_a_balance(told: Told) -> None:
    told.memory.statements[EVERYBODY[1]][0]["balance"] += 1


def misplace_a_total(told: Told) -> None:
    told.memory.boards["crocodile"][EVERYBODY[1]] += 1


def leave_a_player_out(told: Told) -> None:
    del told.memory.boards["crocodile"][EVERYBODY[1]]


def list_another_total(told: Told) -> None:
    told.memory.lists[0]["totals"][0] += 1


def list_it_twice(told: Told) -> None:
    told.memory.lists *= 2


def list_it_nowhere(told: Told) -> None:
    told.memory.lists.clear()


def notify_of_nothing(told: Told) -> None:
    told.memory.notices.pop(next(iter(told.memory.notices)))


def notify_under_two_ids(told: Told) -> None:
    next(iter(told.memory.notices.values())).add("another")


def notify_of_what_did_not_happen(told: Told) -> None:
    told.memory.notices[replace(next(iter(told.memory.notices)), kind="game-over", version=2)] = {"message"}


def fail_to_read(told: Told) -> None:
    told.memory.calls.append(replace(told.call("view"), status=500, answer={"code": "internal"}))


def fail_to_act(told: Told) -> None:
    told.memory.calls.append(replace(told.act(), key="another", status=500, answer={"code": "internal"}))


def refuse_to_read(told: Told) -> None:
    told.memory.calls.append(replace(told.call("offers"), status=404, answer={"code": "not-found"}))


def find_by_a_kit(told: Told) -> None:
    told.memory.raised.append("a kit has found an event altered")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lose_the_end, "is lost"),
        (lose_one_event, "versions have gaps"),
        (answer_twice_with_one_event, "were acknowledged with one event"),
        (answer_in_two_ways, "was answered in two ways"),
        (forget_an_acknowledgement, "was never acknowledged"),
        (acknowledge_an_event_of_others, "has other events than the record"),
        (acknowledge_another_act, "was taken, and the rules refuse it|was asked for, and .* is recorded"),
        (act_before_what_was_known, "was known before it was sent"),
        (refuse_what_is_allowed, "the rules allow it"),
        (refuse_by_another_rule, "the rules refuse it as"),
        (read_what_is_not_so, r"\['totals'\] differ"),
        (offer_what_is_not_open, r"\['offers'\] differ"),
        (go_back, "a client that knew version"),
        (replay_another_version, "it was asked for at version"),
        (repeat_a_frame, "should have brought version"),
        (miss_a_frame, "should have brought version"),
        (swap_frames, "should have brought version"),
        (show_what_another_knows, "the stream of public has another event"),
        (book_a_line_twice, "lines were booked, the statement has"),
        (miscount_a_balance, "the balance after"),
        (misplace_a_total, "the leaderboard of crocodile has"),
        (leave_a_player_out, "the leaderboard of crocodile has"),
        (list_another_total, "is listed as"),
        (list_it_twice, "is listed as"),
        (list_it_nowhere, r"is listed as \[\]"),
        (notify_of_nothing, "never came"),
        (notify_under_two_ids, "came as"),
        (notify_of_what_did_not_happen, "is not due"),
        (fail_to_read, "view by . was answered 500"),
        (fail_to_act, "act by . was answered 500"),
        (refuse_to_read, "offers by . was answered 404"),
        (find_by_a_kit, "altered"),
    ],
    ids=lambda value: value.__name__ if callable(value) else "",
)
def test_it_is_found(told: Told, wrong: Callable[[Told], None], said: str) -> None:
    wrong(told)
    found = told.found()
    assert any(re.search(said, one) for one in found), found


def test_a_deadline_without_its_consequence_is_found(told: Told) -> None:
    opened, over = (READER.history(records).table for records in (told.records[:1], told.records))
    passed = micros(moment(0, 8 * DAY).at)
    assert list(check_deadlines(READER, [opened, over], micros(moment(1).at))) == []
    assert "the time ran out" in " ".join(check_deadlines(READER, [opened], passed))
    assert list(check_deadlines(READER, [over], passed)) == []


def test_a_spectator_follows_a_running_deal_late() -> None:
    records = Told(TableOptions(spectator_delay=SpectatorDelay(events=7))).records
    types = [record.type for record in records]
    dealt, scored = types.index(CardsDealt.TYPE) + 1, types.index(DealScored.TYPE) + 1
    ends = [one.version for one, after in pairwise(records) if one.action != after.action]
    begun = next(end for end in ends if end >= dealt)
    for version in (end for end in ends if end < scored):
        assert last_seen(READER, records[:version], 0) == version
        # Whole acts, seven events late; the act that dealt the cards is seen at once.
        late = max([begun, *(end for end in ends if end <= version - 7)]) if version > begun else version
        assert last_seen(READER, records[:version], None) == late
    assert last_seen(READER, records[:scored], None) == scored
    assert last_seen(READER, records, None) == len(records)
