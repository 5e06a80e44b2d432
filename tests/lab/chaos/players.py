"""Clients at tables of all games: they know the interface and no rules, and never give up.

A seat asks what it may do, acts with an idempotency key, and sends an act again with its key until it is answered. Now
and then it sends an act that is not offered, or forgets an act that was not answered, as a client that was closed does.
"""

import asyncio
import random
import ssl
import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any, TypeAlias

import httpx
import msgspec
from msgspec import Struct

from service.cli.load_test.http_connection import Connection, ConnectionLost
from tests.lab.chaos.memory import HELD_BACK, Call, Frame, Kind, Listening, Memory
from tests.support.picking import Temper, pick
from tests.support.waiting import PATIENCE_S

ASKED_S = 20.0
"""The longest wait for an answer."""
WAITS, WAIT_S = 0.9, 4
"""So often its answer then waits for an event, and so many seconds at most."""
HELD_S, HELD_LONG_S = 0.1, 1.0
"""Seconds until a request is sent again that was not answered or that the service holds back: at first, and at most."""
LINGERS_S = 10.0
"""Seconds for which a stream stays open after the game's end, since nothing else is to come over it."""
MOVES = 0.1
"""So often a client makes a new connection before a request."""
FORGOTTEN = 0.1
"""So often an act that was not answered is never sent again."""
WRONG = 0.03
"""So often a seat sends an act that is likely not offered."""
CURIOUS = 0.02
"""So often a seat that need not act does something else that it is offered."""
LEVELS = ("random", "random", "random", "quick")
"""What bots are drawn from. One that thinks takes a processor's time for a hundred acts of others."""
CLOCK = {"seconds": 1, "absent_after": 2}
KINDS = ("your-turn", "game-started", "deal-scored", "game-over")
"""What webhooks are for."""

NO_QUERY: Mapping[str, str] = {}

_plain = msgspec.json.Decoder()
TLS = ssl.create_default_context()
"""Every httpx client would make one of its own, which takes long, and no connection here uses it."""


class Patience:
    """How long a client asks again and again. A service that has stood still for so long does not recover."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._late = time.monotonic() + PATIENCE_S
        self._held_s = HELD_S

    async def wait(self, because: object) -> None:
        """Returns when it is time to ask again. Raises AssertionError if it was in vain for too long."""
        assert time.monotonic() < self._late, f"{self._what} was in vain for {PATIENCE_S} s, in the end: {because}"
        await asyncio.sleep(self._held_s)
        self._held_s = min(2 * self._held_s, HELD_LONG_S)


class Party:
    """A table, its seats, and those who watch it."""

    def __init__(self, memory: Memory, url: Callable[[], str], number: int, rng: random.Random) -> None:
        self.memory = memory
        self.url = url
        self.number = number
        self.rng = rng
        self.table = ""
        self.tokens: dict[int, str] = {}
        """The tokens of the seats that clients play, by seat. Bots play the others."""
        self.players: dict[int, str] = {}
        """The players of these seats."""
        self.over = asyncio.Event()
        """Set when a stream has brought the game's end, or when nobody is to play on."""

    @property
    def path(self) -> str:
        """Where the table is."""
        return f"/v1/tables/{self.table}"

    def ended(self) -> None:
        """Says that the running task's stream has brought the game's end. It is cancelled some time later."""
        self.over.set()
        task = asyncio.current_task()
        assert task is not None
        asyncio.get_running_loop().call_later(LINGERS_S, task.cancel)


class Client:
    """One connection of one client, which writes down what it does."""

    def __init__(self, party: Party, number: int, seat: int | None) -> None:
        self.party = party
        self.memory = party.memory
        self.number = number
        self.seat = seat
        self.known = 0
        """The newest version that it was told of."""
        self.because = ""
        """Why the last request was in vain."""
        self._token = None if seat is None else party.tokens[seat]
        self._connection: Connection | None = None

    async def get(self, kind: Kind, path: str, *, least: int | None = None, at: int | None = None) -> Call:
        """Asks until there is an answer; what the service holds back is asked again."""
        patience = Patience(path)
        while True:
            call = Call(kind, self.number, self.party.table, self.seat, self.memory.now(), least=least, at=at)
            if await self.send(call, "GET", path):
                return call
            await patience.wait(self.because)

    async def act(self, action: Mapping[str, Any]) -> Call | None:
        """Sends an act until there is an answer. None if it was forgotten."""
        key = f"{self.party.number}-{self.number}-{self.party.rng.getrandbits(64):x}"
        body = msgspec.json.encode(action)
        patience = Patience(f"an act at {self.party.path}")
        while True:
            call = Call("act", self.number, self.party.table, self.seat, self.memory.now(), key, action)
            if await self.send(call, "POST", f"{self.party.path}/actions", body):
                return call
            if self.party.rng.random() < FORGOTTEN:
                return None
            await patience.wait(self.because)

    async def again(self, call: Call) -> None:
        """Sends an act of earlier, with its key, until there is an answer."""
        body = msgspec.json.encode(call.body)
        patience = Patience(f"an act at {self.party.path}")
        while True:
            repeated = Call("act", self.number, call.table, self.seat, self.memory.now(), call.key, call.body)
            if await self.send(repeated, "POST", f"{self.party.path}/actions", body):
                return
            await patience.wait(self.because)

    async def send(self, call: Call, method: str, path: str, body: bytes | None = None) -> bool:
        """Sends a request once. Answers whether there is an answer other than to come again."""
        self.memory.ask(call)
        connection = self._connected()
        headers = {"Idempotency-Key": call.key} if call.key else {}
        request = connection.encode(method, path, token=self._token, body=body, headers=headers)
        try:
            response = await connection.send(request)
        except ConnectionLost as lost:
            self.because = repr(lost)
            self.close()
            return False
        if response.status in HELD_BACK:
            self.because = f"{response.status} {response.body.decode()}"
            self.memory.answer(call, response.status, None)
            self.close()
            return False
        replayed = b"idempotency-replayed" in response.headers
        self.memory.answer(call, response.status, _plain.decode(response.body), replayed=replayed)
        if call.version is not None and response.status < 300 and call.kind != "replay":
            self.known = max(self.known, call.version)
        return True

    def close(self) -> None:
        """Closes the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _connected(self) -> Connection:
        """The connection. Where the last one was of no use, and now and then, it may be to another service."""
        if self._connection is None or self.party.rng.random() < MOVES:
            self.close()
            self._connection = Connection(self.party.url(), timeout_s=ASKED_S)
        return self._connection


class Wanted(Struct, frozen=True):
    """A table to open."""

    game: str
    deals: int
    options: Mapping[str, object]
    seats: int
    people: int
    """The seats that clients take, the first ones; bots take the others."""
    timed: bool
    """Whether players have a clock."""
    webhook: str
    """Where the first player is notified; empty for nowhere."""


async def opened(party: Party, wanted: Wanted) -> None:
    """Opens a table, at which all take their seats."""
    async with httpx.AsyncClient(trust_env=False, verify=TLS, timeout=ASKED_S) as http:

        async def post(path: str, body: Mapping[str, object], token: str = "") -> Any:
            key = f"{party.number}-{party.rng.getrandbits(64):x}"
            headers = {"Idempotency-Key": key} | ({"Authorization": f"Bearer {token}"} if token else {})
            patience, because = Patience(path), ""
            while True:
                try:
                    answer = await http.post(f"{party.url()}/v1{path}", json=body, headers=headers)
                except httpx.HTTPError as error:
                    because = repr(error)
                else:
                    if answer.status_code == 201:
                        return answer.json()
                    assert answer.status_code in HELD_BACK, answer.text
                    because = answer.text
                await patience.wait(because)

        secret = party.rng.randbytes(16).hex()
        for seat in range(wanted.people):
            told = await post("/players", {"name": f"Player {seat}", "secret": f"{secret}{seat:02}"})
            party.tokens[seat], party.players[seat] = str(told["token"]), str(told["player"])
        if wanted.webhook:
            await post("/webhooks", {"url": wanted.webhook, "events": [*KINDS]}, party.tokens[0])
            party.memory.subscribed.add(party.players[0])
        asked = {"game": wanted.game, "deals": wanted.deals, "options": wanted.options}
        bots = {str(seat): party.rng.choice(LEVELS) for seat in range(wanted.people, wanted.seats)}
        more = ({"bots": bots} if bots else {}) | ({"table": {"clock": CLOCK}} if wanted.timed else {})
        party.table = str((await post("/tables", asked | more, party.tokens[0]))["table"])
        for seat in range(wanted.people):
            await post(f"/tables/{party.table}/seats", {"seat": seat}, party.tokens[seat])


async def whose(url: Callable[[], str], tokens: Iterable[str]) -> dict[str, str]:
    """The tokens by their players. Those of other things than players are left out."""
    players: dict[str, str] = {}
    for token in tokens:
        own = await _got(url, "/players/me", token)
        if own is not None:
            players[str(own["player"])] = token
    return players


async def taken(party: Party, tokens: Mapping[str, str]) -> bool:
    """Takes the seats of players whose tokens these are, at a table at which a game is running. Else it answers no."""
    view = await _got(party.url, f"/tables/{party.table}", next(iter(tokens.values())))
    if view is None or view["status"] != "playing":
        return False
    party.players = {seat["seat"]: seat["player"] for seat in view["seats"] if seat["player"] in tokens}
    party.tokens = {seat: tokens[player] for seat, player in party.players.items()}
    return bool(party.tokens)


async def _got(url: Callable[[], str], path: str, token: str) -> Any:
    """What is answered; None if it is refused."""
    patience = Patience(path)
    async with httpx.AsyncClient(
        trust_env=False, verify=TLS, timeout=ASKED_S, headers={"Authorization": f"Bearer {token}"}
    ) as http:
        while True:
            try:
                answer = await http.get(f"{url()}/v1{path}")
            except httpx.HTTPError as error:
                because = repr(error)
            else:
                if answer.status_code not in HELD_BACK:
                    return answer.json() if answer.is_success else None
                because = answer.text
            await patience.wait(because)


async def sit(client: Client, temper: Temper, rests_s: float) -> None:
    """Plays a seat until the game is over. Where there is nothing to do, it rests for so many seconds at least."""
    party, rng, before, idle = client.party, client.party.rng, None, False
    while not party.over.is_set():
        # Without `min_version` an answer may be older than what the client knows; sometimes it wants to know that.
        least = client.known or None if rng.random() < 0.9 else None
        query = "" if least is None else f"?min_version={least}"
        if idle and rng.random() < WAITS:
            query, least = f"?after={client.known}&wait={WAIT_S}", None
        call = await client.get("offers", f"{party.path}/offers{query}", least=least)
        offers, to_act = call.answer.get("offers"), call.answer.get("to_act", ())
        acts = offers and (client.seat in to_act or not to_act or rng.random() < CURIOUS)
        idle = not acts
        if call.status != 200 or not acts:
            with suppress(TimeoutError):
                async with asyncio.timeout(rests_s * (1 + rng.random())):
                    await party.over.wait()
            continue
        action = pick(offers, rng, temper)
        if before is not None and rng.random() < WRONG:
            await client.act(before)
        before = action
        await client.act(action)


Items: TypeAlias = list[dict[str, Any]]


async def in_the_end(
    url: Callable[[], str],
    path: str,
    enough: Callable[[Items], bool],
    late: float,
    *,
    token: str = "",
    query: Mapping[str, str] = NO_QUERY,
) -> Items:
    """The items of all pages of a list, once they are enough or it is late. What read models say may lag behind."""
    patience, headers = Patience(path), {"Authorization": f"Bearer {token}"} if token else {}
    async with httpx.AsyncClient(
        trust_env=False, verify=TLS, timeout=ASKED_S, headers=headers, params=dict(query)
    ) as http:
        while True:
            try:
                items = await _items(http, f"{url()}/v1{path}")
            except httpx.HTTPError as error:
                because = repr(error)
            else:
                if enough(items) or time.monotonic() > late:
                    return items
                because = f"there are {len(items)} items, or others than are due"
            await patience.wait(because)


async def _items(http: httpx.AsyncClient, where: str) -> Items:
    """The items of all pages of a list. Raises httpx.HTTPError if the service asks to come again."""
    items: Items = []
    query: dict[str, str] = {}
    while True:
        got = await http.get(where, params=query)
        assert got.status_code in {200, *HELD_BACK}, got.text
        answer = got.raise_for_status().json()
        items += answer["items"]
        if answer["next"] is None:
            return items
        query = {"cursor": str(answer["next"])}


async def look(client: Client, rests_s: float) -> None:
    """Looks at a table in every way until the game is over. Between two looks it rests for so many seconds at least."""
    party, rng = client.party, client.party.rng
    while not party.over.is_set():
        least = client.known or None if rng.random() < 0.7 else None
        query = "" if least is None else f"?min_version={least}"
        match rng.randrange(4):
            case 0 if client.known > 1:
                at = rng.randint(1, client.known)
                await client.get("replay", f"{party.path}/replay/{at}", at=at)
            case 1:
                await client.get("ledger", f"{party.path}/ledger{query}", least=least)
            case _:
                await client.get("view", f"{party.path}{query}", least=least)
        with suppress(TimeoutError):
            async with asyncio.timeout(rests_s * (1 + rng.random())):
                await party.over.wait()


async def listen(party: Party, seat: int | None, written: Listening) -> None:
    """Reads the table's stream until it is cancelled, and opens it again after the last event that it has brought."""
    last, opened, held_s, own = 0, 0, HELD_S, asyncio.current_task()
    assert own is not None
    headers = {"Accept": "application/x-ndjson"}
    if seat is not None:
        headers["Authorization"] = f"Bearer {party.tokens[seat]}"
    async with httpx.AsyncClient(trust_env=False, verify=TLS, timeout=ASKED_S) as http:
        # A time-out at the moment of a cancellation would take its place.
        while not own.cancelling():
            held_s = min(2 * held_s, HELD_LONG_S)
            with suppress(httpx.HTTPError):
                where, after = f"{party.url()}{party.path}/events/stream", {"Last-Event-ID": str(last)}
                async with http.stream("GET", where, headers=headers | after) as answer:
                    if answer.status_code not in HELD_BACK:
                        if answer.status_code != 200:
                            party.memory.raised.append(f"the stream of {party.table} was answered {answer.status_code}")
                            return
                        opened, held_s = opened + 1, HELD_S
                        async for line in _lines(answer):
                            last = _heard(party, written, opened, line) or last
            await asyncio.sleep(held_s)


async def _lines(answer: httpx.Response) -> AsyncIterator[bytes]:
    """The lines of an answer that are not empty."""
    rest = b""
    async for piece in answer.aiter_bytes():
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            if line:
                yield line


def _heard(party: Party, written: Listening, opened: int, line: bytes) -> int | None:
    """Writes down a frame, and answers its id if the stream is to go on after it."""
    frame = _plain.decode(line)
    if frame["frame"] == "presence":
        return None
    written.frames.append(Frame(opened, frame["frame"], frame.get("id"), frame["data"], party.memory.now()))
    if frame["frame"] == "event" and frame["data"]["type"] == "game-finished":
        party.ended()
    return written.frames[-1].id
