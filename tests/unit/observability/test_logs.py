"""The log: one line an entry, in one format, without what players must not know."""

import asyncio
import json
import logging
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from select import PIPE_BUF
from typing import Any, ClassVar, cast
from uuid import UUID

import msgspec
import pytest
import structlog
from structlog.types import FilteringBoundLogger

from service.moments import now
from service.observability.logs import REQUEST_ID, SECRETS, clean, processors, set_up
from tests.support.for_each import for_each

NOW = "2026-11-22T12:00:00.000000Z"


def clock() -> str:
    return NOW


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    """The process's logging as it was, after the test."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    structlog.reset_defaults()
    logging.captureWarnings(capture=False)
    root.handlers[:] = handlers
    root.setLevel(level)


@pytest.fixture
def stream() -> BytesIO:
    return BytesIO()


@pytest.fixture
def logger(stream: BytesIO) -> FilteringBoundLogger:
    """A logger that writes JSON to `stream`."""
    return set_up("json", stream, terminal=False, clock=clock)


def entries(stream: BytesIO) -> list[dict[str, object]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


@pytest.mark.parametrize(
    ("log_format", "terminal", "is_json"),
    [(None, False, True), (None, True, False), ("json", True, True), ("console", False, False)],
)
def test_the_format_follows_the_setting_and_else_the_terminal(
    stream: BytesIO, log_format: str | None, terminal: bool, is_json: bool
) -> None:
    set_up(log_format, stream, terminal=terminal, clock=clock).info("acted")
    assert stream.getvalue().startswith(b"{") is is_json


def test_an_entry_has_its_time_and_its_level(stream: BytesIO, logger: FilteringBoundLogger) -> None:
    logger.warning("slow", duration_ms=12.5)
    assert entries(stream) == [{"timestamp": NOW, "level": "warning", "event": "slow", "duration_ms": 12.5}]


def test_the_time_is_in_utc() -> None:
    """As the service passes it in."""
    time = datetime.fromisoformat(now())
    assert time.tzinfo == UTC
    assert abs(datetime.now(UTC) - time) < timedelta(minutes=1)


def test_the_standard_librarys_entries_look_the_same(stream: BytesIO, logger: FilteringBoundLogger) -> None:
    logging.getLogger("uvicorn.error").error("no %s", "socket")
    [entry] = entries(stream)
    assert (entry["level"], entry["event"], entry["logger"]) == ("error", "no socket", "uvicorn.error")


def test_entries_below_info_are_dropped(stream: BytesIO, logger: FilteringBoundLogger) -> None:
    logger.debug("detail")
    logging.getLogger("asyncio").info("detail")
    assert entries(stream) == []


@pytest.mark.parametrize("secret", sorted(SECRETS))
def test_secrets_are_dropped_however_deep(stream: BytesIO, logger: FilteringBoundLogger, secret: str) -> None:
    logger.info("acted", seat=1, **{secret: "Ks", "inner": {secret.title(): "Ks", "list": [{secret: "Ks", "n": 1}]}})
    [entry] = entries(stream)
    assert entry["inner"] == {"list": [{"n": 1}]}
    assert b"Ks" not in stream.getvalue()


class State(msgspec.Struct):
    hand: str


def test_objects_are_logged_by_their_type_alone(stream: BytesIO, logger: FilteringBoundLogger) -> None:
    logger.info("acted", state=State("Ks"), payload=b"Ks", path=Path("a"), id=UUID(int=0), error=ValueError("bad"))
    [entry] = entries(stream)
    assert (entry["state"], entry["payload"]) == ("<State>", "<bytes>")
    assert (entry["path"], entry["error"]) == ("a", "bad")
    assert entry["id"] == "00000000-0000-0000-0000-000000000000"


def fail(token: str) -> None:
    raise RuntimeError(f"{len(token)} signs")


@pytest.mark.parametrize("log_format", ["json", "console"])
def test_a_traceback_holds_no_local_variables(stream: BytesIO, log_format: str) -> None:
    logger = set_up(log_format, stream, terminal=True, clock=clock)
    try:
        fail("hunter" + "2")
    except RuntimeError:
        logger.exception("failed")
        logging.getLogger("uvicorn.error").exception("failed")
    text = stream.getvalue()
    assert text.count(b"RuntimeError: 7 signs") == 2
    assert b"hunter2" not in text


@pytest.mark.parametrize("log_format", ["json", "console"])
@pytest.mark.parametrize("text", ["a\nb", "a\x1b[31mb", "\ud800", "a\u2028b", "\0"], ids=ascii)
def test_a_clients_text_stays_on_one_line_and_out_of_the_terminal(stream: BytesIO, log_format: str, text: str) -> None:
    set_up(log_format, stream, terminal=False, clock=clock).info("request", path=text)
    line = stream.getvalue()
    assert line.count(b"\n") == 1
    assert b"\x1b" not in line


@pytest.fixture
def request_id() -> Iterator[None]:
    bound = REQUEST_ID.set("r1")
    yield
    REQUEST_ID.reset(bound)


@pytest.mark.usefixtures("request_id")
def test_a_requests_id_stands_in_its_entries(stream: BytesIO, logger: FilteringBoundLogger) -> None:
    logger.info("acted")
    [entry] = entries(stream)
    assert entry["request_id"] == "r1"


PLAIN: dict[str, dict[str, object]] = {
    "nothing": {},
    "a request": {
        "method": "GET",
        "route": "/v1/games",
        "status": 200,
        "duration_ms": 0.25,
        "player": None,
        "new": True,
    },
    "a client's text": {"path": 'a\n"b"\u2028'},
    "half a surrogate pair": {"path": "\ud800"},
    "a name in capitals": {"Path": "a", "TOKEN": "b"},
    "a secret": {"seat": 1, "hand": "Ks"},
    "keys that are set": {"level": "high", "timestamp": "now", "exc_info": None},
    "an object": {"seats": [1, 2], "path": Path("a")},
    "a bound name": {"request_id": "mine"},
}


@pytest.mark.usefixtures("request_id")
@pytest.mark.parametrize("values", PLAIN.values(), ids=PLAIN.keys())
def test_an_entry_is_written_as_the_processors_leave_it(
    stream: BytesIO, logger: FilteringBoundLogger, values: dict[str, object]
) -> None:
    """Byte for byte."""
    entry: dict[str, Any] = {**values, "event": "request"}
    for processor in processors(clock):
        entry = dict(cast("dict[str, Any]", processor(None, "info", entry)))
    logger.info("request", **values)
    line = stream.getvalue()
    written = json.loads(line)
    assert list(written) == list(entry)
    assert list(written)[:3] == ["timestamp", "level", "event"]
    assert (written["timestamp"], written["level"], written["event"]) == (NOW, "info", "request")
    assert written == json.loads(json.dumps(entry))
    if "path" not in values:
        assert line == msgspec.json.encode(entry) + b"\n"


@for_each("values", PLAIN.values())
def test_the_short_cut_for_plain_entries_leaves_what_cleaning_leaves(values: dict[str, object]) -> None:
    cleaned = cast("dict[str, Any]", clean(None, "info", dict(values)))
    # An object sends the entry the long way.
    long_way = cast("dict[str, Any]", clean(None, "info", {**values, "object": object()}))
    assert long_way.pop("object") == "<object>"
    assert list(cleaned.items()) == list(long_way.items())


async def test_lines_of_one_turn_are_written_together_and_in_order(
    stream: BytesIO, logger: FilteringBoundLogger
) -> None:
    logger.info("one")
    logger.info("two")
    assert entries(stream) == []
    await asyncio.sleep(0)
    assert [entry["event"] for entry in entries(stream)] == ["one", "two"]


async def test_a_line_of_importance_is_written_at_once_after_those_that_wait(
    stream: BytesIO, logger: FilteringBoundLogger
) -> None:
    logger.info("one")
    logger.error("two")
    assert [entry["event"] for entry in entries(stream)] == ["one", "two"]
    logger.info("three")
    await asyncio.sleep(0)
    assert [entry["event"] for entry in entries(stream)] == ["one", "two", "three"]


async def test_no_write_is_more_than_a_pipe_takes_in_one_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    class Pipe(BytesIO):
        writes: ClassVar[list[int]] = []

        def write(self, data: Any, /) -> int:
            self.writes.append(len(data))
            return super().write(data)

    pipe = Pipe()
    logger = set_up("json", pipe, terminal=False, clock=clock)
    for number in range(100):
        logger.info("acted", number=number, text="x" * (number * 7))
    await asyncio.sleep(0)
    assert [entry["number"] for entry in entries(pipe)] == list(range(100))
    assert max(pipe.writes) <= PIPE_BUF
    assert len(pipe.writes) < 20


def test_what_waits_when_the_loop_ends_is_written_with_the_next_entry(
    stream: BytesIO, logger: FilteringBoundLogger
) -> None:
    loop = asyncio.new_event_loop()

    async def log_one() -> None:
        logger.info("one")
        loop.stop()

    task = loop.create_task(log_one())
    loop.run_forever()
    loop.close()
    assert task.done()
    logger.info("two")
    assert [entry["event"] for entry in entries(stream)] == ["one", "two"]
