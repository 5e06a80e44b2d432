"""Cursors: the beginning of a list's next page, opaque to clients."""

from base64 import urlsafe_b64decode, urlsafe_b64encode


class BadCursor(ValueError):
    """The text is not a cursor of this list."""


def cursor(list_name: str, place: str) -> str:
    """The cursor for a key of a list."""
    return urlsafe_b64encode(f"{list_name}:{place}".encode()).decode().rstrip("=")


def place(list_name: str, cursor: str) -> str:
    """The key for which the list made this cursor. Raises BadCursor."""
    try:
        text = urlsafe_b64decode(cursor.encode("ascii") + b"=" * (-len(cursor) % 4)).decode()
    except ValueError:
        raise BadCursor(cursor) from None
    name, _, place = text.partition(":")
    if name != list_name or not place:
        raise BadCursor(cursor)
    return place


def number(list_name: str, cursor: str) -> int:
    """The key for which a list whose keys are numbers made this cursor. Raises BadCursor."""
    digits = place(list_name, cursor)
    if not digits.isascii() or not digits.isdigit() or len(digits) > 16:
        raise BadCursor(cursor)
    return int(digits)
