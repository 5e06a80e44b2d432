"""What the processes of one service measure, added up.

Each leaves what it has measured in a file that all of them have open, every few seconds, and whoever is asked adds up
all files. With the library's own way, values in mapped files, counting a request would cost twice as much.
"""

import os
import zlib
from collections.abc import Iterable, Iterator, Sequence
from struct import Struct
from typing import NamedTuple

import msgspec
from prometheus_client import CollectorRegistry, Metric

TRIES = 3
"""How often a file is read that is just being written."""

_HEAD = Struct("<II")
"""Of a file: the checksum of what follows, and its length."""


Labels = tuple[tuple[str, str], ...]


class Family(NamedTuple):
    """One measurement, with all its labels."""

    name: str
    type: str
    documentation: str
    samples: list[tuple[str, Labels, float]]


class SharedMetrics:
    """What this process has measured, and those beside it: to be collected as a registry is."""

    def __init__(self, registry: CollectorRegistry, files: Sequence[int]) -> None:
        """`files` are the descriptors of all processes' files, this one's first."""
        self._registry = registry
        self._own, *self._others = files
        # By one in the same place that crashed. A sum that shrank would be taken for one that began anew.
        self._before = [family for family in _read(self._own) if family.type != "gauge"]

    def leave(self) -> list[Family]:
        """Leaves what was measured for the other processes, and answers it."""
        families = _added([*self._before, *_collected(self._registry)])
        content = msgspec.json.encode(families)
        os.pwrite(self._own, _HEAD.pack(zlib.crc32(content), len(content)) + content, 0)
        return families

    def collect(self) -> Iterator[Metric]:
        """Counts are added up; of a gauge, which one process alone sets, the greatest is told."""
        theirs = (family for file in self._others for family in _read(file))
        # It is left before it is told, so that no sum is ever told that a crash could make shrink.
        for family in _added([*self.leave(), *theirs]):
            metric = Metric(family.name, family.documentation, family.type)
            for name, labels, value in family.samples:
                metric.add_sample(name, dict(labels), value)
            yield metric


def _collected(registry: CollectorRegistry) -> Iterator[Family]:
    for metric in registry.collect():
        samples = [
            (sample.name, tuple(sample.labels.items()), sample.value)
            for sample in metric.samples
            # When a process began to count says nothing of the sum.
            if not sample.name.endswith("_created")
        ]
        yield Family(metric.name, metric.type, metric.documentation, samples)


def _added(families: Iterable[Family]) -> list[Family]:
    """Families of the same name made one."""
    found: dict[str, tuple[Family, dict[tuple[str, Labels], float]]] = {}
    for family in families:
        _, values = found.setdefault(family.name, (family, {}))
        for name, labels, value in family.samples:
            before = values.get((name, labels), 0.0)
            values[name, labels] = max(before, value) if family.type == "gauge" else before + value
    return [
        family._replace(samples=[(*named, value) for named, value in values.items()])
        for family, values in found.values()
    ]


_DECODER = msgspec.json.Decoder(list[Family])


def _read(file: int) -> list[Family]:
    """What a process has left; nothing, if it has left nothing yet or was killed while it wrote."""
    for _ in range(TRIES):
        whole = os.pread(file, os.fstat(file).st_size, 0)
        if len(whole) < _HEAD.size:
            return []
        checksum, length = _HEAD.unpack_from(whole)
        content = whole[_HEAD.size : _HEAD.size + length]
        if zlib.crc32(content) == checksum:
            return _DECODER.decode(content)
    return []
