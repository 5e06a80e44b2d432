"""Bots play as anybody does, each act once, whoever plays for them and whatever else happens at the table."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest
from redis.asyncio import Redis
from structlog.testing import capture_logs

from domain.audit.auditor import audit
from domain.games.crocodile.acts import Pass
from domain.kernel.event import Event
from domain.kernel.ledger import LineAt
from domain.kernel.rejection import Code, Rejected
from domain.opponents.choosing import LEVELS
from domain.opponents.opponent import Opponent
from domain.record.recorded import Recorded
from domain.seats import PUBLIC, Bot, Seat, bot, seat_audience
from domain.table.actions import (
    AbandonSeat,
    ActAsBot,
    CloseTable,
    Command,
    LeaveSeat,
    OpenDispute,
    RuleDispute,
    SeatBot,
)
from domain.table.clock import micros
from domain.table.options import Clock, SpectatorDelay, TableOptions
from domain.table.state import evolve, seats_due
from service.bots.members import owner
from service.bots.turns import ALONE
from service.commands.handler import CommandResult, Refused
from tests.integration.bots.conftest import Make
from tests.support.botplay import BotProcess
from tests.support.games import EVERYBODY, OPENER
from tests.support.registry import GAMES
from tests.support.repetition import TIMES
from tests.support.timekeeping import Time, until_it
from tests.support.waiting import until

SHORT = "toy"
"""A game of few events, with gates, batches and sides."""
TIMED = TableOptions(clock=Clock(seconds=60, absent_after=100))
PAUSE_MS = 600


async def intact(process: BotProcess, table: str) -> list[Recorded]:
    """The table's record, which the audit finds intact."""
    records = await process.store.stream(table)
    found = audit(process.reader, records)
    assert found.verdict == "intact", found
    return records


async def ended(process: BotProcess, *tables: str) -> None:
    """Returns once nobody acts at the tables any more, and the process has taken that in."""
    for table in tables:
        await until_it(lambda table=table: process.over(table))


async def has_taken_in(process: BotProcess) -> None:
    """Returns once the process knows of all that has happened, and looks at nothing."""
    end = await process.store.end()
    await until(lambda: (process.player.follower.position or 0) >= end)
    await until(lambda: process.player.idle and not process.player.thinking)


def acts(records: Sequence[Recorded]) -> list[Recorded]:
    """The events by which bots acted, without what followed by itself."""
    return [record for record in records if record.actor.startswith("bot:")]


def acted(*processes: BotProcess) -> float:
    """How many acts of bots these processes have made."""
    return sum(one.counted("codille_bot_acts_total", level=level) for one in processes for level in LEVELS)


async def people_act(process: BotProcess, table: str, seats: Sequence[Seat]) -> None:
    """Has the players of these seats act until the game is over, whenever the game waits for one of them."""
    while not await process.over(table):
        state = await process.state(table)
        if state.running_deal is None or set(seats_due(process.reader.of(state), state)) & set(seats):
            await act_for(process, table, seats)
        else:
            await asyncio.sleep(0.002)


async def act_for(process: BotProcess, table: str, seats: Sequence[Seat]) -> None:
    """Has one of the players act, if the game waits for one."""
    state = await process.state(table)
    waited = [seat for seat in seats_due(process.reader.of(state), state) if seat in seats]
    if not waited:
        await asyncio.sleep(0.002)
        return
    await process.act_at(table, waited[0])


@pytest.mark.parametrize("game", sorted(GAMES))
async def test_a_table_full_of_bots_is_played_to_its_end(process: BotProcess, game: str) -> None:
    deals = {"burraco": 1, "khanhoo": 1, "nuts": 2}.get(game)
    table = await process.with_bots(game, deals=deals)
    async with process.playing():
        await ended(process, table)
        await until(lambda: process.player.watched == 0)
    records = await intact(process, table)
    assert acted(process) == len({record.action for record in acts(records)})
    assert process.counted("codille_bot_failures_total") == 0
    assert {record.actor for record in records if record.deal is not None} <= {"house", *map(bot, range(4))}


async def test_each_table_is_one_processs_and_each_act_happens_once(made: Make, redis: Redis) -> None:
    one, other = made(redis), made(redis)
    tables: list[str] = []
    names = one.members.name, other.members.name
    # Chance names the processes and the tables, so that now and then one process owns all of the first eight.
    while len(tables) < 8 or {owner(table, names) for table in tables} != set(names):
        tables.append(await one.with_bots(SHORT))
    for process in (one, other):
        await process.members.beat()
    async with one.playing(), other.playing():
        await ended(one, *tables)
        await has_taken_in(one)
        await has_taken_in(other)
    taken = [record.action for table in tables for record in acts(await intact(one, table))]
    assert acted(one, other) == len(set(taken))
    assert acted(one) > 0
    assert acted(other) > 0


async def test_processes_that_do_not_know_of_each_other_act_once(made: Make) -> None:
    one, other = made(), made()
    table = await one.with_bots("nuts", deals=1, options=GAMES["nuts"].options(players=4))
    async with one.playing(), other.playing():
        await ended(one, table)
        await has_taken_in(one)
        await has_taken_in(other)
    taken = [record.action for record in acts(await intact(one, table))]
    assert acted(one, other) == len(set(taken))
    lost = sum(process.counted("codille_bot_acts_lost_total") for process in (one, other))
    assert lost > 0
    assert one.counted("codille_bot_failures_total") + other.counted("codille_bot_failures_total") == 0


async def test_an_act_whose_answer_was_lost_is_not_done_again(
    process: BotProcess, made: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when the process is killed between the append and whatever it does next."""
    table = await process.with_bots("crocodile", {1: "random", 2: "random"})
    while not any(seat in (1, 2) for seat in await due_at(process, table)):
        await process.act_at(table, 0)
    handle = process.commands.handle
    killed = asyncio.Event()

    async def killed_after(to: str, command: Command, **more: Any) -> CommandResult:
        await handle(to, command, **more)
        killed.set()
        await asyncio.Event().wait()
        raise AssertionError

    monkeypatch.setattr(process.commands, "handle", killed_after)
    dying = asyncio.create_task(process.player.run(asyncio.Event()))
    await killed.wait()
    dying.cancel()
    await asyncio.wait([dying])
    (first,) = acts(await process.store.stream(table))
    other = made()
    async with other.playing():
        await people_act(other, table, [0])
    records = await intact(other, table)
    assert acts(records)[0] == first
    assert acted(other) == len({record.action for record in acts(records)}) - 1


async def test_an_act_that_was_made_is_not_made_again_by_who_does_not_know_it(
    process: BotProcess, made: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The key names the seat's last own event, so the second act is the first one's repetition."""
    table = await process.with_bots("crocodile", {0: "random", 1: "random", 2: "random"})
    handle, late = process.commands.handle, made()
    done: list[CommandResult] = []

    async def twice(to: str, command: Command, **more: Any) -> CommandResult:
        result = await handle(to, command, **more)
        if isinstance(command, ActAsBot):
            done.append(await late.commands.handle(to, command, **more))
            assert done[-1].replayed
            assert done[-1].records == result.records
        return result

    monkeypatch.setattr(process.commands, "handle", twice)
    async with process.playing():
        await ended(process, table)
        await has_taken_in(process)
    assert len(done) == len({record.action for record in acts(await intact(process, table))})


async def test_a_dead_processs_tables_are_taken_over(made: Make, redis: Redis) -> None:
    one, other = made(redis), made(redis)
    await one.members.beat()
    tables = [await one.with_bots(SHORT) for _ in range(6)]
    async with other.playing():
        # Once the first has given no sign of life for long enough.
        await ended(other, *tables)
    assert other.members.processes == (other.members.name,)
    assert acted(one) == 0


async def test_without_redis_a_process_plays_at_all_tables(made: Make) -> None:
    away = Redis(host="127.0.0.1", port=1)
    process = made(away)
    tables = [await process.with_bots(SHORT) for _ in range(2)]
    with capture_logs() as logged:
        async with process.playing():
            await ended(process, *tables)
            # One late answer is none.
            await until(lambda: "bots are shared with no other process" in {entry["event"] for entry in logged})


async def test_what_was_due_before_the_start_is_done(process: BotProcess, made: Make) -> None:
    over = await process.with_bots(SHORT)
    async with process.playing():
        await ended(process, over)
    closed = await process.open()
    await process.commands.handle(closed, CloseTable(EVERYBODY[0]))
    untouched = await process.start()
    tables = [await process.with_bots(SHORT) for _ in range(5)]
    other = made()
    async with other.playing() as player:
        await until(lambda: player.follower.position is not None)
        await ended(other, *tables)
        await until(lambda: player.watched == 0)
    assert not acts(await other.store.stream(untouched))


async def test_bots_pause_as_people_do(made: Make, time: Time) -> None:
    process = made(pause_ms=PAUSE_MS)
    table = await process.with_bots("crocodile", {1: "random", 2: "random"})
    while not any(seat in (1, 2) for seat in await due_at(process, table)):
        await process.act_at(table, 0)
    before = len(await process.store.stream(table))
    async with process.playing():
        for milliseconds in (0, PAUSE_MS - 1):
            time.advance(milliseconds / 1000)
            await has_taken_in(process)
            await asyncio.sleep(0.05)
            assert len(await process.store.stream(table)) == before
        time.advance(0.001)
        await until_it(lambda: has(process, table, before + 1))
        await has_taken_in(process)
        for milliseconds in (PAUSE_MS,) * 20:
            time.advance(milliseconds / 1000)
            await has_taken_in(process)
    records = await process.store.stream(table)
    at = [record.at for record in acts(records)]
    assert len(set(at)) == len({record.action for record in acts(records)})


async def test_bots_alone_at_a_table_pause_longer(made: Make, time: Time) -> None:
    process = made(pause_ms=PAUSE_MS)
    table = await process.with_bots("crocodile", dict.fromkeys(range(3), "random"))
    async with process.playing():
        for _ in range(8 * ALONE):
            await has_taken_in(process)
            time.advance(PAUSE_MS / 1000)
    at = sorted({micros(record.at) for record in acts(await process.store.stream(table))})
    assert len(at) >= 5
    assert {later - before for before, later in pairwise(at)} == {ALONE * PAUSE_MS * 1000}


async def test_sealed_answers_of_all_are_given_after_one_pause(made: Make, time: Time) -> None:
    process = made(pause_ms=PAUSE_MS)
    tables = {
        "khanhoo": await process.with_bots("khanhoo", options=GAMES["khanhoo"].options(players=4)),
        "toy": await process.with_bots("toy"),
    }
    async with process.playing():
        while not all([await process.scored(table, 1) for table in tables.values()]):
            await has_taken_in(process)
            time.advance(ALONE * PAUSE_MS / 1000)
    together = {game: await most_at_once(process, table) for game, table in tables.items()}
    assert together["toy"] == 4
    assert together["khanhoo"] > 1


async def most_at_once(process: BotProcess, table: str) -> int:
    """How many bots were asked at once at most; they all answered at the same moment, each once."""
    records = await process.store.stream(table)
    state, most = process.reader.opened(records[0]), 0
    game = process.reader.of(state)
    for index, record in enumerate(records[1:], 1):
        state = evolve(game, state, process.reader.read(record))
        waited = seats_due(game, state)
        if len(waited) > most:
            most = len(waited)
            answers = [one for one in records[index + 1 :] if one.actor != "house"][: len(waited)]
            assert [one.actor for one in answers] == [*map(bot, waited)], "in the order of seats"
            assert len({one.at for one in answers}) == 1
    return most


async def test_in_a_millisecond_bots_hurry_and_do_not_wait(made: Make) -> None:
    process = made(budget_s=0.001)
    tables = [await process.with_bots("tetka", dict.fromkeys(range(4), "strong")) for _ in range(3)]
    async with process.playing():
        await ended(process, *tables)
    for table in tables:
        await intact(process, table)
    # Where there is no choice, there is no hurry.
    assert process.counted("codille_bot_acts_hurried_total") > 0.5 * acted(process)
    assert process.counted("codille_bot_failures_total") == 0


@pytest.mark.parametrize(
    "settings",
    [
        TableOptions(visibility="private"),
        TableOptions(spectator_delay=SpectatorDelay(seconds=3600)),
        TableOptions(spectator_delay=SpectatorDelay(events=1000)),
        TableOptions(talk=True),
        TIMED,
    ],
    ids=["private", "late by time", "late by events", "with talk", "with clocks"],
)
async def test_bots_play_at_tables_of_any_kind(process: BotProcess, settings: TableOptions) -> None:
    table = await process.with_bots(SHORT, {1: "random", 2: "quick", 3: "random"}, settings)
    async with process.playing():
        await people_act(process, table, [0])
    records = await intact(process, table)
    assert {bot(seat) for seat in (1, 2, 3)} <= {record.actor for record in records}


async def test_an_opener_who_leaves_leaves_the_bots_behind(process: BotProcess) -> None:
    table = await process.open(SHORT)
    await process.sit(table, 0, 0)
    await process.seat_bots(table, {1: "random", 2: "random"}, by=EVERYBODY[0])
    await process.commands.handle(table, LeaveSeat(EVERYBODY[0]))
    await process.sit(table, 4, 0)
    await process.sit(table, 3, 3)
    async with process.playing():
        await people_act(process, table, [0, 3])
    assert {bot(1), bot(2)} <= {record.actor for record in await intact(process, table)}


async def test_a_substitute_plays_on_at_a_seat_that_was_abandoned(process: BotProcess) -> None:
    table = await process.with_bots(SHORT, {3: "random"})
    async with process.playing():
        while not await process.scored(table, 1):
            await act_for(process, table, [0, 1, 2])
        await process.commands.handle(table, AbandonSeat(EVERYBODY[0]))
        await process.commands.handle(table, SeatBot(EVERYBODY[1], "", Bot("quick", 1), 0))
        await people_act(process, table, [1, 2])
    records = await intact(process, table)
    seated = next(record.version for record in records if record.type == "substitute-seated")
    own = [record for record in records if record.version > seated and record.actor == bot(0)]
    assert own
    assert process.counted("codille_bot_acts_total", level="quick") == len({record.action for record in own})


async def test_a_substitute_that_was_seated_before_the_start_is_found(process: BotProcess) -> None:
    table = await process.start(SHORT)
    await process.commands.handle(table, AbandonSeat(EVERYBODY[0]))
    await process.commands.handle(table, SeatBot(EVERYBODY[1], "", Bot("quick", 1), 0))
    async with process.playing():
        await people_act(process, table, [1, 2, 3])
    await intact(process, table)
    assert process.counted("codille_bot_acts_total", level="quick") > 0


async def test_a_clock_that_runs_out_on_a_bot_is_met(process: BotProcess, time: Time) -> None:
    table = await process.with_bots("crocodile", settings=TIMED)
    async with process.keeping():
        time.reach(await process.deadline(table))
        await until_it(lambda: process.by("clock", table))
        async with process.playing():
            await ended(process, table)
    records = await intact(process, table)
    assert len({record.action for record in records if record.actor == "clock"}) == 1


async def test_a_correction_during_a_deal_disturbs_no_bot(process: BotProcess) -> None:
    # So that the game is not over after one deal.
    options = GAMES[SHORT].options(target=60)
    table = await process.with_bots(SHORT, {1: "random", 2: "random", 3: "random"}, options=options)
    async with process.playing():
        # A deal may come to nothing.
        while not (state := await process.state(table)).booked or state.running_deal is None:
            await act_for(process, table, [0])
        booked = state.booked[0]
        await process.commands.handle(table, OpenDispute(EVERYBODY[0], (LineAt(booked.version, 0),), None, "Why?"))
        await process.commands.handle(table, RuleDispute(OPENER, 1, "upheld", "So."))
        await people_act(process, table, [0])
    records = await intact(process, table)
    (corrected,) = [record.version for record in records if record.type == "ledger-corrected"]
    assert any(record.version > corrected for record in acts(records))


async def test_of_many_deals_each_act_is_done_once(process: BotProcess) -> None:
    deals = 99 if TIMES > 1 else 33
    table = await process.with_bots("crocodile", deals=deals)
    async with process.playing():
        await ended(process, table)
    records = await intact(process, table)
    assert Counter(record.type for record in records)["deal-scored"] == deals
    assert acted(process) == len({record.action for record in acts(records)})


async def test_a_seat_that_is_forgotten_is_followed_anew(made: Make) -> None:
    process = made(kept=1)
    tables = [await process.with_bots(game) for game in ("tetka", SHORT)]
    async with process.playing():
        await ended(process, *tables)
    for table in tables:
        await intact(process, table)
    assert process.counted("codille_bot_failures_total") == 0


async def test_a_lost_race_is_no_error(process: BotProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await process.with_bots("nuts", {1: "random"}, options=GAMES["nuts"].options(target=20))
    handle, raced = process.commands.handle, list[int]()

    async def outrun(to: str, command: Command, **more: Any) -> CommandResult:
        if isinstance(command, ActAsBot) and len(raced) < 3 and (await process.state(to)).running_deal:
            raced.append(await process.act_at(to, 0))
            raise Refused(Rejected(Code.LOST_RACE, "another was first"), (await process.state(to)).version, ())
        return await handle(to, command, **more)

    monkeypatch.setattr(process.commands, "handle", outrun)
    async with process.playing():
        await process.act_at(table, 0)
        await until(lambda: len(raced) == 3)
        await until_it(lambda: has_acted(process, table, 2))
    assert process.counted("codille_bot_acts_lost_total") == 3
    assert process.counted("codille_bot_failures_total") == 0


async def test_without_turns_a_bot_stops_and_waits_for_other_offers(process: BotProcess) -> None:
    table = await process.with_bots("nuts", {1: "random"})
    async with process.playing():
        await process.act_at(table, 0)
        await has_taken_in(process)
        before = len(acts(await process.store.stream(table)))
        await asyncio.sleep(0.1)
        await has_taken_in(process)
        assert len(acts(await process.store.stream(table))) == before > 1
        while len(acts(await process.store.stream(table))) == before:
            await process.act_at(table, 0)
            await has_taken_in(process)


async def test_openers_take_turns(process: BotProcess, made: Make) -> None:
    many = [await process.with_bots(SHORT) for _ in range(12)]
    alone = await process.with_bots(SHORT, opener=EVERYBODY[9])
    other = made()
    async with other.playing():
        await ended(other, *many, alone)
    own = acts(await process.store.stream(alone))
    others = [record.position for table in many for record in acts(await process.store.stream(table))]
    # Without turns, each of the others would have acted as often.
    by_then = sum(position < own[19].position for position in others)
    assert by_then < 160 < 20 * len(many)


@pytest.mark.parametrize("method", ["see", "choose"])
async def test_where_the_bots_code_fails_the_mildest_acts_go_on(
    process: BotProcess, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    def fail(*_: object) -> None:
        raise LookupError("these rules are not known")

    table = await process.with_bots("tetka", dict.fromkeys(range(4), "quick"))
    monkeypatch.setattr(Opponent, method, fail)
    with capture_logs() as logged:
        async with process.playing():
            await ended(process, table)
    await intact(process, table)
    assert process.counted("codille_bot_failures_total") > 0
    assert "error" in {entry["log_level"] for entry in logged}


async def test_a_bot_that_chooses_what_is_not_offered_takes_the_mildest_act(
    process: BotProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Opponent, "choose", lambda *_: Pass())
    table = await process.with_bots("tetka")
    with capture_logs() as logged:
        async with process.playing():
            await ended(process, table)
    await intact(process, table)
    assert process.counted("codille_bot_failures_total") > 0
    assert "a bot chose what is not offered" in {entry["event"] for entry in logged}


async def test_an_opponent_is_shown_what_its_seat_may_know_and_nothing_else(
    process: BotProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    see, sections = Opponent.see, set[tuple[str, str]]()

    def watched(self: Opponent, table_id: str, event: Event[Any]) -> None:
        sections.update((seat_audience(self._seat), audience) for audience in event.sealed)
        see(self, table_id, event)

    monkeypatch.setattr(Opponent, "see", watched)
    tables = [
        await process.with_bots(game, deals=deals) for game, deals in (("crocodile", 3), ("khanhoo", 1), ("toy", 1))
    ]
    async with process.playing():
        await ended(process, *tables)
    assert sections
    assert all(audience in (own, PUBLIC) for own, audience in sections)


async def due_at(process: BotProcess, table: str) -> tuple[Seat, ...]:
    """The seats that the game waits for."""
    state = await process.state(table)
    return seats_due(process.reader.of(state), state)


async def has(process: BotProcess, table: str, events: int) -> bool:
    """Whether the table has so many events."""
    return len(await process.store.stream(table)) >= events


async def has_acted(process: BotProcess, table: str, times: int) -> bool:
    """Whether bots have acted so often at the table."""
    return len(acts(await process.store.stream(table))) >= times
