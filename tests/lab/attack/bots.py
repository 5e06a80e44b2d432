"""Players who watch a clock: when a bot acts should tell nothing of its cards."""

import asyncio
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import prod, sqrt
from typing import Any

import httpx
import msgspec

from domain.record.envelope import EventEnvelope
from domain.record.history import Reader
from domain.record.recorded import Recorded
from domain.registry import GAMES
from domain.seats import bot_in
from domain.table.clock import micros
from domain.table.state import evolve
from tests.lab.attack.callers import player
from tests.lab.attack.target import NotTried, Result, Target

TABLES = 3
WITH_BOTS = {"game": "tetka", "deals": 4, "bots": {"1": "strong", "2": "strong", "3": "strong"}}
"""Tëtka often leaves no choice, and a strong bot thinks for long of one that it has."""

LEAST_ACTS = 12
"""So many acts of each kind, with a choice and without, tell something."""
PAUSES_MS = (200, 600)
"""The pauses at which times are compared."""
SLACK_MS = 50
UNLIKELY = 3.3
"""Two kinds of acts at equal times are so many standard deviations apart once in a thousand times."""

_event = msgspec.json.Decoder(EventEnvelope)


async def bots_timed(target: Target, measure: float) -> Result:
    """Games against bots: neither when they act nor what `/v1/bots` says meanwhile tells whether they had a choice."""
    async with await player(target) as client:
        playing = [_played(client) for _ in range(max(1, round(TABLES * measure)))]
        *records, same = await asyncio.gather(*playing, _same(client))
        await client.delete("/v1/players/me")
    waits: dict[bool, list[float]] = {True: [], False: []}
    for game in records:
        for choice, ms in _waits(game):
            waits[choice].append(ms)
    return compared(waits[True], waits[False], same=same)


def compared(some: Sequence[float], none: Sequence[float], *, same: bool) -> Result:
    """Whether bots wait as long where they have a choice as where they have none. Raises NotTried."""
    if min(len(some), len(none)) < LEAST_ACTS:
        raise NotTried(f"{len(some)} acts with a choice and {len(none)} without")
    # No act comes sooner than after a pause, and some come right then.
    pause = min(*some, *none)
    if not PAUSES_MS[0] <= pause <= PAUSES_MS[1] + SLACK_MS:
        raise NotTried(f"bots pause for {pause:.0f} ms")
    above = sum(1.0 if one > other else 0.5 if one == other else 0.0 for one in some for other in none)
    pairs = len(some) * len(none)
    deviations = (above - pairs / 2) / sqrt(pairs * (len(some) + len(none) + 1) / 12)
    seen = f"{len(some)} acts with a choice came later than {len(none)} without in {above / pairs:.0%} of pairs"
    return Result(2, same + (abs(deviations) < UNLIKELY), f"{seen}, at a pause of {pause:.0f} ms")


async def _same(client: httpx.AsyncClient) -> bool:
    """Whether `/v1/bots` says the same while bots think as before. Raises HTTPStatusError."""
    answers = []
    for _ in range(6):
        answers.append(await _json(client, "/v1/bots"))
        await asyncio.sleep(1)
    return all(answer == answers[0] for answer in answers)


async def _played(client: httpx.AsyncClient) -> list[Recorded]:
    """The record of a game against bots, played by the first offer each time. Raises HTTPStatusError."""
    opened = await client.post("/v1/tables", json=WITH_BOTS)
    opened.raise_for_status()
    path = f"/v1/tables/{opened.json()['table']}"
    (await client.post(f"{path}/seats", json={"seat": 0})).raise_for_status()
    while (view := await _json(client, path))["status"] != "finished":
        asked = await _json(client, f"{path}/offers")
        if 0 in asked["to_act"]:
            (await client.post(f"{path}/actions", json=_first(asked["offers"][0]))).raise_for_status()
        else:
            await _json(client, f"{path}/events?after={view['version']}&wait=10")
    exported = await client.get(f"{path}/export")
    exported.raise_for_status()
    # The first line is the header, the last one the trailer.
    return [_event.decode(line).recorded() for line in exported.content.splitlines()[1:-1]]


async def _json(client: httpx.AsyncClient, path: str) -> Any:
    answer = await client.get(path)
    answer.raise_for_status()
    return answer.json()


def _first(offer: dict[str, Any]) -> dict[str, Any]:
    return {"type": offer["type"]} | {name: field["one_of"][0] for name, field in offer["fields"].items()}


def _waits(records: Sequence[Recorded]) -> Iterator[tuple[bool, float]]:
    """For each card that a bot played after another, whether it had a choice, and how many milliseconds it waited.

    Cards that lead to a trick are left out: there is a choice more often, and something else has happened before.
    """
    reader = Reader(GAMES)
    table = reader.opened(records[0])
    game = reader.of(table)
    for before, record in pairwise(records):
        seat = bot_in(record.actor)
        if seat is not None and record.type == before.type:
            offers: list[Any] = [offer.describe() for offer in game.decider.offers(table.deal_state, seat)]
            choices = sum(prod(len(field["one_of"]) for field in offer["fields"].values()) for offer in offers)
            yield choices > 1, (micros(record.at) - micros(before.at)) / 1000
        table = evolve(game, table, reader.read(record))
