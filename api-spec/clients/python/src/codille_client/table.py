"""A table: its seats, its game, its record, and what happens at it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, cast

from codille_client.game import A, E, G_co, R, V
from codille_client.offers import Action, Offer
from codille_client.problems import Problem, Stale, Unreachable
from codille_client.verify import ENDS, Chain
from codille_client.words import Words

from .http import Members, preconditions
from .operations import TableOperations
from .streams import Buffered, frames

if TYPE_CHECKING:
    from codille_client import models
    from codille_client.game import GameTypes

    from .client import Client

WAIT = 25
"""Seconds that a waiting read waits for an event."""
TALK = "talk"
"""The type of act by which a player says something."""


@dataclass(frozen=True, slots=True)
class Moment(Generic[G_co]):
    """A table after one of its events, or as it was found."""

    table: Table[G_co]
    kind: str
    """`snapshot`, `event`, `presence`, or a kind of frame that this version does not know."""
    version: int
    _view: Any
    _event: Any = None
    offers: Sequence[Offer] = ()
    """What the caller's seat may do: nothing without a seat, and while another event of the same act follows."""
    data: Mapping[str, Any] | None = None
    """What came, with all its members."""
    talk: Offer | None = None
    """To say something, where the caller may. It is not among the offers, since no game waits for it."""

    @property
    def view(self: Moment[GameTypes[V, Any, Any, Any]]) -> V:
        """The table at this version, as the caller may see it."""
        return cast("V", self._view)

    @property
    def event(self: Moment[GameTypes[Any, E, Any, Any]]) -> E | None:
        """The event, if there was one."""
        return cast("E | None", self._event)

    @property
    def over(self) -> bool:
        """Whether nothing can be played any more."""
        return self._view["status"] in ENDS.values()

    @property
    def ended(self) -> str | None:
        """Why nothing can be played any more, as the event says that ended it, or the table's status. None before."""
        event: Any = self._event or {}
        why = {"table-expired": "expired"}.get(event.get("type"), event.get("public", {}).get("reason"))
        return (why or self.view["status"]) if self.over else None

    @property
    def to_act(self) -> bool:
        """Whether the caller has offers and the game waits for the caller's seat, or for nobody, as without turns."""
        waits = not self.view["to_act"] or self.view["you"] in self.view["to_act"]
        return bool(self.offers) and waits and self.view["status"] == "playing"

    async def act(self: Moment[GameTypes[Any, Any, A, R]], action: A | Action) -> R | None:
        """Takes an action of this moment; None if it came too late, since the table has moved on."""
        try:
            return await self.table.act(action, self.version if self._view["to_act"] else None)
        except Problem as refused:
            if isinstance(refused, Stale) or (refused.version or 0) > self.version:
                return None
            raise


class Table(TableOperations[G_co]):
    """A table of the client's service, as its player, or the public, may see it.

    What is read is never older than what this object has shown before.
    """

    def __init__(self, client: Client[G_co], table: str, invite: str | None = None) -> None:
        self.id = table
        self._client = client
        self._http = client.http
        self._path = f"tables/{table}"
        self._query = {"invite": invite}
        self._turns: AsyncGenerator[Moment[G_co], None] | None = None
        self._told: Any = None
        """The turn that was had last."""
        self._acts = self._seen = 0
        """The number of acts that were sent, and the highest version that was seen."""

    async def sit(self: Table[GameTypes[V, Any, Any, Any]], seat: int | None = None, entropy: str | None = None) -> V:
        """Takes any free seat, or this one. A player who sits there stays. `entropy` is hex, for the shuffle."""
        try:
            return cast("V", await self._request("POST", "seats", {"seat": seat, "entropy": entropy}))
        except Problem as refused:
            view: Any = await self.view() if refused.status == 409 else None
            if view is None or view["you"] is None or seat not in (None, view["you"]):
                raise
            return cast("V", view)

    async def seat_bot(
        self: Table[GameTypes[V, Any, Any, Any]], level: str | None = None, seat: int | None = None
    ) -> V:
        """Seats a bot, by default of the strongest level: there, or where it can first.

        Once the game has started, it plays on for a player who is absent or has left, and its level is not chosen.
        """
        return cast("V", await self._request("POST", "seats", {"bot": level or True, "seat": seat}))

    async def propose_end(self: Table[GameTypes[V, Any, Any, Any]], *, agree: bool = True) -> V:
        """Agrees, or does not, to end the game early. It ends when all players agree."""
        return cast("V", await self._request("POST", "end", {"agree": agree}))

    async def rematch(self, entropy: str | None = None) -> Table[G_co]:
        """The table of the same game again, with seats moved by one, at which the player now sits."""
        answer = await self._request("POST", "rematch", {"entropy": entropy})
        return Table(self._client, answer["table"])

    async def invite(self) -> models.Invitation:
        """An invitation, whose text others give as `invite`."""
        return cast("models.Invitation", await self._request("POST", "invitations", {}))

    async def view(
        self: Table[GameTypes[V, Any, Any, Any]],
        *,
        min_version: int | None = None,
        after: int | None = None,
        wait: int = WAIT,
    ) -> V:
        """The table now; with `after`, once it is beyond that version, or after `wait` seconds."""
        return cast("V", await self._wait_for("", min_version, after, wait))

    async def now(self, min_version: int | None = None) -> Moment[G_co]:
        """The table now, with what the player's seat may do."""
        while True:
            view: Any = await self.view(min_version=min_version)
            version = view["version"]
            found = await self._read("offers")
            if found["version"] == version:
                offers = found["offers"] if found["you"] is not None else None
                return self._moment("snapshot", version, view, None, offers, view)

    async def offers(
        self, *, min_version: int | None = None, after: int | None = None, wait: int = WAIT
    ) -> list[Offer]:
        """What the player's seat may do now; with `after`, as for a view."""
        answer: models.Offers = await self._wait_for("offers", min_version, after, wait)
        return [*map(Offer, answer["offers"])]

    async def why(self, type: str, **fields: Any) -> models.WhyNot:
        """Why an act of this type, with these fields, is not offered: the rule and its text."""
        return cast("models.WhyNot", (await self._read("offers", {"why": type} | fields))["why"])

    async def act(
        self: Table[GameTypes[Any, Any, A, R]],
        action: A | Action,
        version: int | None = None,
        key: str | None = None,
    ) -> R:
        """Takes an action, with `version` only if the table is at it, else it raises Stale."""
        self._acts += 1
        sent = preconditions(version, key)
        return cast("R", await self._request("POST", "actions", cast("Action", action), headers=sent))

    async def events(
        self: Table[GameTypes[Any, E, Any, Any]], after: int = 0, until: int | None = None, **query: Any
    ) -> AsyncIterator[E]:
        """The events after a version, up to now or to another version, with the sections that are open now."""
        while True:
            page = await self._read("events", {"after": after, **query})
            for event in page["items"]:
                yield event
                if event["version"] == until:
                    return
            if not page["items"]:
                return
            after = page["items"][-1]["version"]

    async def dispute(
        self, reason: str, *, lines: Sequence[Mapping[str, Any]] | None = None, deal: int | None = None
    ) -> models.DisputeDetails:
        """Disputes lines as the ledger has them, of which `version` and `line` are sent, or all lines of a deal."""
        places = lines and [{"version": line["version"], "line": line["line"]} for line in lines]
        body = {"reason": reason, "lines": places, "deal": deal}
        return cast("models.DisputeDetails", await self._request("POST", "disputes", body))

    async def words(self, view: models.View | None = None) -> Words:
        """The words of the game, with the names of those who sit at the table now."""
        view = view or await self.view()
        game = await self._client.game(view["game"], view["rules_version"])
        players = {seat["seat"]: seat["player"] for seat in view["seats"] if seat["player"] is not None}
        names = await self._client.names(*players.values())
        # Bots have no profiles. No player's name can have their mark: names are normalised (NFKC), and the mark is not.
        bots = {seat["seat"]: f"ᴮᴼᵀ {seat['bot']['level'].capitalize()} bot" for seat in view["seats"] if seat["bot"]}
        return Words(game, bots | {seat: names[player] for seat, player in players.items() if player in names})

    def follow(
        self, *, after: int | None = None, check: bool = False, beyond: bool = False
    ) -> AsyncGenerator[Moment[G_co], None]:
        """What happens at the table, from how it is now, or from after a version on: each event once, in order.

        It goes on by itself when a connection is lost, and reads by waiting where streams do not get through. It ends
        when nothing can be played any more, and its last moment says why in `ended`. With `beyond` it goes on after
        that, with disputes and corrections, until the client is closed. With `check` it reads the record so far, and
        raises Altered if an event's hash, an open section or a card does not fit what was published before. A table
        that is erased, hidden or set aside raises its Problem.
        """
        return self._client.ends_with_it(self._followed(after, check, beyond))

    async def _followed(self, after: int | None, check: bool, beyond: bool) -> AsyncGenerator[Moment[G_co], None]:
        chain = Chain()
        async with aclosing(self._moments(after)) as moments:
            async for moment in moments:
                before = moment.version - 1 if moment.event else moment.version
                if check and chain.version < before:
                    async for event in self.events(chain.version, until=before):
                        chain.add(event)
                if check and moment.event:
                    chain.add(moment.event)
                self._see(moment.version)
                yield moment
                if moment.over and not beyond:
                    return

    async def _moments(self, version: int | None) -> AsyncGenerator[Moment[G_co], None]:
        view: Any = None
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

    async def my_turn(self) -> Moment[G_co] | None:
        """Waits until the player is to act, and has that moment; None only when nothing can be played any more.

        In games without turns, that is when the player has acted, or there are other offers than the last time. A wait
        that is cancelled changes nothing. Who waits at the same time as another is given the same turn. Raises
        Unreachable and Problem as `follow()` does, after which it may be called again.
        """
        following, self._turns, told = self._turns or self.follow(), None, self._told
        try:
            async for moment in following:
                turn = (moment.version if moment.view["to_act"] else moment.offers, self._acts)
                if moment.to_act and turn != told and moment.version >= self._seen:
                    self._told, self._turns = turn, self._turns or following
                    return moment
                if moment.over:
                    return None
        finally:
            # Another call has one of its own, or none goes on.
            if self._turns is not following:
                await following.aclose()
        raise Unreachable("the client is closed")

    async def _wait(self, version: int | None) -> AsyncGenerator[Moment[G_co], None]:
        """What happens, by waiting reads. Views and offers are those that a stream would have."""
        if version is None:
            moment = await self.now()
            version = moment.version
            yield moment
        while True:
            head = (await self.view(after=version))["version"]
            while version < head:
                steps = (await self._read("replay", {"from": version + 1, "to": head, "min_version": head}))["steps"]
                for step, then in zip(steps, [*steps[1:], None], strict=True):
                    version, event = step["version"], step["event"]
                    more = then is not None and then["event"]["action"] == event["action"]
                    offers = None if more or version < head else await self._offers_at(version)
                    yield self._moment("event", version, step["view"], event, offers, {**event, "more": more})

    async def _offers_at(self, version: int) -> Any:
        answer = await self._wait_for("offers", version, None, 0)
        return answer["offers"] if answer["version"] == version and answer["you"] is not None else None

    def _moment(self, kind: str, version: int, view: Any, event: Any, offers: Any, data: Any) -> Moment[G_co]:
        talk = [Offer(offer) for offer in offers or () if offer["type"] == TALK]
        open_to = [Offer(offer) for offer in offers or () if offer["type"] != TALK]
        return Moment(self, kind, version, view, event, open_to, data, next(iter(talk), None))

    def _see(self, version: Any) -> None:
        self._seen = max(self._seen, version if isinstance(version, int) else 0)

    async def _wait_for(self, path: str, min_version: int | None, after: int | None, wait: int) -> Any:
        return await self._read(
            path, {"min_version": min_version, "after": after, "wait": None if after is None else wait}
        )

    async def _read(self, path: str, query: Members = None) -> Any:
        """What is at the highest version that was seen, or a later one."""
        given = query or {}
        seen = max(self._seen, given.get("min_version") or 0)
        return await self._request("GET", path, query={**given, "min_version": seen or None})

    async def _request(self, method: str, path: str, body: Members = None, query: Members = None, **sent: Any) -> Any:
        path = f"{self._path}/{path}".rstrip("/")
        try:
            answer = await self._client.request(method, path, body, query={**self._query, **(query or {})}, **sent)
        except Problem as refused:
            self._see(refused.version)
            raise
        # A rematch is answered with the other table.
        if isinstance(answer, dict) and answer.get("table", self.id) == self.id:
            self._see(answer.get("version"))
        return answer
