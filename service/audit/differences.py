"""What an audit of the log reports."""

from msgspec import Struct


class Difference(Struct, frozen=True):
    """One place where the log, or what is served of it, is not what it should be."""

    place: str
    """A table, an event, a position, or `the log`; for people."""
    check: str
    """The name of the check that failed."""
    text: str
