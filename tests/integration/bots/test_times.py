"""When a bot acts tells nothing of what it thought: not whether it had a choice, and not for how long it thought."""

import time as real
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from itertools import count, groupby
from math import inf

import pytest
from msgspec import Struct

from domain.kernel.action import Action
from domain.opponents.opponent import Opponent
from domain.opponents.playouts import MOST, Playouts, candidates, is_talk
from domain.picking import Chance
from domain.record.recorded import Recorded
from domain.registry import GAMES
from domain.seats import Seat, bot_in
from domain.table.clock import micros
from service.bots.turns import ALONE
from tests.integration.bots.conftest import Make
from tests.support.timekeeping import Time
from tests.support.waiting import PATIENCE_S, until

PAUSE_MS = 100
PAUSE = timedelta(milliseconds=ALONE * PAUSE_MS)
ROUNDS = 40
WORLD_S = 0.04
WHOLE = None
"""What a thought takes that takes all the time that there is."""


class BotAct(Struct, frozen=True):
    """The act of a bot."""

    table: str
    seat: Seat
    version: int
    at: str
    waited: float
    """How many pauses after the event before it, or before those of the same moment."""


class Playing:
    """A process that plays for bots, while a test moves the time. They think by that time, and choose any act.

    Thoughts take these numbers of pauses in turn, apart for those with a choice and those without.
    """

    def __init__(self, made: Make, time: Time, monkeypatch: pytest.MonkeyPatch, *takes: float | None) -> None:
        self.process = made(pause_ms=PAUSE_MS, budget_s=1.0, clock=self._clock)
        self._time = time
        self._had: dict[tuple[str, Seat], dict[int, tuple[bool, float | None]]] = defaultdict(dict)
        """By table, seat and version: whether there was a choice, and what the thought took."""
        numbers, choose = {True: count(), False: count()}, Opponent.choose

        def timed(opponent: Opponent, _: int, chance: Chance, in_time: Callable[[], bool]) -> Action | None:
            game, seat, table = opponent._game, opponent._seat, opponent.table
            assert table is not None
            offers = [one for one in game.decider.offers(table.deal_state, seat) if not is_talk(one)]
            acts = candidates(offers, MOST, Playouts(game, chance, len(table.players)).act)
            choice = len(set(acts)) > 1
            took = takes[next(numbers[choice]) % len(takes)]
            ends = None if took is WHOLE else time.at + took * PAUSE
            while in_time() if ends is None else time.at < ends:
                self._advance()
            self._had[table.table, seat][table.version] = (choice, took)
            return choose(opponent, 0, chance)

        monkeypatch.setattr(Opponent, "choose", timed)

    async def acts(self, *tables: str, step: timedelta = PAUSE, lost: float = 0.0) -> list[BotAct]:
        """The bots' acts at these tables, while the time goes on step by step. At most so many are `lost`."""
        process, began = self.process, self._time.at
        async with process.playing() as player:
            for _ in range(ROUNDS * (PAUSE // step)):
                end = await process.store.end()
                await until(
                    lambda end=end: (player.follower.position or 0) >= end and player.idle and not player.thinking
                )
                self._time.at = began + ((self._time.at - began) // step + 1) * step
            # A thought waits for what is due to be done, which nobody does any more once the player stops.
            await until(lambda: player.idle and not player.thinking)
        assert process.counted("codille_bot_failures_total") == 0
        assert process.counted("codille_bot_acts_lost_total") <= lost
        return [act for table in tables for act in _acts(await process.store.stream(table))]

    def thought(self, act: BotAct) -> tuple[bool, float | None] | None:
        """Whether the bot had a choice, and what its thought took; None if it did not think, as at a gate."""
        had = self._had[act.table, act.seat]
        return had.get(max((version for version in had if version < act.version), default=0))

    def _clock(self) -> float:
        return self._time.at.timestamp()

    def _advance(self) -> None:
        """Lets time pass, and what is due then be done. Fails instead of waiting for good."""
        self._time.advance(WORLD_S)
        late = real.monotonic() + PATIENCE_S
        while not self.process.player.idle:
            assert real.monotonic() < late, "what is due is not done"
            real.sleep(0.0002)


def _acts(records: Sequence[Recorded]) -> Iterator[BotAct]:
    since = records[0].at
    for at, together in groupby(records, key=lambda record: record.at):
        waited = (micros(at) - micros(since)) / (PAUSE // timedelta(microseconds=1))
        since, done = at, set[str | None]()
        for record in together:
            seat = bot_in(record.actor)
            if seat is not None and record.action not in done:
                yield BotAct(record.table, seat, record.version, at, waited)
            done.add(record.action)


@pytest.mark.parametrize("game", sorted(GAMES))
async def test_an_acts_time_is_the_same_whatever_was_thought(
    made: Make, time: Time, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    playing = Playing(made, time, monkeypatch, 0.0, WHOLE)
    # Without turns another bot may be faster.
    lost = inf if game == "nuts" else 0.0
    acts = await playing.acts(await playing.process.with_bots(game), lost=lost)
    thoughts = {playing.thought(act) for act in acts}
    assert {(True, 0.0), (True, WHOLE)} <= thoughts
    if game == "tetka":
        # Its last tricks leave no choice.
        assert {(False, 0.0), (False, WHOLE)} <= thoughts
    assert {act.waited for act in acts} == {1.0}


async def test_what_is_late_waits_for_the_next_multiple_at_other_tables_as_well(
    made: Make, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    playing, step = Playing(made, time, monkeypatch, 0.0, 1.3, WHOLE, 2.1), PAUSE / 5
    tables = []
    for game in ("tetka", "khanhoo"):
        tables.append(await playing.process.with_bots(game))
        time.advance(step.total_seconds())
    acts = await playing.acts(*tables, step=step)
    assert len({act.waited for act in acts}) > 1
    assert all(act.waited == int(act.waited) >= 1 for act in acts)


async def test_sealed_answers_come_in_the_order_of_seats_however_long_each_was_thought_of(
    made: Make, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    playing = Playing(made, time, monkeypatch, WHOLE, 0.0, 0.1)
    table = await playing.process.with_bots("toy")
    answers = [[act.seat for act in acts] for _, acts in groupby(await playing.acts(table), key=lambda act: act.at)]
    assert max(map(len, answers)) == 4
    assert all(seats == sorted(seats) for seats in answers)
