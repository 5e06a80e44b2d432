"""The Python kit plays whole games at a running service, while connections are broken off and processes killed.

There is no code for that here: bots are those of the example. In `make long` they play every game.
"""

import asyncio
import random
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from codille_client import Client, Table, sync

from tests.support.doors import doors, kill_in_turn
from tests.support.gate import gate
from tests.support.misbehaving import Asked, misbehaving, status
from tests.support.postgres import as_service
from tests.support.registry import GAMES, fewest_deals
from tests.support.repetition import TIMES

QUICK = ("crocodile", "nuts")
"""A game with turns, and one without."""
NAMES = sorted(GAMES) if TIMES > 1 else QUICK
OPTIONS: Mapping[str, Mapping[str, int]] = {"nuts": {"stall": 10}}
"""A game's options, besides which it has its defaults. Players who act by chance are in Nuts for long."""
PAUSE_S = 3.0 if TIMES > 1 else 0.5
"""Seconds between two kills."""


async def seated(url: str, game: str) -> tuple[Table, list[str]]:
    """A table of the game, and the tokens of players who are yet to sit down."""
    async with Client(url) as client:
        seats = {offered["game"]: offered["seats"] for offered in await client.games()}[game]
        tokens = [(await client.register(f"Player {seat}"))["token"] for seat in range(seats)]
        deals = fewest_deals(GAMES[game])
        return await client.open_table(game, deals=deals, options=OPTIONS.get(game)), tokens


async def played(url: str, table_id: str, token: str) -> list[int]:
    """Plays to the end, and returns the versions that were acted at."""
    versions, chance = [], random.Random(token)
    async with Client(url, token) as client:
        table = client.table(table_id)
        await table.sit()
        while moment := await table.my_turn():
            await moment.act(chance.choice(moment.offers).random(chance))
            versions.append(moment.version)
    return versions


async def followed(url: str, table_id: str, token: str | None) -> list[int]:
    """Follows a table to the end, and returns the versions of its events."""
    async with Client(url, token) as client:
        versions = []
        async for moment in client.table(table_id).follow(after=0):
            versions += [moment.version] if moment.event is not None else []
            if moment.over:
                break
        return versions


async def played_out(url: str, game: str, direct: str | None = None) -> None:
    """Bots play a game, and two followers miss nothing. The record is then read from the `direct` address."""
    table, tokens = await seated(url, game)
    following = [asyncio.create_task(followed(url, table.id, token)) for token in (None, tokens[0])]
    turns = await asyncio.gather(*(played(url, table.id, token) for token in tokens))
    async with Client(direct or url) as client:
        table = client.table(table.id)
        view = await table.view()
        assert view["status"] == "finished"
        assert [event["version"] async for event in table.events()] == [*range(1, view["version"] + 1)]
        assert await asyncio.gather(*following) == [[*range(1, view["version"] + 1)]] * 2
        actions = [event["action"] async for event in table.events() if event["actor"].startswith("seat:")]
        assert len(actions) == len(set(actions)), "nothing was done twice"
    assert all(turns)


@pytest.mark.parametrize("game", NAMES if TIMES > 1 else QUICK[:1])
async def test_a_game_is_played_through_connections_that_break(service_url: str, game: str) -> None:
    with gate(service_url) as front:
        await played_out(front.url, game, service_url)
    # In Nuts all may be stuck before so much was sent.
    assert front.broken or game == "nuts"
    assert front.held


async def test_games_are_played_while_processes_are_killed(
    dsn: str, empty_redis: str, described: Mapping[str, str], tmp_path: Path
) -> None:
    served_by = {"CODILLE_DATABASE_URL": as_service(dsn), "CODILLE_REDIS_URL": empty_redis, **described}
    settings = {"CODILLE_RATE_LIMIT": "off", "CODILLE_SIGNING_KEY": "5e" * 32, **served_by}
    with doors(tmp_path, 2, settings) as both, ThreadPoolExecutor(1) as killing:
        over = threading.Event()
        killed = killing.submit(kill_in_turn, both, over, pause_s=PAUSE_S, most=None if TIMES > 1 else 2)
        try:
            games: Sequence[str] = NAMES
            async with asyncio.timeout(600 * TIMES):
                await asyncio.gather(*(played_out(both[place % 2].url, game) for place, game in enumerate(games)))
                await asyncio.wrap_future(killed) if TIMES == 1 else None
        finally:
            over.set()
        killed.result()
    assert all(door.killed for door in both)


async def test_two_processes_with_one_token_and_key_act_once(service_url: str) -> None:
    table, tokens = await seated(service_url, "crocodile")
    for token in tokens:
        async with Client(service_url, token) as client:
            await client.table(table.id).sit()
    async with Client(service_url, tokens[0]) as one, Client(service_url, tokens[0]) as other:
        seat = (await one.table(table.id).view())["to_act"][0]
    async with Client(service_url, tokens[seat]) as one, Client(service_url, tokens[seat]) as other:
        moment = await one.table(table.id).my_turn()
        assert moment is not None
        action = moment.offers[0].random()
        both = (one.table(table.id), other.table(table.id))
        acted, again = await asyncio.gather(*(each.act(action, moment.version, key="once") for each in both))
        view = await both[0].view()
    assert acted == again
    assert view["version"] == acted["version"]


def test_the_face_without_async_plays_a_game(service_url: str) -> None:
    table, tokens = asyncio.run(seated(service_url, "crocodile"))

    def play(token: str) -> int:
        acts = 0
        with sync.Client(service_url, token) as client:
            mine = client.table(table.id)
            mine.sit()
            while moment := mine.my_turn():
                moment.act(moment.offers[0].random())
                acts += 1
            assert mine.view()["status"] == "finished"
            return acts

    with ThreadPoolExecutor(len(tokens)) as players:
        assert all(players.map(play, tokens))


async def test_one_player_plays_at_all_tables_at_once(service_url: str) -> None:
    async def plays(client: Client) -> None:
        async for moment in client.turns():
            await moment.act(random.choice(moment.offers).random())

    async with Client(service_url) as ada, Client(service_url) as berta:
        await ada.register("Ada")
        await berta.register("Berta")
        tables = [await ada.open_table("diloti", deals=1) for _ in range(3)]
        for client in (ada, berta):
            for table in tables:
                await client.table(table.id).sit()
        playing = [asyncio.create_task(plays(client)) for client in (ada, berta)]
        async with asyncio.timeout(200):
            endings = [[moment.ended async for moment in table.follow()][-1] for table in tables]
        for each in playing:
            each.cancel()
            with pytest.raises(asyncio.CancelledError):
                await each
    assert all(endings)


async def test_bots_take_the_other_seats(service_url: str) -> None:
    async with Client(service_url) as client:
        await client.register("Ada")
        assert [item["level"] for item in (await client.bots())["items"]] == ["random", "quick", "strong"]
        table = await client.open_table("crocodile", bots={"1": "strong"})
        await table.remove_bot(1)
        await table.sit(0)
        await table.seat_bot("quick", 2)
        view = await table.seat_bot()
        names = (await table.words()).names
    assert view["status"] == "playing"
    assert names == {0: "Ada", 1: "ᴮᴼᵀ Strong bot", 2: "ᴮᴼᵀ Quick bot"}


async def test_an_act_whose_answer_is_lost_is_done_once(service_url: str) -> None:
    """Whoever answers is gone between the act and the answer, as a process is that is killed then."""
    table, tokens = await seated(service_url, "crocodile")
    for token in tokens:
        async with Client(service_url, token) as client:
            await client.table(table.id).sit()

    async def forwarded(asked: Asked, writer: asyncio.StreamWriter) -> None:
        async with httpx.AsyncClient() as http:
            headers = {name: asked.headers[name] for name in ("authorization", "idempotency-key")}
            done = await http.post(f"{service_url}{asked.path}", json=asked.body, headers=headers)
        if len(front.asked) > 2:
            await status(done.status_code, done.json())(asked, writer)

    async with Client(service_url) as client, misbehaving(forwarded) as front:
        before = await client.table(table.id).view()
        async with Client(front.url, tokens[before["to_act"][0]]) as lossy, Client(service_url, lossy.token) as direct:
            offers = await direct.table(table.id).offers()
            acted = await lossy.table(table.id).act(offers[0].random())
        assert len(front.asked) == 3
        events = [event async for event in client.table(table.id).events(before["version"])]
    assert [event["version"] for event in acted["events"]] == [event["version"] for event in events]
    assert len({event["action"] for event in events}) == 1
