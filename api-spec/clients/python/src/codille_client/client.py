"""A service and one of its players."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, suppress
from secrets import token_hex
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast
from weakref import WeakSet

import httpx

from codille_client.game import G_co
from codille_client.problems import Problem

from .http import Http, Members
from .login import ClientLogin
from .streams import answers, frames
from .table import Moment, Table

if TYPE_CHECKING:
    from codille_client import models


T = TypeVar("T")


class Client(ClientLogin, Generic[G_co]):
    """A service, and the player whose token is given, if any; `async with` closes its connections.

    Every request is sent again by itself after a lost connection, and when the service asks for it, for `deadline_s`
    seconds in all. Then it raises Unreachable, or the Problem. What the service refuses otherwise raises its Problem.
    `Client[crocodile.Game]` has the types of that game, which `python -m codille_client.types` makes.
    """

    def __init__(
        self, url: str, token: str | None = None, *, deadline_s: float = 60.0, http: httpx.AsyncClient | None = None
    ) -> None:
        self.http = Http(url, token, deadline_s, http)
        self._games: dict[tuple[str, int | None], models.GameDetails] = {}
        self._following: WeakSet[AsyncGenerator[Any, None]] = WeakSet()

    async def __aenter__(self) -> Client[G_co]:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Ends whatever is followed, and closes all connections."""
        for following in list(self._following):
            # One from which another task is reading ends with its connection.
            with suppress(RuntimeError):
                await following.aclose()
        await self.http.close()

    def ends_with_it(self, following: AsyncGenerator[T, None]) -> AsyncGenerator[T, None]:
        """The same, which ends with the client, unless its reader has ended it before."""
        self._following.add(following)
        return following

    @property
    def token(self) -> str | None:
        """The token of the player; None for the public."""
        return self.http.token

    async def register(self, name: str) -> models.Registered:
        """Registers a player, and acts as that player from now on. Keep the token, and the recovery secret apart.

        A lost answer makes no second player: a secret of the client's own proves that the request is a repetition.
        """
        answer: models.Registered = await self.request("POST", "players", {"name": name, "secret": token_hex(32)})
        self.http.token = answer["token"]
        return answer

    def check_record(self, file: bytes, as_: str | None = None) -> AsyncIterator[models.RecordFrame]:
        """What the service says of a record's file, as `Table.export` has it: its verification, then the table, and
        each event with the view after it, as the audience `as_` sees it.
        """
        return self.ends_with_it(answers(self.http, "records/check", {"as": as_}, file))

    async def names(self, *players: str) -> dict[str, str]:
        """The names of players, by their ids."""
        answer = await self.request("GET", "players", query={"id": players}) if players else {"items": []}
        return {item["player"]: item["name"] for item in answer["items"]}

    async def games(self) -> list[models.GameSummary]:
        """The games that the service offers."""
        return cast("list[models.GameSummary]", (await self.request("GET", "games"))["items"])

    async def game(self, game: str, rules_version: int | None = None) -> models.GameDetails:
        """Everything that a game says of itself: options, rules, schemas, words. It is asked for once."""
        key = (game, rules_version)
        if key not in self._games:
            self._games[key] = await self.request("GET", f"games/{game}", query={"rules_version": rules_version})
        return self._games[key]

    def table(self, table: str, invite: str | None = None) -> Table[G_co]:
        """A table by its id; `invite` is an invitation, without which nobody else sees a private table."""
        return Table(self, table, invite)

    async def open_table(self, game: str, *, key: str | None = None, **options: Any) -> Table[G_co]:
        """Opens a table for a number of `deals`, with `options` of the game, with `table`, those of the table, and with
        `bots`, the level of each by its seat.
        """
        headers = {"Idempotency-Key": key}
        return Table(self, (await self.request("POST", "tables", {"game": game, **options}, headers=headers))["table"])

    def notices(self) -> AsyncIterator[models.PlayerFrame]:
        """The frames of the player's own stream: whose turn it is at all tables, what begins or ends, and rematches."""
        return self._frames("players/me/stream")

    def lobby(self) -> AsyncIterator[models.LobbyFrame]:
        """The frames of the lobby's stream: tables that are opened, filled and over."""
        return self._frames("tables/stream")

    def turns(self) -> AsyncGenerator[Moment[G_co], None]:
        """What the player is to answer at any table, one moment after the other, until the client is closed.

        Take an act of each before the next one is asked for. A moment that is not answered comes again once the table
        has moved on. A table that cannot be read any more is passed over. Games without turns wait for nobody, and are
        played with `Table.my_turn`.
        """
        return self.ends_with_it(self._turns())

    async def _turns(self) -> AsyncGenerator[Moment[G_co], None]:
        told: dict[str, int] = {}
        async with aclosing(frames(self.http, "players/me/stream", {})) as stream:
            async for frame in stream:
                for each in frame["data"].get("tables", [frame["data"]]):
                    table, version = self.table(each["table"]), each["version"]
                    waits = each.get("your_turn") or "your-turn" in each.get("notices", ())
                    while waits and (moment := await self._turn(table, max(version, told.get(table.id, 0)))):
                        waits = moment.version > told.get(table.id, 0)
                        if waits:
                            told[table.id] = moment.version
                            yield moment

    async def _turn(self, table: Table[G_co], version: int) -> Moment[G_co] | None:
        try:
            moment = await table.now(version)
        except Problem as refused:
            if refused.status in (401, 403, 429):
                raise
            return None
        return moment if moment.to_act and moment.view["to_act"] else None

    def _frames(self, path: str) -> AsyncGenerator[Any, None]:
        return self.ends_with_it(frames(self.http, path, {}))

    async def pages(self, path: str, **query: Any) -> AsyncIterator[Any]:
        """The items of a list, whose pages are asked for as they are needed."""
        while True:
            page = await self.request("GET", path, query=query)
            for item in page["items"]:
                yield item
            if page.get("next") is None:
                return
            query["cursor"] = page["next"]

    async def request(
        self, method: str, path: str, body: Members = None, *, query: Members = None, headers: Members = None
    ) -> Any:
        """The answer to any request under `/v1`: JSON as its value, a text as text, nothing as None, else its bytes.

        What is posted has an idempotency key: one of its own, if `headers` have none.
        """
        return await self.http.send(method, path, body, query, headers)
