"""The time of day."""

import time
from datetime import UTC, datetime
from functools import lru_cache


def now() -> str:
    """The time as it is recorded: RFC 3339 in UTC, with microseconds."""
    second, microsecond = divmod(time.time_ns() // 1000, 1_000_000)
    return f"{_second(second)}.{microsecond:06}Z"


@lru_cache(maxsize=1)
def _second(second: int) -> str:
    """The time without its fraction. Remembered: it is asked for many times a second."""
    return datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%S")
