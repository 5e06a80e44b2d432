"""The port by which the projector reports its work, for metrics."""


class Watch:
    """Receives the projector's reports. This one ignores them."""

    def applied(self, position: int, events: int, seconds: float) -> None:
        """A batch of events was applied in this many seconds; the read models are at this position."""

    def leading(self, *, leads: bool) -> None:
        """This worker begins or stops holding the lease and applying events."""

    def building(self, *, builds: bool) -> None:
        """This worker begins or stops building a generation of read models."""

    def set_aside(self, tables: int) -> None:
        """The number of tables set aside in the read models, since their records cannot be read."""

    def interrupted(self) -> None:
        """An outage interrupts the projector, which tries again."""

    def goes_on(self) -> None:
        """The projector is up to date or works, or another worker does."""

    def halted(self, error: Exception) -> None:
        """The projector has halted with this error and does not try again."""
