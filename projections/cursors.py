"""Cursors: where the next page of a list begins, in a form that says nothing to clients."""

from base64 import urlsafe_b64decode, urlsafe_b64encode


class BadCursor(ValueError):
    """The cursor is not one that this list gave."""


def cursor(list_name: str, place: str) -> str:
    """The cursor of a place in a list."""
    return urlsafe_b64encode(f"{list_name}:{place}".encode()).decode().rstrip("=")


def place(list_name: str, cursor: str) -> str:
    """The place that a cursor of this list stands for. Raises BadCursor."""
    try:
        text = urlsafe_b64decode(cursor.encode("ascii") + b"=" * (-len(cursor) % 4)).decode()
    except ValueError:
        raise BadCursor(cursor) from None
    name, _, found = text.partition(":")
    if name != list_name or not found:
        raise BadCursor(cursor)
    return found


def number(list_name: str, cursor: str) -> int:
    """The place that a cursor stands for, in a list whose places are numbers. Raises BadCursor."""
    found = place(list_name, cursor)
    if not found.isascii() or not found.isdigit() or len(found) > 16:
        raise BadCursor(cursor)
    return int(found)
