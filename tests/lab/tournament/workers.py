"""Processes that play the deals of a tournament.

Each has a pipe of its own to the command. When the command ends, in whatever way, its processes read the pipe's end and
end too; those of the standard library's pool would go on.
"""

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from random import Random
from traceback import format_exc
from typing import cast

from msgspec import Struct

from domain.picking import Chance
from service.config import load_registry
from tests.lab.tournament.contests import Contest, Played, Tournament
from tests.lab.tournament.duplicates import Pair, duplicate


class WorkerLost(Exception):
    """A process ended while it played a deal, as when memory runs out."""


class _Task(Struct, frozen=True):
    """A deal to play."""

    game: str
    pair: Pair
    number: int
    seed: str


def play(
    tournament: Tournament,
    registry: str,
    seed: str,
    jobs: int,
    finished: Callable[[Played], None],
    seconds: float = inf,
) -> None:
    """Plays the deals that the tournament needs, in so many processes, and takes each of them in.

    `finished` is called with each deal. No deal is begun that is likely to end after so many seconds. What is being
    played then is played to its end, so that long deals count as short ones do. A contest whose deal raises an error is
    given up, with what was raised; the others go on. Raises WorkerLost.
    """
    ends = time.monotonic() + seconds
    with _processes(jobs, registry) as idle:
        busy: dict[Connection, tuple[Contest, _Task]] = {}
        while True:
            while idle and (left := ends - time.monotonic()) > 0 and (due := tournament.next(left)) is not None:
                contest, number = due
                pipe = idle.pop()
                task = _Task(contest.game, contest.pair, number, seed)
                busy[pipe] = contest, task
                pipe.send(task)
            if not busy:
                return
            for ready in wait(list(busy)):
                pipe = cast("Connection", ready)
                contest, task = busy.pop(pipe)
                answer = _received(pipe, task)
                idle.append(pipe)
                if isinstance(answer, Played):
                    tournament.add([answer])
                    finished(answer)
                else:
                    contest.failure = f"deal {task.number}: {answer}"


def _received(pipe: Connection, task: _Task) -> Played | str:
    """The deal, or what was raised."""
    try:
        return cast("Played | str", pipe.recv())
    except (EOFError, OSError) as error:
        raise WorkerLost(f"{task.game} {task.pair.name}, deal {task.number}: its process ended") from error


@contextmanager
def _processes(number: int, registry: str) -> Iterator[list[Connection]]:
    """The pipes to as many new processes, which end with the context."""
    spawning = get_context("spawn")
    pipes: list[Connection] = []
    processes: list[SpawnProcess] = []
    try:
        for _ in range(number):
            ours, theirs = spawning.Pipe()
            process = spawning.Process(target=_work, args=(theirs, registry), daemon=True)
            process.start()
            theirs.close()
            pipes.append(ours)
            processes.append(process)
        yield list(pipes)
    finally:
        for pipe, process in zip(pipes, processes, strict=True):
            pipe.close()
            process.terminate()
            process.join()


def _work(pipe: Connection, registry: str) -> None:
    """Plays what comes through the pipe until it is closed."""
    # Ctrl-C in the terminal reaches all processes; the command ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    games = load_registry(registry)
    while True:
        try:
            task: _Task = pipe.recv()
        except EOFError:
            return
        began = time.process_time()
        try:
            result = duplicate(games[task.game], task.pair, task.number, task.seed, _chance)
            answer: Played | str = Played(
                task.game, task.pair.name, task.number, result, round(time.process_time() - began, 3)
            )
        except Exception:
            answer = format_exc()
        try:
            pipe.send(answer)
        except BrokenPipeError:
            return


def _chance(text: str) -> Chance:
    return Random(text).randrange  # noqa: S311 (a tournament can be repeated; nothing is secret)
