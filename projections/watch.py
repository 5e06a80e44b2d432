"""The port by which the projector reports its work, for metrics."""

from typing import Protocol


class Watch(Protocol):
    """Gets the projector's reports."""

    def applied(self, position: int, events: int, seconds: float) -> None:
        """A batch of so many events was applied in so many seconds; the read models are at this position."""

    def leading(self, *, leads: bool) -> None:
        """Whether this worker holds the lease and applies events."""

    def set_aside(self, tables: int) -> None:
        """So many tables are set aside in the read models, since their records cannot be read."""

    def halted(self, error: Exception) -> None:
        """The projector has halted with this error and does not try again."""


class Unwatched:
    """Takes all reports and does nothing with them."""

    def applied(self, position: int, events: int, seconds: float) -> None:
        """Nobody watches the batches that are applied."""

    def leading(self, *, leads: bool) -> None:
        """Nobody watches which worker leads."""

    def set_aside(self, tables: int) -> None:
        """Nobody watches which tables are set aside."""

    def halted(self, error: Exception) -> None:
        """Nobody watches for a halt; the projector logs and raises the error."""
