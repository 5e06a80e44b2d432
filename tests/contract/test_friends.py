"""Tables among friends: who may look and sit down, invitations, lists, and playing the same again."""

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from service.http.edge import Edge
from tests.contract.conftest import Caller, as_owner, deal_over, next_of, opened, problem, register, with_scopes
from tests.contract.test_lists import services, until_listed
from tests.support.for_each import for_each
from tests.support.streams import reading

__all__ = ["services"]

DOCUMENT = json.loads((Path(__file__).parents[2] / "api-spec" / "openapi.json").read_text())
OF_TABLES = [
    (method.upper(), path)
    for path, item in DOCUMENT["paths"].items()
    for method in item
    if path.startswith("/v1/tables/{table}") and method in ("get", "post", "delete", "patch", "put")
]
GUESS = "codille_invitation_" + "A" * 43


async def seated_at(table: str, players: list[Caller], invitation: str | None = None) -> str:
    for seat, caller in enumerate(players):
        query = f"?invite={invitation}" if invitation and seat else ""
        answer = await caller.post(f"/tables/{table}/seats{query}", {"seat": seat})
        assert answer.status_code == 201, answer.text
    return table


async def table_of(players: list[Caller], visibility: str, **body: object) -> tuple[str, str]:
    """A table of this visibility at which the players sit, and an invitation to it."""
    table = await opened(players[0], table={"visibility": visibility}, **body)
    invitation = await invited(players[0], table)
    return await seated_at(table, players, invitation), invitation


async def invited(caller: Caller, table: str) -> str:
    answer = await caller.post(f"/tables/{table}/invitations", {})
    assert answer.status_code == 201, answer.text
    assert answer.json()["table"] == table
    return str(answer.json()["invitation"])


async def call(
    http: httpx.AsyncClient, method: str, path: str, table: str, token: str | None, invite: str | None
) -> int:
    """The status of an operation on the table, called with little more than its address."""
    values = {"table": table, "deal": 1, "dispute": 1, "version": 1, "invitation": table, "seat": 1}
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    query = {"invite": invite} if invite else {}
    async with http.stream(method, path.format_map(values), headers=headers, params=query) as answer:
        if answer.status_code == 404:
            await answer.aread()
            if answer.json()["code"] != "no-such-table":
                return 0
        return answer.status_code


@for_each("method, path", OF_TABLES)
async def test_nobody_learns_of_a_private_table_without_an_invitation(
    three: list[Caller], method: str, path: str
) -> None:
    table, invitation = await table_of(three, "private")
    stranger, http = await register(three[0].http, "Zoe"), three[0].http
    other, _ = await table_of(three, "public")
    elsewhere = await invited(three[0], other)
    needs_token = method != "GET" or path.endswith("/invitations")
    for token in (None, stranger.token):
        refused = 401 if needs_token and token is None else 404
        for guess in (None, GUESS, elsewhere):
            assert await call(http, method, path, table, token, guess) == refused, (token, guess)
        # A stream would not end.
        assert path.endswith("/stream") or await call(http, method, path, table, token, invitation) != 404
    assert path.endswith("/stream") or await call(http, method, path, table, three[1].token, None) != 404


async def test_a_private_table_is_its_players_and_its_guests(three: list[Caller]) -> None:
    opener, berta, carl = three
    table = await opened(opener, table={"visibility": "private"})
    assert (await opener.get(f"/tables/{table}")).status_code == 200
    problem(await berta.get(f"/tables/{table}"), 404, "no-such-table")
    problem(await berta.post(f"/tables/{table}/seats", {}), 404, "no-such-table")
    problem(await berta.post(f"/tables/{table}/invitations", {}), 404, "no-such-table")
    invitation = await invited(opener, table)
    assert (await opener.http.get(f"/v1/tables/{table}?invite={invitation}")).status_code == 200
    problem(await carl.post(f"/tables/{table}/invitations?invite={invitation}", {}), 403, "not-seated")
    assert (await berta.post(f"/tables/{table}/seats?invite={invitation}", {})).status_code == 201
    assert (await berta.get(f"/tables/{table}")).status_code == 200
    assert (await carl.get(f"/tables/{table}?invite={await invited(berta, table)}")).status_code == 200
    problem(await carl.get(f"/tables/{table}?invite={invitation}&invite={invitation}"), 404, "no-such-table")
    assert (await berta.delete(f"/tables/{table}/seats/me")).status_code == 200
    problem(await berta.get(f"/tables/{table}"), 404, "no-such-table")


async def test_an_invitation_is_repeated_for_its_key(three: list[Caller]) -> None:
    table, key = await opened(three[0], table={"visibility": "private"}), {"Idempotency-Key": "come"}
    first, second = [await three[0].post(f"/tables/{table}/invitations", {}, headers=key) for _ in range(2)]
    assert "idempotency-replayed" not in first.headers
    assert second.headers["idempotency-replayed"] == "true"
    for answer in (first, second):
        invitation = answer.json()["invitation"]
        assert (await three[1].get(f"/tables/{table}?invite={invitation}")).status_code == 200


async def test_no_invitation_is_stored(three: list[Caller], dsn: str) -> None:
    invitation = await invited(three[0], await opened(three[0]))
    ((kept,),) = await as_owner(dsn, "SELECT string_agg(i::text, ' ') FROM codille.invitation i")
    assert invitation not in kept
    assert invitation.encode().hex() not in kept


async def test_an_arbiter_looks_at_a_private_table_where_a_line_is_disputed(three: list[Caller], dsn: str) -> None:
    table, _ = await table_of(three, "private")
    arbiter = await with_scopes(dsn, await register(three[0].http, "Zoe"), "arbiter")
    await deal_over(three, table)
    problem(await arbiter.get(f"/tables/{table}/ledger"), 404, "no-such-table")
    assert (await three[0].post(f"/tables/{table}/disputes", {"deal": 1, "reason": "No."})).status_code == 201
    assert (await arbiter.get(f"/tables/{table}/ledger")).status_code == 200
    ruling = await arbiter.post(f"/tables/{table}/disputes/1/ruling", {"ruling": "rejected", "text": "It stands."})
    assert ruling.status_code == 201


@pytest.mark.parametrize("visibility", ["unlisted", "private"])
async def test_no_list_shows_what_is_not_public(three: list[Caller], visibility: str) -> None:
    hidden, _ = await table_of(three, visibility)
    waiting = await opened(three[0], table={"visibility": visibility})
    for _ in range(3):
        await deal_over(three, hidden)
    running, _ = await table_of(three, visibility)
    shown, _ = await table_of(three, "public")
    await deal_over(three, shown)
    await until_listed(three[0], shown)
    of_player = f"&player={three[0].player}"
    for caller in (three[0], three[1], await register(three[0].http, "Zoe")):
        for query in ("", of_player, "&status=finished", "&status=open", f"&status=finished{of_player}"):
            if caller is three[0] and of_player in query:
                continue
            listed = (await caller.get(f"/tables?limit=200{query}")).json()["items"]
            assert not {hidden, waiting, running} & {item["table"] for item in listed}
        if caller is three[0]:
            continue
        statement = (await caller.get(f"/players/{three[0].player}/ledger?game=crocodile")).json()["items"]
        assert {line["table"] for line in statement} <= {shown}
        profile = (await caller.get(f"/players/{three[0].player}")).json()
        assert profile["record"]["games"] == 0
    assert {one["table"] for one in (await three[0].get("/players/me")).json()["tables"]} == {running, shown}
    stranger = await register(three[0].http, "Yan")
    assert (await stranger.get(f"/tables/{hidden}/ledger")).status_code == (200 if visibility == "unlisted" else 404)


def public_record(caller: Caller, game: str) -> list[str]:
    """The addresses at which all read what the caller has played."""
    return [
        f"/tables?player={caller.player}&limit=200",
        f"/players/{caller.player}/ledger?limit=200",
        f"/players/{caller.player}",
        f"/players?id={caller.player}",
        f"/leaderboard?game={game}&limit=200",
    ]


async def in_pages(caller: Caller, path: str, limit: int) -> list[Any]:
    """The items of a list, read page by page."""
    items: list[Any] = []
    cursor = ""
    while True:
        page = (await caller.get(f"{path}&limit={limit}{cursor}")).json()
        items += page["items"]
        if page["next"] is None:
            return items
        cursor = f"&cursor={page['next']}"


async def test_private_games_stand_in_their_own_players_lists_and_in_nobody_elses(three: list[Caller]) -> None:
    ada, stranger = three[0], await register(three[0].http, "Zoe")
    before = await finished(three)
    await until_listed(ada, before)
    paths = public_record(ada, "crocodile")
    seen = [(await stranger.get(path)).content for path in paths]
    private, _ = await table_of(three, "private")
    unlisted, _ = await table_of(three, "unlisted")
    for table in (private, unlisted):
        for _ in range(3):
            await deal_over(three, table)
        await until_listed(ada, table)
    # What others read is the same to the byte, and so are cursors and balances.
    for path, content in zip(paths, seen, strict=True):
        for other in (stranger, three[1]):
            assert (await other.get(path)).content == content, path
    profile, beside = [(await ada.get(path)).json() for path in (f"/players/{ada.player}", f"/players?id={ada.player}")]
    assert profile["record"]["games"] == 3
    assert beside["items"] == [profile]
    after = await finished(three)
    await until_listed(ada, after)
    path = f"/players/{ada.player}/ledger?game=crocodile"
    own = await in_pages(ada, path, 200)
    ledgers = [
        (await ada.get(f"/tables/{table}/ledger")).json()["lines"] for table in (before, private, unlisted, after)
    ]
    booked = [line["amount"] for lines in ledgers for line in lines if line["account"] == f"player:{ada.player}"]
    assert [line["amount"] for line in reversed(own)] == booked
    balances = [line["balance"] for line in reversed(own)]
    assert balances == [sum(booked[: number + 1]) for number in range(len(booked))]
    assert {line["table"] for line in own} == {before, private, unlisted, after}
    total = (await ada.get(f"/players/{ada.player}")).json()["record"]["by_game"][0]["total"]
    assert total == sum(booked)
    assert await in_pages(ada, path, 1) == own
    since = f"&since={own[-1]['at']}&until={own[0]['at']}"
    assert await in_pages(ada, path + since, 2) == [line for line in own if line["at"] != own[0]["at"]]
    public = [line for line in own if line["table"] in (before, after)]
    theirs = await in_pages(stranger, path, 3)
    assert [line | {"balance": 0} for line in theirs] == [line | {"balance": 0} for line in public]
    amounts = [line["amount"] for line in reversed(theirs)]
    assert [line["balance"] for line in reversed(theirs)] == [sum(amounts[: at + 1]) for at in range(len(amounts))]
    csv = await ada.get(path, headers={"Accept": "text/csv"})
    assert private in csv.text
    assert csv.headers["cache-control"] == "no-store"


@for_each("table", [{"visibility": "secret"}, {"visibility": None}, {"visible": "private"}])
async def test_visibility_is_one_of_three(ada: Caller, table: object) -> None:
    problem(await ada.post("/tables", {"game": "crocodile", "table": table}), 422, "invalid-body")


async def finished(three: list[Caller], **table: object) -> str:
    """A game of three deals that is over."""
    before = await seated_at(await opened(three[0], table=table), three)
    for _ in range(3):
        await deal_over(three, before)
    return before


async def again(caller: Caller, before: str, body: object = None, **request: Any) -> httpx.Response:
    return await caller.post(f"/tables/{before}/rematch", body or {}, **request)


async def test_the_same_is_played_again_one_seat_farther(three: list[Caller]) -> None:
    before = await finished(three, clock={"seconds": 1000}, visibility="unlisted")
    first = await again(three[1], before)
    assert first.status_code == 201
    table = first.json()["table"]
    assert first.headers["location"] == f"/v1/tables/{table}"
    assert [seat["player"] for seat in first.json()["seats"]] == [None, None, three[1].player]
    stranger = await register(three[0].http, "Zoe")
    problem(await stranger.post(f"/tables/{table}/seats", {}), 409, "seat-taken")
    problem(await three[0].post(f"/tables/{table}/seats", {"seat": 0}), 409, "seat-taken")
    problem(await again(three[1], before), 409, "already-seated")
    assert (await again(three[2], before, {"entropy": "5eed"})).json()["table"] == table
    last = (await again(three[0], before)).json()
    assert (last["status"], last["you"]) == ("playing", 1)
    moved = [three[2], three[0], three[1]]
    assert [seat["player"] for seat in last["seats"]] == [one.player for one in moved]
    opening = (await three[0].get(f"/tables/{table}/events?limit=1")).json()["items"][0]["public"]
    assert opening["table"]["visibility"] == "unlisted"
    assert opening["table"]["clock"]["seconds"] == 1000
    assert opening["rematch"] == {"of": before, "players": [one.player for one in moved]}
    await deal_over(moved, table)
    audit = (await three[0].get(f"/tables/{table}/deals/1/audit")).json()
    assert audit["verdict"] == "intact", audit


async def test_all_who_ask_at_once_meet_at_one_table(three: list[Caller]) -> None:
    before = await finished(three)
    answers = await asyncio.gather(*(again(caller, before) for caller in three))
    assert [answer.status_code for answer in answers] == [201, 201, 201]
    (table,) = {answer.json()["table"] for answer in answers}
    assert (await three[0].get(f"/tables/{table}")).json()["status"] == "playing"


async def test_asking_for_a_rematch_again_with_a_key(three: list[Caller]) -> None:
    before, key = await finished(three), {"Idempotency-Key": "again"}
    first, second = [await again(three[0], before, headers=key) for _ in range(2)]
    assert (second.status_code, second.json()) == (201, first.json())
    assert second.headers["idempotency-replayed"] == "true"
    problem(await again(three[0], before, {"entropy": "5eed"}, headers=key), 422, "key-reused")


async def test_a_rematch_is_for_the_players_of_a_finished_game(three: list[Caller], table: str) -> None:
    problem(await again(three[0], table), 409, "not-finished")
    problem(await again(await register(three[0].http, "Zoe"), table), 403, "not-seated")


async def test_the_players_of_a_private_game_need_no_invitation_to_its_rematch(three: list[Caller]) -> None:
    before, _ = await table_of(three, "private")
    for _ in range(3):
        await deal_over(three, before)
    table = (await again(three[0], before)).json()["table"]
    assert (await three[1].get(f"/tables/{table}")).status_code == 200
    problem(await (await register(three[0].http, "Zoe")).get(f"/tables/{table}"), 404, "no-such-table")
    assert (await again(three[1], before)).status_code == 201
    assert (await again(three[2], before)).json()["status"] == "playing"
    assert (await next_of([three[2], three[0], three[1]], table))[1] in three


@pytest.mark.parametrize("visibility", ["unlisted", "private"])
async def test_the_lobbys_stream_shows_public_tables_alone(three: list[Caller], app: Edge, visibility: str) -> None:
    before = await opened(three[0])
    await until_listed_as_open(three[0], before)
    async with reading(app, "/tables/stream") as stream:
        snapshot = await stream.next()
        assert snapshot.id is not None
        await table_of(three, visibility)
        shown = await opened(three[0])
        told = await stream.next()
        assert (told.data["table"], told.data["type"]) == (shown, "table-opened")
    async with reading(app, f"/tables/stream?after={snapshot.id}") as resumed:
        assert (await resumed.next()).data["table"] == shown


async def test_a_private_tables_streams_are_for_its_players_and_guests(three: list[Caller], app: Edge) -> None:
    table, invitation = await table_of(three, "private")
    async with reading(app, f"/tables/{table}/events/stream?invite={invitation}") as guests:
        assert (await guests.next()).kind == "snapshot"
    await until_listed_as_open(three[0], await opened(three[0]))
    async with reading(app, "/players/me/stream", three[1]) as own:
        assert [one["table"] for one in (await own.next()).data["tables"]] == [table]


async def until_listed_as_open(caller: Caller, table: str) -> None:
    """Waits until the lists have come so far that this table, at which nobody sits, is among them."""
    async with asyncio.timeout(60):
        while True:
            listed = (await caller.get("/tables?status=open")).json().get("items", [])
            if any(item["table"] == table for item in listed):
                return
            await asyncio.sleep(0.02)


async def made_by(caller: Caller, table: str) -> list[str]:
    """Who made the invitations that the caller is shown, oldest first."""
    answer = await caller.get(f"/tables/{table}/invitations")
    assert answer.status_code == 200, answer.text
    return [one["player"] for one in answer.json()["items"]]


async def test_invitations_are_listed_and_taken_back(three: list[Caller]) -> None:
    table, _ = await table_of(three, "private")
    opener, other, third = three
    made = (await other.post(f"/tables/{table}/invitations", {})).json()
    assert await made_by(opener, table) == [opener.player, other.player]
    assert await made_by(other, table) == [other.player]
    assert await made_by(third, table) == []
    (listed,) = (await other.get(f"/tables/{table}/invitations")).json()["items"]
    assert listed["id"] == made["id"]
    assert made["invitation"] not in str(listed)
    zoe = await register(opener.http, "Zoe")
    guest = f"/tables/{table}?invite={made['invitation']}"
    assert (await zoe.get(guest)).status_code == 200
    of_invitation = f"/tables/{table}/invitations/{made['id']}"
    problem(await third.delete(of_invitation), 404, "no-such-invitation")
    problem(await zoe.delete(f"{of_invitation}?invite={made['invitation']}"), 403, "not-seated")
    problem(await zoe.get(f"/tables/{table}/invitations"), 404, "no-such-table")
    assert (await opener.delete(of_invitation)).status_code == 204
    problem(await zoe.get(guest), 404, "no-such-table")
    problem(await other.delete(of_invitation), 404, "no-such-invitation")
    assert await made_by(opener, table) == [opener.player]
    # Who sits needs none.
    assert (await other.get(f"/tables/{table}")).status_code == 200


async def test_a_table_has_so_many_invitations(three: list[Caller]) -> None:
    table = await opened(three[0])
    made = [await invited(three[0], table) for _ in range(50)]
    problem(await three[0].post(f"/tables/{table}/invitations", {}), 409, "too-many-invitations")
    first, *others = (await three[0].get(f"/tables/{table}/invitations")).json()["items"]
    assert len(others) == len(set(made)) - 1
    assert (await three[0].delete(f"/tables/{table}/invitations/{first['id']}")).status_code == 204
    await invited(three[0], table)


async def test_a_stream_ends_when_its_invitation_is_taken_back(three: list[Caller], app: Edge) -> None:
    table, _ = await table_of(three, "private")
    made = (await three[0].post(f"/tables/{table}/invitations", {})).json()
    async with reading(app, f"/tables/{table}/events/stream?invite={made['invitation']}") as guest:
        snapshot = await guest.next()
        assert (await three[0].delete(f"/tables/{table}/invitations/{made['id']}")).status_code == 204
        await three[1].post(f"/tables/{table}/end", {"agree": True})
        last = await guest.end()
        assert last is not None
        assert last.data["reason"] == "private"
        assert [frame.kind for frame in guest.frames] == ["snapshot", "dropped"]
        assert snapshot.kind == "snapshot"


async def test_a_stream_ends_when_its_reader_leaves_a_private_table(three: list[Caller], app: Edge) -> None:
    table = await opened(three[0], table={"visibility": "private"})
    invitation = await invited(three[0], table)
    await seated_at(table, three[:2], invitation)
    async with (
        reading(app, f"/tables/{table}/events/stream", three[1]) as own,
        reading(app, f"/tables/{table}/events/stream?invite={invitation}", three[1]) as guest,
    ):
        await own.next()
        await guest.next()
        left = await three[1].delete(f"/tables/{table}/seats/me")
        assert left.status_code == 200
        last = await own.end()
        assert last is not None
        assert last.data["reason"] == "private"
        # In another process the reader may be told that it has left.
        assert {frame.id for frame in own.frames if frame.kind == "event"} <= {left.json()["version"]}
        # An invitation outlasts a seat.
        again = await three[1].post(f"/tables/{table}/seats?invite={invitation}", {})
        assert [frame.id for frame in await guest.upto(again.json()["version"])]


async def test_a_read_that_waits_is_not_answered_to_who_may_no_longer_look(three: list[Caller]) -> None:
    table = await opened(three[0], table={"visibility": "private"})
    made = (await three[0].post(f"/tables/{table}/invitations", {})).json()
    zoe = await register(three[0].http, "Zoe")
    waiting = asyncio.create_task(zoe.get(f"/tables/{table}?after=1&wait=60&invite={made['invitation']}"))
    await asyncio.sleep(0.05)
    assert (await three[0].delete(f"/tables/{table}/invitations/{made['id']}")).status_code == 204
    await seated_at(table, three[:1])
    problem(await waiting, 404, "no-such-table")
