"""The differences that an audit of the log reports."""

from msgspec import Struct


class Difference(Struct, frozen=True):
    """A place where the log, or what is served from it, is wrong."""

    subject: str
    """A table, an event, a position, or `the log`, as text for people."""
    check: str
    """The name of the check that failed."""
    text: str
