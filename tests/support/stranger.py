"""Strangers who play: a client that knows the interface and no rules.

A game is written once, as a script that yields requests and is sent their responses. `run` carries it out with an httpx
client, `run_async` with a connection that costs little beside the service.
"""

import asyncio
import random
import time
import uuid
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar
from urllib.parse import urlencode

import httpx
import msgspec

from service.cli.load_test.http_connection import Connection
from tests.support.picking import Temper, pick, whose
from tests.support.waiting import PATIENCE_S

T = TypeVar("T")
Body: TypeAlias = dict[str, Any]

CURIOSITY = 0.25
"""How often a seat that need not act is asked what it may do."""
PATIENCE = 20
"""How often a request is sent again while the service holds it back."""


@dataclass(frozen=True)
class Request:
    """One request."""

    method: str
    path: str
    token: str | None = None
    body: Body | None = None
    query: Mapping[str, str | int] | None = None
    key: str | None = None


@dataclass(frozen=True)
class Response:
    """Its response."""

    status: int
    headers: Mapping[str, str]
    body: Any


Script: TypeAlias = Generator[Request, Response, T]


class Refused(Exception):
    """The service refused what it should have accepted."""

    def __init__(self, request: Request, response: Response) -> None:
        super().__init__(f"{request.method} {request.path} {request.body}: {response.status} {response.body}")
        self.request = request
        self.response = response


@dataclass
class Player:
    """A registered player."""

    player: str
    token: str


@dataclass(frozen=True)
class Glimpse:
    """A view as it was served while the game was on."""

    audience: str
    version: int
    view: Body


@dataclass
class Played:
    """A game, as everyone may see it."""

    table: str
    options: Body
    seats: list[Player]
    actions: int = 0
    glimpses: list[Glimpse] = field(default_factory=list)
    events: list[Body] = field(default_factory=list)
    ledger: Body = field(default_factory=dict)
    view: Body = field(default_factory=dict)


def play(
    game: str,
    options: Body,
    tempers: Sequence[Temper],
    rng: random.Random,
    *,
    deals: int | None = None,
    glimpses: float = 0.1,
) -> Script[Played]:
    """One game by new players of these tempers, who pick at random: from registering to the end of the record.

    Without `deals`, everybody deals once. After an action, with a probability of `glimpses`, one looks at the table.
    """
    players = yield from each([register(f"stranger {number}") for number in range(len(tempers))])
    opened = yield from post(
        "/v1/tables", {"game": game, "deals": deals or len(tempers), "options": options}, players[0]
    )
    table = str(opened.body["table"])
    for player in players:
        entropy = rng.choice([{}, {"entropy": rng.randbytes(16).hex()}])
        yield from post(f"/v1/tables/{table}/seats", entropy, player)
    played = Played(table, options, players)
    while (version := (yield from act(played, tempers, rng))) is not None:
        if rng.random() < glimpses:
            yield from look(played, rng, version)
    yield from collect(played)
    return played


def each(scripts: Sequence[Script[T]]) -> Script[list[T]]:
    """Runs the scripts one after another, and returns their results."""
    results = []
    for script in scripts:
        result = yield from script
        results.append(result)
    return results


def register(name: str) -> Script[Player]:
    """A new player."""
    response = yield from post("/v1/players", {"name": name})
    return Player(response.body["player"], response.body["token"])


def act(played: Played, tempers: Sequence[Temper], rng: random.Random) -> Script[int | None]:
    """Takes one action of a seat that is offered one, and returns its version; None when no seat is.

    Those that must act are asked what they may do, and one seat in four of the others; where none must, as in a game
    without turns, they are asked until one may.
    """
    first = rng.randrange(len(played.seats))
    responses = {first: (yield from offers_of(played, first))}
    to_act = responses[first].body["to_act"]
    others = [seat for seat in range(len(played.seats)) if seat != first]
    for seat in rng.sample(others, len(others)):
        idle = not to_act and not any(response.body["offers"] for response in responses.values())
        if seat in to_act or idle or rng.random() < CURIOSITY:
            responses[seat] = yield from offers_of(played, seat)
    versions = {response.body["version"] for response in responses.values()}
    turns = {tuple(response.body["to_act"]) for response in responses.values()}
    assert len(versions) == 1, f"nobody acts, and the offers name the versions {versions}"
    assert len(turns) == 1, f"the seats' offers name different turns: {turns}"
    offered = {seat: response.body["offers"] for seat, response in responses.items() if response.body["offers"]}
    assert set(to_act) <= set(offered), "a seat must act and is offered nothing"
    if not offered:
        return None
    seat = whose(offered, rng, tempers)
    action = pick(offered[seat], rng, tempers[seat])
    response = yield from post(f"/v1/tables/{played.table}/actions", action, played.seats[seat])
    played.actions += 1
    version: int = response.body["version"]
    numbers = [event["version"] for event in response.body["events"]]
    assert numbers == list(range(versions.pop() + 1, version + 1)), "a response holds just the events of its action"
    assert response.headers["ETag"] == f'"{version}"'
    return version


def offers_of(played: Played, seat: int) -> Script[Response]:
    """What a seat is offered."""
    response = yield from get(f"/v1/tables/{played.table}/offers", played.seats[seat])
    return response


def look(played: Played, rng: random.Random, version: int) -> Script[None]:
    """Looks at the table through the eyes of a seat or of the public."""
    seat = rng.choice([None, *range(len(played.seats))])
    path, query = f"/v1/tables/{played.table}", {"min_version": version}
    response = yield from get(path, None if seat is None else played.seats[seat], query)
    audience = "public" if seat is None else f"seat:{seat}"
    played.glimpses.append(Glimpse(audience, response.body["version"], response.body))


def collect(played: Played) -> Script[None]:
    """Gets the events of a game page by page, its ledger and its view, without a token."""
    path = f"/v1/tables/{played.table}"
    last = 0
    while True:
        page = (yield from get(f"{path}/events", None, {"after": last, "limit": 37})).body
        played.events += page["items"]
        last = played.events[-1]["version"]
        if last == page["version"]:
            break
        assert len(page["items"]) == 37, "a page that is not the last is full"
    played.ledger = (yield from get(f"{path}/ledger", None, {"min_version": last})).body
    played.view = (yield from get(path, None, {"min_version": last})).body


def replay(played: Played, audience: str, version: int) -> Script[Body]:
    """The view of an audience at a version of a finished game."""
    response = yield from get(f"/v1/tables/{played.table}/replay/{version}", None, {"as": audience})
    body: Body = response.body
    return body


def verdicts(played: Played) -> Script[set[str]]:
    """The verdicts of the service's own audits of all deals of a finished game."""
    results = yield from each(
        [get(f"/v1/tables/{played.table}/deals/{deal}/audit") for deal in range(1, played.view["deal"] + 1)]
    )
    return {result.body["verdict"] for result in results}


def get(path: str, player: Player | None = None, query: Mapping[str, str | int] | None = None) -> Script[Response]:
    request = Request("GET", path, player.token if player else None, query=query)
    response = yield request
    if response.status != httpx.codes.OK:
        raise Refused(request, response)
    return response


def post(path: str, body: Body, player: Player | None = None) -> Script[Response]:
    request = Request("POST", path, player.token if player else None, body, key=str(uuid.uuid4()))
    response = yield request
    if response.status != httpx.codes.CREATED:
        raise Refused(request, response)
    return response


def run(script: Script[T], http: httpx.Client) -> T:
    """Carries out a script."""
    response: Response | None = None
    while True:
        try:
            request = script.send(response) if response else next(script)
        except StopIteration as end:
            result: T = end.value
            return result
        for _ in range(PATIENCE):
            answer = http.request(request.method, request.path, **_with(request))
            if (wait := _wait(answer.status_code, answer.headers)) is None:
                break
            time.sleep(wait)
        response = Response(answer.status_code, answer.headers, answer.json())


async def run_async(script: Script[T], connection: Connection, *, keep: bool = True) -> T:
    """Carries out a script, while others may run. Unless told to `keep` the connection, each request has its own."""
    response: Response | None = None
    while True:
        try:
            request = script.send(response) if response else next(script)
        except StopIteration as end:
            result: T = end.value
            return result
        sent = _encoded(request, connection)
        for _ in range(PATIENCE):
            answer = await connection.send(sent)
            if not keep:
                connection.close()
            headers = httpx.Headers(list(answer.headers.items()))
            if (wait := _wait(answer.status, headers)) is None:
                break
            await asyncio.sleep(wait)
        response = Response(answer.status, headers, msgspec.json.decode(answer.body))


def _encoded(request: Request, connection: Connection) -> bytes:
    path = request.path if request.query is None else f"{request.path}?{urlencode(request.query)}"
    body = None if request.body is None else msgspec.json.encode(request.body)
    headers = {} if request.key is None else {"Idempotency-Key": request.key}
    return connection.encode(request.method, path, token=request.token, body=body, headers=headers)


def _with(request: Request) -> Body:
    """A request's headers, body and query, for httpx."""
    headers = {"Accept": "application/json"}
    if request.token is not None:
        headers["Authorization"] = f"Bearer {request.token}"
    if request.key is not None:
        headers["Idempotency-Key"] = request.key
    return {"headers": headers, "json": request.body, "params": request.query}


def _wait(status: int, headers: Mapping[str, str]) -> float | None:
    """How many seconds to wait before sending the request again; None if it was answered, or refused for long."""
    if status not in (httpx.codes.TOO_MANY_REQUESTS, httpx.codes.SERVICE_UNAVAILABLE):
        return None
    # A quota of an hour would have a test wait for hours.
    return wait if (wait := float(headers["Retry-After"])) <= PATIENCE_S else None
