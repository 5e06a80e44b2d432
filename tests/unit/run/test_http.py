"""What is written to a connection in one turn of the event loop goes in one write, in order, and none of it is lost."""

import asyncio
from collections.abc import Iterable
from typing import Any

import pytest

from service.run.transport import LARGE, JoiningTransport


class Transport(asyncio.Transport):
    """Keeps what is written to it, write by write."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[bytes] = []
        self.closed = False

    def write(self, data: Any) -> None:
        assert not self.closed
        self.written.append(bytes(data))

    def writelines(self, list_of_data: Iterable[Any]) -> None:
        self.write(b"".join(list_of_data))

    def close(self) -> None:
        self.closed = True

    def is_closing(self) -> bool:
        return self.closed

    def get_write_buffer_size(self) -> int:
        return 0


@pytest.fixture
def transport() -> Transport:
    return Transport()


@pytest.fixture
async def joining(transport: Transport) -> JoiningTransport:
    nothing: dict[str, Any] = {"stalled": lambda: None, "arriving": lambda: False}
    return JoiningTransport(transport, asyncio.get_running_loop(), write_timeout_s=60, **nothing)


async def test_a_turns_writes_are_one(transport: Transport, joining: JoiningTransport) -> None:
    joining.write(b"head ")
    joining.write(b"body")
    assert transport.written == []
    await asyncio.sleep(0)
    assert transport.written == [b"head body"]
    joining.writelines([b"next ", b"one"])
    await asyncio.sleep(0)
    assert transport.written == [b"head body", b"next one"]


async def test_what_is_large_goes_at_once_after_what_waits(transport: Transport, joining: JoiningTransport) -> None:
    large = b"x" * (LARGE + 1)
    joining.write(b"head")
    joining.write(large)
    assert transport.written == [b"head" + large]
    await asyncio.sleep(0)
    assert transport.written == [b"head" + large]


async def test_closing_writes_what_waits_first(transport: Transport, joining: JoiningTransport) -> None:
    joining.write(b"last")
    joining.close()
    assert transport.written == [b"last"]
    assert transport.closed
    await asyncio.sleep(0)
    assert transport.written == [b"last"]
