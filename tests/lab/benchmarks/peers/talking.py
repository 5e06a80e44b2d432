"""How a store's program talks with the run: `write` and `tail`, started and stopped over its standard input.

A writer prints `ready`, begins at the first line that it reads, and prints as JSON what it appended. A tailer prints
`ready` and reads by position. After the end of its input, when no event has come for a while, it prints how many
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
"""Each event's payload."""


def ready() -> None:
    """Prints `ready`, and waits for a line."""
    print("ready", flush=True)
    sys.stdin.readline()


def result(**values: Any) -> None:
    """Prints the program's result."""
    print(json.dumps(values), flush=True)


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
    """Prints a writer's result."""
    every = max(1, len(times) // 20_000)
    result(appended=len(times), seconds=time.perf_counter() - began, latencies_s=sorted(times)[::every])


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
        read_now = list(read(position))
        if not read_now:
            time.sleep(0.001)
            continue
        since = time.monotonic()
        position = max(at for at, _ in read_now)
        seen.update(identity for _, identity in read_now)
    result(seen=len(seen))
