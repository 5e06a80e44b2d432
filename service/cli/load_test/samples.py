"""Statistics of measured times."""

from collections.abc import Sequence
from math import ceil

from msgspec import Struct


class Latencies(Struct, frozen=True, kw_only=True):
    """Statistics of measured times, in milliseconds."""

    count: int
    mean_ms: float
    p50_ms: float
    p90_ms: float
    p99_ms: float
    max_ms: float


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
