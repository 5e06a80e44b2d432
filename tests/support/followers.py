"""Clients of a running service that live by streams alone, and come again whenever one ends."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx

from tests.support.waiting import PATIENCE_S

READ_S = 30.0
"""Longer than a stream is ever silent."""

AGAIN_S = 0.05
REFUSED_S = 0.5
"""Seconds until the next attempt, after a stream and after none."""


def lines_of(answer: httpx.Response) -> Iterator[bytes]:
    """The lines of an answer that are not empty; `iter_lines` ends them at other signs than LF too."""
    rest = b""
    for piece in answer.iter_bytes():
        *lines, rest = (rest + piece).split(b"\n")
        yield from filter(None, lines)


class Follower:
    """Reads one stream, as lines, in a thread of its own. After each end it goes on after the last id."""

    def __init__(self, urls: Callable[[], str], path: str, token: str = "", after: int | None = 0) -> None:
        self.frames: list[dict[str, Any]] = []
        self.ids: list[int] = []
        """The ids of events, in the order in which they came."""
        self.opened = 0
        """How many streams have begun."""
        self.last = after
        self._urls = urls
        self._path = path
        self._headers = {"Accept": "application/x-ndjson"} | ({"Authorization": f"Bearer {token}"} if token else {})
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Reads nothing more; the thread ends with the stream."""
        self._stop.set()

    def until(self, condition: Callable[["Follower"], bool]) -> "Follower":
        """Returns once the condition holds."""
        deadline = time.monotonic() + PATIENCE_S
        while not condition(self):
            assert time.monotonic() < deadline, (self._path, self.opened, self.frames[-3:])
            time.sleep(0.01)
        return self

    def _run(self) -> None:
        with httpx.Client(trust_env=False, timeout=READ_S) as client:
            while not self._stop.is_set():
                headers = self._headers | ({} if self.last is None else {"Last-Event-ID": str(self.last)})
                before = self.opened
                try:
                    with client.stream("GET", self._urls() + self._path, headers=headers) as answer:
                        if answer.status_code == 200:
                            self._read(answer)
                except httpx.HTTPError:
                    pass
                # Hundreds of followers that try again at once would leave no time for what they wait for.
                self._stop.wait(AGAIN_S if before < self.opened else REFUSED_S)

    def _read(self, answer: httpx.Response) -> None:
        self.opened += 1
        for line in lines_of(answer):
            if self._stop.is_set():
                return
            frame = json.loads(line)
            self.frames.append(frame)
            if "id" in frame:
                self.last = frame["id"]
            if frame["frame"] == "event":
                self.ids.append(frame["id"])
