"""How often random tests try: `CODILLE_TEST_TIMES` (default 1) times as often as they say; more in `make long`."""

import os

TIMES = int(os.environ.get("CODILLE_TEST_TIMES", "1"))


def times(number: int) -> int:
    """So many repetitions, or that many times more."""
    return number * TIMES
