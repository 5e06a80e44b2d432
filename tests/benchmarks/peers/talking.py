"""How a store's program talks with the run: `write` and `tail`, told to go and to stop over its standard input.

A writer says `ready`, begins at the first line it reads, and tells as JSON what it appended. A tailer says `ready`,
reads by position all the while, and after the end of its input, when nothing has come for a while, tells how many
different events it saw.
"""

import json
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

QUIET_S = 2.0
"""How long a tailer waits for more, after the last writer has ended."""

DATA = b'{"card":"Ks","seat":1}'
"""What each event says."""


def ready() -> None:
    """Says so, and waits to be told to go."""
    print("ready", flush=True)
    sys.stdin.readline()


def told(**found: Any) -> None:
    """Ends with what was found."""
    print(json.dumps(found), flush=True)


def write_with_threads(clients: int, seconds: float, client: Callable[[], Callable[[], object]]) -> None:
    """Each client, in a thread of its own, appends one event after the other for so long.

    `client` makes what appends one event.
    """
    appending = [client() for _ in range(clients)]
    times: list[list[float]] = [[] for _ in range(clients)]
    ready()
    began = time.perf_counter()

    def work(number: int) -> None:
        append, mine = appending[number], times[number]
        while (before := time.perf_counter()) - began < seconds:
            append()
            mine.append(time.perf_counter() - before)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    report(began, [one for mine in times for one in mine])


def report(began: float, times: Sequence[float]) -> None:
    """What a writer tells."""
    every = max(1, len(times) // 20_000)
    told(appended=len(times), seconds=time.perf_counter() - began, latencies_s=sorted(times)[::every])


def tail(read: Callable[[int], Iterable[tuple[int, object]]]) -> None:
    """Reads by position until nothing more comes; `read` answers positions after one, with their events' identities."""
    ended = threading.Event()

    def listen() -> None:
        sys.stdin.read()
        ended.set()

    print("ready", flush=True)
    threading.Thread(target=listen, daemon=True).start()
    seen: set[object] = set()
    position, since = 0, time.monotonic()
    while not (ended.is_set() and time.monotonic() - since > QUIET_S):
        found = list(read(position))
        if not found:
            time.sleep(0.001)
            continue
        since = time.monotonic()
        position = max(at for at, _ in found)
        seen.update(identity for _, identity in found)
    told(seen=len(seen))
