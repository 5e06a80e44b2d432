"""Cursors: the beginning of a list's next page, opaque to clients."""

from base64 import urlsafe_b64decode, urlsafe_b64encode

TABLES, STATEMENT, OWN_STATEMENT, LEADERBOARD, DISPUTES = "t", "s", "o", "l", "d"
"""The names of the lists in their cursors."""


class BadCursor(ValueError):
    """The text is not a cursor of this list."""


def cursor(list_name: str, key: str) -> str:
    """The cursor for a key of a list."""
    return urlsafe_b64encode(f"{list_name}:{key}".encode()).decode().rstrip("=")


def key(list_name: str, cursor: str) -> str:
    """The key for which the list made this cursor. Raises BadCursor."""
    try:
        text = urlsafe_b64decode(cursor.encode("ascii") + b"=" * (-len(cursor) % 4)).decode()
    except ValueError:
        raise BadCursor(cursor) from None
    name, _, key = text.partition(":")
    if name != list_name or not key:
        raise BadCursor(cursor)
    return key


def number(list_name: str, cursor: str) -> int:
    """The key for which a list whose keys are numbers made this cursor. Raises BadCursor."""
    digits = key(list_name, cursor)
    if not digits.isascii() or not digits.isdigit() or len(digits) > 16:
        raise BadCursor(cursor)
    return int(digits)
