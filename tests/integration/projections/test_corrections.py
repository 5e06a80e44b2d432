"""What spans tables follows corrections of their ledgers, live as from a rebuild, and each correction once."""

import random
from collections import Counter
from typing import Any

import msgspec
import pytest
from redis.asyncio import Redis

from domain.kernel.ledger import LineAt
from domain.record.history import History, Moment, record_command, without_section
from domain.record.recorded import Recorded
from domain.seats import PUBLIC
from domain.table.actions import Command, Entry, EraseText, OpenDispute, RuleDispute
from domain.table.state import Table
from projections.advance import Advance, Context
from projections.checkpoint import Shards
from projections.fold import Folds
from projections.ledgers import ledger_of
from projections.models import ReadModels
from projections.redis_keys import SHARDS, Layout
from service.audit.tallies import compare_tallies, summed, tallies_of
from tests.support.projecting import (
    QUICK,
    READER,
    MemoryLog,
    Running,
    caught_up,
    contents,
    current,
    player_id,
    projector,
    quiet,
    recorded,
    table_id,
)

GAME = "crocodile"
ARBITER = "an arbiter"


@pytest.fixture(scope="module")
def of_one_game() -> list[Recorded]:
    """The records of one game's tables, so that what is booked for a player can be added up."""
    return recorded(12, game=READER.game(GAME))


@pytest.fixture
def log(of_one_game: list[Recorded]) -> MemoryLog:
    """A log of these tables."""
    return MemoryLog(of_one_game)


class Disputed:
    """A table of the log, some lines of which are disputed."""

    def __init__(self, log: MemoryLog, table: str) -> None:
        self._log = log
        self._history = history_of(log, table)

    def does(self, command: Command) -> None:
        """Adds what follows to the log."""
        number = self._history.version
        at = f"2026-11-21T10:{number // 60 % 60:02}:{number % 60:02}.000000Z"
        game = READER.of(self._history.table)
        self._history, records = record_command(game, self._history, command, Moment(at, table_id(number), bytes(32)))
        self._log.append(list(records))

    @property
    def table(self) -> Table:
        """The table by now."""
        return self._history.table


def history_of(log: MemoryLog, table: str) -> History:
    history = READER.history([record for record in log.records if record.table == table])
    assert history is not None
    return history


def tables(log: MemoryLog) -> dict[str, Table]:
    return {record.table: history_of(log, record.table).table for record in log.records}


def trouble(log: MemoryLog, rng: random.Random) -> None:
    """Disputes lines of every finished table, most of them upheld; some of their words are erased."""
    for name, table in tables(log).items():
        if table.status != "finished":
            continue
        disputed = Disputed(log, name)
        for number, booked in enumerate(rng.sample(table.booked, 2), 1):
            line = rng.randrange(len(booked.lines))
            player = str(rng.choice(table.players))
            disputed.does(OpenDispute(player, (LineAt(booked.version, line),), None, "Why?"))
            entries = tuple(
                Entry(rng.randrange(3), "bank", rng.choice([-7, 11, 40]), "contract", "CR-9.2", "=1+1")
                for _ in range(rng.randrange(3))
            )
            upheld = rng.random() < 0.8
            ruling = RuleDispute(ARBITER, number, "upheld" if upheld else "rejected", "So.", entries if upheld else ())
            disputed.does(ruling)
        _again(disputed)
        if rng.random() < 0.5:
            version = disputed.table.texts[0]
            disputed.does(EraseText(version))
            _erased(log, name, version)


def _again(disputed: Disputed) -> None:
    """Disputes a line that took another back, if there is one, and has it taken back in turn."""
    taken = next((booked for booked in disputed.table.booked if booked.lines[0].kind == "reversal"), None)
    if taken is None:
        return
    number = len(disputed.table.disputes) + 1
    player = str(disputed.table.players[0])
    disputed.does(OpenDispute(player, (LineAt(taken.version, 1),), None, "And why that?"))
    disputed.does(RuleDispute(ARBITER, number, "upheld", "So it was.", ()))


def _erased(log: MemoryLog, table: str, version: int) -> None:
    """Leaves nothing of what was said."""
    log.replace([
        without_section(record, PUBLIC) if (record.table, record.version) == (table, version) else record
        for record in list(log.records)
    ])  # fmt: skip


async def follows(models: ReadModels, log: MemoryLog) -> None:
    """Asserts that all that is read is what the log says."""
    totals: Counter[str] = Counter()
    games: Counter[str] = Counter()
    wins: Counter[str] = Counter()
    lines: dict[str, list[int]] = {}
    for name, table in tables(log).items():
        summaries = [msgspec.json.decode(item) for item in (await models.tables(player=table.players[0])).items]
        listed = [item for item in summaries if item["table"] == name]
        for item in listed:
            assert (item["totals"], item["winners"]) == (list(table.totals), _listed(table.winners))
        stored = await models.ledger(name)
        assert stored is not None
        books: dict[str, Any] = msgspec.json.decode(stored.body)
        assert stored.body == ledger_of(table, READER.of(table).unit)
        assert all(line["deal"] for line in books["lines"] if line["kind"] == "reversal")
        by_account: Counter[str] = Counter()
        for line in books["lines"]:
            by_account[line["account"]] += line["amount"]
        assert {one["account"]: one["balance"] for one in books["balances"]} == {
            one["account"]: by_account[one["account"]] for one in books["balances"]
        }
        assert by_account.keys() <= {one["account"] for one in books["balances"]}
        assert len(books["lines"]) == sum(len(booked.lines) for booked in table.booked)
        view = await models.view(name, PUBLIC)
        assert view is not None
        served = msgspec.json.decode(view.body)
        assert (served["totals"], served["winners"]) == (list(table.totals), _listed(table.winners))
        assert [one["status"] for one in served["disputes"]] == [one.status for one in table.disputes]
        for seat, player in enumerate(table.players):
            if player is None or table.status == "closed":
                continue
            totals[player] += table.totals[seat]
            games[player] += table.winners is not None
            wins[player] += seat in (table.winners or ())
            amounts = [line.amount for booked in table.booked for line in booked.lines if line.seat == seat]
            lines.setdefault(player, []).extend(amounts)
    players = sorted(lines)
    for player, record in zip(players, await models.record(players), strict=True):
        served = msgspec.json.decode(record)
        assert (served["games"], served["wins"]) == (games[player], wins[player])
        assert sum(one["total"] for one in served["by_game"]) == totals[player]
        items = [msgspec.json.decode(item) for item in (await models.statement(player, limit=200)).items]
        assert sorted(item["amount"] for item in items) == sorted(lines[player])
        running = 0
        for item in reversed(items):
            running += item["amount"]
            assert item["balance"] == running
    board = [msgspec.json.decode(item) for item in (await models.leaderboard(GAME, limit=200)).items]
    assert {item["player"]: (item["total"], item["games"], item["wins"]) for item in board} == {
        player: (totals[player], games[player], wins[player])
        for player in players
        if player in totals and lines[player]
    } | {item["player"]: (0, item["games"], item["wins"]) for item in board if not lines.get(item["player"])}
    assert [item["total"] for item in board] == sorted((item["total"] for item in board), reverse=True)
    assert await compare_tallies(models, READER.games, summed(map(tallies_of, tables(log).values()))) == []


def _listed(winners: tuple[int, ...] | None) -> list[int] | None:
    return None if winners is None else list(winners)


@pytest.mark.parametrize("seed", range(3))
async def test_all_that_is_read_follows_corrections(
    redis: Redis, models: ReadModels, log: MemoryLog, seed: int
) -> None:
    async with Running(projector(log, redis)):
        await caught_up(redis, log)
        await follows(models, log)
        # What is erased changes neither versions nor positions, so the projector goes on where it was.
        trouble(log, random.Random(seed))  # noqa: S311 (nothing secret hangs on it)
        await caught_up(redis, log)
        await follows(models, log)
    live = await contents(redis)
    await projector(log, redis).rebuild(quiet)
    assert await contents(redis) == live


async def test_a_correction_that_comes_twice_counts_once(redis: Redis, models: ReadModels, log: MemoryLog) -> None:
    await projector(log, redis).rebuild(quiet)
    trouble(log, random.Random(9))  # noqa: S311 (as above)
    generation = await current(redis)
    assert generation is not None
    layout = Layout(generation)
    shards = Shards(redis, layout, generation + 1000)
    for reached in (*range(1, len(SHARDS) + 1, 3), len(SHARDS)):
        # One that dies between two shards; the next one brings them all to the same place, and further.
        places = await shards.claim()
        context = Context(log, READER, redis, lambda: 0.0, QUICK.retention_s)
        some = Advance(
            context,
            layout,
            shards,
            {shard: places[shard] for shard in SHARDS[:reached]},
            Folds(log, READER, capacity=9),
        )
        records: list[Recorded] = await some.read(3)
        if records:
            await some.write(records)
    async with Running(projector(log, redis)):
        await caught_up(redis, log)
    await follows(models, log)


async def test_a_correction_of_a_table_that_has_left_redis(redis: Redis, log: MemoryLog) -> None:
    """What spans tables follows all the same, and the table itself is folded from the log when it is asked for."""
    limits = msgspec.structs.replace(QUICK, retention_s=-1e9)
    models = ReadModels(redis, log, {GAME: READER.game(GAME)}, timeout_s=20.0)
    finished = next(name for name, table in tables(log).items() if table.status == "finished")
    async with Running(projector(log, redis, limits)):
        await caught_up(redis, log)
        disputed = Disputed(log, finished)
        player = str(disputed.table.players[1])
        place = LineAt(disputed.table.booked[0].version, 0)
        disputed.does(OpenDispute(player, (place,), None, "Why?"))
        disputed.does(RuleDispute(ARBITER, 1, "upheld", "So.", (Entry(1, "bank", 1000, "contract", "CR-9.2", "!"),)))
        await caught_up(redis, log)
        assert await models.ledger(finished) is None
        board = [msgspec.json.decode(item) for item in (await models.leaderboard(GAME)).items]
        (listed,) = [
            item
            for item in map(msgspec.json.decode, (await models.tables(player=player)).items)
            if item["table"] == finished
        ]
    assert listed["winners"] == [1] == list(disputed.table.winners or ())
    assert listed["totals"] == list(disputed.table.totals)
    assert board[0]["player"] == player
    assert player in map(player_id, range(9))
