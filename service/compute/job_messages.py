"""What goes between the service and its processes that do jobs: messages with a pickle each."""

import asyncio
import pickle
import struct
from typing import Any

from msgspec import Struct

_LENGTH = struct.Struct("!Q")
"""A message is this length and so many bytes."""


class Done(Struct, frozen=True):
    """The outcome of a job."""

    result: Any
    error: Exception | None
    cpu_s: float


async def read_message(stream: asyncio.StreamReader) -> Any:
    """The next message's value. Raises IncompleteReadError at the end."""
    (length,) = _LENGTH.unpack(await stream.readexactly(_LENGTH.size))
    return pickle.loads(await stream.readexactly(length))  # noqa: S301 (from our own process)


def message(value: object) -> bytes:
    """The message of a value."""
    body = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    return _LENGTH.pack(len(body)) + body
