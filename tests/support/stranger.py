"""Strangers who play: a client that knows the interface and no rules.

What a game asks of the service is written once, as a script that yields requests and is sent what they answered;
`run` and `run_async` carry a script out with either kind of httpx client.
"""

import asyncio
import random
import time
import uuid
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar

import httpx

from tests.support.picking import Temper, pick, whose

T = TypeVar("T")
Body: TypeAlias = dict[str, Any]

PATIENCE = 20
"""How often a request is sent again that the service asks to send later."""


@dataclass(frozen=True)
class Ask:
    """One request."""

    method: str
    path: str
    token: str | None = None
    body: Body | None = None
    query: Mapping[str, str | int] | None = None
    key: str | None = None


@dataclass(frozen=True)
class Told:
    """What it answered."""

    status: int
    headers: Mapping[str, str]
    body: Any


Script: TypeAlias = Generator[Ask, Told, T]


class Refused(Exception):
    """The service refused what it should have accepted."""

    def __init__(self, ask: Ask, told: Told) -> None:
        super().__init__(f"{ask.method} {ask.path} {ask.body}: {told.status} {told.body}")
        self.ask = ask
        self.told = told


@dataclass
class Player:
    """A registered player."""

    player: str
    token: str


@dataclass(frozen=True)
class Glimpse:
    """A view as it was shown while the game was on."""

    audience: str
    version: int
    view: Body


@dataclass
class Played:
    """A finished game, as everyone may see it."""

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
    """One game by new players of these tempers who pick at random, from registering to the end of the record.

    Unless told otherwise, everybody deals once. After an action, with a chance of `glimpses`, somebody looks at the
    table.
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
    """The scripts one after another, and what each led to."""
    results = []
    for script in scripts:
        result = yield from script
        results.append(result)
    return results


def register(name: str) -> Script[Player]:
    """A new player."""
    told = yield from post("/v1/players", {"name": name})
    return Player(told.body["player"], told.body["token"])


def act(played: Played, tempers: Sequence[Temper], rng: random.Random) -> Script[int | None]:
    """One action of any seat that is offered one, and the version it led to; None when nobody is offered any."""
    asked = yield from each([get(f"/v1/tables/{played.table}/offers", player) for player in played.seats])
    versions = {told.body["version"] for told in asked}
    turns = {tuple(told.body["to_act"]) for told in asked}
    assert len(versions) == 1, f"nobody acts, and the version is told as {versions}"
    assert len(turns) == 1, f"the seats are told different turns: {turns}"
    offered = {seat: told.body["offers"] for seat, told in enumerate(asked) if told.body["offers"]}
    assert set(asked[0].body["to_act"]) <= set(offered), "a seat must act and is offered nothing"
    if not offered:
        return None
    assert asked[0].body["to_act"], "the game is on and nobody is to act"
    seat = whose(offered, rng, tempers)
    action = pick(offered[seat], rng, tempers[seat])
    told = yield from post(f"/v1/tables/{played.table}/actions", action, played.seats[seat])
    played.actions += 1
    version: int = told.body["version"]
    numbers = [event["version"] for event in told.body["events"]]
    assert numbers == list(range(versions.pop() + 1, version + 1)), "an answer tells just the events of its action"
    assert told.headers["ETag"] == f'"{version}"'
    return version


def look(played: Played, rng: random.Random, version: int) -> Script[None]:
    """A view by somebody, who may sit at the table."""
    seat = rng.choice([None, *range(len(played.seats))])
    path, query = f"/v1/tables/{played.table}", {"min_version": version}
    told = yield from get(path, None if seat is None else played.seats[seat], query)
    audience = "public" if seat is None else f"seat:{seat}"
    played.glimpses.append(Glimpse(audience, told.body["version"], told.body))


def collect(played: Played) -> Script[None]:
    """The events of a finished game page by page, its ledger and view, without any token."""
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
    told = yield from get(f"/v1/tables/{played.table}/replay/{version}", None, {"as": audience})
    body: Body = told.body
    return body


def get(path: str, player: Player | None = None, query: Mapping[str, str | int] | None = None) -> Script[Told]:
    ask = Ask("GET", path, player.token if player else None, query=query)
    told = yield ask
    if told.status != httpx.codes.OK:
        raise Refused(ask, told)
    return told


def post(path: str, body: Body, player: Player | None = None) -> Script[Told]:
    ask = Ask("POST", path, player.token if player else None, body, key=str(uuid.uuid4()))
    told = yield ask
    if told.status != httpx.codes.CREATED:
        raise Refused(ask, told)
    return told


def run(script: Script[T], http: httpx.Client) -> T:
    """Carries a script out."""
    told: Told | None = None
    while True:
        try:
            ask = script.send(told) if told else next(script)
        except StopIteration as end:
            result: T = end.value
            return result
        for _ in range(PATIENCE):
            answer = http.request(ask.method, ask.path, **_with(ask))
            if (wait := _wait(answer)) is None:
                break
            time.sleep(wait)
        told = _told(answer)


async def run_async(script: Script[T], http: httpx.AsyncClient) -> T:
    """Carries a script out beside others."""
    told: Told | None = None
    while True:
        try:
            ask = script.send(told) if told else next(script)
        except StopIteration as end:
            result: T = end.value
            return result
        for _ in range(PATIENCE):
            answer = await http.request(ask.method, ask.path, **_with(ask))
            if (wait := _wait(answer)) is None:
                break
            await asyncio.sleep(wait)
        told = _told(answer)


def _with(ask: Ask) -> Body:
    """What goes with a request, for httpx."""
    headers = {"Accept": "application/json"}
    if ask.token is not None:
        headers["Authorization"] = f"Bearer {ask.token}"
    if ask.key is not None:
        headers["Idempotency-Key"] = ask.key
    return {"headers": headers, "json": ask.body, "params": ask.query}


def _wait(answer: httpx.Response) -> float | None:
    """How many seconds to wait before the request is sent again; None if it was answered."""
    if answer.status_code not in (httpx.codes.TOO_MANY_REQUESTS, httpx.codes.SERVICE_UNAVAILABLE):
        return None
    return float(answer.headers["Retry-After"])


def _told(answer: httpx.Response) -> Told:
    return Told(answer.status_code, answer.headers, answer.json())
