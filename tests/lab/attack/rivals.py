"""Rivals at the table, and those who look on late: bad bots at the seats of others, and what is not to be seen yet."""

import asyncio
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import httpx

from tests.lab.attack.callers import Table, player
from tests.lab.attack.target import Result, Target

HOUR_S = 3600
SETTLING_S = 1.5
"""Seconds after which lists hold what has happened."""
EACH_TIME = {"date", "x-request-id", "ratelimit", "server-timing"}
"""Headers that differ with every answer."""
BEYOND = 2**40
ASKED_WITH: Mapping[str, Sequence[str]] = {
    "getTable": ("", "?min_version={next}", "?after={next}&wait=0"),
    "getOffers": ("", "?why=bid", "?min_version={next}"),
    "listEvents": ("?limit=200", "?after={version}", "?after={next}"),
    "getReplay": ("?as=public", "?as=all"),
    "getReplayRange": ("", "?from={next}", "?to={next}&as=seat:1"),
    "streamEvents": ("?after={next}",),
    "streamLobby": (f"?after={BEYOND}",),
    "listTables": ("?player={player}", "?player={player}&status=finished"),
    "getLeaderboard": ("?game=crocodile",),
}
"""The queries of operations; others are asked as they are."""
CHANGING = {"getCheckpoint", "getConsistencyProof", "getInclusionProof", "getReadiness", "getLiveness"}
"""They speak of the whole log, and of the process."""
OF_TABLES = ("{table}", "{player}/ledger")
LISTS = {"listTables", "getLeaderboard", "streamLobby", "listAllDisputes", "listArchivedDeals"}
BODIES: Mapping[str, Sequence[Any]] = {
    "takeSeat": (
        {},
        {"bot": True},
        {"seat": 2, "bot": True},
        {"seat": 1, "bot": "strong"},
        {"seat": 2, "bot": "random"},
    ),
    "act": ({"type": "pass"},),
    "openDispute": ({"deal": 1, "reason": "mine"},),
    "ruleOnDispute": ({"ruling": "rejected", "text": "mine"},),
    "proposeEnd": ({"agree": True},),
    "rematch": ({},),
    "closeTable": (None,),
    "removeBot": (None,),
    "abandonSeat": (None,),
    "leaveSeat": (None,),
}


async def weak_substitutes(target: Target, _: float) -> Result:
    """A rival, and who opened the table, have a bad bot play on for a player who has left, by any name of a level."""
    async with await player(target) as opener, Table(target, opener) as table:
        path = f"/v1/tables/{table.id}/seats"
        *weaker, strongest = [one["level"] for one in (await opener.get("/v1/bots")).json()["items"]]
        (await table.seats[2].post(f"{path}/me/abandon")).raise_for_status()
        spellings = [
            *weaker,
            *(level.upper() for level in weaker),
            f"{weaker[0]} ",
            "",
            0,
            [weaker[0]],
            {"level": weaker[0]},
        ]
        answers: list[tuple[bool, httpx.Response]] = []
        for rival in (*table.seats[:2], opener):
            for bot in spellings:
                for where in ({}, {"seat": 2}):
                    answer = await rival.post(path, json={"bot": bot, **where})
                    _tried(answer)
                    answers.append((bot in weaker, answer))
        held = 0
        for known, answer in answers:
            held += answer.status_code == 422 and (not known or answer.json().get("rule") == "TL-7.3")
        # Now none plays there, and who names no level gets the strongest.
        (await table.seats[0].post(path, json={"bot": True})).raise_for_status()
        seat = (await table.seats[1].get(f"/v1/tables/{table.id}")).json()["seats"][2]
        await opener.delete("/v1/players/me")
    return Result(len(answers) + 1, held + (seat["bot"]["level"] == strongest), "refused by TL-7.3")


async def spectators_ahead(target: Target, _: float) -> Result:
    """A running deal that is followed late: a stranger and its opener ask for all of it, before and after."""
    async with await player(target) as opener, await player(target) as stranger, target.http() as anybody:
        asking = [_elsewhere(client, number) for number, client in enumerate((opener, stranger, anybody))]
        async with Table(target, opener, spectator_delay={"seconds": HOUR_S}) as table:
            one = (await table.seats[0].get("/v1/players/me")).json()["player"]
            version = (await anybody.get(f"/v1/tables/{table.id}")).json()["version"]
            places = {"table": table.id, "player": one, "version": version, "next": version + 1}
            document = (await anybody.get("/v1/openapi.json")).json()
            await asyncio.sleep(SETTLING_S)
            before = await _answers(document, asking, places)
            watching = asyncio.create_task(_watched(target, table.id))
            await asyncio.sleep(SETTLING_S)
            offers = (await table.seats[0].get(f"/v1/tables/{table.id}/offers")).json()
            acting = table.seats[offers["to_act"][0]]
            (await acting.post(f"/v1/tables/{table.id}/actions", json={"type": "pass"})).raise_for_status()
            (await table.seats[1].post(f"/v1/tables/{table.id}/end", json={"agree": True})).raise_for_status()
            (await table.seats[2].post(f"/v1/tables/{table.id}/seats/me/abandon")).raise_for_status()
            await asyncio.sleep(SETTLING_S)
            after = await _answers(document, asking, places)
            streamed = await watching
        for client in asking:
            await client.delete("/v1/players/me")
            await client.aclose()
    differing = [request for request, answer in before.items() if after[request] != answer]
    early = [int(number) for number in re.findall(r'"version":([0-9]+)', streamed) if int(number) > version]
    held = len(before) - len(differing) + (not early)
    return Result(len(before) + 1, held, ", ".join(differing[:3]) or f"{len(before)} answers stay as they are")


def _tried(answer: httpx.Response) -> None:
    """Raises httpx.HTTPStatusError for an answer by which nothing is learnt, since a quota is used up."""
    if answer.status_code == httpx.codes.TOO_MANY_REQUESTS:
        answer.raise_for_status()


def _elsewhere(client: httpx.AsyncClient, number: int) -> httpx.AsyncClient:
    """The same caller at an address of its own, whose quota pays for all that it asks."""
    transport = httpx.AsyncHTTPTransport(local_address=f"127.0.4.{1 + number}")
    return httpx.AsyncClient(base_url=client.base_url, headers=client.headers, transport=transport, timeout=60)


def _requests(document: Mapping[str, Any], places: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """Method, path and body of all that can be asked about the table, by the service's own document."""
    for path, item in document["paths"].items():
        for method, operation in item.items():
            name = operation.get("operationId") if isinstance(operation, dict) else None
            if name is None or name in CHANGING:
                continue
            if not (name in LISTS or any(part in path for part in OF_TABLES)):
                continue
            if method == "get":
                sent: Sequence[Any] = (None,)
            elif name in BODIES:
                sent = BODIES[name]
            else:
                continue
            for number in (places["version"], places["next"]) if "{version}" in path else (places["version"],):
                values = {
                    **places,
                    "version": number,
                    "deal": 1,
                    "dispute": 1,
                    "seat": 1,
                    "invitation": places["table"],
                }
                for query in ASKED_WITH.get(name, ("",)):
                    for body in sent:
                        yield method.upper(), path.format_map(values) + query.format_map(values), body


async def _answers(
    document: Mapping[str, Any], clients: Sequence[httpx.AsyncClient], places: Mapping[str, Any]
) -> dict[str, str]:
    """What each is answered. Raises what `_tried` raises."""
    answers: dict[str, str] = {}
    for number, client in enumerate(clients):
        for method, path, body in _requests(document, places):
            for headers in ({}, {"If-Match": f'"{places["next"]}"'}) if method != "GET" else ({},):
                answer = await client.request(method, path, json=body, headers=headers)
                _tried(answer)
                head = sorted((name, text) for name, text in answer.headers.items() if name not in EACH_TIME)
                answers[f"{number} {method} {path} {body} {headers}"] = f"{answer.status_code} {head} {answer.text}"
    return answers


async def _watched(target: Target, table: str) -> str:
    """What a spectator's stream sends while the deal goes on."""
    received = ""
    headers = {"Accept": "application/x-ndjson"}
    try:
        async with (
            asyncio.timeout(4 * SETTLING_S),
            target.http() as client,
            client.stream("GET", f"/v1/tables/{table}/events/stream?view=true", headers=headers) as stream,
        ):
            stream.raise_for_status()
            async for text in stream.aiter_text():
                received += text
    except TimeoutError:
        pass
    return received
