"""A layer between uvicorn's protocol and the event loop's transport: fewer writes, and an end for slow readers."""

import asyncio
import fcntl
import struct
from collections.abc import Callable, Iterable
from termios import TIOCOUTQ
from typing import Any

LARGE = 16 * 1024
"""Writes of more bytes than this are not delayed."""

LEAST_RATE = 4096
"""Bytes a second that a client must read while a response waits for it."""


LINGER_S = 2.0
"""Seconds for a client to read the response while it still sends."""


class JoiningTransport(asyncio.Transport):
    """A transport that collects the writes of one turn of the event loop, and writes them at its end.

    uvicorn writes a response's head and body separately. In each system call the kernel takes the bytes all the way to
    the client and wakes it; half as many calls save a fifth of a view. Everything else is left to the transport.

    A client that reads too slowly loses the connection. It is checked every `write_timeout_s` seconds after `watch`,
    and while a closed connection has bytes left to write; `stalled` is called when the connection ends for this.

    A client whose request is `arriving` when the connection closes has time to read the response.
    """

    def __init__(
        self,
        transport: asyncio.Transport,
        loop: asyncio.AbstractEventLoop,
        *,
        write_timeout_s: float,
        stalled: Callable[[], None],
        arriving: Callable[[], bool],
    ) -> None:
        super().__init__()
        self._transport = transport
        self._loop = loop
        self._waiting: list[Any] = []
        self._write_timeout_s = write_timeout_s
        self._stalled = stalled
        self._arriving = arriving
        self.lingering = False
        """Whether the connection is closed but for what the client still sends, which is to be dropped."""
        self._watch: asyncio.TimerHandle | None = None
        self._unread = 0
        """Bytes that the client had not received at the last check, and those written since."""

    def write(self, data: Any) -> None:
        """Writes at the end of the turn; large data at once, so that a slow client slows the writer down."""
        if not self._waiting:
            self._loop.call_soon(self._flush)
        self._waiting.append(data)
        if len(data) > LARGE:
            self._flush()

    def writelines(self, list_of_data: Iterable[Any]) -> None:
        for data in list_of_data:
            self.write(data)

    def _flush(self) -> None:
        waiting, self._waiting = self._waiting, []
        # The connection may have been lost since the write.
        if waiting and not self.is_closing():
            if self._watch is not None:
                self._unread += sum(map(len, waiting))
            self._transport.writelines(waiting)

    def watch(self) -> None:
        """Checks that the client reads, from now until it has read everything."""
        if self._watch is None:
            self._unread = self._left()
            self._watch = self._loop.call_later(self._write_timeout_s, self._look)

    def unwatch(self) -> None:
        """Stops watching. Must be called when the connection is lost."""
        if self._watch is not None:
            self._watch.cancel()
            self._watch = None

    def _look(self) -> None:
        self._watch = None
        if not self._transport.get_write_buffer_size():
            return
        if self._unread - self._left() < LEAST_RATE * self._write_timeout_s:
            self._stalled()
            self._transport.abort()
        else:
            self.watch()

    def _left(self) -> int:
        """The bytes that the client has not received: those waiting here, and those in the kernel.

        The kernel takes bytes in large steps, between which a slow client would seem to read nothing.
        """
        socket = self._transport.get_extra_info("socket")
        (with_kernel,) = struct.unpack("i", fcntl.ioctl(socket.fileno(), TIOCOUTQ, bytes(4)))
        return self._transport.get_write_buffer_size() + int(with_kernel)

    def close(self) -> None:
        """Writes what is waiting, then closes; if a request is arriving, as `linger` does."""
        if self._arriving():
            self.linger()
        else:
            self._flush()
            self._close()

    def linger(self) -> None:
        """Writes what is waiting, then the end, and closes when the client does, or after LINGER_S.

        Closing with unread data would reset the connection, and the client would lose the response (RFC 9112, 9.6).
        """
        self._flush()
        if not self.is_closing():
            self.lingering = True
            self._transport.write_eof()
            self._transport.resume_reading()
            self._loop.call_later(LINGER_S, self._close)

    def _close(self) -> None:
        self._transport.close()
        if self._transport.get_write_buffer_size():
            self.watch()

    def abort(self) -> None:
        """Closes at once, and drops what is waiting."""
        self._transport.abort()

    def is_closing(self) -> bool:
        return self.lingering or self._transport.is_closing()

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return self._transport.get_extra_info(name, default)

    def pause_reading(self) -> None:
        self._transport.pause_reading()

    def resume_reading(self) -> None:
        self._transport.resume_reading()
