"""Measurements of streams and of reads that wait."""

from typing import Literal

from service.observability.families import Families

StreamKind = Literal["table", "player", "lobby"]
"""The subject of a stream."""


class StreamMetrics:
    """Streams, waiting reads, and those who hold them."""

    def __init__(self, families: Families) -> None:
        self.waiting = families.gauge("codille_waiting", "Streams and reads that wait for events.", together="sum")
        self._open = families.gauge("codille_streams", "Streams that are open.", ("kind",), together="sum")
        self.connected = families.gauge(
            "codille_connected",
            "Players who hold a stream or a read that waits, each once for each table, and once for the own stream.",
            together="sum",
        )
        self._ended = families.counter("codille_streams_ended", "Streams that have ended.", ("kind", "reason"))
        self._bytes = families.counter("codille_stream_bytes", "Bytes of frames written to streams.", ("kind",))

    def opened(self, kind: StreamKind) -> None:
        """Counts a stream that was opened in this process."""
        self._open.labels(kind).inc()

    def wrote(self, kind: StreamKind, size: int) -> None:
        """Counts bytes written to a stream."""
        self._bytes.labels(kind).inc(size)

    def ended(self, kind: StreamKind, reason: str) -> None:
        """Counts a stream that has ended; `reason` is `gone`, or why the service ended it."""
        self._open.labels(kind).dec()
        self._ended.labels(kind, reason).inc()
