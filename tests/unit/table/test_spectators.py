"""How far behind spectators are, by the numbered rules of a table (TL-6)."""

import msgspec
import pytest

from domain.audit.auditor import audit
from domain.table.events import TableOpened
from domain.table.options import SpectatorDelay, TableOptions
from domain.table.spectators import MICROSECONDS, due, visible
from tests.games.toy.tables import ToyLive
from tests.support.for_each import for_each
from tests.support.games import READER

SECOND = MICROSECONDS
AT = [SECOND * seconds for seconds in (100, 107, 109, 109)]
"""When the actions of a deal were recorded, of which the first dealt the cards."""
ENDS = [2, 3, 6, 7]
"""How many events there are up to the end of each."""


@for_each(
    "now, seen, then",
    [(100, 2, 117), (116, 2, 117), (117, 3, 119), (118, 3, 119), (119, 7, None), (10_000, 7, None)],
)
def test_tl_6_1_an_action_is_seen_so_many_seconds_after_it_was_recorded(now: int, seen: int, then: int | None) -> None:
    delay = SpectatorDelay(seconds=10)
    assert visible(delay, AT, ENDS, SECOND * now) == seen
    assert due(delay, AT, ENDS, seen) == (None if then is None else SECOND * then)
    assert visible(delay, AT, ENDS, SECOND * now - 1) <= seen
    if then is not None:
        before, after = (visible(delay, AT, ENDS, SECOND * then - early) for early in (1, 0))
        assert before == seen < after


@for_each("events, seen", [(1, 6), (2, 3), (3, 3), (4, 3), (5, 2), (7, 2), (1000, 2)])
def test_tl_6_1_an_action_is_seen_whole_when_so_many_events_have_followed_on_it(events: int, seen: int) -> None:
    delay = SpectatorDelay(events=events)
    assert [visible(delay, AT, ENDS, now) for now in (0, SECOND * 10_000)] == [seen, seen]
    assert due(delay, AT, ENDS, seen) is None


def test_tl_6_2_before_the_first_event_of_a_deal_nothing_of_it_is_held_back() -> None:
    for delay in (SpectatorDelay(seconds=10), SpectatorDelay(events=10)):
        assert visible(delay, [], [], 0) == 0
        assert due(delay, [], [], 0) is None


def test_tl_6_2_the_action_that_deals_the_cards_is_not_held_back() -> None:
    for delay in (SpectatorDelay(seconds=3600), SpectatorDelay(events=1000)):
        assert visible(delay, AT[:1], ENDS[:1], AT[0]) == ENDS[0]


@pytest.mark.parametrize("delay", [SpectatorDelay(seconds=3600), SpectatorDelay(events=1)])
def test_the_option_is_recorded_and_nothing_else_follows_from_it(delay: SpectatorDelay) -> None:
    own = TableOptions(spectator_delay=delay)
    live, plain = ToyLive.started(table=own), ToyLive.started()
    opened: TableOpened = live.of(TableOpened)[0]
    assert opened.table == own
    (written,) = msgspec.json.decode(live.records[0].public)["table"].values()
    assert list(written.values()) == [delay.seconds or delay.events]
    assert [record.public for record in live.records[1:]] == [record.public for record in plain.records[1:]]
    assert [check.text for check in audit(READER, live.records).checks if not check.passed] == []


@for_each(
    "written",
    [{}, {"seconds": 1, "events": 1}, {"seconds": 0}, {"seconds": 3601}, {"events": 0}, {"events": 1001}, {"x": 1}],
)
def test_other_delays_there_are_not(written: object) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"spectator_delay": written}, TableOptions)
