"""A gate before a service: it passes on what goes through, and breaks off connections again and again."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from urllib.parse import urlsplit

HELD = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class Gate:
    """Breaks off each connection once `most` bytes were answered on it, and holds every `nth` one back at once."""

    def __init__(self, url: str, most: int, nth: int) -> None:
        parts = urlsplit(url)
        self._behind = (parts.hostname, parts.port)
        self.most = most
        """As it is at a connection's beginning."""
        self._nth = nth
        self.broken = 0
        """How many connections were broken off."""
        self.held = 0
        """How many were answered that they are to come again."""
        self.taken = 0
        self.url = ""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Takes a connection."""
        self.taken += 1
        with suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            if self.taken % self._nth == 0:
                self.held += 1
                await reader.readuntil(b"\r\n\r\n")
                writer.write(HELD)
                await writer.drain()
            else:
                await self._pass(reader, writer)
        writer.close()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        behind, forth = await asyncio.open_connection(*self._behind)
        asking = asyncio.create_task(self._forward(reader, forth))
        left = self.most
        try:
            while left and (piece := await behind.read(left)):
                left -= len(piece)
                writer.write(piece)
                await writer.drain()
            if not left:
                self.broken += 1
                writer.transport.abort()
        finally:
            asking.cancel()
            forth.close()

    async def _forward(self, reader: asyncio.StreamReader, forth: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while piece := await reader.read(65536):
                forth.write(piece)
                await forth.drain()
        forth.close()


@contextmanager
def gate(url: str, *, most: int = 40_000, nth: int = 5) -> Iterator[Gate]:
    """A gate before the service at this URL, in a thread of its own."""
    made = Gate(url, most, nth)
    opened = threading.Event()
    closing: list[Callable[[], object]] = []

    async def serve() -> None:
        closed = asyncio.Event()
        closing.append(partial(asyncio.get_running_loop().call_soon_threadsafe, closed.set))
        server = await asyncio.start_server(made.serve, "127.0.0.1", 0)
        made.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        opened.set()
        await closed.wait()
        server.close()

    thread = threading.Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    opened.wait()
    try:
        yield made
    finally:
        closing[0]()
        thread.join()
