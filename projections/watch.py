"""The port by which the projector reports its work, for metrics."""

from typing import Protocol


class Watch(Protocol):
    """Receives the projector's reports."""

    def applied(self, position: int, events: int, seconds: float) -> None:
        """A batch of events was applied in this many seconds; the read models are at this position."""

    def leading(self, *, leads: bool) -> None:
        """This worker begins or stops holding the lease and applying events."""

    def building(self, *, builds: bool) -> None:
        """This worker begins or stops building a generation of read models."""

    def set_aside(self, tables: int) -> None:
        """The number of tables set aside in the read models, since their records cannot be read."""

    def interrupted(self) -> object:
        """An outage interrupts the projector, which tries again."""

    def goes_on(self) -> None:
        """The projector is up to date or works, or another worker does."""

    def halted(self, error: Exception) -> None:
        """The projector has halted with this error and does not try again."""


class Unwatched:
    """Accepts all reports and does nothing."""

    def applied(self, position: int, events: int, seconds: float) -> None:
        """Ignores the report of a batch."""

    def leading(self, *, leads: bool) -> None:
        """Ignores whether this worker leads."""

    def building(self, *, builds: bool) -> None:
        """Ignores whether this worker builds read models."""

    def set_aside(self, tables: int) -> None:
        """Ignores the number of tables set aside."""

    def interrupted(self) -> None:
        """Ignores the outage."""

    def goes_on(self) -> None:
        """Ignores the end of an outage."""

    def halted(self, error: Exception) -> None:
        """Ignores the halt, which the projector logs and raises itself."""
