"""Read models in Redis: folded from the log, and read back.

The log comes in as a `Source`, so this package does not depend on the store.
"""

from domain.record.catalogue import UnknownEvent
from projections.connection import connect
from projections.cursors import BadCursor
from projections.models import Page, ReadModels, ReadModelsUnavailable, RedisState, Seated, Stored
from projections.runner import Limits, Projector, RebuildFailed, RebuildRunning
from projections.source import End, GapInLog, Source, SourceUnavailable
from projections.watch import Watch

__all__ = [
    "BadCursor",
    "End",
    "GapInLog",
    "Limits",
    "Page",
    "Projector",
    "ReadModels",
    "ReadModelsUnavailable",
    "RebuildFailed",
    "RebuildRunning",
    "RedisState",
    "Seated",
    "Source",
    "SourceUnavailable",
    "Stored",
    "UnknownEvent",
    "Watch",
    "connect",
]
