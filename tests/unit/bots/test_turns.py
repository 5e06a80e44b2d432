"""When a bot acts: a whole number of pauses after the event that made it due, whatever it thought meanwhile."""

from service.bots.turns import act_time
from tests.support.for_each import for_each


@for_each(
    "thought, at",
    [(0, 600), (599, 600), (600, 600), (601, 1200), (1200, 1200), (6001, 6600), (-5000, 600)],
)
def test_a_bot_acts_whole_pauses_after_it_became_due(thought: int, at: int) -> None:
    assert act_time(1000, 600, 1000 + thought) == 1000 + at


def test_without_a_pause_it_acts_at_once() -> None:
    assert (act_time(1000, 0, 1234), act_time(1000, 0, 900)) == (1234, 1000)
