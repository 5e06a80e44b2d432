"""How long jobs will take, by how long those before have taken."""

from msgspec import Struct

FIRST_S = 0.0002
"""Seconds for each event, before anything is known of a job: as slow jobs take."""
FIRST_EVENTS = 1000
"""So many events weigh what is assumed at first."""
REMEMBERED = 0.9
"""What the jobs before weigh beside one more."""


class _Known(Struct):
    """Seconds and events of the last jobs of one name, the older ones weighing less."""

    seconds: float = FIRST_S * FIRST_EVENTS
    events: float = FIRST_EVENTS


class Pace:
    """Estimates the time of jobs. A few that are slow for their events do not count more than many events do."""

    def __init__(self) -> None:
        self._known: dict[str, _Known] = {}

    def expected_s(self, name: str, events: int) -> float:
        """The seconds that a job of this name will take, which is about so many events."""
        known = self._known.setdefault(name, _Known())
        return events * known.seconds / known.events

    def learn(self, name: str, events: int, seconds: float) -> None:
        """A job of this name, about so many events, took these seconds."""
        known = self._known.setdefault(name, _Known())
        known.seconds = REMEMBERED * known.seconds + seconds
        known.events = REMEMBERED * known.events + events
