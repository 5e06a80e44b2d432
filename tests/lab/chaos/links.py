"""Links between the service and its servers, which can be slow, half open or cut.

A link is a Unix socket that passes on what comes to another one. It runs in a thread with a loop of its own.
"""

import asyncio
import shutil
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import uvloop


class Link:
    """A link to the socket `target`. What it does with connections may be changed at any time."""

    def __init__(self, target: Path) -> None:
        self._target = target
        self._home = Path(tempfile.mkdtemp(prefix="link-"))  # not below a test's: socket paths must be short
        self._home.chmod(0o755)
        self.path = self._home / target.name
        self.delay_s = 0.0
        """How long each piece is held."""
        self.passing = threading.Event()
        """Whether anything is passed on. While it is not set, connections are made and nothing comes over them."""
        self.passing.set()
        self.refusing = False
        """Whether new connections are closed at once."""
        self.cutting = 0
        """So many answers are cut in their middle from now on, with their connection."""
        self._open: set[asyncio.StreamWriter] = set()
        self._loop = uvloop.new_event_loop()
        self._serving: asyncio.Server | None = None
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def start(self) -> None:
        """Takes connections from now on."""
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._serve(), self._loop).result()

    def cut(self) -> None:
        """Breaks off all connections."""
        self._loop.call_soon_threadsafe(self._cut)

    def heal(self) -> None:
        """Passes on everything at once, and takes new connections."""
        self.delay_s, self.cutting, self.refusing = 0.0, 0, False
        self.passing.set()

    def stop(self) -> None:
        """Breaks off all connections and takes no more."""
        self.cut()
        if self._serving is not None:
            self._loop.call_soon_threadsafe(self._serving.close)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        shutil.rmtree(self._home)

    def _cut(self) -> None:
        for writer in self._open:
            writer.transport.abort()

    async def _serve(self) -> None:
        self._serving = await asyncio.start_unix_server(self._take, self.path)
        self.path.chmod(0o777)

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open.add(writer)
        with suppress(OSError):
            if not self.refusing:
                behind, forth = await asyncio.open_unix_connection(str(self._target))
                self._open.add(forth)
                try:
                    async with asyncio.TaskGroup() as both:
                        both.create_task(self._pass(reader, forth, answers=False))
                        both.create_task(self._pass(behind, writer, answers=True))
                except* OSError:
                    pass
                self._open.discard(forth)
                forth.transport.abort()
        self._open.discard(writer)
        writer.transport.abort()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, answers: bool) -> None:
        while piece := await reader.read(65536):
            while not self.passing.is_set():  # noqa: ASYNC110 (set by another thread)
                await asyncio.sleep(0.01)
            if self.delay_s:
                await asyncio.sleep(self.delay_s)
            if writer.transport.is_closing():
                raise ConnectionResetError
            if answers and self.cutting > 0:
                self.cutting -= 1
                writer.write(piece[: len(piece) // 2])
                # The loop writes when it comes round, and would not if the connection were broken before.
                await asyncio.sleep(0.001)
                raise ConnectionResetError
            writer.write(piece)
            await writer.drain()
        raise ConnectionResetError


@contextmanager
def link(target: Path) -> Iterator[Link]:
    """A link to this socket."""
    made = Link(target)
    made.start()
    try:
        yield made
    finally:
        made.stop()
