"""What is read is what the log says, worked out here from the records alone."""

import asyncio
import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import msgspec
import pytest
from redis.asyncio import Redis

from domain.record.history import Reader
from domain.record.recorded import Recorded
from domain.table.view import view
from projections import models as read_models
from projections.models import Page, ReadModels
from projections.scripts import RedisCommand, send
from tests.support.projecting import (
    READER,
    MemoryLog,
    Running,
    caught_up,
    games,
    player_id,
    projector,
    quiet,
    table_id,
)
from tests.support.registry import GAMES

Json = dict[str, Any]


def by_table(records: Sequence[Recorded]) -> dict[str, list[Recorded]]:
    tables: dict[str, list[Recorded]] = defaultdict(list)
    for record in records:
        tables[record.table].append(record)
    return tables


def audiences(records: Sequence[Recorded]) -> list[str]:
    table = READER.fold(None, records, "public")
    return ["public", *(f"seat:{seat}" for seat in range(len(table.players)))]


def folded(records: Sequence[Recorded], audience: str) -> bytes:
    table = Reader(GAMES).fold(None, records, audience)
    return msgspec.json.encode(view(GAMES[table.game], table, audience))


def lines(records: Sequence[Recorded]) -> list[tuple[Recorded, Json]]:
    """The lines with their numbers among those of their event."""
    booked = [(record, json.loads(record.public).get("lines", [])) for record in records]
    return [(record, line | {"line": number}) for record, own in booked for number, line in enumerate(own)]


def shown(records: Sequence[Recorded]) -> list[Recorded]:
    """The events that lists and statements have, in their order: where spectators follow late, whole deals (TL-6.1)."""
    late: set[str] = set()
    held: dict[str, list[Recorded]] = {}
    told: list[Recorded] = []
    for record in records:
        if b"spectator_delay" in record.public:
            late.add(record.table)
        if record.table in late and record.type == "cards-dealt":
            held[record.table] = []
        held.get(record.table, told).append(record)
        if record.type in ("deal-scored", "game-finished"):
            told += held.pop(record.table, [])
    return told


def items(page: Page) -> list[Json]:
    return [json.loads(item) for item in page.items]


async def check(models: ReadModels, records: Sequence[Recorded]) -> None:
    """Everything that can be read, against the records."""
    tables = by_table(records)
    for table, own in tables.items():
        for audience in audiences(own):
            seen = await models.view(table, audience)
            assert seen is not None
            assert (seen.version, seen.body) == (len(own), folded(own, audience))
        await check_ledger(models, table, own)
    await check_list(models, by_table(shown(records)))
    await check_players(models, shown(records))


async def check_ledger(models: ReadModels, table: str, own: Sequence[Recorded]) -> None:
    stored = await models.ledger(table)
    assert stored is not None
    ledger = json.loads(stored.body)
    assert stored.version == ledger["version"] == len(own)
    assert ledger["unit"] == GAMES[own[0].game].unit
    assert ledger["lines"] == [line | {"version": at.version, "deal": at.deal} for at, line in lines(own)]
    sums = Counter[str]()
    for _, line in lines(own):
        sums[line["account"]] += line["amount"]
    balances = {each["account"]: each["balance"] for each in ledger["balances"]}
    assert {account: balances.get(account) for account in sums} == dict(sums)
    assert sum(balances.values()) == 0
    players = json.loads(folded(own, "public"))["seats"]
    seated = [(f"player:{seat['player']}", seat["seat"]) for seat in players if seat["player"] is not None]
    assert [(each["account"], each["seat"]) for each in ledger["balances"]][: len(seated)] == seated


async def check_list(models: ReadModels, tables: dict[str, list[Recorded]]) -> None:
    listed = items(await models.tables(limit=200))
    assert [each["table"] for each in listed] == list(reversed(tables))
    for each in listed:
        own = tables[each["table"]]
        seen = json.loads(folded(own, "public"))
        same = ("table", "game", "status", "deals", "deal", "totals", "winners", "version")
        assert {name: each[name] for name in same} == {name: seen[name] for name in same}
        assert each["players"] == [seat["player"] for seat in seen["seats"]]
        assert each["bots"] == [seat["bot"] for seat in seen["seats"]]
        assert (each["opened_at"], each["updated_at"]) == (own[0].at, own[-1].at)


async def check_players(models: ReadModels, records: Sequence[Recorded]) -> None:
    for game in GAMES:
        await check_players_of(game, models, [record for record in records if record.game == game])
    for player, own in records_of_players(records).items():
        (served,) = map(json.loads, await models.record([player]))
        assert served["games"] == sum(each["games"] for each in served["by_game"])
        assert served["wins"] == sum(each["wins"] for each in served["by_game"])
        assert {each["game"] for each in served["by_game"]} == own


def records_of_players(records: Sequence[Recorded]) -> dict[str, set[str]]:
    """The games in which something was booked for each player, or which the player has finished."""
    games: dict[str, set[str]] = defaultdict(set)
    for record, line in lines(records):
        kind, _, player = line["account"].partition(":")
        if kind == "player":
            games[player].add(record.game)
    for own in by_table(records).values():
        seen = json.loads(folded(own, "public"))
        for seat in seen["seats"] if seen["status"] == "finished" else ():
            games[seat["player"]].add(seen["game"])
    return games


async def check_players_of(game: str, models: ReadModels, records: Sequence[Recorded]) -> None:
    totals, finished, won = Counter[str](), Counter[str](), Counter[str]()
    statements: dict[str, list[Json]] = defaultdict(list)
    for record, line in lines(records):
        kind, _, player = line["account"].partition(":")
        if kind == "player":
            totals[player] += line["amount"]
            where = {name: getattr(record, name) for name in ("table", "game", "deal", "version", "at")}
            statements[player].append(line | where | {"bots": False, "balance": totals[player]})
    for own in by_table(records).values():
        seen = json.loads(folded(own, "public"))
        for seat in seen["seats"]:
            if seen["status"] == "finished":
                totals[seat["player"]] += 0
                finished[seat["player"]] += 1
                won[seat["player"]] += seat["seat"] in seen["winners"]
    board = items(await models.leaderboard(game, limit=200))
    best = sorted(totals, key=lambda player: (-totals[player], player))
    assert [(each["player"], each["total"]) for each in board] == [(player, totals[player]) for player in best]
    for each in board:
        player = each["player"]
        assert (each["games"], each["wins"]) == (finished[player], won[player])
        assert each["rank"] == 1 + sum(total > each["total"] for total in totals.values())
        assert items(await models.statement(player, game=game, limit=200)) == statements[player][::-1][:200]
        (served,) = map(json.loads, await models.record([player]))
        (of_game,) = (each for each in served["by_game"] if each["game"] == game)
        assert of_game == {
            "game": game,
            "total": totals[player],
            "games": finished[player],
            "wins": won[player],
        }


async def test_live_read_models_are_the_fold_of_the_log(redis: Redis) -> None:
    log = MemoryLog()
    models = ReadModels(redis, log, GAMES, timeout_s=20.0)
    async with Running(projector(log, redis)):
        for number, records in enumerate(games(8, seed=3)):
            log.append(records)
            if number % 150 == 50:
                await caught_up(redis, log)
                await check(models, log.records)
        await caught_up(redis, log)
        await check(models, log.records)
        assert await models.lag() == 0


async def test_a_view_is_there_as_soon_as_it_is_waited_for(redis: Redis) -> None:
    log = MemoryLog()
    models = ReadModels(redis, log, GAMES, timeout_s=20.0)
    async with Running(projector(log, redis)):
        await caught_up(redis, log)
        for records in games(2, seed=4):
            log.append(records)
            last = records[-1]
            assert await models.wait(last.table, last.version, 60)
            seen = await models.view(last.table, "public")
            assert seen is not None
            assert seen.version == last.version
            assert not await models.wait(last.table, last.version + 1, 0)


async def test_an_eye_on_one_table_never_sees_it_go_back(redis: Redis) -> None:
    log = MemoryLog()
    models = ReadModels(redis, log, GAMES, timeout_s=20.0)
    versions = []
    async with Running(projector(log, redis)):
        await caught_up(redis, log)
        for records in games(1, seed=5):
            log.append(records)
            seen = await models.view(table_id(0), "public") if await models.wait(table_id(0), 1, 60) else None
            assert seen is not None
            versions.append(seen.version)
    assert versions == sorted(versions)


def proofs(secret: Any) -> Iterator[str]:
    """The salts and seeds in a section, its openings included."""
    match secret:
        case dict():
            yield from (text for name, text in secret.items() if name in ("salt", "seed"))
            yield from chain.from_iterable(map(proofs, secret.values()))
        case list():
            yield from chain.from_iterable(map(proofs, secret))


async def test_nothing_that_only_the_house_knows_goes_to_redis(redis: Redis, log: MemoryLog) -> None:
    await projector(log, redis).rebuild(quiet)
    secrets = [json.loads(record.sealed)["house"] for record in log.records if b'"house"' in record.sealed]
    hidden = [str(value).encode() for secret in secrets for value in proofs(secret)]
    values = [await redis.dump(key) async for key in redis.scan_iter()]
    assert len(hidden) > len(values) // 100
    assert not any(secret in value for secret in hidden for value in values)


async def test_folds_that_left_memory_are_folded_again(redis: Redis) -> None:
    log = MemoryLog()
    limits = msgspec.structs.replace(projector(log, redis)._limits, capacity=2, batch=3)
    models = ReadModels(redis, log, GAMES, timeout_s=20.0)
    async with Running(projector(log, redis, limits)):
        for records in games(6, seed=6, at_once=6):
            log.append(records)
        await caught_up(redis, log)
    await check(models, log.records)


@pytest.mark.parametrize("read", ["view", "ledger"])
async def test_an_unknown_table_has_nothing(redis: Redis, log: MemoryLog, models: ReadModels, read: str) -> None:
    await projector(log, redis).rebuild(quiet)
    arguments = ("public",) if read == "view" else ()
    assert await getattr(models, read)(table_id(10**9), *arguments) is None


async def test_a_stranger_has_an_empty_record(redis: Redis, log: MemoryLog, models: ReadModels) -> None:
    await projector(log, redis).rebuild(quiet)
    stranger = player_id(10**9)
    (record,) = await models.record([stranger])
    assert json.loads(record) == {"games": 0, "wins": 0, "by_game": []}
    assert await models.record([]) == []
    assert (await models.statement(stranger)) == Page([], None)
    assert (await models.leaderboard("no-such-game")) == Page([], None)


async def test_lists_asked_for_at_the_same_moment_are_read_over_one_connection(
    redis: Redis, log: MemoryLog, models: ReadModels, monkeypatch: pytest.MonkeyPatch
) -> None:
    await projector(log, redis).rebuild(quiet)
    sent, under_way, most = 0, 0, 0

    async def counted(redis: Redis, commands: Sequence[RedisCommand]) -> list[Any]:
        nonlocal sent, under_way, most
        sent, under_way = sent + 1, under_way + 1
        most = max(most, under_way)
        try:
            return await send(redis, commands)
        finally:
            under_way -= 1

    monkeypatch.setattr(read_models, "send", counted)
    players = sorted({record.actor for record in log.records})
    reads = [
        *(models.leaderboard(game, limit=limit) for game in GAMES for limit in range(1, 30)),
        *(models.tables(player=player) for player in players),
        *(models.statement(player, game="crocodile") for player in players),
        *(models.leaderboard("crocodile") for _ in range(100)),
    ]
    together = await asyncio.gather(*reads)
    assert most == 1
    assert sent <= 3
    # Each has its own answer.
    assert together[0] == await models.leaderboard(next(iter(GAMES)), limit=1)
    assert together[-1] == await models.leaderboard("crocodile")
    assert together[len(GAMES) * 29] == await models.tables(player=players[0])
