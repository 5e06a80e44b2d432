"""A table: its seats, its game, its record, and what happens at it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from codille_client.offers import Offer
from codille_client.problems import Problem, Stale
from codille_client.verify import ENDS, Chain
from codille_client.words import Words

from .http import Members
from .streams import Buffered, frames

if TYPE_CHECKING:
    from codille_client import models

    from .client import Client

WAIT = 25
"""Seconds that a waiting read waits for an event."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A table after one of its events, or as it was found."""

    table: Table
    kind: str
    """`snapshot`, `event`, `presence`, or a kind of frame that this version does not know."""
    version: int
    view: models.View
    """The table at this version, as the caller may see it."""
    event: models.Event | None = None
    offers: Sequence[Offer] = ()
    """What the caller's seat may do: nothing without a seat, and while another event of the same act follows."""
    data: Mapping[str, Any] | None = None
    """What came, with all its members."""

    @property
    def over(self) -> bool:
        """Whether nothing can be played any more."""
        return self.view["status"] in ENDS.values()

    @property
    def to_act(self) -> bool:
        """Whether the caller has offers and the game waits for the caller's seat, or for nobody, as without turns."""
        waits = not self.view["to_act"] or self.view["you"] in self.view["to_act"]
        return bool(self.offers) and waits and self.view["status"] == "playing"

    async def act(self, action: Mapping[str, Any]) -> models.Acted | None:
        """Takes an action of this moment; None if it came too late, since the table has moved on."""
        try:
            return await self.table.act(action, self.version if self.view["to_act"] else None)
        except Problem as refused:
            if isinstance(refused, Stale) or (refused.version or 0) > self.version:
                return None
            raise


class Table:
    """A table of the client's service, as its player, or the public, may see it."""

    def __init__(self, client: Client, table: str, invite: str | None = None) -> None:
        self.id = table
        self._client = client
        self._http = client.http
        self._path = f"tables/{table}"
        self._query = {"invite": invite}
        self._turns: AsyncGenerator[Moment, None] | None = None
        self._offered: Sequence[Offer] = ()
        self._acted = 0

    async def sit(self, seat: int | None = None, entropy: str | None = None) -> models.View:
        """Takes any free seat, or this one. A player who sits there stays. `entropy` is hex, for the shuffle."""
        try:
            return cast("models.View", await self._request("POST", "seats", {"seat": seat, "entropy": entropy}))
        except Problem as refused:
            view = await self.view() if refused.status == 409 else None
            if view is None or view["you"] is None or seat not in (None, view["you"]):
                raise
            return view

    async def seat_bot(self, level: str | None = None, seat: int | None = None) -> models.View:
        """Seats a bot, by default of the strongest level: there, or where it can first.

        Once the game has started, it plays on for a player who is absent or has left, and its level is not chosen.
        """
        return cast("models.View", await self._request("POST", "seats", {"bot": level or True, "seat": seat}))

    async def remove_bot(self, seat: int) -> models.View:
        """Removes a bot before the game has started."""
        return cast("models.View", await self._request("DELETE", f"seats/{seat}"))

    async def leave(self) -> models.View:
        """Leaves the seat before the game has started."""
        return cast("models.View", await self._request("DELETE", "seats/me"))

    async def abandon(self) -> models.View:
        """Leaves the running game for good."""
        return cast("models.View", await self._request("POST", "seats/me/abandon"))

    async def propose_end(self, *, agree: bool = True) -> models.View:
        """Agrees, or does not, to end the game early. It ends when all players agree."""
        return cast("models.View", await self._request("POST", "end", {"agree": agree}))

    async def close(self) -> models.View:
        """Closes a table that the player has opened, and at which no game has started."""
        return cast("models.View", await self._request("DELETE", ""))

    async def rematch(self, entropy: str | None = None) -> Table:
        """The table of the same game again, with seats moved by one, at which the player now sits."""
        answer = await self._request("POST", "rematch", {"entropy": entropy})
        return Table(self._client, answer["table"])

    async def invite(self) -> models.Invitation:
        """An invitation, whose text others give as `invite`."""
        return cast("models.Invitation", await self._request("POST", "invitations", {}))

    async def view(self, *, min_version: int | None = None, after: int | None = None, wait: int = WAIT) -> models.View:
        """The table now; with `after`, once it is beyond that version, or after `wait` seconds."""
        return cast("models.View", await self._read("", min_version, after, wait))

    async def offers(
        self, *, min_version: int | None = None, after: int | None = None, wait: int = WAIT
    ) -> list[Offer]:
        """What the player's seat may do now; with `after`, as for a view."""
        answer: models.Offers = await self._read("offers", min_version, after, wait)
        return [*map(Offer, answer["offers"])]

    async def why(self, type: str, **fields: Any) -> models.WhyNot:
        """Why an act of this type, with these fields, is not offered: the rule and its text."""
        return cast("models.WhyNot", (await self._request("GET", "offers", query={"why": type} | fields))["why"])

    async def act(self, action: Mapping[str, Any], version: int | None = None, key: str | None = None) -> models.Acted:
        """Takes an action, with `version` only if the table is at it, else it raises Stale."""
        self._offered = ()
        headers = {"If-Match": None if version is None else f'"{version}"', "Idempotency-Key": key}
        acted: models.Acted = await self._request("POST", "actions", action, headers=headers)
        self._acted = acted["version"]
        return acted

    async def events(self, after: int = 0, until: int | None = None, **query: Any) -> AsyncIterator[models.Event]:
        """The events after a version, up to now or to another version, with the sections that are open now."""
        while True:
            page = await self._request("GET", "events", query={"after": after, **query})
            for event in page["items"]:
                yield event
                if event["version"] == until:
                    return
            if not page["items"]:
                return
            after = page["items"][-1]["version"]

    async def replay(self, version: int, as_: str | None = None) -> models.View:
        """The table after this event, as `me`, `public`, `seat:N` or `all` saw it."""
        return cast("models.View", await self._request("GET", f"replay/{version}", query={"as": as_}))

    async def ledger(self) -> models.Ledger:
        """Every line of the score, with its rule and the events that it rests on."""
        return cast("models.Ledger", await self._request("GET", "ledger"))

    async def audit(self, deal: int) -> models.DealAudit:
        """A finished deal, computed again by the service."""
        return cast("models.DealAudit", await self._request("GET", f"deals/{deal}/audit"))

    async def disputes(self) -> models.Disputes:
        """The disputes about lines of the ledger."""
        return cast("models.Disputes", await self._request("GET", "disputes"))

    async def dispute(self, reason: str, *, lines: Sequence[Any] | None = None, deal: int | None = None) -> Any:
        """Disputes lines of the ledger, each by `version` and `line`, or all lines of a deal."""
        return await self._request("POST", "disputes", {"reason": reason, "lines": lines, "deal": deal})

    async def presence(self) -> models.Presence:
        """Whose players are connected."""
        return cast("models.Presence", await self._request("GET", "presence"))

    async def export(self) -> bytes:
        """The whole record as far as the player may open it; `codille_client.verify` checks it."""
        sent = {"Accept": "application/x-ndjson"}
        return (await self._http.send("GET", f"{self._path}/export", None, self._query, sent))[0]

    async def words(self, view: models.View | None = None) -> Words:
        """The words of the game, with the names of those who sit at the table now."""
        view = view or await self.view()
        game = await self._client.game(view["game"], view["rules_version"])
        players = {seat["seat"]: seat["player"] for seat in view["seats"] if seat["player"] is not None}
        names = await self._client.names(*players.values())
        # Bots have no profiles. No player's name can have their mark: names are normalised (NFKC), and the mark is not.
        bots = {seat["seat"]: f"ᴮᴼᵀ {seat['bot']['level'].capitalize()} bot" for seat in view["seats"] if seat["bot"]}
        return Words(game, bots | {seat: names[player] for seat, player in players.items() if player in names})

    def follow(self, *, after: int | None = None, check: bool = False) -> AsyncGenerator[Moment, None]:
        """What happens at the table, from how it is now, or from after a version on: each event once, in order.

        It goes on by itself when a connection is lost, and reads by waiting where streams do not get through. It does
        not end with the game, after which there may be disputes, but with the client. With `check` it reads the record
        so far, and raises Altered if an event's hash, an open section or a card does not fit what was published before.
        """
        return self._client.ends_with_it(self._followed(after, check))

    async def _followed(self, after: int | None, check: bool) -> AsyncGenerator[Moment, None]:
        chain = Chain()
        async with aclosing(self._moments(after)) as moments:
            async for moment in moments:
                before = moment.version - 1 if moment.event else moment.version
                if check and chain.version < before:
                    async for event in self.events(chain.version, until=before):
                        chain.add(event)
                if check and moment.event:
                    chain.add(moment.event)
                yield moment

    async def _moments(self, version: int | None) -> AsyncGenerator[Moment, None]:
        view: models.View | None = None
        query = {**self._query, "view": True, "offers": True}
        try:
            stream = frames(self._http, f"{self._path}/events/stream", query, last=version, gapless=True)
            async with aclosing(stream):
                async for frame in stream:
                    data = frame.get("data", {})
                    version, view = frame.get("id", version), data.get("view", view)
                    event = data if frame["frame"] == "event" else None
                    if view is None and version:
                        # Nothing has happened since, and who is connected is told all the same.
                        view = await self.replay(version)
                    if view is not None and version is not None:
                        yield self._moment(frame["frame"], version, view, event, data.get("offers"), data)
        except Buffered:
            waiting = self._wait(version)
        async with aclosing(waiting):
            async for moment in waiting:
                yield moment

    async def my_turn(self) -> Moment | None:
        """Waits until the player is to act, and has that moment; None when the game is over.

        In games without turns, that is when the player has acted, or there are other offers than the last time.
        """
        self._turns = self._turns or self.follow()
        async for moment in self._turns:
            if moment.over:
                await self._turns.aclose()
                return None
            again = bool(moment.view["to_act"]) or moment.offers != self._offered
            if moment.to_act and again and moment.version >= self._acted:
                self._offered = moment.offers
                return moment
        return None

    async def _wait(self, version: int | None) -> AsyncGenerator[Moment, None]:
        """What happens, by waiting reads. Views and offers are those that a stream would have."""
        if version is None:
            view = await self.view()
            version = view["version"]
            yield self._moment("snapshot", version, view, None, await self._offers_at(version), view)
        while True:
            head = (await self.view(after=version))["version"]
            while version < head:
                query = {"from": version + 1, "to": head}
                steps = (await self._request("GET", "replay", query=query | {"min_version": head}))["steps"]
                for step, then in zip(steps, [*steps[1:], None], strict=True):
                    version, event = step["version"], step["event"]
                    more = then is not None and then["event"]["action"] == event["action"]
                    offers = None if more or version < head else await self._offers_at(version)
                    yield self._moment("event", version, step["view"], event, offers, {**event, "more": more})

    async def _offers_at(self, version: int) -> Any:
        answer = await self._read("offers", version, None, 0)
        return answer["offers"] if answer["version"] == version and answer["you"] is not None else None

    def _moment(self, kind: str, version: int, view: models.View, event: Any, offers: Any, data: Any) -> Moment:
        return Moment(self, kind, version, view, event, [*map(Offer, offers or ())], data)

    async def _read(self, path: str, min_version: int | None, after: int | None, wait: int) -> Any:
        query = {"min_version": min_version, "after": after, "wait": None if after is None else wait}
        return await self._request("GET", path, query=query)

    async def _request(self, method: str, path: str, body: Members = None, query: Members = None, **sent: Any) -> Any:
        path = f"{self._path}/{path}".rstrip("/")
        return await self._client.request(method, path, body, query={**self._query, **(query or {})}, **sent)
