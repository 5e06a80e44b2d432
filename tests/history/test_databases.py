"""Today's service goes on with the databases of earlier versions.

Every record in them is listed, shown, replayed, audited, exported and verified as before, and every game that was
running is played on. The tests of a database share one service, and hold in any order: what they ask of a table
is true of it whether its game is played on before or after.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import asyncpg
import httpx
import msgspec
import pytest

from service.audit import AuditSummary, Sources, audit_log
from service.cli.load_test.http_connection import Connection
from service.config import Settings
from service.wiring import open_services
from tests.history.archives import ARCHIVES, Archive
from tests.support.auditing import one_auditor
from tests.support.exports import verified
from tests.support.helpers import helper
from tests.support.picking import Temper, pick, repeatable
from tests.support.postgres import Postgres, as_service, binaries
from tests.support.redis import Valkey
from tests.support.repetition import TIMES
from tests.support.service import environment, running
from tests.support.waiting import PATIENCE_S

__all__ = ["one_auditor"]

AT_ONCE = 4
STEPS = 100
"""So many versions a replay shows at most."""

Json = Any


class Recorded(NamedTuple):
    """A table as it stands in the database."""

    id: str
    game: str
    version: int
    scored: Sequence[int]
    """The deals that are over."""
    started: bool
    ended: bool
    expired: bool
    unlisted: bool


class House:
    """Today's service on the database of an earlier version."""

    def __init__(self, archive: Archive, url: str, dsn: str, settings: Mapping[str, str]) -> None:
        self.archive = archive
        self.url = url
        self.settings = settings
        self._dsn = dsn
        self._idle: asyncio.Queue[Connection] = asyncio.Queue()

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[None]:
        """Keeps connections to it."""
        connections = [Connection(self.url, timeout_s=PATIENCE_S) for _ in range(AT_ONCE)]
        self._idle = asyncio.Queue()
        for connection in connections:
            self._idle.put_nowait(connection)
        try:
            yield
        finally:
            for connection in connections:
                connection.close()

    async def send(self, method: str, path: str, token: str | None = None, body: Json = None) -> tuple[int, bytes]:
        """A response's status and body."""
        connection = await self._idle.get()
        try:
            encoded = None if body is None else msgspec.json.encode(body)
            answer = await connection.send(connection.encode(method, path, token=token, body=encoded))
        finally:
            self._idle.put_nowait(connection)
        return answer.status, answer.body

    async def get(self, path: str, token: str | None = None) -> Json:
        """What is answered, which must be something."""
        status, body = await self.send("GET", path, token)
        assert status == 200, (path, status, body)
        return msgspec.json.decode(body)

    async def items(self, path: str) -> list[Json]:
        """All items of a list."""
        page = await self.get(f"{path}limit=100")
        items = list(page["items"])
        while page["next"] is not None:
            page = await self.get(f"{path}limit=100&cursor={page['next']}")
            items += page["items"]
        return items

    async def players(self) -> Mapping[str, str]:
        """The players' tokens by their ids."""
        tokens = {name: token for name, token in self.archive.tokens.items() if name != "arbiter"}
        return {(await self.get("/v1/players/me", token))["player"]: token for token in tokens.values()}

    async def tables(self) -> list[Recorded]:
        """All tables, as the database has them."""
        connection = await asyncpg.connect(self._dsn)
        rows = await connection.fetch(
            """
            SELECT table_id::text AS id, min(game) AS game, max(version) AS version,
                coalesce(array_agg(deal ORDER BY deal) FILTER (WHERE type = 'deal-scored'), '{}') AS scored,
                bool_or(type = 'game-started') AS started,
                bool_or(type IN ('game-finished', 'table-closed', 'table-expired')) AS ended,
                bool_or(type = 'table-expired') AS expired,
                bool_or(type = 'table-opened' AND convert_from(public, 'UTF8') LIKE '%"unlisted"%') AS unlisted
            FROM codille.event GROUP BY table_id ORDER BY min(position)
            """
        )
        await connection.close()
        return [Recorded(**row) for row in rows]

    async def audited(self) -> AuditSummary:
        """What the audit of the whole log finds."""
        settings = Settings.load(self.settings)
        assert settings.database_url
        assert settings.redis_url
        async with open_services(settings, settings.database_url, settings.redis_url) as services:
            return await audit_log(
                Sources(settings.database_url, settings.redis_url, settings.registry),
                lambda *_: None,
                checkpoint=await services.log.transparency.newest(),
                keys=await services.log.transparency.keys(),
                processes=1,
            )


@pytest.fixture(scope="module")
def server() -> Iterator[Postgres]:
    """A server for the databases."""
    server = Postgres(binaries())
    try:
        server.start()
        server.execute("CREATE ROLE codille_service LOGIN")
        yield server
    finally:
        server.remove()


@pytest.fixture(scope="module", params=list(ARCHIVES.values()), ids=list(ARCHIVES))
def house(
    request: pytest.FixtureRequest, server: Postgres, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[House]:
    """Today's service, started on the database, which it migrates first."""
    archive: Archive = request.param
    dsn = server.dsn(archive.restore(server))
    data: Path = tmp_path_factory.mktemp(archive.name) / "data"
    redis = Valkey()
    settings = {
        "CODILLE_DATABASE_URL": as_service(dsn),
        "CODILLE_DATABASE_OWNER_URL": dsn,
        "CODILLE_REDIS_URL": redis.url,
        "CODILLE_SIGNING_KEY": archive.signing_key,
        "CODILLE_RATE_LIMIT": "off",
    }
    try:
        redis.start()
        with running(data, settings=settings) as service:
            house = House(archive, service.url, dsn, environment(data, settings))
            asyncio.run(until_ready(house))
            yield house
    finally:
        redis.remove()


async def until_ready(house: House) -> None:
    """Returns when the lists are made anew and have all tables."""
    deadline = time.monotonic() + PATIENCE_S
    async with house.connected():
        number = sum(not table.unlisted for table in await house.tables())
        while (answer := await house.send("GET", "/v1/tables?limit=100"))[0] != 200 or (
            len(await house.items("/v1/tables?")) < number
        ):
            assert time.monotonic() < deadline, answer
            await asyncio.sleep(0.05)


async def test_every_table_is_listed_shown_and_replayed(house: House) -> None:
    async with house.connected():
        tables = await house.tables()
        listed = {each["table"]: each["game"] for each in await house.items("/v1/tables?")}
        assert listed == {table.id: table.game for table in tables if not table.unlisted}
        (token, *_) = (await house.players()).values()
        for table in tables:
            view = await house.get(f"/v1/tables/{table.id}", token)
            assert view["version"] >= table.version
            events = (await house.get(f"/v1/tables/{table.id}/events?limit=200", token))["items"]
            # Where the house or the clock acts, there are more meanwhile.
            assert [event["version"] for event in events] == list(range(1, len(events) + 1))
            assert min(200, view["version"]) <= len(events)
            for first in {1, max(1, table.version - STEPS + 1)}:
                last = min(table.version, first + STEPS - 1)
                steps = (await house.get(f"/v1/tables/{table.id}/replay?from={first}&to={last}", token))["steps"]
                assert [step["version"] for step in steps] == list(range(first, last + 1))
            if table.ended:
                await house.get(f"/v1/tables/{table.id}/replay/{table.version}?as=all")


async def test_every_finished_deal_is_audited_as_intact(house: House) -> None:
    async with house.connected():
        for table in await house.tables():
            for deal in table.scored:
                audit = await house.get(f"/v1/tables/{table.id}/deals/{deal}/audit")
                failed = [check for check in audit["checks"] if not check["passed"]]
                assert (audit["verdict"], failed) == ("intact", []), (table, deal)


async def test_every_table_is_exported_and_verified(house: House) -> None:
    async with house.connected():
        key = (await house.get("/v1/log/keys"))["items"][0]["verifier"]
        (token, *_) = (await house.players()).values()
        tables = await house.tables()
    async with httpx.AsyncClient(base_url=house.url, timeout=PATIENCE_S, trust_env=False) as http:
        for table in tables:
            for headers in ({}, {"Authorization": f"Bearer {token}"}):
                export = await http.get(f"/v1/tables/{table.id}/export", headers=headers)
                assert export.status_code == 200, export.text
                checked = verified(export.content, key)
                failed = [check for check in checked.checks if not check.passed]
                assert (checked.verdict, failed) == ("intact", []), table


async def test_ledgers_and_leaderboards_answer(house: House) -> None:
    async with house.connected():
        tables = await house.tables()
        for table in tables:
            ledger = await house.get(f"/v1/tables/{table.id}/ledger")
            assert sum(line["amount"] for line in ledger["lines"]) == 0
        for game in {table.game for table in tables}:
            leaders = await house.items(f"/v1/leaderboard?game={game}&")
            assert {leader["player"] for leader in leaders} <= (await house.players()).keys()
            assert leaders or not any(table.scored for table in tables if table.game == game)
            for player in await house.players():
                await house.items(f"/v1/players/{player}/ledger?game={game}&")


@pytest.mark.usefixtures("one_auditor")
async def test_every_running_game_is_played_on(house: House) -> None:
    """The deal that was running ends, and one table of each game, in `make long` every table, is played to its end."""
    async with house.connected():
        players = await house.players()
        tables = await house.tables()
        going_on = [table for table in tables if not table.ended]
        chosen = {table.game: table for table in going_on if table.started}.values()
        whole = going_on if TIMES > 1 else [table for table in going_on if table in chosen or not table.started]
        ended = await asyncio.gather(*(played_on(house, table, players, whole=table in whole) for table in going_on))
        # A table that nobody joins expires in time, and then is closed. It may have been the only one that went on.
        assert {end for table, end in zip(going_on, ended, strict=True) if table in whole} <= {"finished", "closed"}
        assert {end for table, end in zip(going_on, ended, strict=True) if table in chosen} <= {"finished"}
        assert set(ended) <= {"finished", "closed", "playing"}
        # Nothing may go on any more, where clocks have run out since the service was started.
        assert "finished" in ended or any(table.expired for table in tables) or not going_on
        now = await house.tables()
        scored = {table.id: len(table.scored) for table in tables}
        assert all(len(table.scored) > scored[table.id] for table in now if table.started and not table.ended)
        for table in now:
            for deal in table.scored[-1:]:
                audit = await house.get(f"/v1/tables/{table.id}/deals/{deal}/audit")
                failed = [check for check in audit["checks"] if not check["passed"]]
                assert (audit["verdict"], failed) == ("intact", []), (table, deal)
    summary = await house.audited()
    assert (summary.differences, summary.not_judged) == ((), 0)


async def played_on(house: House, table: Recorded, players: Mapping[str, str], *, whole: bool) -> str:
    """Sits down where seats are free, and picks from what is offered until a deal ends, or the whole game. Returns the
    status.
    """
    path, rng = f"/v1/tables/{table.id}", repeatable(table.version)
    view = await house.get(path, next(iter(players.values())))
    seated = {seat["player"] for seat in view["seats"]}
    free = iter([player for player in players if player not in seated])
    for seat in view["seats"]:
        if view["status"] == "open" and seat["player"] is None:
            await house.send("POST", f"{path}/seats", players[next(free)], {"seat": seat["seat"]})
    view = await house.get(path, next(iter(players.values())))
    seats = [players[seat["player"]] for seat in view["seats"] if seat["player"] is not None]
    temper = Temper({"abandon": 0.01, "concede": 0.01, **helper(table.game, "habits").wishes[0].own})
    asked, deadline = 0, time.monotonic() + PATIENCE_S
    while (reached := view["status"]) not in ("finished", "closed"):
        assert time.monotonic() < deadline, view
        offers = await house.get(f"{path}/offers", seats[asked])
        if offers["to_act"] and asked not in offers["to_act"]:
            asked = rng.choice(offers["to_act"])
            offers = await house.get(f"{path}/offers", seats[asked])
        choices = [offer for offer in offers["offers"] if offer["type"] != "talk"]
        if choices:
            # Whoever is slower than the clock is refused.
            status, body = await house.send("POST", f"{path}/actions", seats[asked], pick(choices, rng, temper))
            if status == httpx.codes.CREATED:
                done = msgspec.json.decode(body)
                if not whole and any(event["type"] == "deal-scored" for event in done["events"]):
                    return str((await house.get(path, seats[0]))["status"])
                if done["to_act"]:
                    asked = rng.choice(done["to_act"])
            deadline = time.monotonic() + PATIENCE_S
        else:
            view = await house.get(path, seats[0])
        if not offers["to_act"]:
            # Where there are no turns, everybody has one.
            asked = rng.randrange(len(seats))
        elif not choices:
            # The house plays the seat, or the clock acts.
            await asyncio.sleep(0.05)
    return str(reached)
