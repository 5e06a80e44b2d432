"""Many writers in several processes over few tables and keys: no deadlock, no gap, no wrong answer."""

import asyncio
import multiprocessing
import random
from collections import Counter

import pytest

from domain.record.recorded import GENESIS
from service.store.database import Database
from service.store.store import Append, Appended, Conflict, Duplicate, KeyReused, Outcome, Store
from tests.support.log import chained, command, new_id, receipt
from tests.support.postgres import as_service

PROCESSES = 4
LANES = 3
ROUNDS = 40


def in_processes(task: object, arguments: list[tuple[object, ...]]) -> list[object]:
    with multiprocessing.get_context("spawn").Pool(len(arguments)) as pool:
        return pool.starmap_async(task, arguments).get(timeout=120)


def race(dsn: str, seed: int, tables: list[str], keys: list[str]) -> list[tuple[Append, Outcome]]:
    return asyncio.run(_race(dsn, seed, tables, keys))


async def _race(dsn: str, seed: int, tables: list[str], keys: list[str]) -> list[tuple[Append, Outcome]]:
    """Sends batches that name the same tables and keys in other orders, each by what it last heard of a table."""
    answers: list[tuple[Append, Outcome]] = []

    async def lane(store: Store, chance: random.Random) -> None:
        known = dict.fromkeys(tables, (0, GENESIS))
        for _ in range(ROUNDS):
            batch = []
            for table in chance.sample(tables, 4):
                key = chance.choice(keys) if chance.random() < 0.3 else None
                body = chance.choice(["{}", "{}", "[]"])
                batch.append(command(table, *known[table], chance.randint(1, 3), key and receipt(key, body)))
            for sent, outcome in zip(batch, await store.append(batch), strict=True):
                answers.append((sent, outcome))
                if isinstance(outcome, Appended):
                    known[sent.table] = (outcome.records[-1].version, sent.records[-1].hash)
                elif isinstance(outcome, Conflict):
                    head = (await store.heads([sent.table]))[sent.table]
                    known[sent.table] = (head.version, head.hash)

    async with Database(as_service(dsn), connections=LANES) as database:
        store = Store(database)
        await asyncio.gather(*(lane(store, random.Random(seed * LANES + n)) for n in range(LANES)))  # noqa: S311 (to be repeatable)
    return answers


async def test_races_over_few_tables_and_keys(dsn: str, store: Store) -> None:
    tables, keys = [new_id() for _ in range(6)], [f"key {n}" for n in range(40)]
    runs = await asyncio.to_thread(in_processes, race, [(dsn, seed, tables, keys) for seed in range(PROCESSES)])
    answers = [answer for run in runs for answer in run]
    log = await store.log(0, 100_000)

    assert [event.position for event in log] == list(range(1, len(log) + 1))
    for table in tables:
        assert chained(await store.stream(table))

    # Each appended command stands in the log as it was sent, and nothing else does.
    stood = {event.position: event.hash for event in log}
    appended = [(sent, outcome) for sent, outcome in answers if isinstance(outcome, Appended)]
    assert sum(len(sent.records) for sent, _ in appended) == len(log)
    for sent, outcome in appended:
        assert [stood[event.position] for event in outcome.records] == [event.hash for event in sent.records]

    # Each key was appended with at most once, and every other answer to it speaks of that one.
    with_keys = [(sent, outcome) for sent, outcome in appended if sent.receipt]
    first = {sent.receipt.scope: (sent, outcome) for sent, outcome in with_keys if sent.receipt}
    assert len(first) == len(with_keys)
    for sent, outcome in answers:
        if isinstance(outcome, Duplicate):
            original, answer = first[sent.receipt.scope]
            versions = [event.version for event in answer.records]
            assert (outcome.table, outcome.first, outcome.last) == (original.table, versions[0], versions[-1])
            assert original.receipt == sent.receipt
        elif isinstance(outcome, KeyReused):
            assert first[sent.receipt.scope][0].receipt != sent.receipt
    assert set(Counter(type(outcome) for _, outcome in answers)) == {Appended, Duplicate, KeyReused, Conflict}


@pytest.mark.parametrize("one_table", [True, False], ids=["one new table", "a new table each"])
async def test_one_key_at_once_wins_once(dsn: str, one_table: bool) -> None:
    async with Database(as_service(dsn)) as database:
        store = Store(database)
        for number in range(20):
            table = new_id()
            rivals = [command(table if one_table else new_id(), receipt=receipt(f"{number}")) for _ in range(8)]
            outcomes = [outcome for (outcome,) in await asyncio.gather(*(store.append([each]) for each in rivals))]
            (winner,) = [n for n, outcome in enumerate(outcomes) if isinstance(outcome, Appended)]
            duplicate = Duplicate(rivals[winner].table, 1, 1)
            assert [outcome for n, outcome in enumerate(outcomes) if n != winner] == [duplicate] * 7
            assert (await store.heads([each.table for each in rivals])).keys() == {rivals[winner].table}


async def test_one_new_table_at_once_is_opened_once(store: Store) -> None:
    for _ in range(20):
        shared = [new_id() for _ in range(3)]
        batches = [[command(table) for table in random.sample(shared, 3)] for _ in range(6)]
        answers = await asyncio.gather(*(store.append(batch) for batch in batches))
        outcomes = [
            (sent.table, outcome)
            for batch, answer in zip(batches, answers, strict=True)
            for sent, outcome in zip(batch, answer, strict=True)
        ]
        assert Counter(table for table, outcome in outcomes if isinstance(outcome, Appended)) == Counter(shared)
        assert all(isinstance(outcome, Appended) or outcome == Conflict() for _, outcome in outcomes)


async def test_the_same_command_at_once_is_appended_once(store: Store) -> None:
    for _ in range(20):
        sent = command(new_id(), count=2)
        answers = await asyncio.gather(*(store.append([sent]) for _ in range(6)))
        assert len({outcome for (outcome,) in answers}) == 1
        assert isinstance(answers[0][0], Appended)
    assert await store.end() == 40
