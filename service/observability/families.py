"""Families of measurements, and how those of a service's several processes are taken together."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal, TypeAlias

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Metric, generate_latest, values
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.samples import Sample

LATENCY_S = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

Mode = Literal["sum", "max", "min", "mostrecent"]
"""How a gauge's values from several processes are combined."""

Join: TypeAlias = Callable[[float, float], float]

# `own` is the scraped process, which has measured last.
_TOGETHER: Mapping[Mode, Join] = {
    "sum": lambda own, other: own + other,
    "max": max,
    "min": min,
    "mostrecent": lambda own, _: own,
}


class Families:
    """Makes the families of one process, and exposes them with those of the service's other processes."""

    def __init__(self, worker: int | None = None) -> None:
        """`worker` is this process's number among several, which share the directory in PROMETHEUS_MULTIPROC_DIR.

        A process that is restarted under the number continues the counts of its predecessor. The library keeps values
        for the whole process, so a process with a number makes Families once. Raises ValueError if there is a number
        but no directory.
        """
        self.registry = CollectorRegistry()
        self._exposed = self.registry
        self._directory: Path | None = None
        if worker is not None:
            # By default the library names files by process id, so every restart would leave its own behind.
            values.ValueClass = values.MultiProcessValue(lambda: worker)
            self._exposed = CollectorRegistry()
            MultiProcessCollector(self._exposed)
            self._directory = Path(os.environ["PROMETHEUS_MULTIPROC_DIR"])
        self._together: dict[str, Join] = {}

    def counter(self, name: str, documentation: str, labels: Sequence[str] = ()) -> Counter:
        """A counter."""
        return Counter(name, documentation, labels, registry=self.registry)

    def histogram(
        self, name: str, documentation: str, labels: Sequence[str] = (), *, buckets: Sequence[float] = LATENCY_S
    ) -> Histogram:
        """A histogram, by default of seconds that an answer may take."""
        return Histogram(name, documentation, labels, registry=self.registry, buckets=buckets)

    def gauge(self, name: str, documentation: str, labels: Sequence[str] = (), *, together: Mode = "max") -> Gauge:
        """A gauge, and how its values from several processes are combined: the largest, unless told."""
        self._together[name] = _TOGETHER[together]
        return Gauge(name, documentation, labels, registry=self.registry, multiprocess_mode=together)

    def join(self, directory: Path) -> None:
        """From now on exposes what other processes measure in a directory, combined with this process's own
        measurements.
        """
        self._directory = directory
        self._exposed = CollectorRegistry()
        self._exposed.register(_Together(self.registry, MultiProcessCollector(None, str(directory)), self._together))

    def set_labels(self, gauge: Gauge) -> set[str]:
        """The values of the only label of a gauge (`max`) that is not 0, in this process or another."""
        (own,) = gauge.collect()
        families = [own]
        if self._directory is not None:
            # Of this kind of gauges alone, since reading all measurements takes long.
            files = map(str, self._directory.glob("gauge_max_*.db"))
            families += [one for one in MultiProcessCollector.merge(files) if one.name == own.name]
        return {label for one in families for sample in one.samples if sample.value for label in sample.labels.values()}

    def exposition(self) -> bytes:
        """All measurements of the service, in Prometheus' text format."""
        return generate_latest(self._exposed)


class _Together:
    """The measurements of this process combined with those in a directory, as if one process had made them."""

    def __init__(
        self,
        own: CollectorRegistry,
        others: MultiProcessCollector,
        gauges: Mapping[str, Join],
    ) -> None:
        self._own = own
        self._others = others
        self._gauges = gauges

    def collect(self) -> Iterable[Metric]:
        families = {family.name: family for family in self._own.collect()}
        for other in self._others.collect():
            family = families.setdefault(other.name, other)
            if family is not other:
                family.samples = self._taken_together(family, other)
        return families.values()

    def _taken_together(self, one: Metric, other: Metric) -> list[Sample]:
        how = self._gauges.get(one.name, _TOGETHER["sum"])
        samples = {(sample.name, frozenset(sample.labels.items())): sample for sample in one.samples}
        for sample in other.samples:
            key = (sample.name, frozenset(sample.labels.items()))
            before = samples.get(key)
            samples[key] = sample if before is None else before._replace(value=how(before.value, sample.value))
        return list(samples.values())
