"""Strangers and players who want what is not theirs: names, players, scopes, seats, cards, and acts done twice."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import httpx

from tests.lab.attack.target import NotTried, Result, Target

INVISIBLE = ("\u200b", "\u00ad", "\U000e0041", "\u2060", "\u202e", "\ufe0f", "\u3164", "\u034f")


async def registered_again(target: Target, measure: float) -> Result:
    """Another's registration sent again, with its key and name, before its token is used."""
    count = max(2, int(10 * measure))
    held = 0
    async with target.http() as client:
        for number in range(count):
            request = {"json": {"name": f"Victim {number}"}, "headers": {"Idempotency-Key": str(uuid4())}}
            victim = (await client.post("/v1/players", **request)).raise_for_status().json()  # type: ignore[arg-type]
            again = await client.post("/v1/players", **request)  # type: ignore[arg-type]
            held += again.is_client_error or again.json()["player"] != victim["player"]
            await _forget(target, victim["token"])
    return Result(count, held, "another player, or a refusal")


async def invisible_names(target: Target, _: float) -> Result:
    """Names that look like another because of what cannot be seen."""
    held, seen = 0, set()
    await (await player(target)).delete("/v1/players/me")
    async with target.http() as client:
        for sign in INVISIBLE:
            answer = await client.post("/v1/players", json={"name": f"Ad{sign}a"})
            if answer.status_code == 201:
                held += (await client.get(f"/v1/players/{answer.json()['player']}")).json()["name"] == "Ada"
                await _forget(target, answer.json()["token"])
            else:
                held += answer.status_code == 422
            seen.add(answer.status_code)
    return Result(len(INVISIBLE), held, f"answered {', '.join(map(str, sorted(seen)))}")


async def scopes_taken(target: Target, _: float) -> Result:
    """Scopes that the caller's token lacks, and what needs them."""
    async with await player(target) as client:
        wanted = [["admin"], ["arbiter"], ["play", "arbiter"], ["play", "admin"]]
        answers = [await client.post("/v1/tokens", json={"scopes": scopes}) for scopes in wanted]
        async with Table(target) as table:
            path = f"/v1/tables/{table.id}"
            answers += [
                await client.post(f"{path}/actions", json={"type": "pass"}),
                await client.delete(path),
                await client.delete(f"{path}/seats/me"),
                await client.post(f"{path}/disputes", json={"lines": [{"version": 1, "line": 0}], "reason": "mine"}),
                await client.post(f"{path}/disputes/1/ruling", json={"ruling": "upheld", "text": "mine"}),
            ]
        await client.delete("/v1/players/me")
    refused = [answer for answer in answers if answer.status_code in (401, 403, 404)]
    return Result(len(answers), len(refused), ", ".join(str(answer.status_code) for answer in answers))


async def cards_seen(target: Target, measure: float) -> Result:
    """Other seats' cards, looked for in all that a table shows while its deal is played."""
    tried = held = 0
    for _ in range(max(1, int(5 * measure))):
        here = target.elsewhere()
        async with Table(here) as table:
            for seat, client in enumerate(table.seats):
                own = set((await client.get(f"/v1/tables/{table.id}")).json()["seats"][seat]["hand"]["known"])
                if not own:
                    raise NotTried("no cards are dealt")
                for other in (*table.seats[:seat], *table.seats[seat + 1 :], None):
                    for path in ("", "/events?limit=200", "/offers", "/export", "/replay?from=1&to=4&as=house"):
                        tried += 1
                        answer = await _got(here, other, f"/v1/tables/{table.id}{path}")
                        held += _names_at_most_by_chance(answer.text, own)
    return Result(tried, held, "no hand but the caller's own")


def _names_at_most_by_chance(text: str, cards: set[str]) -> bool:
    """Whether the text opens none of the cards: none stands in it as a whole string."""
    return not any(f'"{card}"' in text for card in cards)


async def acts_doubled(target: Target, measure: float) -> Result:
    """The same act sent many times at once, with one key and with none: it happens once."""
    times, held, rounds = 12, 0, max(2, int(20 * measure))
    for number in range(rounds):
        async with Table(target) as table:
            before = (await table.seats[0].get(f"/v1/tables/{table.id}/offers")).json()
            client = table.seats[before["to_act"][0]]
            headers = {"Idempotency-Key": str(uuid4())} if number % 2 else {"If-Match": f'"{before["version"]}"'}
            sent = [
                client.post(f"/v1/tables/{table.id}/actions", json={"type": "pass"}, headers=headers)
                for _ in range(times)
            ]
            await asyncio.gather(*sent)
            after = (await table.seats[0].get(f"/v1/tables/{table.id}/events?after={before['version']}")).json()
            held += [event["type"] for event in after["items"]].count("bid-passed") == 1
    return Result(rounds, held, f"{times} times at once")


async def lent_tokens(target: Target, _: float) -> Result:
    """Tokens that were added by another one, one of them for an hour: what lasts longer is revoked, rotated, erased."""
    until = (datetime.now(UTC) + timedelta(hours=1)).isoformat()
    tried = held = 0
    for body in ({}, {"expires_at": until}):
        for attempt in ("revoke", "rotate", "erase"):
            async with await player(target) as owner:
                own = (await owner.get("/v1/tokens")).json()["items"][0]["id"]
                added = (await owner.post("/v1/tokens", json=body)).json()
                async with target.http(added["token"]) as lent:
                    (await lent.get("/v1/players/me")).raise_for_status()
                    match attempt:
                        case "revoke":
                            await lent.delete(f"/v1/tokens/{own}")
                        case "rotate":
                            await lent.post(f"/v1/tokens/{own}/rotate", json=body)
                        case _:
                            await lent.delete("/v1/players/me")
                tried += 1
                held += (await owner.delete("/v1/players/me")).status_code == 204
    return Result(tried, held, "the owner's token goes on")


async def stolen_tokens(target: Target, _: float) -> Result:
    """What a copied token made, after the owner has recovered, or has revoked or rotated it."""
    held: list[bool] = []
    async with target.http() as anyone:
        for way in ("recovery", "revoke", "rotate"):
            victim = await _posted(anyone, "/v1/players", {"name": "Victim"})
            token = victim["token"]
            async with target.http(token) as owner:
                copied = await _posted(owner, "/v1/tokens", {})
                secrets, code, seats = await _made_by_a_thief(target, copied["token"])
                match way:
                    case "recovery":
                        proof = {"player": victim["player"], "recovery_secret": victim["recovery_secret"]}
                        token = (await _posted(anyone, "/v1/players/recovery", proof))["token"]
                    case "revoke":
                        (await owner.delete(f"/v1/tokens/{copied['id']}")).raise_for_status()
                    case _:
                        await _posted(owner, f"/v1/tokens/{copied['id']}/rotate", {"end_made": True})
            for secret in secrets:
                async with target.http(secret) as thief:
                    held.append((await thief.get("/v1/players/me")).status_code == 401)
            held.append((await anyone.post("/v1/tokens/handover/claim", json=code)).status_code == 403)
            async with await player(target) as guest:
                held.append((await guest.post(seats, json={})).status_code == 404)
                await guest.delete("/v1/players/me")
            async with target.http(token) as owner:
                held.append((await owner.get("/v1/webhooks")).json()["items"] == [])
                await owner.delete("/v1/players/me")
    return Result(len(held), sum(held), "tokens, webhooks, invitations and codes end")


async def _made_by_a_thief(target: Target, token: str) -> tuple[Sequence[str], object, str]:
    """The tokens of a thief with this one, a code, and where an invitation lets anybody sit; there are webhooks too."""
    secrets = [token]
    async with target.http(token) as thief:
        wanted = {"game": "crocodile", "table": {"visibility": "private"}}
        table = f"/v1/tables/{(await _posted(thief, '/v1/tables', wanted))['table']}"
        invitation = (await _posted(thief, f"{table}/invitations", {}))["invitation"]
        code = await _posted(thief, "/v1/tokens/handover", {})
        for path, body in (("/v1/tokens", {}), ("/v1/tokens/handover/claim", code)):
            secrets.append((await _posted(thief, path, body))["token"])
    for secret in secrets[1:]:
        async with target.http(secret) as heir:
            await _posted(heir, "/v1/webhooks", {"url": "https://thief.example/"})
            secrets.append((await _posted(heir, "/v1/tokens", {}))["token"])
            code = await _posted(heir, "/v1/tokens/handover", {})
    return secrets, code, f"{table}/seats?invite={invitation}"


async def private_tables_listed(target: Target, _: float) -> Result:
    """A private table of others, looked for in lists, statements, records and the lobby."""
    async with Table(target, visibility="private") as table, await player(target) as stranger:
        one = (await table.seats[0].get("/v1/players/me")).json()["player"]
        paths = (
            "/v1/tables?limit=200", f"/v1/tables?player={one}", f"/v1/players/{one}/ledger",
            f"/v1/players/{one}", f"/v1/tables/{table.id}", f"/v1/tables/{table.id}/ledger",
        )  # fmt: skip
        # The players of the table see it, and everybody may read the lists.
        (await table.seats[1].get(paths[4])).raise_for_status()
        answers = [await client.get(path) for client in (stranger, table.seats[1]) for path in paths[:4]]
        for answer in answers:
            answer.raise_for_status()
        answers += [await stranger.get(path) for path in paths[4:]]
        # Who sits there too learns of the others' lists no more than anybody.
        held = sum(table.id not in answer.text for answer in answers)
        await stranger.delete("/v1/players/me")
    return Result(len(answers), held, "not named anywhere")


class Table:
    """A table of three fresh players, in its first deal; in the end the players are erased.

    It is opened by the `opener`, or by the first of them.
    """

    def __init__(self, target: Target, opener: httpx.AsyncClient | None = None, **options: Any) -> None:
        self._target = target
        self._opener = opener
        self._options = options
        self.id = ""
        self.seats: Sequence[httpx.AsyncClient] = ()

    async def __aenter__(self) -> "Table":
        self.seats = [await player(self._target) for _ in range(3)]
        await self.begin(**self._options)
        return self

    async def begin(self, **options: Any) -> None:
        """Has the players sit down at a table of their own, with these options of a table."""
        asked = {"game": "crocodile", **({"table": options} if options else {})}
        opened = await (self._opener or self.seats[0]).post("/v1/tables", json=asked)
        self.id = opened.raise_for_status().json()["table"]
        path = f"/v1/tables/{self.id}/seats"
        if options.get("visibility") == "private":
            invited = await self.seats[0].post(f"/v1/tables/{self.id}/invitations", json={})
            path += f"?invite={invited.json()['invitation']}"
        for seat, client in enumerate(self.seats):
            (await client.post(path, json={"seat": seat})).raise_for_status()

    async def play_alone(self, acts: int) -> int:
        """Has the house play for all but the first player, who acts so often at most. Returns how often it acted."""
        for client in self.seats[1:]:
            (await client.post(f"/v1/tables/{self.id}/seats/me/abandon")).raise_for_status()
        for number in range(acts):
            if not await self.act():
                return number
        return acts

    async def act(self) -> bool:
        """Has the first player do the first of what it may. False if that is nothing."""
        offered = (await self.seats[0].get(f"/v1/tables/{self.id}/offers")).json().get("offers")
        if offered:
            act = _first(offered[0])
            (await self.seats[0].post(f"/v1/tables/{self.id}/actions", json=act)).raise_for_status()
        return bool(offered)

    async def __aexit__(self, *_: object) -> None:
        for client in self.seats:
            await client.delete("/v1/players/me")
            await client.aclose()


def _first(offer: dict[str, Any]) -> dict[str, object]:
    """An act by the first of what an offer has."""
    fields = {
        name: field["one_of"][0] if "one_of" in field else field.get("some_of", [])[: field.get("min", 0)]
        for name, field in offer["fields"].items()
    }
    return {"type": offer["type"], **fields}


async def player(target: Target) -> httpx.AsyncClient:
    """A client of a fresh player."""
    async with target.http() as client:
        answer: Any = await client.post("/v1/players", json={"name": "Mallory"})
        answer.raise_for_status()
    return target.http(answer.json()["token"])


async def _posted(client: httpx.AsyncClient, path: str, body: object) -> dict[str, Any]:
    """What a request that must succeed was answered with."""
    answer = await client.post(path, json=body)
    answer.raise_for_status()
    return dict(answer.json())


async def _forget(target: Target, token: str) -> None:
    async with target.http(token) as client:
        await client.delete("/v1/players/me")


async def _got(target: Target, client: httpx.AsyncClient | None, path: str) -> httpx.Response:
    """The answer to a seat's client, or to a stranger."""
    if client is not None:
        return await client.get(path)
    async with target.http() as stranger:
        return await stranger.get(path)
