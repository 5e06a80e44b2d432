"""What many measured times come to."""

from collections.abc import Sequence
from math import ceil

from msgspec import Struct


class Latencies(Struct, frozen=True, kw_only=True):
    """Times in milliseconds, and how many were measured."""

    count: int
    mean_ms: float
    p50_ms: float
    p90_ms: float
    p99_ms: float
    max_ms: float


def latencies(seconds: Sequence[float]) -> Latencies:
    """Of at least one time, in seconds."""
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
    """The smallest of these, which are sorted, that so many percent of them do not exceed."""
    return ordered[max(0, ceil(len(ordered) * percent / 100) - 1)]
