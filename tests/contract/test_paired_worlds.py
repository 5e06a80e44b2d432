"""Two worlds that differ only in what an audience may not know: over the interface they are the same, byte by byte.

A game is played into a deal. The deal is then supposed otherwise, as the audience may: other hidden cards, other
sealed choices, but the same ids, times, seeds and salts. Each world is recorded in a log of its own. Every operation
that reads is called on both, and acts are tried. Digests and signatures differ, and are replaced by their kind.
"""

import asyncio
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, NamedTuple

import httpx
import pytest
from litestar.types import ASGIApp
from msgspec import to_builtins

from domain.kernel.action import tag_of
from domain.kernel.canonical import canonical
from domain.kernel.event import Event
from domain.kernel.game import Game
from domain.record.disclosure import Disclosure
from domain.record.recorded import GENESIS, Recorded, write
from domain.seats import HOUSE, PUBLIC, Audience, seat_audience
from domain.table.actions import Act
from domain.table.talk import action_types_of
from domain.table.view import view
from service.app import create_app
from service.auth.secrets import mint_token
from service.config import Settings
from service.services import Services
from service.store.store import Append
from service.watchers import open_projector
from service.wiring import open_services
from tests.contract.conftest import Caller
from tests.contract.test_authorization import DOCUMENT
from tests.contract.test_lists import until_listed
from tests.property.strategies import every_options, numbers_of_deals
from tests.support.games import EVERYBODY, OPENER, TABLE, chance
from tests.support.long import enough
from tests.support.postgres import Databases, as_service
from tests.support.redis import emptied
from tests.support.registry import GAMES, REGISTRY
from tests.support.repetition import TIMES
from tests.support.streams import reading
from tests.support.waiting import PATIENCE_S
from tests.support.worlds import Played, Supposing, played

AT = "2026-11-20T10:00:00.000000Z"
TOKENS = {player: mint_token(("play",)) for player in (OPENER, *EVERYBODY)}
"""The secret and what is stored of it, by player."""
TRIES = 40
"""How many worlds are tried before another deal is."""
HASHED = (
    (re.compile(r"\b[0-9a-f]{64}\b|(?<=-)[0-9a-f]{32}(?=\")"), "(hash)"),
    (re.compile(r"[A-Za-z0-9+/]{43,}={0,2}"), "(base64)"),
)
"""What is a digest, a commitment or a signature, by its form."""
UNAVAILABLE = httpx.codes.SERVICE_UNAVAILABLE
CHANGING = {"x-request-id", "date", "server-timing"}
"""Headers that differ from run to run."""
VARYING = {"getReadiness", "getCheckpoint", "listTokens", "getToken", "getPresence"}
"""These speak of the process, of its clock, of when the caller's token was used and of who is connected; no event is
looked at.
"""
STREAMS = {"streamEvents", "streamPlayer", "streamLobby"}
AUDIENCES = (PUBLIC, seat_audience(0))
"""One is tried in every game, in turn; both where random tests try longer."""
BEGUN = ("/players/me/stream", "/tables/stream")
"""The streams that are not of a table: their answers have no end."""


class Pair(NamedTuple):
    """The events of two games that have come into a deal, the same as far as the audience may know."""

    game: Game
    audience: Audience
    one: Sequence[Event[Any]]
    other: Sequence[Event[Any]]
    actions: Sequence[Mapping[str, Any]]
    """An action of each type that was taken in the whole game."""


def turned_away(record: Played, start: int) -> bool:
    """Whether the deal that begins at this version deals seats cards that they do not see, and other seats do."""
    dealt = record.tables[start - 1]
    return any(
        portion.to is not None and portion.learns and seat_audience(portion.to) not in portion.learns
        for portion in record.game.dealing.portions(dealt.standing)
    )


def pair_of(game: Game, audience: Audience, *, blind: bool = False) -> Pair:
    """Two worlds of a game that was played by chance; `blind`: of a deal whose seats do not see their own cards."""
    for number in range(40):
        rng = chance((game.name, "paired", audience, number))
        options = rng.choice(every_options(game))
        deals = min(numbers_of_deals(game, options))
        record = played(game, rng, options, deals, until=lambda table: enough(game, table))
        fitting = [deal for deal in record.deals if not blind or turned_away(record, deal[0])]
        if not fitting:
            continue
        start, end = rng.choice(fitting)
        supposing = Supposing(record, audience, start, rng.randint(start, end))
        truth = canonical(view(game, supposing.recorded.table, HOUSE))
        for other in supposing.others(rng, TRIES):
            if canonical(view(game, other.table, HOUSE)) != truth:
                before = record.events[: start - 1]
                one = (*before, *supposing.recorded.events)
                acts = [command.action for command in record.commands.values() if isinstance(command, Act)]
                actions = {tag_of(action): to_builtins(action) for action in acts}
                return Pair(game, audience, one, (*before, *other.events), list(actions.values()))
    raise AssertionError(f"{game.name}: nothing is hidden from {audience}")


def recorded(game: Game, events: Sequence[Event[Any]]) -> tuple[Recorded, ...]:
    """The records of these events, each an action of its own, with the same ids, times and salts whatever they say."""
    records, head = [], GENESIS
    for event in events:
        action = f"01970000-0000-7000-8000-{event.version:012}"
        secret = sha256(action.encode()).digest()
        record = write(event, table=TABLE, game=game.name, previous=head, at=AT, action=action, chance=secret)
        head = record.hash
        records.append(record)
    return tuple(records)


class Worlds:
    """Serves records from logs of their own."""

    def __init__(self, databases: Databases, redis: str) -> None:
        self._databases = databases
        self._redis = redis

    async def answers(self, pair: Pair) -> tuple[dict[str, str], dict[str, str]]:
        """What the audience is answered in the one world and in the other, by request."""
        return await self._answers(pair, pair.one), await self._answers(pair, pair.other)

    async def _answers(self, pair: Pair, events: Sequence[Event[Any]]) -> dict[str, str]:
        """What the audience is answered by a service whose log holds these events alone."""
        records, settings = recorded(pair.game, events), Settings(rate_limit=None, registry=REGISTRY)
        async with (
            emptied(self._redis),
            self._databases.fresh() as dsn,
            open_services(settings, as_service(dsn), self._redis) as services,
            open_projector(services, self._redis) as projector,
        ):
            # Starting its processes takes longer than what they would do here.
            services.edge.heavy.pool = None
            await _fill(services, records)
            stop = asyncio.Event()
            projecting = asyncio.create_task(projector.run(stop))
            app = create_app(services)
            transport = httpx.ASGITransport(app)
            # Nothing is compressed: what is compared is said in full.
            headers = {"Accept-Encoding": "identity"}
            if pair.audience != PUBLIC:
                headers["Authorization"] = f"Bearer {token_of(pair.audience)}"
            async with httpx.AsyncClient(
                transport=transport, base_url="http://codille.test", headers=headers
            ) as client:
                await until_listed(Caller(client, EVERYBODY[0], TOKENS[EVERYBODY[0]][0]), TABLE)
                # An act that is tried may be recorded.
                answers = await _followed(app, headers, records)
                answers |= await _ask(client, pair, records)
            stop.set()
            await projecting
        return answers


@pytest.fixture
def worlds(databases: Databases, redis_server: str) -> Worlds:
    return Worlds(databases, redis_server)


def token_of(audience: Audience) -> str:
    """The secret of the token of the player in the seat."""
    return TOKENS[EVERYBODY[int(audience.partition(":")[2])]][0]


async def _fill(services: Services, records: Sequence[Recorded]) -> None:
    """Registers all players, and appends the records."""
    since = datetime(2026, 11, 20, tzinfo=UTC)
    for player in (OPENER, *EVERYBODY):
        await services.players.accounts.register(player, f"Player {player[-3:]}", TOKENS[player][1], since)
    await services.log.store.append([Append(TABLE, 0, GENESIS, tuple(records), None)])


def reads(game: Game, records: Sequence[Recorded]) -> Iterator[str]:
    """The paths of all operations that read, with all deals, some versions, and the ways to look at a replay."""
    deals = range(1, 1 + max(record.deal or 0 for record in records))
    last = records[-1].version
    queries = {
        "getConsistencyProof": [f"?first=1&second={last}"],
        "getInclusionProof": [f"?position={last}&size={last}"],
        "getPlayers": [f"?id={EVERYBODY[0]}"],
        "getLeaderboard": [f"?game={game.name}"],
        "listEvents": ["", f"?after={max(0, last - 100)}&limit=200"],
        "getReplayRange": [f"?from={max(1, last - 20)}&to={last}", "?from=1&to=20&as=seat:0", "?from=1&to=20&as=house"],
        "getReplay": ["", "?as=seat:1", "?as=house"],
        "getReplayDrawing": ["", "?as=seat:1"],
    }
    queries["getOffers"] = ["", *(f"?{query}" for query in questions(game))]
    for path, item in DOCUMENT["paths"].items():
        if "get" not in item or item["get"]["operationId"] in VARYING | STREAMS:
            continue
        for query in queries.get(item["get"]["operationId"], [""]):
            for deal in deals if "{deal}" in path else (1,):
                for version in (1, last - 1, last) if "{version}" in path else (last,):
                    values = {
                        "table": TABLE, "player": EVERYBODY[0], "token": TOKENS[EVERYBODY[0]][1].id,
                        "game": game.name, "deal": deal, "dispute": 1, "version": version, "webhook": TABLE,
                    }  # fmt: skip
                    yield path.format_map(values) + query


async def _followed(app: ASGIApp, headers: Mapping[str, str], records: Sequence[Recorded]) -> dict[str, str]:
    """What the streams send: of the table all its events with the views after them, of the others the beginning."""
    last = records[-1].version
    frames: dict[str, str] = {}
    for path, place in ((f"/tables/{TABLE}/events/stream?after=0&view=true", last), *((path, 0) for path in BEGUN)):
        given = {name.lower(): value for name, value in headers.items()}
        deadline = time.monotonic() + PATIENCE_S
        while path not in frames:
            async with reading(app, path, accept="application/x-ndjson", **given) as reader:
                if reader.status == UNAVAILABLE and time.monotonic() < deadline:
                    # A busy machine's Redis may not answer at once.
                    await asyncio.sleep(0.05)
                elif reader.status != httpx.codes.OK:
                    frames[path] = str(reader.status)
                else:
                    await (reader.upto(place) if place else reader.next())
                    lines = reader.text.decode().splitlines(keepends=True)
                    # Who is connected follows the events: before the reader leaves, or not. Reads ask for it too.
                    frames[path] = "".join(line for line in lines if '"frame":"presence"' not in line)
    return frames


def questions(game: Game) -> Iterator[str]:
    """Why each act is not offered; and with each card of the pack, where one is to be named."""
    for action in action_types_of(game):
        kind = tag_of(action)
        yield f"why={kind}"
        fields = action.__struct_fields__
        cards = game.pack.cards[:: max(1, len(game.pack.cards) // 8)]
        yield from (f"why={kind}&{name}={card}" for name in fields for card in cards)


def attempts(game: Game, actions: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """These actions, with every card of the pack where there is one card to be named."""
    made: list[Mapping[str, Any]] = []
    for action in actions:
        one_card = [
            name for name, value in action.items() if name != "type" and isinstance(value, str) and value in game.pack
        ]
        made += [action | {name: card} for name in one_card for card in game.pack] or [action]
    return made


async def _ask(client: httpx.AsyncClient, pair: Pair, records: Sequence[Recorded]) -> dict[str, str]:
    answers = {path: said(await _got(client, path)) for path in reads(pair.game, records)}
    for action in attempts(pair.game, pair.actions):
        answer = await client.post(f"/v1/tables/{TABLE}/actions", json=action)
        answers[f"{action}"] = said(answer)
        if answer.status_code == 201:
            # What follows may differ: an act can disclose what was hidden.
            answers[f"{action}"] = "201"
            break
    return answers


async def _got(client: httpx.AsyncClient, path: str) -> httpx.Response:
    """The answer; that of a Redis which a busy machine keeps waiting is asked for again. No document is built here."""
    answer = await client.get(path)
    deadline = time.monotonic() + PATIENCE_S
    while answer.status_code == UNAVAILABLE and not path.endswith(".json") and time.monotonic() < deadline:
        await asyncio.sleep(0.05)
        answer = await client.get(path)
    return answer


def said(answer: httpx.Response) -> str:
    """The answer's status, head and body, without what differs from run to run."""
    head = [f"{name}: {text}" for name, text in sorted(answer.headers.items()) if name not in CHANGING]
    return "\n".join((str(answer.status_code), *head, answer.text))


def unhashed(text: str) -> str:
    """The text without what is made by hashing."""
    for pattern, kind in HASHED:
        text = pattern.sub(kind, text)
    return text


def differing(one: Mapping[str, str], other: Mapping[str, str]) -> list[str]:
    """The requests that are answered differently, digests and signatures left out."""
    # Most answers are the same to the byte, and looking for digests takes longer than asking.
    unlike = [request for request, answer in one.items() if answer != other[request]]
    return [request for request in unlike if unhashed(one[request]) != unhashed(other[request])]


@pytest.mark.parametrize(
    ("game", "audience"),
    [
        (game, audience)
        for number, game in enumerate(GAMES)
        for audience in (AUDIENCES if TIMES > 1 else AUDIENCES[number % 2 :: 2])
    ],
)
async def test_worlds_that_an_audience_cannot_tell_apart_get_the_same_answers(
    game: str, audience: Audience, worlds: Worlds
) -> None:
    one, other = await worlds.answers(pair_of(GAMES[game], audience))
    assert one.keys() == other.keys()
    for request in differing(one, other):
        assert unhashed(one[request]) == unhashed(other[request]), request


@pytest.mark.parametrize("audience", AUDIENCES)
async def test_a_hand_that_its_owner_may_not_see_changes_no_answer(audience: Audience, worlds: Worlds) -> None:
    pair = pair_of(GAMES["lorum"], audience, blind=True)
    one, other = await worlds.answers(pair)
    assert one.keys() == other.keys()
    for request in one:
        assert unhashed(one[request]) == unhashed(other[request]), request


async def test_what_the_others_see_of_it_differs(worlds: Worlds) -> None:
    """Seen by another seat, worlds that the owner cannot tell apart are not the same."""
    pair = pair_of(GAMES["lorum"], seat_audience(0), blind=True)
    one, other = await worlds.answers(pair._replace(audience=seat_audience(1)))
    path = f"/v1/tables/{TABLE}"
    assert unhashed(one[path]) != unhashed(other[path])


async def test_a_leak_is_seen(worlds: Worlds, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Disclosure, "opens", lambda *_: True)
    one, other = await worlds.answers(pair_of(GAMES["crocodile"], PUBLIC))
    leaking = {request.partition("?")[0].rpartition("/")[2] for request in differing(one, other)}
    assert {"events", "export"} <= leaking
