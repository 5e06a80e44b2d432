"""Append: one event a command, many clients at once, each commit on disk before it is answered."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from subprocess import SubprocessError

from tests.lab.benchmarks.bench import Bench, alternating, median
from tests.lab.benchmarks.figures import Beside, Bound, Figure
from tests.lab.benchmarks.stores import PEERS, Appending, Store, missed, own, raw_insert

ROW = "append"
UNIT = "events/s"


def measure(bench: Bench) -> Iterator[Figure]:
    """The store beside pgbench and the other stores, in turns; and whether a live tailer of each sees every event."""
    with ExitStack() as stack:
        stores: dict[str, Store] = {"codille": own(bench), "pgbench": raw_insert(bench)}
        absent: dict[str, str] = {}
        for peer, prepare in PEERS.items():
            why = bench.peers.why_not(peer)
            if why is None:
                try:
                    stores[peer] = stack.enter_context(prepare(bench))
                except (RuntimeError, SubprocessError) as error:
                    why = f"cannot be set up: {error}"
                    sys.stderr.write(f"{peer} {why}\n")
            if why is not None:
                absent[peer] = why
        lost = {name: missed(store, 16, bench.seconds / 2) for name, store in stores.items() if store.tail}
        for clients in bench.pick((64, 256), (64, 256), (8,)):
            yield from _at(bench, clients, stores, lost, absent)


def _at(
    bench: Bench, clients: int, stores: Mapping[str, Store], lost: Mapping[str, int], absent: Mapping[str, str]
) -> Iterator[Figure]:
    # Postgres takes 200 connections here; what keeps one a client is measured with as many as it gets.
    most = {name: clients if name in ("codille", "umadb") else min(clients, 160) for name in stores}

    def run(name: str) -> Appending:
        bench.checkpoint()
        return stores[name].run(most[name], bench.seconds)

    measured = alternating(bench.rounds, {name: lambda name=name: run(name) for name in stores})  # type: ignore[misc]
    per_s = {name: median([one.per_s for one in all_]) for name, all_ in measured.items()}
    case = f"{clients} at once"
    first = clients == bench.pick(64, 64, 8)
    details = {name: list(all_) for name, all_ in measured.items()}
    yield Figure(
        row=ROW,
        case=case,
        value=per_s["codille"],
        unit=UNIT,
        beside=Beside(name="pgbench, one row a transaction", value=per_s["pgbench"]),
        must=Bound(least=0.5) if first else None,
        aim=Bound(least=0.7) if first else None,
        note=_told(clients, most["pgbench"], lost["codille"]),
        details=details,
    )
    p99_ms = median([one.latencies.p99_ms for one in measured["codille"]])
    yield Figure(
        row=ROW,
        case=f"{case}, p99",
        value=p99_ms,
        unit="ms",
        beside=Beside(name="pgbench", value=median([one.latencies.p99_ms for one in measured["pgbench"]])),
        must=Bound(most=10, of_ratio=False) if first else None,
    )
    safe = {name: per_s[name] for name in per_s if name in PEERS and not lost[name]}
    if safe:
        fastest = max(safe, key=lambda name: safe[name])
        yield Figure(
            row=ROW,
            case=f"{case}, beside the fastest peer that misses nothing",
            value=per_s["codille"],
            unit=UNIT,
            beside=Beside(name=fastest, value=safe[fastest]),
            must=Bound(least=1.7),
            aim=Bound(least=2.5),
        )
    for peer in PEERS:
        note = absent.get(peer) or _told(clients, most[peer], lost[peer])
        beside = Beside(name=peer, value=per_s.get(peer), note=note)
        yield Figure(row=ROW, case=f"{case}, beside each", value=per_s["codille"], unit=UNIT, beside=beside)


def _told(clients: int, connections: int, lost: int) -> str:
    """What is to be known of a store's figure."""
    fewer = f", {connections} connections" if connections != clients else ""
    return f"a live tailer missed {lost}{fewer}"
