"""Codes of events: short enough to be printed and typed, long enough to stand for a hash."""

CODE_DIGITS = 32
"""The digits of a hash in its code: half of them."""
GROUP = 4
"""The digits of a code between two hyphens."""


def code_of(version: int, digest: str) -> str:
    """An event's code: its version and the first half of its hash (in hex), in groups."""
    digits = digest[:CODE_DIGITS]
    groups = (digits[start : start + GROUP] for start in range(0, len(digits), GROUP))
    return "-".join([str(version), *groups])
