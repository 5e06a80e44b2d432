"""What the projector tells of itself while it works, for metrics."""

from typing import Protocol


class Watch(Protocol):
    """Is told what happens."""

    def applied(self, position: int, events: int, seconds: float) -> None:
        """The read models have come to this position, by a batch of so many events that took so long."""

    def leading(self, *, leads: bool) -> None:
        """Whether this worker is the one that applies."""

    def halted(self, error: Exception) -> None:
        """The projector has stopped for good: the log or the code is wrong."""


class Unwatched:
    """Nobody is told."""

    def applied(self, position: int, events: int, seconds: float) -> None:
        """Nothing."""

    def leading(self, *, leads: bool) -> None:
        """Nothing."""

    def halted(self, error: Exception) -> None:
        """Nothing."""
