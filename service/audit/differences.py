"""The differences that an audit of the log reports."""

from typing import Any

from msgspec import Struct


class Difference(Struct, frozen=True):
    """A place where the log, or what is served from it, is wrong."""

    subject: str
    """A table, an event, a position, or `the log`, as text for people."""
    check: str
    """The name of the check that failed."""
    text: str
    table: str | None = None
    """The table, if its record failed the check; others may follow from the first of its differences."""
    event: int = 0
    """The version of the event at which its record failed."""
    recorded: Any = None
    computed: Any = None
    """The two values that differ, or their parts by path. They are not for logs, as they may be of a running deal."""
