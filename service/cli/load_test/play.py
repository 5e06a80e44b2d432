"""Tables that are played at once for a while, and what came of it."""

import asyncio
import json
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from random import Random
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from projections.rebuild import Progress
from service.cli.client import Unreachable
from service.cli.demo import choose
from service.cli.load_test.connection import Answered, Connection, Lost
from service.cli.load_test.samples import Latencies, latencies

Operation: TypeAlias = Literal["register", "open", "sit", "look", "offers", "act"]

CREATED = 201
OK = 200
NOT_FOUND = 404
TOO_MANY = 429
UNAVAILABLE = 503

PATIENCE = 5
"""How many requests in a row may fail at a table before it is given up, and how many tables one after the other."""

REST_S = 0.2
"""How long a table rests after a failure, so that a service in trouble is not pressed harder."""


class Load(Struct, frozen=True, kw_only=True):
    """What is to be done. It ends after `seconds`, or after `actions`, whichever comes first."""

    game: str = "crocodile"
    deals: int | None = None
    """Deals a game; as the game has it, without."""
    tables: int = 16
    """Tables that are played at once, each over a connection of its own."""
    players: int | None = None
    """Players to register, who sit at several tables where they are fewer than the seats; without, one a seat."""
    tokens: Sequence[str] = ()
    """Tokens of players there are, one a player, instead of registering some."""
    think_s: float = 0.0
    """How long a player thinks before an action, on average."""
    seconds: float = 30.0
    actions: int = 100_000
    seed: int | None = None


class Report(Struct, frozen=True, kw_only=True):
    """What came of it. The time is that from the first table's opening to the last answer."""

    url: str
    game: str
    tables: int
    players: int
    seconds: float
    requests: int
    actions: int
    games_finished: int
    requests_per_s: float
    actions_per_s: float
    latencies: Mapping[Operation, Latencies]
    held_back: int
    """Answers that asked to come again later: 429 and 503."""
    errors: Mapping[str, int]
    """Answers that should not have come, by status and code, and lost connections."""


class CannotPlay(Exception):
    """There is no such game, or there are not the players that it needs."""


async def play(url: str, load: Load, progress: Progress | None = None) -> Report:
    """Plays, and reports; calls `progress` after each action. Raises Unreachable and CannotPlay."""
    return await _Playing(url, load, progress or (lambda _done, _total: None)).run()


class _Failed(Exception):
    """A request was answered with what should not have come; it is counted."""


class _Over(Exception):
    """The time is up, or the actions are taken."""


class _Playing:
    def __init__(self, url: str, load: Load, progress: Progress) -> None:
        self._url = url.rstrip("/")
        self._load = load
        self._progress = progress
        self._times: dict[Operation, list[float]] = {}
        self._errors: Counter[str] = Counter()
        self._held_back = 0
        self._finished = 0
        self._actions = 0
        self._ends = float("inf")

    async def run(self) -> Report:
        load = self._load
        self._ends = time.monotonic() + load.seconds
        try:
            first = Connection(self._url)
            described = await first.ask("GET", f"/v1/games/{load.game}")
        except Lost as error:
            raise Unreachable(self._url) from error
        async with first as connection:
            if described.status == NOT_FOUND:
                raise CannotPlay(f"no game is called {load.game} there")
            if described.status != OK:
                raise Unreachable(self._url)
            seats = int(json.loads(described.body)["seats"])
            tokens = load.tokens or await self._registered(connection, load.players or seats * load.tables)
        if len(tokens) < seats:
            raise CannotPlay(f"{load.game} needs {seats} players, and there are {len(tokens)}")
        chance = Random(load.seed)  # noqa: S311 (nothing secret is drawn from it)
        began = time.monotonic()
        self._ends = began + load.seconds
        async with asyncio.TaskGroup() as group:
            for number in range(load.tables):
                sitting = [tokens[(number * seats + seat) % len(tokens)] for seat in range(seats)]
                group.create_task(self._keep_playing(sitting, Random(chance.random())))  # noqa: S311 (as above)
        taken = time.monotonic() - began
        requests = sum(len(times) for name, times in self._times.items() if name != "register")
        return Report(
            url=self._url,
            game=load.game,
            tables=load.tables,
            players=len(tokens),
            seconds=taken,
            requests=requests,
            actions=self._actions,
            games_finished=self._finished,
            requests_per_s=requests / taken,
            actions_per_s=self._actions / taken,
            latencies={name: latencies(times) for name, times in self._times.items()},
            held_back=self._held_back,
            errors=dict(self._errors.most_common()),
        )

    async def _registered(self, connection: Connection, players: int) -> list[str]:
        tokens: list[str] = []
        for number in range(players):
            body = {"name": f"load {number + 1}"}
            try:
                tokens.append((await self._ask(connection, "register", "POST", "/v1/players", None, body))["token"])
            except _Over:
                raise CannotPlay(f"only {number} players could be registered in {self._load.seconds} s") from None
            except _Failed:
                raise CannotPlay(f"nobody can register ({', '.join(self._errors)}): give tokens of players") from None
        return tokens

    async def _keep_playing(self, tokens: Sequence[str], chance: Random) -> None:
        """Game after game, until it is over, or none can be played."""
        failures = 0
        async with Connection(self._url) as connection:
            while failures < PATIENCE:
                try:
                    await self._one_game(connection, tokens, chance)
                    failures = 0
                except _Over:
                    return
                except _Failed:
                    failures += 1
                    await asyncio.sleep(REST_S)

    async def _one_game(self, connection: Connection, tokens: Sequence[str], chance: Random) -> None:
        opened = {"game": self._load.game} | ({} if self._load.deals is None else {"deals": self._load.deals})
        table = str((await self._ask(connection, "open", "POST", "/v1/tables", tokens[0], opened))["table"])
        path = f"/v1/tables/{table}"
        shown: Mapping[str, Any] = {}
        for token in tokens:
            shown = await self._ask(connection, "sit", "POST", f"{path}/seats", token, {})
        to_act = shown["to_act"]
        failures = 0
        while to_act:
            try:
                acted = await self._act(connection, path, tokens[to_act[0]], chance)
            except _Failed:
                failures += 1
                if failures == PATIENCE:
                    raise
                await asyncio.sleep(REST_S)
                with suppress(_Failed):
                    to_act = (await self._ask(connection, "offers", "GET", f"{path}/offers", tokens[0]))["to_act"]
                continue
            to_act, failures = acted["to_act"], 0
        self._finished += 1

    async def _act(self, connection: Connection, path: str, token: str, chance: Random) -> Any:
        """One player's turn: look at the table, ask what may be done, think, do it."""
        await self._ask(connection, "look", "GET", path, token)
        offers = (await self._ask(connection, "offers", "GET", f"{path}/offers", token))["offers"]
        if self._load.think_s:
            await asyncio.sleep(min(chance.expovariate(1 / self._load.think_s), self._left_s()))
        if self._actions >= self._load.actions:
            raise _Over
        self._actions += 1
        try:
            acted = await self._ask(connection, "act", "POST", f"{path}/actions", token, choose(offers, chance))
        except (_Failed, _Over):
            self._actions -= 1
            raise
        self._progress(self._actions, self._load.actions)
        return acted

    def _left_s(self) -> float:
        return max(0.0, self._ends - time.monotonic())

    async def _ask(
        self,
        connection: Connection,
        operation: Operation,
        method: str,
        path: str,
        token: str | None,
        body: Mapping[str, Any] | None = None,
    ) -> Any:
        """What the request answers. Waits as long as the service asks to. Raises _Failed, _Over."""
        sent = connection.request(method, path, token=token, body=None if body is None else json.dumps(body).encode())
        while True:
            if time.monotonic() >= self._ends:
                raise _Over
            began = time.perf_counter()
            try:
                answered = await connection.send(sent)
            except Lost as error:
                self._errors[f"{operation}: {error}"] += 1
                raise _Failed from error
            if answered.status in (TOO_MANY, UNAVAILABLE):
                self._held_back += 1
                await asyncio.sleep(min(_wait_s(answered), self._left_s()))
                continue
            self._times.setdefault(operation, []).append(time.perf_counter() - began)
            if answered.status not in (OK, CREATED):
                self._errors[f"{operation}: {answered.status} {_code(answered)}".rstrip()] += 1
                raise _Failed
            return json.loads(answered.body)


def _wait_s(answered: Answered) -> float:
    try:
        return max(REST_S, float(answered.headers.get(b"retry-after", b"1")))
    except ValueError:
        return 1.0


def _code(answered: Answered) -> str:
    """The problem's name, where the answer is a problem document."""
    try:
        problem = json.loads(answered.body)
        return str(problem.get("code") or problem.get("type", "")).rpartition("/")[2]
    except (ValueError, AttributeError):
        return ""
