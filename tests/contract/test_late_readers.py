"""Every served operation, asked by who follows a running deal late: what comes after the horizon changes no answer."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import httpx
import pytest

from service.http.edge import Edge
from service.http.operations import pages
from service.services import Services
from tests.contract.conftest import Caller, deal_over, problem
from tests.contract.test_authorization import OPERATIONS
from tests.contract.test_late_lists import projected
from tests.contract.test_lists import services
from tests.contract.test_spectators import BY_TIME, Clock, begun, clock, go_on, spectators_of
from tests.contract.test_table_streams import version_of
from tests.support.streams import reading

__all__ = ["clock", "services"]

EACH_RUN = {"x-request-id", "date"}
"""Headers that differ with every request."""
FUTURE = 2**40
"""A position that no log reaches."""
QUERIES: Mapping[str, tuple[str, ...]] = {
    "getTable": (
        "",
        "?min_version={version}",
        "?min_version={next}",
        "?after={before}&wait=60",
        "?after={next}&wait=0",
    ),
    "getOffers": ("", "?why=bid", "?after={before}&wait=60", "?after={next}&wait=1"),
    "listEvents": ("", "?after={before}", "?after={next}", "?limit=2", "?after={before}&wait=60", "?type=bid-passed"),
    "getReplay": ("", "?as=public", "?as=all"),
    "getReplayDrawing": ("", "?as=public", "?as=all"),
    "getReplayRange": ("", "?from={before}", "?to={next}", "?from={next}", "?to={version}&as=seat:1"),
    "getTableLedger": ("", "?min_version={next}"),
    "getScoresDrawing": ("", "?min_version={next}"),
    "exportTable": ("", "?min_version={next}"),
    "auditDeal": ("", "?min_version={next}"),
    "getDealFacts": ("", "?min_version={next}"),
    "listDisputes": ("", "?min_version={next}"),
    "streamEvents": ("?after={next}",),
    "listTables": ("", "?status=playing", "?status=finished", "?player={player}", "?game=crocodile&limit=1"),
    "listAllDisputes": ("", "?status=open", "?status=ruled", "?rule=CR-9.2"),
    "getLeaderboard": ("?game=crocodile",),
    "listArchivedDeals": ("", "?game=crocodile", "?player={player}", "?disputed=true"),
    "getGameStatistics": ("", "?player={player}"),
    "getPlayers": ("?id={player}",),
    "getPlayerLedger": ("", "?game=crocodile", "?bom=true"),
    "getConsistencyProof": ("?first=1", f"?first=1&second={FUTURE}"),
    "getInclusionProof": ("?position=1", f"?position={FUTURE}", f"?position=1&size={FUTURE}"),
    "streamLobby": (f"?after={FUTURE}",),
    "streamPlayer": (f"?after={FUTURE}",),
}
"""How operations that read are asked, with versions around the horizon; the others as they are."""
WRITES: Mapping[str, tuple[object, ...]] = {
    "closeTable": (None,),
    "takeSeat": ({"seat": 1}, {"bot": True}, {"seat": 1, "bot": "strong"}, {"seat": 2, "bot": "random"}),
    "leaveSeat": (None,),
    "removeBot": (None,),
    "act": ({"type": "pass"},),
    "proposeEnd": ({"agree": True},),
    "abandonSeat": (None,),
    "openDispute": ({"deal": 1, "reason": "Mine."},),
    "ruleOnDispute": ({"ruling": "rejected", "text": "It stands."},),
    "rematch": ({},),
    "replayWebhook": ({"after": FUTURE},),
}
"""What is tried at the table, with these bodies."""
OWN = {
    "registerPlayer", "recoverPlayer", "renamePlayer", "erasePlayer", "addToken", "rotateToken", "revokeToken",
    "authorizeClient", "offerHandover", "claimHandover", "addWebhook", "changeWebhook", "rotateWebhook",
    "removeWebhook", "openTable", "invite", "revokeInvitation",
}  # fmt: skip
"""What changes the caller's own things, and looks at no event."""
UNASKED = {
    "getReadiness", "listTokens", "getToken", "getOpenApi", "getAsyncApi", "getGenericOpenApi", "getGenericAsyncApi",
    "getGameOpenApi", "getGameAsyncApi",
}  # fmt: skip
"""These speak of the process, of when the caller's token was used, and of the interface."""
REFUSED = {"streamEvents", "streamLobby", "streamPlayer"}
"""Answers without an end: they are asked for what is refused, and have tests of their own."""
ANYBODYS = ("anonymous", "opener")
"""Who asks what is not about the table."""


def test_every_served_operation_is_asked() -> None:
    """One that changes something stands here once somebody has seen to it that it tells nothing before its time."""
    changing = {name for name, (method, _) in OPERATIONS.items() if method != "GET"}
    assert changing == WRITES.keys() | OWN | {"report", "scoreDeal", "judgeDeals", "checkRecord"}
    assert OPERATIONS.keys() >= QUERIES.keys() | UNASKED


async def asked(caller: Caller, method: str, path: str, **request: Any) -> httpx.Response:
    """What is answered to this caller, who may have no token."""
    headers = request.pop("headers", {})
    if caller.token:
        headers = headers | {"Authorization": f"Bearer {caller.token}"}
    return await caller.http.request(method, path, headers=headers, **request)


def said(answer: httpx.Response) -> str:
    """All that an answer says: status, headers, content."""
    head = sorted((name, text) for name, text in answer.headers.items() if name not in EACH_RUN)
    return f"{answer.status_code} {head} {answer.text}"


def reads(places: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """All operations that read, and all pages, with the paths at which they are asked."""
    served = {name: path for name, (method, path) in OPERATIONS.items() if method == "GET" and name not in UNASKED}
    shown = {f"page {path}": re.sub(r":\w+}", "}", path) for handler in pages.HANDLERS for path in handler.paths}
    for name, path in (served | shown).items():
        for deal in (1, 2, 3) if "{deal}" in path else (1,):
            for version in ("version", "next") if "{version}" in path else ("version",):
                for dispute in (1, 2) if "{dispute}" in path else (1,):
                    values = {**places, "deal": deal, "dispute": dispute, "version": places[version]}
                    for query in QUERIES.get(name, ("",)):
                        yield name, path.format_map(values) + query.format_map(places)


def attempts(places: Mapping[str, Any]) -> Iterator[tuple[str, str, object, Mapping[str, str]]]:
    """What is tried: method, path, body and headers."""
    version = places["version"]
    for operation, bodies in WRITES.items():
        method, path = OPERATIONS[operation]
        # The arbiter's ruling would be recorded.
        where = path.format_map({**places, "dispute": 9 if operation == "ruleOnDispute" else 1, "seat": 1})
        for number, body in enumerate(bodies):
            yield method, where, body, {}
            if "{table}" in path:
                for match in (version, version + 1, version + 2)[: 3 if number == 0 else 1]:
                    yield method, where, body, {"If-Match": f'"{match}"'}
    for place in ("version", "next", "later"):
        yield "POST", "/v1/reports", {"about": f"event:{places['table']}/{places[place]}"}, {}


async def answers(
    callers: Mapping[str, Caller], app: Edge, places: Mapping[str, Any], webhooks: Mapping[str, str]
) -> dict[tuple[str, ...], str]:
    """What each is answered by every read, and by every attempt to do something at the table."""
    got: dict[tuple[str, ...], str] = {}
    table, version = f"/v1/tables/{places['table']}", places["version"]
    for name, caller in callers.items():
        own = {**places, "webhook": webhooks.get(name, places["table"])}
        for operation, path in reads(own):
            if name in ANYBODYS or places["table"] in path:
                got[name, operation, path] = said(await asked(caller, "GET", path))
        got[name, "HEAD"] = said(await asked(caller, "HEAD", table))
        got[name, "304"] = said(await asked(caller, "GET", table, headers={"If-None-Match": f'"{version}"'}))
        for method, path, body, headers in attempts(own):
            answer = await asked(caller, method, path, json=body, headers=headers)
            got[name, method, path, f"{body} {headers}"] = said(answer)
        got[name, "lobby"] = await listed_in(app, caller)
    return got


async def listed_in(app: Edge, caller: Caller) -> str:
    """The tables in the lobby's first frame. Its position counts the events of all tables, and goes on."""
    async with reading(app, "/tables/stream", caller if caller.token else None) as stream:
        return str((await stream.next()).data["tables"])


@pytest.mark.parametrize("over", [False, True], ids=["in the first deal", "in the second deal"])
async def test_tl_6_1_nothing_that_a_spectator_asks_tells_of_what_comes_after_the_horizon(
    three: list[Caller], app: Edge, services: Services, clock: Clock, dsn: str, over: bool
) -> None:
    """Every answer stays as it is, byte by byte, while the deal goes on and the time does not."""
    clock.reach()
    callers = await spectators_of(three, dsn)
    webhooks = {}
    for name in ("stranger", "opener"):
        added = await callers[name].post("/webhooks", {"url": "https://bot.example/"})
        webhooks[name] = added.json()["id"]
    table = await begun(three, BY_TIME, callers["opener"])
    if over:
        await deal_over(three, table)
        raised = await three[0].post(f"/tables/{table}/disputes", {"deal": 1, "reason": "Mine."})
        assert raised.status_code == 201, raised.text
    version = await go_on(three, table)
    clock.reach()
    places = {
        "table": table, "player": three[0].player, "game": "crocodile", "name": "page.css", "before": version - 1,
        "version": version, "next": version + 1, "later": version + 3,
    }  # fmt: skip
    # The first checkpoint is signed by who first asks for one.
    await services.log.transparency.sign_checkpoint()
    await projected(services)
    before = await answers(callers, app, places, webhooks)
    if over:
        answered = {place[1] for place, answer in before.items() if answer.startswith("200")}
        assert {name for name, (method, _) in OPERATIONS.items() if method == "GET"} - answered == UNASKED | REFUSED
    assert f'"version":{version}' in before["anonymous", "getTable", f"/v1/tables/{table}"]
    assert '"table-full"' in before["opener", "POST", f"/v1/tables/{table}/seats", "{'bot': True} {}"]
    latest = await go_on(three, table)
    assert (await three[1].post(f"/tables/{table}/end", {"agree": True})).status_code == 200
    if over:
        ruled = await callers["arbiter"].post(
            f"/tables/{table}/disputes/1/ruling", {"ruling": "rejected", "text": "It stands."}
        )
        assert (ruled.status_code, ruled.json()["status"], ruled.headers["etag"]) == (201, "open", f'"{version}"')
    assert (await three[2].post(f"/tables/{table}/seats/me/abandon", None)).status_code == 200
    await projected(services)
    after = await answers(callers, app, places, webhooks)
    assert after.keys() == before.keys()
    for place, answer in before.items():
        assert after[place] == answer, place
    for caller in three:
        # Who sits there, were it by a game that they have left, follows at once.
        assert await version_of(caller, table) > latest
        refused = problem(await caller.post(f"/tables/{table}/seats", {}, headers={"If-Match": f'"{version}"'}), 412,
                          "precondition-failed")  # fmt: skip
        assert refused["version"] > latest
    clock.reach()
    assert await version_of(callers["stranger"], table) == await version_of(three[0], table)
