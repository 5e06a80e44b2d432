"""The forms of texts that clients send: patterns, and what each requires, in words."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

_CONTROL = r"\x00-\x1f\x7f-\x9f"
PRINTABLE = rf"^[^{_CONTROL}]+$"

_UNSEEN = (
    # Control characters, soft hyphen, zero-width characters, line separators, and characters that change the direction
    # of writing.
    _CONTROL + r"\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    # Letters and symbols without a visible glyph.
    r"\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
)
_BLANK = r"\s\u034f\u200c\u200d\ufe00-\ufe0f"
"""White space, and characters that only modify their neighbours, which emoji and some scripts need."""

NAME = rf"^[^{_UNSEEN}]*[^{_UNSEEN}{_BLANK}][^{_UNSEEN}]*$"

CODE = r"^[346789ACDEFHJKMNPQRTVWXYacdefhjkmnpqrtvwxy]{8}$"
GRAPHIC = r"^[!-~]*$"
CHALLENGE = r"^[A-Za-z0-9_-]{43}$"
"""A challenge of the method S256 (RFC 7636, 4.2)."""
ENTROPY = r"^(?:[0-9a-fA-F]{2}){0,64}$"
LINE_KIND = r"^[a-z][a-z-]{0,31}$"
ACCOUNT = r"^(bank|pool|player:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$"
_ID = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
AFTER_ID = rf"^{_ID}$"
AFTER_KEY = r"^[A-Za-z0-9_-]+$"
AFTER_MESSAGE = r"^[0-9]{1,18}-[a-z-]{1,32}$"
REPORTED = rf"^(player:{_ID}|event:{_ID}/[1-9][0-9]{{0,8}})$"
RULE = r"^[A-Z]{2}-[0-9]{1,2}(?:\.[0-9]{1,2})?$"
TIME = (
    r"^([0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}):([0-9]{2})(\.[0-9]{1,9})?"
    r"([Zz]|[+-]([01][0-9]|2[0-3]):?[0-5][0-9])$"
)
"""RFC 3339, to the nanosecond. Python's `str` writes a space for T, and its `%z` an offset without a colon."""
SEAT = r"^([0-9]|1[0-5])$"
AS = r"^(me|public|all|seat:[0-9])$"

SHORTEST_TIME = 20
"""The characters of a time without fractions of a second."""

NO_CURSOR = "is not a cursor of this list"

IN_WORDS: Mapping[str, str] = {
    **dict.fromkeys((AFTER_ID, AFTER_KEY, AFTER_MESSAGE), NO_CURSOR),
    PRINTABLE: "must not hold control characters",
    NAME: "must have a visible character, and none that is invisible or changes the direction of writing",
    CODE: "must be 8 letters and digits, as they were shown",
    GRAPHIC: "must be printable ASCII without spaces",
    CHALLENGE: "must be the SHA-256 of a verifier, in 43 characters of base64url",
    ENTROPY: "must be up to 64 bytes in hex",
    LINE_KIND: "must be small letters and hyphens, at most 32, a letter first",
    ACCOUNT: "must be bank, pool, or player: and the player's id",
    REPORTED: "must be player: and the player's id, or event: and the table's id, a slash and a version",
    RULE: "must be the number of a rule, like CR-8.2",
    SEAT: "must be the number of a seat",
    TIME: "must be a time, like 2026-11-20T10:00:00Z",
    AS: "must be me, public, all, or a seat like seat:0",
}
"""By pattern, what a text must be to match. A refusal uses this and never shows the pattern."""


def instant(text: str) -> datetime | None:
    """The time that a text of the form TIME means, in UTC, rounded up to microseconds; None if there is no such time.

    A leap second, which only the end of a month can have, is the second after it. Raises OverflowError for a time
    outside the calendar.
    """
    parts = _TIME.fullmatch(text.upper())
    if parts is None:
        return None
    minute, second, fraction, offset = parts.group(1, 2, 3, 4)
    leap = second == "60"
    try:
        whole = datetime.fromisoformat(f"{minute}:{'59' if leap else second}{offset}").astimezone(UTC)
    except ValueError:
        return None
    whole += timedelta(seconds=leap)
    if leap and (whole.day, whole.hour, whole.minute, whole.second) != (1, 0, 0, 0):
        return None
    return whole + timedelta(microseconds=-(-int((fraction or ".0")[1:].ljust(9, "0")) // 1000))


_TIME = re.compile(TIME)
