"""The log as the projections read it: the port that the service implements."""

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from msgspec import Struct

from domain.record.recorded import Recorded


class SourceUnavailable(Exception):
    """The log cannot be read at the moment; the read may be repeated."""


class End(Struct, frozen=True, gc=False):
    """The end of a table's stream at some position of the log."""

    version: int
    deal: int = 0
    """The last deal that has begun; 0 before the first."""


class Source(Protocol):
    """Reads the log. Every method but `wait` raises SourceUnavailable on an outage."""

    async def log(self, after: int, limit: int) -> list[Recorded]:
        """The events of all tables after a position, at most `limit`, without gaps."""

    async def stream(self, table: str, after: int, upto: int) -> list[Recorded]:
        """A table's events after one version up to another, in order."""

    async def ends(self, tables: Collection[str], position: int) -> Mapping[str, End]:
        """The end of each of these tables at this position of the log, which no table's first event may follow."""

    async def end(self) -> int:
        """The last position; 0 before any event."""

    async def wait(self, after: int, timeout: float) -> None:  # noqa: ASYNC109 (running out of time is no error here)
        """Returns once the log goes beyond `after`, or after `timeout` seconds."""


class GapInLog(Exception):
    """The log is broken: positions or versions are missing or repeated."""


def check_positions(records: Sequence[Recorded], after: int) -> None:
    """Raises GapInLog unless the records' positions continue from `after` without a gap."""
    for expected, record in enumerate(records, after + 1):
        if record.position != expected:
            raise GapInLog(f"position {expected} was expected, and {record.position} came")


def check_versions(records: Sequence[Recorded], after: int) -> None:
    """Raises GapInLog unless the records' versions continue from `after` without a gap."""
    for expected, record in enumerate(records, after + 1):
        if record.version != expected:
            raise GapInLog(f"version {expected} of table {record.table} was expected, and {record.version} came")
