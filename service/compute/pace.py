"""Estimates the duration of jobs from earlier ones."""

from msgspec import Struct

FIRST_S = 0.0002
"""Seconds per event before any job of a name has run; as for slow jobs."""
FIRST_EVENTS = 1000
"""The weight of that first assumption, in events."""
REMEMBERED = 0.9
"""The factor by which each new job lowers the weight of earlier ones."""


class _KnownJob(Struct):
    """The seconds and events of a name's past jobs, weighted towards the latest."""

    seconds: float = FIRST_S * FIRST_EVENTS
    events: float = FIRST_EVENTS


class JobPace:
    """Estimates the duration of jobs. Jobs with many events count more than a few that are slow for theirs."""

    def __init__(self) -> None:
        self._known: dict[str, _KnownJob] = {}

    def expected_s(self, name: str, events: int) -> float:
        """The seconds that a job of this name over `events` events is expected to take."""
        known = self._known.setdefault(name, _KnownJob())
        return events * known.seconds / known.events

    def learn(self, name: str, events: int, seconds: float) -> None:
        """Records that a job of this name over `events` events took `seconds`."""
        known = self._known.setdefault(name, _KnownJob())
        known.seconds = REMEMBERED * known.seconds + seconds
        known.events = REMEMBERED * known.events + events
