"""All finished games of a player as one stream of exports."""

import asyncio
import gzip
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from service.app import create_app
from service.config import Settings
from service.http import responses
from service.queries import player_exports
from service.services import Services
from tests.contract.conftest import Caller, at_work, client_of, configured, deal_over, opened, problem, register, seated
from tests.support.archiving import archivist
from tests.support.exports import verified
from tests.support.projecting import until


@pytest.fixture
async def services(settings: Settings, dsn: str, empty_redis: str) -> AsyncIterator[Services]:
    async with at_work(settings, dsn, empty_redis) as services:
        stop = asyncio.Event()
        archiving = asyncio.create_task(archivist(services.log.database, reader=services.reader).run(stop))
        yield services
        stop.set()
        await archiving


async def finished(three: list[Caller], **options: Any) -> str:
    """The table of a game of three deals that is over."""
    table = await opened(three[0], **options)
    invitation = ""
    if options.get("table", {}).get("visibility") == "private":
        made = await three[0].post(f"/tables/{table}/invitations", {})
        invitation = f"?invite={made.json()['invitation']}"
    for seat, caller in enumerate(three):
        answer = await caller.post(f"/tables/{table}/seats{invitation}", {"seat": seat})
        assert answer.status_code == 201, answer.text
    for _ in range(3):
        await deal_over(three, table)
    await archived(three[0], table)
    return table


async def archived(caller: Caller, table: str) -> None:
    """Returns once the archive has the finished game."""

    async def found() -> bool:
        return (await caller.get(f"/players/{caller.player}/records.ndjson?after={table}")).status_code == 200

    await until(found)


async def records_of(caller: Caller, player: str, **query: str) -> list[bytes]:
    """The records in the stream."""
    answer = await caller.get(f"/players/{player}/records.ndjson", params=query)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/x-ndjson"), answer.text
    return list(player_exports_of(answer.content))


def player_exports_of(data: bytes) -> list[bytes]:
    """The exports in a stream, by their headers."""
    whole: list[bytes] = []
    for line in data.splitlines(keepends=True):
        if line.startswith(b'{"audience":'):
            whole.append(b"")
        whole[-1] += line
    return whole


def tables_in(records: list[bytes]) -> list[str]:
    found = [verified(record) for record in records]
    assert {one.verdict for one in found} <= {"unpinned"}
    return [str(one.table) for one in found]


async def test_the_stream_has_the_exports_of_all_finished_games(three: list[Caller]) -> None:
    first, second = await finished(three), await finished(three)
    await seated(three)
    other = await register(three[0].http, "Dora")
    for caller in (other, three[1]):
        records = await records_of(caller, three[1].player)
        assert tables_in(records) == [second, first]
        for table, record in zip((second, first), records, strict=True):
            assert record == (await caller.get(f"/tables/{table}/export")).content
    assert await records_of(other, other.player) == []


async def test_what_lists_do_not_show_only_its_players_take_along(three: list[Caller]) -> None:
    shown = await finished(three)
    hidden = [await finished(three, table={"visibility": one}) for one in ("unlisted", "private")]
    other = await register(three[0].http, "Dora")
    assert tables_in(await records_of(other, three[0].player)) == [shown]
    # Another player's list is what everybody sees, even to who sat there.
    assert tables_in(await records_of(three[1], three[0].player)) == [shown]
    own = await records_of(three[0], three[0].player)
    assert tables_in(own) == [*reversed(hidden), shown]
    assert all(verified(record).audience == "seat:0" for record in own)
    problem(await other.get(f"/players/{three[0].player}/records.ndjson?after={hidden[0]}"), 422, "invalid-query")


async def test_filters_are_the_archives(three: list[Caller]) -> None:
    first, second = await finished(three), await finished(three, table={"visibility": "private"})
    player, other = three[0].player, three[1].player
    records = await records_of(three[0], player)
    ends = {}
    for table, record in zip((second, first), records, strict=True):
        (end,) = (event["at"] for event in map(json.loads, record.splitlines()) if event.get("type") == "game-finished")
        ends[table] = end
    opening = json.loads(records[0].splitlines()[1])
    game, version = opening["game"], str(opening["public"]["rules_version"])
    stranger = await register(three[0].http, "Dora")
    for query, tables in (
        ({"game": game}, [second, first]),
        ({"game": "whist"}, []),
        ({"game": game, "rules_version": version}, [second, first]),
        ({"game": game, "rules_version": "99"}, []),
        ({"game": game, "option": "nonsense:1"}, None),
        ({"rules_version": "1"}, None),
        ({"with": other}, [second, first]),
        ({"with": stranger.player}, []),
        ({"since": ends[second]}, [second]),
        ({"until": ends[second]}, [first]),
        ({"until": ends[second], "after": second}, [first]),
        ({"since": "yesterday"}, None),
        ({"bots": "true"}, []),
        ({"bots": "false", "disputed": "false", "corrected": "false"}, [second, first]),
        ({"disputed": "true"}, []),
    ):
        if tables is None:
            answer = await three[0].get(f"/players/{player}/records.ndjson", params=query)
            problem(answer, 422, "invalid-query")
        else:
            assert tables_in(await records_of(three[0], player, **query)) == tables, query
    (line,) = (await three[0].get(f"/tables/{first}/ledger")).json()["lines"][-1:]
    body = {"lines": [{"version": line["version"], "line": line["line"]}], "reason": "why?"}
    assert (await three[0].post(f"/tables/{first}/disputes", body)).status_code == 201

    async def disputed() -> bool:
        return tables_in(await records_of(three[0], player, disputed="true")) == [first]

    await until(disputed)


async def test_a_stream_is_resumed_after_a_table(three: list[Caller]) -> None:
    tables = [await finished(three) for _ in range(3)]
    assert tables_in(await records_of(three[0], three[0].player, after=tables[2])) == [tables[1], tables[0]]
    assert await records_of(three[0], three[0].player, after=tables[0]) == []
    running = await opened(three[0])
    path = f"/players/{three[0].player}/records.ndjson"
    for after in (running, three[0].player):
        problem(await three[0].get(f"{path}?after={after}"), 422, "invalid-query")


async def test_it_is_packed_where_that_is_asked_for(three: list[Caller]) -> None:
    await finished(three)
    path = f"/v1/players/{three[0].player}/records.ndjson"
    plain = await three[0].http.get(path, headers={"Accept-Encoding": "identity"})
    packed = await three[0].http.get(path, headers={"Accept-Encoding": "gzip"})
    assert (packed.headers["content-encoding"], "content-encoding" in plain.headers) == ("gzip", False)
    assert packed.content == plain.content
    assert "Accept-Encoding" in packed.headers["vary"]

    async def some() -> Any:
        for piece in (b"one\n", b"two\n"):
            yield piece

    pieces = [piece async for piece in player_exports.packed(some())]
    assert gzip.decompress(b"".join(pieces)) == b"one\ntwo\n"
    assert len(pieces) == 3


async def test_a_used_up_quota_slows_the_stream_and_does_not_end_it(
    three: list[Caller], services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(2):
        await finished(three)
    waited: list[float] = []

    async def rest(_: Any, seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr(responses, "rest", rest)
    path = f"/v1/players/{three[0].player}/records.ndjson"
    whole = (await three[0].http.get(path)).content
    assert waited == []
    app = create_app(configured(Settings(rate_limit=2700), services, lambda: 20.0))
    async with client_of(app) as client:
        answer = await client.get(path)
        assert (answer.status_code, answer.content) == (200, whole)
        assert set(waited) == {40}
        problem(await client.get(path), 429, "rate-limited")


async def test_of_nobody_and_of_who_was_erased_there_is_nothing(three: list[Caller]) -> None:
    table = await finished(three)
    problem(await three[0].get(f"/players/{table}/records.ndjson"), 404, "no-such-player")
    assert (await three[2].delete("/players/me")).status_code == 204
    problem(await three[0].get(f"/players/{three[2].player}/records.ndjson"), 404, "no-such-player")
    assert tables_in(await records_of(three[0], three[0].player)) == [table]
