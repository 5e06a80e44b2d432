"""Tables of a game without turns, whose seats act side by side: `… racing URL TABLES PER_S WARM SECONDS`.

At each table four seats take PER_S acts a second together, each seat by itself: it asks what it is offered, and takes
one of those, whatever the others do. It prints `warm` after WARM seconds, and at the end, as JSON, what it measured
from then on: how many acts were due, how many were taken, and the codes of those that were refused.
"""

import asyncio
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import uvloop

from service.cli.load_test import Connection
from tests.support.picking import Temper, pick

SEATS = 4
OPTIONS = {"players": SEATS, "stall": 0, "target": 500}
TEMPER = Temper({"found": 20.0, "stuck": 0.0})
"""Nobody gives up: so no shift takes away what a seat was offered."""
CREATED = 201


class Racers:
    """Seats that race, and what has come of their acts."""

    def __init__(self, url: str, per_s: float) -> None:
        self._url = url
        self._every_s = SEATS / per_s
        self.warm = self.ends = 0.0
        self.due = 0
        self.times: list[float] = []
        self.refused: Counter[str] = Counter()

    async def seated(self, number: int) -> list[tuple[str, str]]:
        """A table at which all are seated; the path of it and the token of each seat."""
        async with Connection(self._url) as connection:
            tokens = [
                (await _sent(connection, "POST", "/v1/players", None, {"name": f"racer {number}.{seat}"}))["token"]
                for seat in range(SEATS)
            ]
            opened = {"game": "nuts", "options": OPTIONS}
            table = (await _sent(connection, "POST", "/v1/tables", tokens[0], opened))["table"]
            for token in tokens:
                await _sent(connection, "POST", f"/v1/tables/{table}/seats", token, {})
            return [(f"/v1/tables/{table}", token) for token in tokens]

    async def race(self, path: str, token: str, rng: random.Random) -> None:
        """Acts when it is time, until the end; a seat that comes late makes up for it."""
        due = time.perf_counter() + rng.random() * self._every_s
        async with Connection(self._url) as connection:
            while due < self.ends:
                await asyncio.sleep(max(0.0, due - time.perf_counter()))
                offers = (await _sent(connection, "GET", f"{path}/offers", token))["offers"]
                # Between two hands a seat that is ready waits for the others.
                if offers:
                    counted = self.warm <= due
                    self.due += counted
                    began = time.perf_counter()
                    code = await self._act(connection, path, token, pick(offers, rng, TEMPER))
                    if counted:
                        self.times.append(time.perf_counter() - began)
                        self.refused.update([code] if code else [])
                due += self._every_s

    async def _act(self, connection: Connection, path: str, token: str, action: Mapping[str, Any]) -> str | None:
        """Takes the action; answers the code of a refusal."""
        request = connection.encode("POST", f"{path}/actions", token=token, body=msgspec.json.encode(action))
        answer = await connection.send(request)
        return None if answer.status == CREATED else str(msgspec.json.decode(answer.body).get("code", answer.status))


async def _sent(
    connection: Connection, method: str, path: str, token: str | None, body: object | None = None
) -> dict[str, Any]:
    content = None if body is None else msgspec.json.encode(body)
    answer = await connection.send(connection.encode(method, path, token=token, body=content))
    if answer.status not in (200, CREATED):
        raise RuntimeError(f"{method} {path}: {answer.status}")
    decoded: dict[str, Any] = msgspec.json.decode(answer.body)
    return decoded


async def raced(url: str, tables: int, per_s: float, warm_s: float, seconds: float) -> None:
    """Has the tables race, and prints what came of it."""
    racers = Racers(url, per_s)
    seats = [seat for number in range(tables) for seat in await racers.seated(number)]
    began = time.perf_counter()
    racers.warm, racers.ends = began + warm_s, began + warm_s + seconds

    async def warmed_up() -> None:
        await asyncio.sleep(warm_s)
        print("warm", flush=True)

    cpu = time.process_time()
    races = [racers.race(path, token, _chance(number)) for number, (path, token) in enumerate(seats)]
    await asyncio.gather(warmed_up(), *races)
    taken = time.perf_counter() - began
    measured = {
        "seconds": taken - warm_s,
        "due": racers.due,
        "taken": len(racers.times) - racers.refused.total(),
        "refused": racers.refused,
        "busy": (time.process_time() - cpu) / taken,
        "latencies_s": sorted(racers.times),
    }
    print(json.dumps(measured), flush=True)


def _chance(number: int) -> random.Random:
    return random.Random(number)  # noqa: S311 (nothing secret hangs on it)


def main(arguments: Sequence[str]) -> None:
    """Runs with the arguments of the command line."""
    url, tables, per_s, warm_s, seconds = arguments
    uvloop.run(raced(url, int(tables), float(per_s), float(warm_s), float(seconds)))


if __name__ == "__main__":
    main(sys.argv[1:])
