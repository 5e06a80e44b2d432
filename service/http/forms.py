"""The forms of texts that clients send: patterns, and what each requires, in words."""

from collections.abc import Mapping

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
ENTROPY = r"^(?:[0-9a-fA-F]{2}){0,64}$"
LINE_KIND = r"^[a-z][a-z-]{0,31}$"
ACCOUNT = r"^(bank|pool|player:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$"
_ID = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
REPORTED = rf"^(player:{_ID}|event:{_ID}/[1-9][0-9]{{0,8}})$"
RULE = r"^[A-Z]{2}-[0-9]{1,2}(?:\.[0-9]{1,2})?$"
TIME = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?([Zz]|[+-][0-9]{2}:[0-9]{2})$"
SEAT = r"^([0-9]|1[0-5])$"
AS = r"^(me|public|all|seat:[0-9])$"

A_TIME = "a time, like 2026-11-20T10:00:00Z"

IN_WORDS: Mapping[str, str] = {
    PRINTABLE: "must not hold control characters",
    NAME: "must have a visible character, and none that is invisible or changes the direction of writing",
    CODE: "must be 8 letters and digits, as they were shown",
    GRAPHIC: "must be printable ASCII without spaces",
    ENTROPY: "must be up to 64 bytes in hex",
    LINE_KIND: "must be small letters and hyphens, at most 32, a letter first",
    ACCOUNT: "must be bank, pool, or player: and the player's id",
    REPORTED: "must be player: and the player's id, or event: and the table's id, a slash and a version",
    RULE: "must be the number of a rule, like CR-8.2",
    SEAT: "must be the number of a seat",
    TIME: f"must be {A_TIME}",
    AS: "must be me, public, all, or a seat like seat:0",
}
"""By pattern, what a text must be to match. A refusal uses this and never shows the pattern."""
