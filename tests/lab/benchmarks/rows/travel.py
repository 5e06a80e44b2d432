"""Time travel: the view at any version of a table of 99 deals, beside decoding the same events."""

import random
from collections.abc import Iterator

from domain.record.history import Reader
from domain.registry import GAMES
from domain.seats import HOUSE, PUBLIC, Audience, seat_audience
from domain.table.view import view
from tests.lab.benchmarks.bench import Bench, alternating, median, rate_of_core
from tests.lab.benchmarks.figures import Beside, Bound, Figure
from tests.lab.benchmarks.games import played

ROW = "time travel"
AUDIENCES: tuple[Audience, ...] = (PUBLIC, seat_audience(1), HOUSE)


def measure(bench: Bench) -> Iterator[Figure]:
    """Random versions, for random audiences; both are given the records, and neither asks the database."""
    deals = bench.pick(99, 99, 3)
    records = played(7, ("ada", "berta", "carl"), deals).records
    reader = Reader(GAMES)
    rng = random.Random(1)  # noqa: S311 (nothing secret hangs on it)
    places = [(rng.randint(1, len(records)), rng.choice(AUDIENCES)) for _ in range(bench.pick(40, 12, 4))]

    def travelled() -> int:
        for version, audience in places:
            table = reader.fold(None, records[:version], audience)
            if table.version != version:
                raise RuntimeError("it came out at another version")
            view(reader.of(table), table, audience)
        return len(places)

    def decoded() -> int:
        for version, audience in places:
            for record in records[:version]:
                reader.read(record, audience)
        return len(places)

    measured = alternating(
        bench.rounds,
        {
            "travelled": lambda: 1000 / rate_of_core(travelled, bench.seconds),
            "decoded": lambda: 1000 / rate_of_core(decoded, bench.seconds),
        },
    )
    yield Figure(
        row=ROW,
        case=f"{deals} deals, {len(records)} events",
        value=median(measured["travelled"]),
        unit="ms",
        beside=Beside(name="decoding the same events", value=median(measured["decoded"])),
        must=Bound(most=2),
    )
