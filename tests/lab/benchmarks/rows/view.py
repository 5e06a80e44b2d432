"""A look at a table: the caller's view, read from Redis, or kept from an earlier read."""

import asyncio
from collections.abc import Iterator

from service.cli.load_test import Connection
from tests.lab.benchmarks.bench import Bench, alternating
from tests.lab.benchmarks.figures import Bound, Figure
from tests.lab.benchmarks.interface import Driven, Floor, bare, beside_bare, drive, service

ROW = "GET of a view"


def measure(bench: Bench) -> Iterator[Figure]:
    """One process that serves views of half-played tables, beside the same bytes from the bare server."""
    floor = Floor(bench, per_connection=1)
    bodies: list[bytes] = []

    def looked() -> Driven:
        with service(bench, floor.database(halfway=True), "apart") as running:
            lists = floor.views(running.url)
            bodies.append(asyncio.run(_typical(running.url, [request for mine in lists for request in mine])))
            return drive(bench, running, lists, again=True)

    def limit() -> Driven:
        if not bodies:
            looked()
        with bare(bench, bodies[0]) as running:
            return drive(bench, running, floor.views(running.url), again=True)

    measured = alternating(bench.rounds, {"view": looked, "bare": limit})
    yield from beside_bare(
        ROW,
        f"one process, {len(floor.games)} connections",
        "views",
        measured["view"],
        measured["bare"],
        must=Bound(least=0.6),
        aim=Bound(least=0.8),
    )


async def _typical(url: str, requests: list[bytes]) -> bytes:
    """The body of middle length, of all of them. Raises RuntimeError if one cannot be had."""
    bodies = []
    async with Connection(url) as connection:
        for request in requests:
            answered = await connection.send(request)
            if answered.status != 200:
                raise RuntimeError(f"a view was answered with {answered.status}")
            bodies.append(answered.body)
    return sorted(bodies, key=len)[len(bodies) // 2]
