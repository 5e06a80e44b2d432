"""Functions of the service that are wrapped inside its processes: points at which they die, and bugs to be detected.

A process dies at a point if there is a file of the point's name; it removes the file, so that one process dies once.
What stands here is read at the start of every process, so it imports nothing of the service before the service does.
"""

import importlib.abc
import importlib.machinery
import importlib.util
import inspect
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from types import ModuleType
from typing import Any, cast

FOLDER = "CHAOS_FOLDER"
"""The variable that names the folder with the files."""
BUG = "CHAOS_BUG"
"""The variable that names a bug."""

POINTS: Mapping[str, tuple[str, str]] = {
    "command": ("service.commands.handler", "CommandHandler.handle"),
    "writer": ("service.store.writer", "Writer.submit"),
    "append": ("service.store.store", "Store.append"),
    "answer": ("service.http.acting", "act_answer"),
    "projection-read": ("projections.advance", "Advance.read"),
    "projection-write": ("projections.advance", "Advance.write"),
    "outbox": ("service.live.outbox", "Outbox.step"),
    "webhook": ("service.live.sender", "Sender.send"),
    "deadline": ("service.live.timekeeper", "Timekeeper._do"),
    "bot": ("service.bots.player", "BotPlayer._taken"),
}
"""The steps from a request's arrival to what follows from it: by name the module, and the function in it."""


def doubled(function: Callable[..., Any]) -> Callable[..., Any]:
    """The bug that a projection takes every booked line twice."""

    def gains(change: Any) -> Any:
        for gain in function(change):
            yield gain
            yield gain

    return gains


def hasty(function: Callable[..., Any]) -> Callable[..., Any]:
    """The bug that a refusal rests on the cache, without a look at the log."""

    async def refuse(
        self: Any, locked: Any, history: Any, command: Any, receipt: Any, refusal: Any, *, late: bool
    ) -> None:
        from service.commands.handler import PreconditionFailed, Refused  # noqa: PLC0415 (not before it is wrapped)

        if isinstance(refusal, PreconditionFailed):
            raise refusal
        raise Refused(refusal, history.version, self._offers(history, command), unseen=late)

    return refuse


def late(function: Callable[..., Any]) -> Callable[..., Any]:
    """The bug that a stream goes on one event too late after it was opened again."""

    def begin(self: Any, services: Any, wanted: Any, *rest: Any) -> None:
        function(self, services, wanted, *rest)
        if wanted.after:
            self._cursor += 1

    return begin


def forgetful(function: Callable[..., Any]) -> Callable[..., Any]:
    """The bug that receipts of acts are not kept."""

    async def handle(self: Any, table: str, command: Any, *, expected: Any = None, receipt: Any = None) -> Any:
        return await function(self, table, command, expected=expected)

    return handle


BUGS: Mapping[str, tuple[str, str, Callable[[Callable[..., Any]], Callable[..., Any]]]] = {
    "refusal from the cache": ("service.commands.handler", "CommandHandler._refuse", hasty),
    "stream goes on late": ("service.live.table_stream", "_TableStream.__init__", late),
    "projection twice": ("projections.player_records", "gains", doubled),
    "receipt forgotten": ("service.commands.handler", "CommandHandler.handle", forgetful),
}
"""By name the module, the function in it, and the function that takes its place."""


def install() -> None:
    """Wraps what the variables name as soon as its module is imported. Does nothing without them."""
    wraps_: list[tuple[str, str, Callable[[Callable[..., Any]], Callable[..., Any]]]] = []
    if folder := os.environ.get(FOLDER):
        wraps_ += [(*where, _mortal(name, Path(folder))) for name, where in POINTS.items()]
    if bug := os.environ.get(BUG):
        wraps_.append(BUGS[bug])
    if wraps_:
        sys.meta_path.insert(0, _Finder(wraps_))


def _mortal(name: str, folder: Path) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """What makes a function one at which the process dies."""

    def die(when: str) -> None:
        try:
            os.unlink(folder / f"{name}.{when}")
        except FileNotFoundError:
            return
        os._exit(9)

    def mortal(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        async def call(*arguments: Any, **named: Any) -> Any:
            die("before")
            result = await function(*arguments, **named)
            die("after")
            return result

        return call

    return mortal


class _Finder(importlib.abc.MetaPathFinder):
    """Finds the modules in question as others do, and wraps functions in them once they are imported."""

    def __init__(self, wraps_: Sequence[tuple[str, str, Callable[[Callable[..., Any]], Callable[..., Any]]]]) -> None:
        self._wraps = [*wraps_]

    def find_spec(
        self,
        name: str,
        path: Sequence[str] | None,  # noqa: ARG002 (as it is called)
        target: ModuleType | None = None,  # noqa: ARG002 (as it is called)
    ) -> importlib.machinery.ModuleSpec | None:
        """The module's spec; None for any other module."""
        own = [one for one in self._wraps if one[0] == name]
        if not own:
            return None
        self._wraps = [one for one in self._wraps if one not in own]
        spec = importlib.util.find_spec(name)
        if spec is None or spec.loader is None:
            return None
        loader = cast("Any", spec.loader)
        execute = loader.exec_module

        def executed(module: ModuleType) -> None:
            execute(module)
            for _, place, wrap in own:
                *classes, last = place.split(".")
                holder: Any = module
                for each in classes:
                    holder = getattr(holder, each)
                setattr(holder, last, wrap(inspect.getattr_static(holder, last)))

        loader.exec_module = executed
        return spec
