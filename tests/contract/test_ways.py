"""How many modules the service passes on its ways: an action's, a view's, and a frame's of a stream.

Counted are the project's own functions, from the application's entry to the answer, each once however often it waits.
Engineers who read such a way open as many files. So the ceilings only fall: a way that grows needs another shape.

The number of calls has a ceiling too, as it has where no request is answered: verifying, playing out, projecting. They
are those of Python 3.11; later versions call no function for a comprehension.
"""

import asyncio
import sys
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from contextvars import ContextVar
from operator import ne
from types import FrameType

import pytest
from msgspec import Struct

from domain.audit.auditor import audit
from domain.registry import GAMES
from projections.checkpoint import LogPoint
from projections.fold import Batch, TableChange, fold
from projections.redis_keys import TABLES, Layout
from projections.table_views import table_writes
from service.config import Settings
from service.http.edge import Edge
from service.services import Services
from tests.contract.conftest import Caller, next_of
from tests.contract.test_lists import services
from tests.golden.games import names, records
from tests.lab.benchmarks.in_process import parts
from tests.support.calls import OWN, ROOT, calls
from tests.support.games import READER
from tests.support.streams import reading

__all__ = ["services"]

RULES = "domain/table/decide.py"
"""Where an act is judged."""

BIDS = ("play", "grand", "tournee", "exchange-nolo", "solo", "grandissimo")
WARM = 2
"""The number of requests before one counts: what is looked up once and remembered is not on the way."""


class Way(Struct, frozen=True):
    """A count, or a ceiling."""

    modules: int
    changes: int
    """How often the next function called is in another module."""
    calls: int
    rules: int = 0
    """The number of modules up to the one that judges an act; 0 where none does."""


ACTION = Way(modules=43, changes=79, calls=164, rules=16)
VIEW = Way(modules=21, changes=43, calls=89)
FRAME = Way(modules=12, changes=18, calls=29)
VERIFIED, PLAYED_OUT, PROJECTED = 69, 64, 70
"""Calls for an event, or an act, of a recorded game of Crocodile."""


class Counter:
    """Notes the functions that are called by tasks that inherit it, while counting is on."""

    def __init__(self) -> None:
        self._frames: dict[int, FrameType] = {}
        self._called: list[str] = []
        self.counts: list[tuple[Way, list[str]]] = []

    @contextmanager
    def inherited(self) -> Iterator[None]:
        """Tasks that begin within the context inherit the counter. Those of the projector and of listeners do not."""
        token = counting.set(self)
        try:
            yield
        finally:
            counting.reset(token)

    @contextmanager
    def on(self) -> Iterator[None]:
        """Counts the way that is taken within the context."""
        self._frames, self._called = {}, []
        sys.setprofile(_note)
        try:
            yield
        finally:
            sys.setprofile(None)
        modules = [one.partition(" ")[0] for one in self._called]
        passed = list(dict.fromkeys(modules))
        judged = [number for number, module in enumerate(passed, 1) if module == RULES]
        way = Way(len(passed), sum(map(ne, modules, modules[1:])), len(modules), *judged)
        self.counts.append((way, self._called))

    def note(self, frame: FrameType) -> None:
        """Notes a function that is called, and not again when it is resumed."""
        if id(frame) not in self._frames:
            # Kept, so that no other frame gets its identity.
            self._frames[id(frame)] = frame
            self._called.append(f"{frame.f_code.co_filename.removeprefix(ROOT)} {frame.f_code.co_qualname}")

    def check(self, ceiling: Way) -> None:
        """Asserts that the shortest of the ways is within the ceiling: a lease or a mark that was due is not on it."""
        way, called = min(self.counts[WARM:], key=lambda one: (one[0].modules, one[0].changes, one[0].calls))
        beyond = [name for name in Way.__struct_fields__ if getattr(way, name) > getattr(ceiling, name)]
        assert not beyond, "\n".join([f"{beyond}: {way} is beyond {ceiling}", *called])


counting: "ContextVar[Counter | None]" = ContextVar("counting", default=None)


def _note(frame: FrameType, event: str, _argument: object) -> None:
    counter = counting.get()
    if counter is not None and event == "call" and frame.f_code.co_filename.startswith(OWN):
        counter.note(frame)


@pytest.fixture
def settings() -> Settings:
    return Settings(cors_origins=("https://cards.example",))


async def test_an_action(three: list[Caller], table: str) -> None:
    counter = Counter()
    for contract in BIDS:
        _, caller = await next_of(three, table)
        with counter.inherited(), counter.on():
            answer = await caller.post(f"/tables/{table}/actions", {"type": "bid", "contract": contract})
        assert answer.status_code == 201, answer.text
    counter.check(ACTION)


async def test_a_view(three: list[Caller], table: str, services: Services) -> None:
    known = services.tables.cache.known.peek(table)
    assert known is not None
    await services.models.wait(table, known.version, 20.0)
    counter = Counter()
    for _ in BIDS:
        with counter.inherited(), counter.on():
            answer = await three[0].get(f"/tables/{table}")
        assert answer.status_code == 200, answer.text
    counter.check(VIEW)


async def test_a_frame(three: list[Caller], table: str, app: Edge, services: Services) -> None:
    """From the stream's waking until the frame is written."""
    counter = Counter()
    async with AsyncExitStack() as stack:
        # From here on the log is followed, so that the counted stream does not begin it.
        await stack.enter_async_context(services.edge.live.lobby())
        with counter.inherited():
            stream = await stack.enter_async_context(reading(app, f"/tables/{table}/events/stream", three[0]))
        await stream.next()
        for contract in BIDS:
            _, caller = await next_of(three, table)
            with counter.on():
                await caller.post(f"/tables/{table}/actions", {"type": "bid", "contract": contract})
                await stream.next()
    counter.check(FRAME)


def test_an_event_verified() -> None:
    verified = records("crocodile", names("crocodile")[0])
    assert 0 < calls(lambda: audit(READER, verified)) / len(verified) <= VERIFIED


def test_an_act_of_a_playout() -> None:
    part, acts, playout = next(parts(GAMES["crocodile"]))
    assert part == "playout"
    assert 0 < calls(playout) / acts <= PLAYED_OUT


def test_an_event_projected() -> None:
    projected = records("crocodile", names("crocodile")[0])

    async def project() -> None:
        start, folded = LogPoint(0, b""), None
        for record in projected:
            before = folded
            folded, _ = fold(READER, [record], before)
            batch = Batch(start, start, (), {record.table: folded}, {record.table: TableChange(before, folded)})
            await table_writes(Layout(1), READER, batch, TABLES, retention_s=9e8, now=0)

    assert 0 < calls(lambda: asyncio.run(project())) / len(projected) <= PROJECTED
