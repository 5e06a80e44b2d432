"""The run of a load test: plays tables concurrently for a while, and reports."""

import asyncio
import json
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from math import ceil
from random import Random
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from projections.rebuild import Progress
from service.cli.client import Unreachable
from service.cli.demo import choose
from service.cli.load_test.http_connection import Connection, ConnectionLost, Response

Operation: TypeAlias = Literal["register", "open", "sit", "look", "offers", "act"]

CREATED = 201
OK = 200
TOO_MANY = 429
UNAVAILABLE = 503

PATIENCE = 5
"""Consecutive failed requests after which a table is given up, and tables after which a connection stops."""

REST_S = 0.2
"""Seconds that a table pauses after a failure, to spare a service in trouble."""


class Load(Struct, frozen=True, kw_only=True):
    """The parameters of a load test. It ends after `seconds` or `actions`, whichever comes first."""

    game: str | None = None
    """The game to play; None for the first that the service offers."""
    deals: int | None = None
    """Deals a game; None for the game's default."""
    tables: int = 16
    """Tables played at once, each over its own connection."""
    players: int | None = None
    """Players to register; None for one a seat. If there are fewer players than seats, they sit at several tables."""
    tokens: Sequence[str] = ()
    """Tokens of existing players, who play instead of newly registered ones."""
    think_s: float = 0.0
    """The average number of seconds that a player thinks before an action."""
    seconds: float = 30.0
    actions: int = 100_000
    seed: int | None = None


class Latencies(Struct, frozen=True, kw_only=True):
    """Statistics of measured times, in milliseconds."""

    count: int
    mean_ms: float
    p50_ms: float
    p90_ms: float
    p99_ms: float
    max_ms: float


class LoadReport(Struct, frozen=True, kw_only=True):
    """The outcome. `seconds` run from the opening of the first table to the last response."""

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
    """Responses of 429 and 503, after which the request is repeated."""
    errors: Mapping[str, int]
    """Failed requests by operation, status and code, and lost connections."""


class CannotPlay(Exception):
    """The game is unknown, or there are too few players for it."""


async def play(url: str, load: Load, progress: Progress | None = None) -> LoadReport:
    """Plays, calls `progress` after each action, and returns the report.

    Raises Unreachable if no service answers, and CannotPlay.
    """
    return await _LoadRun(url, load, progress or (lambda _done, _total: None)).run()


class _Failed(Exception):
    """A request failed; the failure is counted."""


class _Over(Exception):
    """The time is up, or all actions have been taken."""


class _LoadRun:
    def __init__(self, url: str, load: Load, progress: Progress) -> None:
        self._url = url.rstrip("/")
        self._load = load
        self._game = ""
        self._progress = progress
        self._times: dict[Operation, list[float]] = {}
        self._errors: Counter[str] = Counter()
        self._held_back = 0
        self._finished = 0
        self._actions = 0
        self._ends = float("inf")

    async def run(self) -> LoadReport:
        """Plays until time or actions are up. Raises Unreachable and CannotPlay, as `play`."""
        load = self._load
        self._ends = time.monotonic() + load.seconds
        try:
            first = Connection(self._url)
            offered = await first.request("GET", "/v1/games")
        except ConnectionLost as error:
            raise Unreachable(self._url) from error
        async with first as connection:
            if offered.status != OK:
                raise Unreachable(self._url)
            games = [game for game in json.loads(offered.body)["items"] if load.game in (None, game["game"])]
            if not games:
                raise CannotPlay(f"no game is called {load.game} there")
            self._game, seats = str(games[0]["game"]), int(games[0]["seats"])
            tokens = load.tokens or await self._registered(connection, load.players or seats * load.tables)
        if len(tokens) < seats:
            raise CannotPlay(f"{self._game} needs {seats} players, and there are {len(tokens)}")
        chance = Random(load.seed)  # noqa: S311 (nothing secret is drawn from it)
        began = time.monotonic()
        self._ends = began + load.seconds
        async with asyncio.TaskGroup() as group:
            for number in range(load.tables):
                sitting = [tokens[(number * seats + seat) % len(tokens)] for seat in range(seats)]
                group.create_task(self._keep_playing(sitting, Random(chance.random())))  # noqa: S311 (as above)
        taken = time.monotonic() - began
        requests = sum(len(times) for name, times in self._times.items() if name != "register")
        return LoadReport(
            url=self._url,
            game=self._game,
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
                tokens.append((await self._request(connection, "register", "POST", "/v1/players", None, body))["token"])
            except _Over:
                raise CannotPlay(f"only {number} players could be registered in {self._load.seconds} s") from None
            except _Failed:
                reasons = ", ".join(self._errors)
                raise CannotPlay(f"players cannot register ({reasons}): give tokens of players") from None
        return tokens

    async def _keep_playing(self, tokens: Sequence[str], chance: Random) -> None:
        """Plays game after game until the run is over, or games keep failing."""
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
        opened = {"game": self._game} | ({} if self._load.deals is None else {"deals": self._load.deals})
        table = str((await self._request(connection, "open", "POST", "/v1/tables", tokens[0], opened))["table"])
        path = f"/v1/tables/{table}"
        view: Mapping[str, Any] = {}
        for token in tokens:
            view = await self._request(connection, "sit", "POST", f"{path}/seats", token, {})
        to_act, playing = view["to_act"], view["status"] == "playing"
        failures = 0
        while playing:
            # If no seat must act, as in a race, any of them may have offers.
            seat = to_act[0] if to_act else chance.randrange(len(tokens))
            try:
                acted = await self._act(connection, path, tokens[seat], chance)
            except _Failed:
                failures += 1
                if failures == PATIENCE:
                    raise
                await asyncio.sleep(REST_S)
                with suppress(_Failed):
                    view = await self._request(connection, "look", "GET", path, tokens[0])
                    to_act, playing = view["to_act"], view["status"] == "playing"
                continue
            failures = 0
            if acted is not None:
                to_act, playing = acted["to_act"], acted["events"][-1]["type"] != "game-finished"
        self._finished += 1

    async def _act(self, connection: Connection, path: str, token: str, chance: Random) -> Any:
        """One player's turn: looks at the table, gets the offers, thinks, and acts; None if there are no offers.

        Raises _Failed and _Over.
        """
        await self._request(connection, "look", "GET", path, token)
        offers = (await self._request(connection, "offers", "GET", f"{path}/offers", token))["offers"]
        if not offers:
            return None
        if self._load.think_s:
            await asyncio.sleep(min(chance.expovariate(1 / self._load.think_s), self._left_s()))
        if self._actions >= self._load.actions:
            raise _Over
        self._actions += 1
        try:
            acted = await self._request(connection, "act", "POST", f"{path}/actions", token, choose(offers, chance))
        except (_Failed, _Over):
            self._actions -= 1
            raise
        self._progress(self._actions, self._load.actions)
        return acted

    def _left_s(self) -> float:
        return max(0.0, self._ends - time.monotonic())

    async def _request(
        self,
        connection: Connection,
        operation: Operation,
        method: str,
        path: str,
        token: str | None,
        body: Mapping[str, Any] | None = None,
    ) -> Any:
        """The decoded response. A request that is held back is repeated. Raises _Failed and _Over."""
        content = None if body is None else json.dumps(body).encode()
        request = connection.encode(method, path, token=token, body=content)
        while True:
            if time.monotonic() >= self._ends:
                raise _Over
            began = time.perf_counter()
            try:
                response = await connection.send(request)
            except ConnectionLost as error:
                self._errors[f"{operation}: {error}"] += 1
                raise _Failed from error
            if response.status in (TOO_MANY, UNAVAILABLE):
                self._held_back += 1
                await asyncio.sleep(min(_wait_s(response), self._left_s()))
                continue
            self._times.setdefault(operation, []).append(time.perf_counter() - began)
            if response.status not in (OK, CREATED):
                self._errors[f"{operation}: {response.status} {_code(response)}".rstrip()] += 1
                raise _Failed
            return json.loads(response.body)


def latencies(seconds: Sequence[float]) -> Latencies:
    """The statistics of at least one time; times in seconds."""
    ordered = sorted(seconds)
    return Latencies(
        count=len(ordered),
        mean_ms=1000 * sum(ordered) / len(ordered),
        p50_ms=1000 * percentile(ordered, 50),
        p90_ms=1000 * percentile(ordered, 90),
        p99_ms=1000 * percentile(ordered, 99),
        max_ms=1000 * ordered[-1],
    )


def percentile(ordered: Sequence[float], percent: float) -> float:
    """The smallest value of a sorted sequence that at least so many percent of the values do not exceed."""
    return ordered[max(0, ceil(len(ordered) * percent / 100) - 1)]


def _wait_s(response: Response) -> float:
    try:
        return max(REST_S, float(response.headers.get(b"retry-after", b"1")))
    except ValueError:
        return 1.0


def _code(response: Response) -> str:
    """The problem's code; empty if the response is not a problem document."""
    try:
        problem = json.loads(response.body)
        return str(problem.get("code") or problem.get("type", "")).rpartition("/")[2]
    except (ValueError, AttributeError):
        return ""
