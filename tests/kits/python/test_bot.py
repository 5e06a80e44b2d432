"""The kit's bot: the author's method has a moment. Seats, tables, time, outages and a shutdown are the kit's."""

import asyncio
import json
import logging
import os
import random
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from codille_client import Client, Moment, Problem, http
from codille_client.bot import Bot

from tests.support.misbehaving import Answer, Asked, hung_up, misbehaving, problem, status, stream
from tests.support.waiting import until

SRC = Path(__file__).parents[3] / "api-spec" / "clients" / "python" / "src"
EXAMPLE = SRC.parent / "examples" / "diloti.py"
DO = {"type": "do", "fields": {"it": {"one_of": ["this", "that"]}}}


class Chance(Bot):
    """Takes any offer."""

    async def choose(self, moment: Moment) -> Mapping[str, Any] | None:
        return random.choice(moment.offers).random()


class House:
    """A service of a few tables, at each of which the player has so many turns to take, one after the other."""

    def __init__(self, turns: Mapping[str, int] | None = None) -> None:
        self.turns = dict(turns or {})
        self.versions = dict.fromkeys(self.turns, 3)
        self.notices: asyncio.Queue[Any] = asyncio.Queue()
        self.lobby: asyncio.Queue[Any] = asyncio.Queue()
        """What the next frames of the streams say; None ends one."""
        self.acted: list[tuple[str, Any]] = []
        self.keys: list[str] = []
        self.seated: list[str] = []
        self.instead: dict[str, list[Answer]] = {}
        """What is answered in place of what would be, by the end of the path."""
        self.without_turns: set[str] = set()

    async def answer(self, asked: Asked, writer: asyncio.StreamWriter) -> None:
        """Answers a request."""
        _, _, *path = asked.path.partition("?")[0].split("/")
        table, last = path[1], path[-1]
        if last == "actions":
            self.keys.append(asked.headers["idempotency-key"])
        if self.instead.get(last):
            await self.instead[last].pop(0)(asked, writer)
        elif path == ["players", "me", "stream"]:
            tables = [{"table": one, "version": version} for one, version in self.versions.items()]
            self.notices = self.later(self.notices)
            await told(self.notices, tables, asked, writer)
        elif path == ["tables", "stream"]:
            self.lobby = self.later(self.lobby)
            await told(self.lobby, [], asked, writer)
        elif last == "seats":
            self.seated.append(table)
            self.turns[table], self.versions[table] = 1, 3
            await status(201, self.view(table))(asked, writer)
        elif last == "actions":
            self.acted.append((table, asked.body))
            self.turns[table] -= 1
            self.versions[table] += 1
            to_act = [0] * (self.turns[table] > 0)
            await status(201, {"version": self.versions[table], "events": [], "to_act": to_act})(asked, writer)
        elif path[2:] == ["events", "stream"]:
            await self.followed(table, asked, writer)
        else:
            await status(200, {**self.view(table), "offers": [DO]})(asked, writer)

    def view(self, table: str) -> Any:
        to_act = [] if table in self.without_turns else [0 if self.turns[table] else 1]
        return {"table": table, "version": self.versions[table], "status": "playing", "you": 0, "to_act": to_act}

    async def followed(self, table: str, asked: Asked, writer: asyncio.StreamWriter) -> None:
        seen = {"version": self.versions[table], "view": self.view(table), "offers": [DO]}
        over = {"version": 9, "type": "game-finished", "view": {**self.view(table), "status": "finished"}}
        frames = [{"frame": "snapshot", "id": seen["version"], "data": seen}, {"frame": "event", "id": 4, "data": over}]
        await stream(*frames, silent_s=60)(asked, writer)

    def later(self, queue: "asyncio.Queue[Any]") -> "asyncio.Queue[Any]":
        """A queue for a new connection, with what no earlier one has said."""
        new: asyncio.Queue[Any] = asyncio.Queue()
        while not queue.empty():
            new.put_nowait(queue.get_nowait())
        return new


async def told(queue: "asyncio.Queue[Any]", first: Any, asked: Asked, writer: asyncio.StreamWriter) -> None:
    """A stream of a snapshot and what comes through the queue."""
    await stream({"frame": "snapshot", "id": 1, "data": {"tables": first}})(asked, writer)
    while frame := await queue.get():
        writer.write(json.dumps({"frame": "event", "data": frame}).encode() + b"\n")
        await writer.drain()


async def test_a_hundred_tables_that_need_an_answer_at_once_each_get_one_and_none_waits_for_another() -> None:
    house = House({str(table): 3 if table < 50 else 1 for table in range(100)})
    most = thinking = 0

    class Slow(Bot):
        async def choose(self, moment: Moment) -> Mapping[str, Any]:
            nonlocal most, thinking
            thinking += 1
            most = max(most, thinking)
            await asyncio.sleep(0.001)
            thinking -= 1
            return moment.offers[0].act(it="this")

    async with misbehaving(house.answer) as server, Client(server.url) as client:
        bot = Slow(client, at_once=5, grace_s=0)
        running = asyncio.create_task(bot.run())
        await until(lambda: len(house.acted) == 200)
        bot.stop()
        assert len(await running) == 100
    assert most == 5
    tables = [table for table, _ in house.acted]
    assert {table: tables.count(table) for table in tables} == {str(at): 3 if at < 50 else 1 for at in range(100)}
    # A table that has more to do comes again behind those that wait.
    assert len({*tables[:105]}) == 100


async def test_at_its_limit_it_takes_a_seat_once_another_table_is_over() -> None:
    house = House({"mine": 1})
    async with misbehaving(house.answer) as server, Client(server.url) as client:
        bot = Chance(client, games=["toy"], most=2, grace_s=0)
        running = asyncio.create_task(bot.run())
        await until(lambda: house.acted)
        for table in ("one", "two", "three"):
            house.lobby.put_nowait({"table": table, "game": "toy", "type": "table-opened"})
        house.lobby.put_nowait({"table": "four", "game": "whist", "type": "table-opened"})
        house.lobby.put_nowait({"table": "five", "game": "toy", "type": "game-started"})
        await until(lambda: house.lobby.empty() and house.seated)
        assert not await bot.join("six", "invitation")
        await asyncio.sleep(0.05)
        assert house.seated == ["one"]
        house.instead["seats"] = [problem(404, "no-such-table")]
        house.notices.put_nowait({"table": "mine", "version": 4, "notices": ["game-over"]})
        await until(lambda: len(house.seated) == 2)
        house.notices.put_nowait({"table": "one", "version": 4, "notices": ["table-closed"]})
        house.notices.put_nowait({"table": "again", "version": 1, "notices": ["rematch"]})
        await until(lambda: len(house.seated) == 3)
        bot.stop()
        assert await running == ["again", "three"]
    # Of the three that were open, one is gone by then.
    assert house.seated == ["one", "three", "again"]


async def test_when_it_is_to_stop_it_takes_no_further_seat_plays_on_and_says_which_tables_wait(
    caplog: pytest.LogCaptureFixture,
) -> None:
    house = House({"one": 1, "two": 1})
    async with misbehaving(house.answer) as server, Client(server.url) as client:
        bot = Chance(client, games=["toy"])
        running = asyncio.create_task(bot.run())
        await until(lambda: len(house.acted) == 2)
        bot.stop()
        await asyncio.sleep(0.01)
        house.lobby.put_nowait({"table": "new", "game": "toy", "type": "table-opened"})
        house.notices.put_nowait({"table": "again", "version": 1, "notices": ["rematch"]})
        house.turns["one"] = 1
        house.notices.put_nowait({"table": "one", "version": 4, "notices": ["your-turn"]})
        await until(lambda: len(house.acted) == 3)
        house.notices.put_nowait({"table": "one", "version": 6, "notices": ["game-over"]})
        await until(lambda: "one" not in bot.tables)
        assert not running.done()
        bot.stop()
        assert await running == ["two"]
        assert "table two waits for the next start" in caplog.text
        assert not await bot.join("new")
        assert house.seated == []
        house.turns["two"] = 1
        again = Chance(client)
        running = asyncio.create_task(again.run())
        await until(lambda: len(house.acted) == 4)
        # When nothing is left to play, it waits for no minute.
        house.notices.put_nowait({"table": "one", "version": 6, "notices": ["game-over"]})
        house.notices.put_nowait({"table": "two", "version": 6, "notices": ["game-over"]})
        again.stop()
        assert await running == []


async def test_an_act_during_which_it_is_to_stop_is_sent_to_its_end_and_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "FIRST_PAUSE_S", 0.001)
    house = House({"one": 2})
    came = asyncio.Event()

    async def slow(asked: Asked, writer: asyncio.StreamWriter) -> None:
        came.set()
        await asyncio.sleep(0.2)

    house.instead["actions"] = [slow, hung_up]
    async with misbehaving(house.answer) as server, Client(server.url) as client:
        bot = Chance(client)
        running = asyncio.create_task(bot.run())
        await came.wait()
        bot.stop()
        bot.stop()
        assert await running == ["one"]
    assert len(house.acted) == 1
    assert len(house.keys) == 3
    assert len({*house.keys}) == 1


async def test_where_nothing_can_be_chosen_an_offer_is_picked(caplog: pytest.LogCaptureFixture) -> None:
    house = House({"raises": 1, "late": 1, "wrong": 1, "waits": 1})
    house.instead["actions"] = []

    class Bad(Bot):
        async def choose(self, moment: Moment) -> Mapping[str, Any] | None:
            match moment.table.id:
                case "raises":
                    raise KeyError("a fault")
                case "late":
                    await asyncio.sleep(60)
                case "wrong":
                    house.instead["actions"] = [problem(422, "rule-violation", rule="T-1")]
                    return {"type": "cheat"}
            return None

    async with misbehaving(house.answer) as server, Client(server.url) as client:
        bot = Bad(client, think_s=0.05, at_once=1, grace_s=0)
        running = asyncio.create_task(bot.run())
        await until(lambda: len(house.acted) == 3)
        bot.stop()
        await running
    assert {table for table, _ in house.acted} == {"raises", "late", "wrong"}
    assert all(action["it"] in ("this", "that") for _, action in house.acted)
    assert "a fault" in caplog.text
    assert "refused {'type': 'cheat'}: 422 rule-violation (rule T-1)" in caplog.text


@pytest.mark.parametrize(("number", "code"), [(404, "no-such-table"), (409, "record-unreadable"), (410, "of-later")])
async def test_a_table_that_is_erased_hidden_or_set_aside_is_left_alone(
    number: int, code: str, caplog: pytest.LogCaptureFixture
) -> None:
    house = House({"gone": 1, "one": 1})
    house.instead["gone"] = [problem(number, code)]
    async with misbehaving(house.answer) as server, Client(server.url) as client:
        bot = Chance(client, grace_s=0)
        running = asyncio.create_task(bot.run())
        await until(lambda: house.acted and "gone" not in bot.tables)
        bot.stop()
        assert await running == ["one"]
    assert f"table gone is left alone: {number} {code}" in caplog.text


async def test_it_plays_on_after_an_outage_and_ends_with_its_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "FIRST_PAUSE_S", 0.01)
    house = House({"one": 1})
    house.instead = {"stream": [hung_up] * 30, "one": [hung_up] * 30, "actions": [hung_up] * 30}
    async with misbehaving(house.answer) as server, Client(server.url, deadline_s=0.05) as client:
        bot = Chance(client)
        running = asyncio.create_task(bot.run())
        await until(lambda: house.acted)
        assert not any(house.instead.values())
        house.instead["stream"] = [problem(401, "no-such-token")]
        house.notices.put_nowait(None)
        with pytest.raises(Problem, match="401 no-such-token"):
            await running


async def test_it_plays_games_without_turns() -> None:
    house = House({"one": 1})
    house.without_turns.add("one")
    async with misbehaving(house.answer) as server, Client(server.url) as client:
        bot = Chance(client)
        running = asyncio.create_task(bot.run())
        await until(lambda: house.acted and not bot.tables)
        bot.stop()
        assert await running == []
    assert [table for table, _ in house.acted] == ["one"]


async def test_what_a_newer_service_says_besides_is_passed_over() -> None:
    house = House({"one": 0})
    async with misbehaving(house.answer) as server, Client(server.url) as client:
        bot = Chance(client, games=["toy"], grace_s=0)
        running = asyncio.create_task(bot.run())
        house.notices.put_nowait({"weather": "fine"})
        house.lobby.put_nowait({"weather": "fine"})
        house.lobby.put_nowait({"table": "x", "game": "toy", "type": "table-painted"})
        house.turns["one"] = 1
        house.notices.put_nowait({"table": "one", "version": 3, "notices": ["thunder"], "colour": "red"})
        await until(lambda: house.acted and house.lobby.empty())
        bot.stop()
        assert await running == ["one"]
    assert house.seated == []


async def test_it_sits_down_from_the_lobby_by_invitation_and_at_rematches(service_url: str) -> None:
    async with Client(service_url) as ada, Client(service_url) as client:
        await ada.register("Ada")
        await client.register("Cleo")
        others = {"1": "random", "2": "random"}
        bot = Chance(client, games=["toy"], grace_s=0)
        running = asyncio.create_task(bot.run())
        async with asyncio.timeout(100):
            table = await ada.open_table("toy", deals=1, bots=others)
            await table.sit()
            hidden = await ada.open_table("toy", deals=1, bots=others, table={"visibility": "private"})
            await hidden.sit()
            assert await bot.join(hidden.id, (await hidden.invite())["invitation"])
            person = asyncio.create_task(Chance(ada).run())
            endings = [[moment.ended async for moment in each.follow()][-1] for each in (table, hidden)]
            again = await table.rematch()
            endings.append([moment.ended async for moment in again.follow()][-1])
            bot.stop()
            # It sits down at whatever table of other tests is open, too.
            assert not {table.id, hidden.id, again.id} & {*await running}
        person.cancel()
    assert all(endings)
    async with Client(service_url) as public:
        for each in (table, again):
            actions = [
                event["action"] async for event in public.table(each.id).events() if event["actor"][:4] == "seat"
            ]
            assert actions


async def test_the_example_stops_at_a_signal_and_goes_on_when_it_starts_again(service_url: str) -> None:
    """A person waits at a table without a clock. What the bot says at its end is where."""
    async with Client(service_url) as ada, Client(service_url) as client:
        await ada.register("Ada")
        token = (await client.register("Cleo"))["token"]
        table = await ada.open_table("diloti", deals=1)
        await client.table(table.id).sit()
        await table.sit()
        for stopped in (True, False):
            program = await asyncio.create_subprocess_exec(
                sys.executable,
                EXAMPLE,
                service_url,
                env=os.environ | {"CODILLE_TOKEN": token, "PYTHONPATH": str(SRC), "NO_PROXY": "127.0.0.1"},
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
            async with asyncio.timeout(100):
                mine = ada.table(table.id)
                while (moment := await mine.my_turn()) and not (stopped and moment.version > 20):
                    await moment.act(random.choice(moment.offers).random())
                # The second ends the minute in which it plays on, which it does not need where nothing is left to play.
                for _ in range(1 + stopped):
                    program.send_signal(signal.SIGTERM)
                    await asyncio.sleep(0.2)
                out, errors = await program.communicate()
            assert program.returncode == 0, errors.decode()
            said, waiting = out.decode().split(": ")
            assert said == "tables that wait for the next start"
            # It sits down at whatever table of other tests is open, too.
            assert (table.id in waiting.split()) == stopped
        assert moment is None
        assert (await table.view())["status"] == "finished"


def test_a_bot_without_its_method_says_so() -> None:
    async def choose() -> None:
        async with Client("http://127.0.0.1:9") as client:
            await Bot(client).choose(Moment(client.table("t"), "snapshot", 1, {}))

    with pytest.raises(NotImplementedError):
        asyncio.run(choose())
    assert logging.getLogger("codille_client.bot").name == "codille_client.bot"
