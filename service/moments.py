"""Times, ids and chance: inputs that come in with a request or a command, so that the domain stays pure."""

import secrets
import time
from datetime import UTC, datetime
from functools import lru_cache

import uuid_utils

from domain.record.history import Moment

CHANCE_BYTES = 32


def now() -> str:
    """The time in its recorded form: RFC 3339 in UTC, with microseconds."""
    second, microsecond = divmod(time.time_ns() // 1000, 1_000_000)
    return f"{_second(second)}.{microsecond:06}Z"


@lru_cache(maxsize=1)
def _second(second: int) -> str:
    """The time without its fraction. Cached: a busy process needs each many times."""
    return datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%S")


def new_id() -> str:
    """A UUIDv7 (RFC 9562) as text."""
    return str(uuid_utils.uuid7())


def moment() -> Moment:
    """A new action's time, id and secret random bytes."""
    return Moment(now(), new_id(), secrets.token_bytes(CHANCE_BYTES))
