"""NU-7 to NU-9: progress, shifts, the clock, the end of a hand, and the score."""

import msgspec
import pytest

from domain.games.nuts.events import AllStuck, NutsCalled, ShiftMade
from domain.games.nuts.meta import IDLE_ACTS, Options
from domain.kernel.rejection import Code, Rejected
from domain.table.actions import RunOut
from domain.table.deadlines import timer_of
from domain.table.events import CardsDealt
from tests.games.dealing import assert_no_options
from tests.games.nuts.tables import NutsLive

SPADES = [f"{rank}s" for rank in "A23456789TJQK"]
FOUR = Options(players=4)


def all_stuck(live: NutsLive) -> NutsLive:
    """Everybody says so whose `stuck` does not stand."""
    for seat in live.seats:
        if "stuck" in live.types(seat):
            live.act(seat, "stuck")
    return live


def stuck(live: NutsLive) -> tuple[int, ...]:
    """Whose `stuck` stands."""
    seats: tuple[int, ...] = live.view("public")["stuck"]
    return seats


@pytest.mark.parametrize(
    ("seat", "kind", "fields", "progress"),
    [
        (0, "found", {"card": "0.As"}, True),
        (0, "build", {"card": "0.9h", "column": 1}, True),
        (0, "build", {"card": "0.9d", "column": 1}, False),
        (0, "turn", {}, False),
        (1, "turn", {}, False),
    ],
)
def test_nu_7_1_what_is_progress(seat: int, kind: str, fields: dict[str, object], progress: bool) -> None:
    live = NutsLive.begun({"reserve": "9h", "tableau": "Ts As 9d Kc"})
    before = timer_of(live.game, live.table)
    live.act(1, "stuck")
    live.act(seat, kind, **fields)
    after = timer_of(live.game, live.table)
    assert before is not None
    assert after is not None
    assert after.since == (live.version if progress else before.since)


def test_nu_7_1_a_build_from_the_discard_pile_is_progress() -> None:
    live = NutsLive.begun({"tableau": "Ts As 9d Kc", "stock": "2c 3c 9h"})
    live.act(0, "turn")
    live.act(0, "build", card="0.9h", column=1)
    timer = timer_of(live.game, live.table)
    assert timer is not None
    assert timer.since == live.version


def test_nu_7_2_a_stuck_stands_until_its_player_acts_or_anyone_makes_progress() -> None:
    live = NutsLive.begun({"reserve": "As"}, options=FOUR)
    for seat in (1, 2, 3):
        live.act(seat, "stuck")
    live.act(0, "turn")
    live.act(1, "turn")
    assert stuck(live) == (2, 3)
    live.act(0, "found", card="0.As")
    assert stuck(live) == ()


def test_nu_7_2_it_need_not_be_true() -> None:
    live = NutsLive.begun({"reserve": "As"})
    live.act(0, "stuck")
    assert {"found", "turn"} <= live.types(0)


def test_nu_7_3_worked_example_2_the_shift() -> None:
    live = NutsLive.begun({"stock": "2c 3c 4c 5c 6c 7c 8c"})
    live.act(0, "turn")
    live.act(0, "turn")
    rest = live.pile(0, "stock")
    other = live.pile(1, "stock")
    *_, shift = all_stuck(live).events
    assert (shift.public, shift.actor) == (ShiftMade(1), "house")
    assert live.pile(0, "stock") == ["3c", "4c", "5c", "6c", "7c", *rest, "2c"]
    assert live.pile(1, "stock") == [*other[1:], other[0]]
    assert (live.pile(0, "discards"), stuck(live)) == ([], ())
    event, *_ = live.act(0, "turn")
    assert event.public.top.card == "0.5c"


def test_nu_7_3_not_before_all_are_stuck() -> None:
    live = NutsLive.begun(options=FOUR)
    for seat in (3, 0, 1):
        live.act(seat, "stuck")
    assert live.of(ShiftMade) == []


def test_nu_7_4_progress_begins_the_count_anew() -> None:
    live = all_stuck(all_stuck(NutsLive.begun({}, {"reserve": "9h", "tableau": "Ts Ks Kc Qs"})))
    live.act(1, "build", card="1.9h", column=1)
    all_stuck(live)
    all_stuck(live)
    assert [shift.shift for shift in live.of(ShiftMade)] == [1, 2, 1, 2]
    assert live.table.running_deal == 1
    all_stuck(live)
    assert live.score.outcome == "stuck"


def test_nu_7_5_the_clock_says_stuck_for_everybody() -> None:
    live = NutsLive.begun({"reserve": "As"}, options=Options(stall=30))
    timer = timer_of(live.game, live.table)
    (dealt,) = [event.version for event in live.events if isinstance(event.public, CardsDealt)]
    assert timer is not None
    assert (timer.since, timer.seconds, timer.event, timer.rule) == (dealt, 30, AllStuck(), "NU-7.5")
    live.act(0, "turn")
    with pytest.raises(Rejected) as refused:
        live.time_up(early=1)
    assert refused.value.rule == "NU-7.5"
    live.act(0, "found", card="0.As")
    with pytest.raises(Rejected) as refused:
        live.command(RunOut(dealt))
    assert refused.value.code == Code.WRONG_PHASE
    stuck, shift = live.time_up()
    assert (stuck.public, stuck.actor, shift.public) == (AllStuck(), "clock", ShiftMade(1))
    timer = timer_of(live.game, live.table)
    assert timer is not None
    assert timer.since == shift.version


def test_nu_7_5_the_clock_ends_a_dead_hand_though_nobody_says_anything() -> None:
    live = NutsLive.begun()
    for _ in range(3):
        live.time_up()
    assert live.score.outcome == "stuck"
    assert (len(live.of(AllStuck)), len(live.of(ShiftMade))) == (3, 2)


@pytest.mark.parametrize("stall", [1, 9, -1, 3601])
def test_nu_7_5_how_long_it_may_be(stall: int) -> None:
    assert_no_options(Options, {"stall": stall})
    assert [msgspec.convert({"stall": seconds}, Options).stall for seconds in (0, 10, 3600)] == [0, 10, 3600]


def idle(live: NutsLive, acts: int) -> NutsLive:
    """So many acts of seat 0 without progress."""
    for _ in range(acts):
        live.act(0, next(kind for kind in ("turn", "flip") if kind in live.types(0)))
    return live


def test_nu_7_5_without_a_limit_two_thousand_idle_acts_end_the_hand() -> None:
    live = NutsLive.begun({"reserve": "As"}, options=Options(stall=0))
    assert timer_of(live.game, live.table) is None
    idle(live, 5)
    live.founds(0, "As")
    all_stuck(live)
    # The shift does not begin the count anew; nobody can go on after the last act that counts.
    idle(live, IDLE_ACTS - 2 - 1)
    assert (live.table.running_deal, len(live.of(ShiftMade))) == (1, 1)
    live.act(1, "stuck")
    assert (live.score.outcome, live.table.totals) == ("stalled", (1 - 24, -26))
    live.refuses(0, "turn", Code.WRONG_PHASE, "NU-3.1")


def test_nu_7_5_the_end_goes_before_a_shift() -> None:
    live = idle(NutsLive.begun(options=Options(stall=0)), IDLE_ACTS - 2)
    live.act(0, "stuck")
    live.act(1, "stuck")
    assert (live.score.outcome, live.of(ShiftMade)) == ("stalled", [])


def test_nu_7_5_with_a_limit_there_is_no_bound_on_idle_acts() -> None:
    live = idle(NutsLive.begun(), IDLE_ACTS)
    assert live.table.running_deal == 1


def test_nu_8_1_the_last_card_of_a_reserve_ends_the_hand() -> None:
    live = NutsLive.begun({"reserve": " ".join(SPADES)})
    live.founds(0, *SPADES[:-1])
    live.refuses(0, "nuts", Code.RULE_VIOLATION, "NU-8.1")
    _, called, scored = live.act(0, "found", card="0.Ks", foundation=1)
    assert (called.public, called.actor) == (NutsCalled(0), "house")
    assert scored.public.outcome == "nuts"


def test_nu_8_1_a_build_of_the_last_card_ends_it_too() -> None:
    live = NutsLive.begun({"reserve": " ".join([*SPADES[:-1], "Qh"]), "tableau": "Ks 2c 3c 4c"})
    live.founds(0, *SPADES[:-1])
    _, called, _ = live.act(0, "build", card="0.Qh", column=1)
    assert called.public == NutsCalled(0)


def test_nu_8_1_where_it_is_optional_the_player_plays_on() -> None:
    live = NutsLive.begun(
        {"reserve": " ".join(SPADES), "tableau": "Ah 2h 3h 4h"}, options=Options(nuts_call="optional")
    )
    live.refuses(0, "nuts", Code.RULE_VIOLATION, "NU-8.1")
    live.founds(0, *SPADES)
    live.founds(0, "Ah", "2h")
    assert (live.top(0, "reserve"), live.table.running_deal) == ((None, 0), 1)
    live.refuses(1, "nuts", Code.RULE_VIOLATION, "NU-8.1")
    called, scored = live.act(0, "nuts")
    assert (called.public, called.actor, scored.public.outcome) == (NutsCalled(0), "seat:0", "nuts")
    assert live.table.totals == (15, -26)


def test_nu_8_2_there_is_no_other_end() -> None:
    live = NutsLive.begun({"reserve": " ".join(SPADES)}, options=Options(nuts_call="optional"))
    live.founds(0, *SPADES)
    for _ in range(3):
        all_stuck(live)
    assert live.score.outcome == "stuck"


def test_nu_9_1_own_cards_on_the_foundations_whoever_built_under_them() -> None:
    live = NutsLive.begun({"reserve": "As 3s"}, {"reserve": "2s 4s"})
    live.founds(0, "As")
    live.founds(1, "2s")
    live.founds(0, "3s")
    for _ in range(3):
        all_stuck(live)
    assert live.booked(0) == [("founded", "NU-9.1", 2), ("reserve", "NU-9.2", -22)]
    assert live.booked(1) == [("founded", "NU-9.1", 1), ("reserve", "NU-9.2", -24)]
    founded = [event.version for event in live.events if event.public.TYPE == "card-founded"]
    assert live.score.lines[0].events == (founded[0], founded[2])


def test_nu_9_2_worked_example_7_the_lowest_score_there_is() -> None:
    live = NutsLive.begun()
    for _ in range(3):
        all_stuck(live)
    assert [live.booked(seat) for seat in live.seats] == [[("reserve", "NU-9.2", -26)]] * 2
    assert live.table.totals == (-26, -26)


def test_nu_9_3_worked_example_6_two_lines_a_player_against_the_bank() -> None:
    """Seat 0 has an empty reserve, so that it has no line for one; lines and bank sum to zero."""
    hearts = [f"{rank}h" for rank in "A23456789"]
    live = NutsLive.begun(
        {"reserve": " ".join(SPADES), "tableau": "Ah 2h 3h 4h", "stock": "9h 8h 7h 6h 5h"},
        options=Options(players=3, nuts_call="optional"),
    )
    live.founds(0, *SPADES, *hearts[:4])
    live.act(0, "turn")
    # 7h lies on 8h on 9h: in the empty columns they can be parted.
    live.act(0, "build", card="0.7h", column=1)
    live.act(0, "build", card="0.8h", column=2)
    live.act(0, "build", card="0.9h", column=3)
    live.act(0, "turn")
    live.act(0, "build", card=f"0.{live.pile(0, 'discards')[0]}", column=4)
    live.founds(0, "5h", "6h", "7h", "8h", "9h")
    live.act(0, "nuts")
    assert live.booked(0) == [("founded", "NU-9.1", 22)]
    assert live.table.totals == (22, -26, -26)
    assert live.table.accounts["bank"] == 30
    assert sum(line.amount for line in live.score.lines) == 0
