"""A bot has a second for an act, and less where others wait; whatever is wrong with it, its table goes on."""

import threading
from collections.abc import Callable
from math import inf

import pytest

from domain.kernel.action import Action
from domain.opponents.choosing import LEVELS
from domain.opponents.opponent import Opponent
from domain.picking import Chance
from service.bots.seats import FollowedSeat
from service.bots.thinking import BUDGET_S, QUEUE_S, Stopwatch, Thinking, Thought
from tests.games.tetka.tables import TetkaLive
from tests.support.games import READER, TABLE

SECRET = b"s" * 32


class Clock:
    """Each look takes a quarter of a second."""

    def __init__(self) -> None:
        self.at = 0.0

    def __call__(self) -> float:
        self.at += 0.25
        return self.at


def due(*, blind: bool = False) -> tuple[FollowedSeat, int]:
    """A seat that is to lead to the first trick of Tëtka."""
    live = TetkaLive.started()
    (seat,) = live.game.decider.to_act(live.table.deal_state)
    followed = FollowedSeat(READER, live.game, TABLE, seat, blind=blind)
    followed.see(live.records)
    return followed, seat


def chosen(thinking: Thinking, level: str, left_s: float = inf, waiting: Callable[[], int] = lambda: 0) -> Thought:
    """What the thinking comes to at that seat."""
    followed, seat = due()
    return thinking.choose(TABLE, seat, level, followed, left_s, waiting)


def test_the_more_wait_the_less_time_there_is() -> None:
    thinking = Thinking(SECRET)
    assert thinking.budget_s(inf, 0) == thinking.budget_s(inf, 1) == BUDGET_S
    assert thinking.budget_s(inf, 999) == QUEUE_S / 1000
    assert Thinking(SECRET, budget_s=0.001).budget_s(inf, 0) == 0.001


def test_no_bot_thinks_longer_than_until_its_act() -> None:
    thinking = Thinking(SECRET)
    assert [thinking.budget_s(left_s, 1) for left_s in (0.6, 1.5, 5.0)] == [0.3, 0.75, BUDGET_S]
    thought = chosen(Thinking(SECRET, clock=Clock()), "strong", left_s=0.5)
    assert (thought.worlds, thought.hurried) == (1, True)


def test_who_thinks_gives_way_to_others_that_begin_to_wait() -> None:
    waiting = iter((0, 0, *(3 for _ in range(100))))
    thought = chosen(Thinking(SECRET, budget_s=600, clock=Clock()), "strong", waiting=lambda: next(waiting))
    assert (thought.worlds, thought.hurried) == (2, True)


def test_worlds_give_way_to_acts_for_no_longer_than_they_took() -> None:
    looks = 0

    def acting(_: float) -> bool:
        nonlocal looks
        looks += 1
        return True

    # A world takes two hundredths of a second; the clock stands still while it waits.
    watch = Stopwatch(lambda: watch.worlds / 50, lambda: 1.0, 0.0, acting)
    assert [(watch(), looks) for _ in range(3)] == [(True, 0), (True, 20), (True, 40)]


def test_a_world_is_expected_to_take_as_long_as_the_longest_one() -> None:
    times = iter((0.0, 0.5, 0.6))
    watch = Stopwatch(lambda: next(times), lambda: 1.0, 0.0)
    assert [watch() for _ in range(3)] == [True, True, False]


def test_the_same_secret_chooses_the_same_act() -> None:
    one, other = (chosen(Thinking(SECRET, budget_s=600), "quick") for _ in range(2))
    assert one == other
    assert (one.worlds, one.hurried) == (LEVELS["quick"] // 4 * 4, False)
    acts = {str(chosen(Thinking(bytes([number]) * 32), "random").action) for number in range(20)}
    assert len(acts) > 1


def test_worlds_end_with_the_time() -> None:
    thought = chosen(Thinking(SECRET, clock=Clock()), "strong")
    assert thought.action is not None
    assert (thought.worlds, thought.hurried) == (3, True)


def test_without_time_the_usual_act_is_taken() -> None:
    thought = chosen(Thinking(SECRET, budget_s=0.0), "strong")
    assert thought.action is not None
    assert (thought.worlds, thought.hurried, thought.error) == (0, True, None)


def test_a_level_that_is_not_known_here_takes_any_act() -> None:
    thought = chosen(Thinking(SECRET), "seer")
    assert thought.action is not None
    assert (thought.worlds, thought.hurried) == (0, False)


def test_thinking_in_a_thread_ends_when_it_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    thinking, began = Thinking(SECRET, budget_s=600), threading.Event()
    thoughts: list[Thought] = []

    def endless(_: Opponent, _worlds: int, _chance: Chance, in_time: Callable[[], bool]) -> Action | None:
        while in_time():
            began.set()
        return None

    monkeypatch.setattr(Opponent, "choose", endless)
    with thinking.until_left():
        thread = threading.Thread(target=lambda: thoughts.append(chosen(thinking, "strong")))
        thread.start()
        assert began.wait(60)
    thread.join(60)
    assert [thought.hurried for thought in thoughts] == [True]


def test_where_the_bot_fails_its_act_is_the_mildest(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise LookupError

    monkeypatch.setattr(Opponent, "choose", fail)
    thought = chosen(Thinking(SECRET), "quick")
    followed, seat = due()
    assert thought.action == followed.game.decider.default_action(followed.table.deal_state, seat)
    assert thought.mildest
    assert isinstance(thought.error, LookupError)


def test_a_blind_seat_takes_the_mildest_act() -> None:
    followed, seat = due(blind=True)
    thought = Thinking(SECRET).choose(TABLE, seat, "strong", followed, inf, lambda: 0)
    assert thought.action == followed.game.decider.default_action(followed.table.deal_state, seat)
    assert (thought.worlds, thought.mildest, thought.error) == (0, True, None)
