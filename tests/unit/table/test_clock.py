"""The seats' clocks, by the numbered rules of a table's life (TL-2, TL-3): times, reserves, absence."""

from itertools import count
from typing import Any

import pytest
from msgspec.structs import replace

from domain.audit.auditor import audit
from domain.kernel.rejection import Code, Rejected
from domain.record.history import Moment, record_command
from domain.seats import Seat
from domain.table.actions import AbandonSeat, Act, ActFor, ProposeEnd, RunOut, TakeSeat
from domain.table.deadlines import Deadline, deadline_of, deadlines, timer_of
from domain.table.events import Allowance, CardsDealt, SeatResumed, SeatTakenOver, TableOpened
from domain.table.options import Clock, TableOptions
from tests.games.toy.meta import Options as ToyOptions
from tests.games.toy.tables import ToyLive
from tests.support.for_each import for_each
from tests.support.games import EVERYBODY, READER, Live, chance, finished, moment, parsed, step

CLOCK = Clock(seconds=20, reserve=60, increment=5, absent_after=2)
TIMED = TableOptions(clock=CLOCK)


def timed(**clock: int) -> TableOptions:
    """The options of a table with such a clock."""
    return TableOptions(clock=replace(CLOCK, **clock))


def reserves(live: Live) -> list[int]:
    """What is left of the seats' reserves, in milliseconds, as everybody sees it."""
    return [clock["reserve_ms"] for clock in live.view("public")["clocks"]]


def run_out(live: Live) -> list[int]:
    """How often in a row the house acted for the seats, as everybody sees it."""
    return [clock["run_out"] for clock in live.view("public")["clocks"]]


def waits(live: Live) -> dict[Seat | None, str]:
    """The deadlines by seat, as everybody sees them, without the day."""
    return {one["seat"]: one["at"][11:19] for one in live.view("public")["deadlines"]}


def at_second(live: Live, second: int) -> None:
    """Lets the next command come so many seconds after the table was opened."""
    live.waited = second - live.version


def begun(table: TableOptions = TIMED) -> Live:
    """A table at which the first deal was dealt after three seconds."""
    live = Live.started(table=table)
    assert live.records[-1].at == "2026-11-20T10:00:03.000000Z"
    return live


def intact(live: Live) -> None:
    """Asserts that the audit finds nothing, and that every audience sees the same clocks at every version."""
    assert [check.text for check in audit(READER, live.records).checks if not check.passed] == []
    of_house = list(live.views("house"))
    for audience in live.audiences:
        for own, house in zip(live.views(audience), of_house, strict=True):
            for name in ("deadlines", "clocks", "to_act", "leaving"):
                assert own.get(name) == house.get(name), (own["version"], audience)


def test_tl_2_1_a_table_without_a_clock_says_nothing_of_one() -> None:
    live = Live.started()
    assert live.view("public").keys().isdisjoint({"clocks", "deadlines", "leaving", "table_options"})
    assert (live.table.timing, deadline_of(live.game, live.table)) == (None, None)
    assert b"clock" not in b"".join(record.public for record in live.records)


def test_tl_2_1_a_clock_stands_in_the_first_event_and_in_every_view() -> None:
    live = begun()
    opened: TableOpened = live.of(TableOpened)[0]
    assert opened.table == TIMED
    assert live.view("public")["table_options"]["clock"]["seconds"] == 20
    (dealt,) = live.of(CardsDealt)
    assert dealt.clocks == (Allowance(60_000, 0),) * 3
    assert waits(live) == {live.turn: "10:01:23"}
    deadline = Deadline("2026-11-20T10:01:23.000000Z", ActFor(live.turn), live.turn, "TL-2.3")
    assert deadline_of(live.game, live.table) == deadline
    assert live.view("public")["deadlines"] == ({"at": deadline.at, "seat": live.turn, "rule": "TL-2.3"},)


@for_each("second, left", [(3, 65_000), (22, 65_000), (23, 65_000), (24, 64_000), (83, 5_000), (500, 5_000)])
def test_tl_2_1_only_the_time_beyond_the_seconds_is_taken_from_the_reserve(second: int, left: int) -> None:
    live = begun()
    seat = live.turn
    at_second(live, second)
    live.do("pass")
    assert reserves(live) == [left if each == seat else 60_000 for each in live.seats]
    assert waits(live) == {live.turn: f"10:{(second + 80) // 60:02}:{(second + 80) % 60:02}"}


def test_tl_2_1_a_reserve_is_counted_in_milliseconds_rounded_up() -> None:
    live = begun()
    seat = live.turn
    at = Moment("2026-11-20T10:00:23.000001Z", moment(9).action, moment(9).chance)
    history, _ = record_command(live.game, live.history, Act(EVERYBODY[seat], parsed({"type": "pass"})), at)
    assert history.table.timing is not None
    assert history.table.timing.seats[seat].reserve_ms == 60_000 - 1 + 5_000


def test_tl_2_1_a_reserve_is_for_the_whole_game() -> None:
    live = begun(timed(increment=0))
    at_second(live, 33)
    seat = live.turn
    live.do("pass")
    rng = chance("on")
    while live.table.deal == 1:
        live.waited -= 1
        step(live, rng, rare=0)
    last = live.of(CardsDealt)[-1]
    assert last.clocks == tuple(Allowance(50_000 if each == seat else 60_000, 0) for each in live.seats)
    intact(live)


def test_tl_2_2_the_time_counts_from_the_event_with_which_the_seat_is_waited_for() -> None:
    live = begun()
    at_second(live, 10)
    live.do("pass")
    assert waits(live) == {live.turn: "10:01:30"}
    before = waits(live)
    live.command(ProposeEnd(EVERYBODY[0], agree=True))
    assert waits(live) == before


def snapping(table: TableOptions) -> tuple[ToyLive, Seat]:
    """A table where the seat on turn may do something that needs no turn."""
    for number in count():
        live, rng = ToyLive.started(table=table, options=ToyOptions(target=50, limit=0)), chance(number)
        live.pass_gate()
        while live.table.running_deal:
            for seat in live.to_act:
                if "snap" in live.types(seat):
                    return live, seat
            step(live, rng, rare=0)
    raise AssertionError("there is always another number")


def test_tl_2_2_what_needs_no_turn_does_not_count() -> None:
    live, seat = snapping(TIMED)
    before, left = waits(live), reserves(live)
    live.waited += 50
    snapped, *_ = live.act(seat, "snap")
    assert (snapped.public.TYPE, snapped.actor) == ("snapped", f"seat:{seat}")
    assert (waits(live), reserves(live)) == (before, left)
    intact(live)


def test_tl_2_2_each_of_several_seats_has_a_time_of_its_own() -> None:
    live = ToyLive.started(table=timed(increment=0))
    live.pass_gate()
    live.play_to("pledging")
    start = waits(live)
    assert len(start) == 4
    assert len(set(start.values())) == 1
    at_second(live, 60)
    live.act(2, "pledge", cards=[])
    assert waits(live) == {seat: at for seat, at in start.items() if seat != 2}
    at_second(live, 70)
    live.act(0, "pledge", cards=[])
    assert waits(live) == {seat: at for seat, at in start.items() if seat in (1, 3)}
    first = deadline_of(live.game, live.table)
    assert first is not None
    assert first.command == ActFor(1)
    intact(live)


def test_tl_2_2_no_time_runs_on_through_a_gate_or_into_the_next_deal() -> None:
    live = ToyLive.started(table=timed(increment=0), options=ToyOptions(target=50, limit=0))
    rng = chance("gate")
    while live.table.scored < 1:
        step(live, rng, rare=0)
    # All that is left of the deal is what its acts took from the reserves; the gate's times count from its end.
    start = live.records[-1].at
    assert {one.at for one in deadlines(live.game, live.table)} == {f"2026-11-20T{at_(start, 80)}.000000Z"}
    at = 200
    live.waited += at
    live.act(3, "ready")
    assert reserves(live)[3] == 0
    assert set(waits(live)) == {0, 1, 2}
    for seat in (0, 1, 2):
        live.act(seat, "ready")
    assert live.table.deal == 2
    assert reserves(live) == [0, 0, 0, 0]
    (waited,) = waits(live).values()
    assert waited == at_(live.records[-1].at, 20)
    intact(live)


def at_(time: str, seconds: int) -> str:
    """The time of day so many seconds later."""
    hours, minutes, second = map(int, time[11:19].split(":"))
    minutes, second = divmod(hours * 3600 + minutes * 60 + second + seconds, 60)
    return f"{minutes // 60:02}:{minutes % 60:02}:{second:02}"


def test_tl_2_2_a_clock_stands_while_a_deal_is_settled() -> None:
    live = finished(begun(timed(increment=0)), chance("whole"))
    assert all(reserve <= 60_000 for reserve in reserves(live))
    assert waits(live) == {}
    intact(live)


def test_tl_2_3_the_house_acts_when_the_time_has_run_out_and_not_before() -> None:
    live = begun()
    seat = live.turn
    with pytest.raises(Rejected) as early:
        live.time_up(early=1)
    assert early.value.rule == "TL-2.3"
    act, *_ = live.time_up()
    assert (act.public.TYPE, act.public.seat, act.actor) == ("bid-passed", seat, "clock")
    assert live.records[-1].at == "2026-11-20T10:01:23.000000Z"
    assert (reserves(live)[seat], run_out(live)[seat]) == (0, 1)
    # Another process that handles the deadline comes too late.
    again = live.refused(ActFor(seat))
    assert (again.code, again.rule) == (Code.WRONG_PHASE, None)
    assert waits(live) == {live.turn: "10:02:43"}
    intact(live)


def test_tl_2_3_a_late_act_counts_if_it_comes_before_the_house() -> None:
    live = begun()
    seat = live.turn
    due = deadline_of(live.game, live.table)
    assert due is not None
    at_second(live, 83)
    live.do("pass")
    assert live.events[-1].actor == f"seat:{seat}"
    assert live.refused(due.command).code is Code.WRONG_PHASE
    assert (reserves(live)[seat], run_out(live)[seat]) == (5_000, 0)
    intact(live)


def test_tl_2_3_an_act_in_the_same_instant_comes_too_late_if_the_house_was_first() -> None:
    live = begun()
    seat = live.turn
    live.time_up()
    at_second(live, 83)
    act = Act(EVERYBODY[seat], parsed({"type": "pass"}, live.game))
    assert live.refused(act).code is Code.NOT_YOUR_TURN


def test_tl_2_3_a_time_that_passed_while_all_was_down_runs_out_once_it_is_up() -> None:
    live = begun()
    due = deadline_of(live.game, live.table)
    assert due is not None
    live.waited = 90_000
    act, *_ = live.command(due.command)
    assert (act.actor, live.records[-1].at[:10]) == ("clock", "2026-11-21")
    assert waits(live) == {live.turn: at_(live.records[-1].at, 80)}
    intact(live)


def test_tl_2_3_a_clock_that_is_put_back_changes_no_time() -> None:
    live = begun()
    at_second(live, 50)
    live.do("pass")
    live.waited = -1000
    live.do("pass")
    assert live.records[-1].at == "2026-11-20T10:00:50.000000Z"
    assert waits(live) == {live.turn: "10:02:10"}
    intact(live)


def test_tl_2_3_the_house_answers_and_is_ready_for_seats_as_their_players_would() -> None:
    live = ToyLive.started(table=timed(absent_after=100), options=ToyOptions(target=50, limit=0))
    while live.table.deal in (None, 1):
        live.time_up()
    actors = {event.public.TYPE: event.actor for event in live.events if event.actor == "clock"}
    assert {"player-ready", "pledge-made", "card-passed"} <= set(actors)
    intact(live)


def test_tl_2_4_after_so_many_acts_in_a_row_the_house_plays_the_seat() -> None:
    live = begun()
    seat = live.turn
    while seat not in (live.table.leaving.bots if live.table.leaving else ()):
        if live.turn == seat:
            events = live.time_up()
        else:
            live.waited -= 1
            step(live, chance(live.version), rare=0)
    act, taken_over, *_ = events
    assert (act.actor, taken_over.public, taken_over.actor) == ("clock", SeatTakenOver(seat), "house")
    assert run_out(live)[seat] == 2
    assert live.view("public")["leaving"] == {"agreed": (), "abandoned": (), "bots": (seat,)}
    assert seat not in waits(live)
    finished(live, chance("absent"))
    assert {event.actor for event in live.events} >= {f"bot:{seat}"}
    intact(live)


def test_tl_2_4_an_act_of_the_players_turn_in_between_starts_the_count_anew() -> None:
    live = begun()
    seat = live.turn
    live.time_up()
    while live.turn != seat:
        step(live, chance("between"), rare=0)
    assert run_out(live)[seat] == 1
    step(live, chance("again"), rare=0)
    assert run_out(live)[seat] == 0


def test_tl_2_4_absence_is_counted_over_the_end_of_a_deal() -> None:
    live = begun(timed(absent_after=100))
    while live.table.deal == 1:
        live.time_up()
    dealt: CardsDealt = live.of(CardsDealt)[-1]
    assert dealt.clocks
    assert [clock.run_out for clock in dealt.clocks] == run_out(live)
    assert sum(clock.run_out for clock in dealt.clocks) == sum(event.actor == "clock" for event in live.events)
    intact(live)


def test_tl_2_5_the_games_own_limit_is_no_act_of_a_seat() -> None:
    live = ToyLive.started(table=timed(absent_after=1), options=ToyOptions(limit=10))
    live.pass_gate()
    live.play_to("playing")
    seat, before = live.turn, reserves(live)
    timer = timer_of(live.game, live.table)
    assert timer is not None
    assert {None, seat} == set(waits(live))
    due = deadline_of(live.game, live.table)
    assert due is not None
    assert (due.command, due.seat, due.rule) == (RunOut(timer.since), None, "TY-3.6")
    lapse, *_ = live.time_up()
    assert (lapse.public.TYPE, lapse.actor) == ("turn-lapsed", "clock")
    assert (reserves(live), sum(run_out(live))) == (before, 0)
    assert live.table.leaving is None
    intact(live)


def test_tl_2_5_neither_comes_it_before_its_time() -> None:
    live = ToyLive.dealt(options=ToyOptions(limit=10)).play_to("playing")
    assert live.view("public")["deadlines"][0]["seat"] is None
    with pytest.raises(Rejected) as early:
        live.time_up(early=1)
    assert early.value.rule == "TY-3.6"
    live.time_up()


def test_tl_3_2_an_absent_player_takes_the_own_seat_again() -> None:
    live = begun(timed(absent_after=1))
    seat = live.turn
    live.time_up()
    (resumed,) = live.command(TakeSeat(EVERYBODY[seat]))
    assert (resumed.public, resumed.actor) == (SeatResumed(seat), f"seat:{seat}")
    assert (live.view("public")["leaving"]["bots"], run_out(live)[seat]) == ((), 0)
    assert live.refused(TakeSeat(EVERYBODY[seat])).code is Code.ALREADY_SEATED
    finished(live, chance("back"))
    assert all(event.actor != f"bot:{seat}" for event in live.events)
    intact(live)


def test_tl_3_2_an_absent_player_comes_back_by_any_act() -> None:
    live, seat = snapping(timed(absent_after=1))
    live.time_up()
    assert live.table.leaving is not None
    assert live.table.leaving.bots == (seat,)
    while "snap" not in live.types(seat):
        step(live, chance(live.version), rare=0)
    snapped, resumed, *_ = live.act(seat, "snap")
    assert (snapped.actor, resumed.public, resumed.actor) == (f"seat:{seat}", SeatResumed(seat), "house")
    assert live.view("public", snapped.version)["to_act"] == []
    intact(live)


def test_tl_3_3_who_abandons_a_game_with_a_clock_has_no_time_any_more() -> None:
    live = begun()
    seat = live.turn
    live.command(AbandonSeat(EVERYBODY[seat]))
    assert set(waits(live)) == set(live.to_act)
    assert seat not in live.to_act
    intact(live)


def test_tl_4_3_a_game_that_all_have_left_ends() -> None:
    live = begun(timed(absent_after=1))
    events: Any = ()
    while live.table.status == "playing":
        events = live.time_up()
    assert "seat-taken-over" in [event.public.TYPE for event in events]
    assert events[-1].public.reason == "no player is left"
    assert deadline_of(live.game, live.table) is None
    intact(live)
