"""However a table ends, all who sit there then are told by stream and webhook, once, and nobody else is."""

from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from datetime import UTC, datetime

import httpx
import msgspec
from msgspec.structs import replace

from domain.record.recorded import GENESIS, Recorded
from domain.seats import PUBLIC
from domain.table.actions import AbandonSeat, LeaveSeat
from domain.table.events import ENDINGS, GameFinished
from domain.table.following import DESERTED
from domain.table.options import DEFAULT
from domain.table.state import Table
from service.auth.secrets import mint_token
from service.http.edge import Edge
from service.services import Services
from service.store.accounts import Accounts
from service.store.database import Database
from service.store.store import Append
from tests.contract.conftest import Caller
from tests.contract.test_lists import services, until_built
from tests.contract.test_log_streams import MINE
from tests.contract.test_webhooks import URL, queued
from tests.golden.games import Recording, play, recordings
from tests.golden.notation import Step
from tests.support.games import EVERYBODY, OPENER, READER
from tests.support.log import new_id
from tests.support.streams import StreamReader, reading
from tests.support.waiting import until

__all__ = ["services"]

GAME = "don"
"""A game of four that is played to a target."""

KINDS = {"finished": "game-over", "closed": "table-closed"}
"""By the table's status, the notice that its end is."""

End = tuple[str, int, list[str]]
"""Table and version of a table's end, and the kinds of the notice."""


def lives() -> Iterator[Recording]:
    """The game's recorded tables, which show every type of event, and one whose players all leave.

    Whoever gets up last before the start stays, so that somebody waits.
    """
    for one in recordings(GAME).values():
        steps = list(one.steps)
        left = [place for place, step in enumerate(steps) if isinstance(step.command, LeaveSeat)]
        if left:
            del steps[left[-1]]
            # Each event takes a second.
            steps[-1] = Step(steps[-1].command, steps[-1].waited + 1)
        yield replace(one, steps=tuple(steps))
    one = recordings(GAME)["table-abandoned"]
    leaving = tuple(Step(AbandonSeat(player)) for player in EVERYBODY[:4])
    yield replace(one, opening=replace(one.opening, table=DEFAULT), steps=(*one.steps[:4], *leaving))


def ending(records: Sequence[Recorded]) -> tuple[Recorded, Table]:
    """The event by which a table is over, and the table after it."""
    table: Table | None = None
    for record in records:
        table = READER.fold(table, (record,), PUBLIC)
        if table is not None and table.over:
            return record, table
    raise AssertionError("every recorded table of this game ends")


def closed_and_set_aside() -> list[Recorded]:
    """A closed table with an event of a form that no version of the program knows yet."""
    records = play(GAME, recordings(GAME)["left-and-closed"]).records
    return [*records[:2], replace(records[2], schema=99), *records[3:]]


async def registered(client: httpx.AsyncClient, dsn: str, player: str) -> Caller:
    """The player with this id."""
    secret, token = mint_token(["play"])
    async with Database(dsn, owner=True, connections=1) as database:
        await Accounts(database).register(player, "Ada", token, datetime.now(UTC))
    return Caller(client, player, secret)


async def append(services: Services, records: Sequence[Recorded]) -> str:
    """Appends a table's whole record, as that of a new table: all recorded ones have one id. Returns the id."""
    table = new_id()
    await services.log.store.append([Append(table, 0, GENESIS, [replace(record, table=table) for record in records])])
    return table


async def told(stream: StreamReader, many: int) -> list[End]:
    """The notices of tables' ends in a stream, once there are so many."""

    def ends() -> list[End]:
        data = [frame.data for frame in stream.frames if frame.kind == "event"]
        return [(one["table"], one["version"], one["notices"]) for one in data if {*KINDS.values()} & {*one["notices"]}]

    await until(lambda: len(ends()) >= many)
    return ends()


async def sent(caller: Caller, webhook: str) -> list[End]:
    """The messages for a webhook, oldest first."""
    items = (await caller.get(f"/webhooks/{webhook}/deliveries?limit=200")).json()["items"]
    data = [(item["message"]["data"], item["message"]["type"]) for item in reversed(items)]
    return [(each["table"], each["version"], [kind]) for each, kind in data]


async def test_however_a_table_ends_all_who_sit_there_are_told(
    client: httpx.AsyncClient, app: Edge, services: Services, dsn: str
) -> None:
    people = {player: await registered(client, dsn, player) for player in (*EVERYBODY[:4], OPENER)}
    await until_built(people[OPENER])
    wanted = {"url": URL, "events": [*KINDS.values()]}
    webhooks = {player: (await one.post("/webhooks", wanted)).json()["id"] for player, one in people.items()}
    due: dict[str, list[End]] = {player: [] for player in people}
    ways: set[tuple[str, str | None]] = set()
    async with AsyncExitStack() as opened:
        streams = {player: await opened.enter_async_context(reading(app, MINE, one)) for player, one in people.items()}
        for stream in streams.values():
            await stream.next()
        await append(services, closed_and_set_aside())
        for life in lives():
            records = play(GAME, life).records
            end, state = ending(records)
            way = (end.type, msgspec.json.decode(end.public).get("reason"))
            if way not in ways:
                ways.add(way)
                table = await append(services, records)
                for player in due.keys() & {*state.players}:
                    due[player].append((table, end.version, [KINDS[state.status]]))
        assert {type for type, _ in ways} == ENDINGS
        assert (GameFinished.TYPE, DESERTED) in ways
        for player, stream in streams.items():
            assert await told(stream, len(due[player])) == due[player]
    await queued(services)
    for player, one in people.items():
        assert await sent(one, webhooks[player]) == due[player]
        async with reading(app, f"{MINE}?after=0", one) as again:
            assert await told(again, len(due[player])) == due[player]
