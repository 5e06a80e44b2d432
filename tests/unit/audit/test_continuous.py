"""How the continuous audit follows a log that grows: by what tables cost, faster the more it lags, and with an alarm.

Time here is counted, not spent: it goes on while the audit pauses. What an audit finds is left out.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
import structlog
from structlog.testing import capture_logs

from domain.record.history import Reader
from domain.record.recorded import Recorded
from service.audit import ContinuousAudit, Pace
from service.audit.one_table import TableAudit
from service.observability.metrics import Metrics
from service.store.database import StoreUnavailable
from service.store.store import Head

FOREVER_S = 1e9


def pace(**given: float) -> Pace:
    """A pace at which no round gets beyond its first table."""
    return Pace(round_events_per_s=1 / FOREVER_S, round_s=FOREVER_S, **given)


class Growing:
    """A log in which so many tables a second are opened, of so many events each, until it ends."""

    def __init__(self, tables_per_s: float, events: int, *, until_s: float) -> None:
        self.now = 0.0
        self.pauses: list[float] = []
        self.outages = 0
        self.sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
        self._events = events
        self._per_s = tables_per_s
        self._until_s = until_s

    def table(self, name: str) -> list[Recorded]:
        number = int(name)
        at = datetime.fromtimestamp(number / self._per_s, UTC).isoformat()
        return [
            Recorded(
                name, "crocodile", version, None, "spoken", 1, at, "house", None, b"", b"", b"", b"",
                number * self._events + version,
            )
            for version in range(1, self._events + 1)
        ]  # fmt: skip

    async def end(self) -> int:
        return int(min(self.now, self._until_s) * self._per_s) * self._events

    async def log(self, after: int, limit: int) -> list[Recorded]:
        if self.outages:
            self.outages -= 1
            raise StoreUnavailable("away")
        upto = min(await self.end(), after + limit)
        tables = range(after // self._events, -(-upto // self._events))
        return [record for table in tables for record in self.table(str(table)) if after < record.position <= upto]

    async def wait(self, _after: int, seconds: float) -> None:
        await self.sleep(seconds)

    async def heads(self, _tables: Sequence[str]) -> dict[str, Head]:
        return {}

    async def stream(self, table: str) -> list[Recorded]:
        return self.table(table)


class Audited:
    """An audit that follows such a log for so many seconds, from its first event on."""

    def __init__(self, store: Growing, monkeypatch: pytest.MonkeyPatch) -> None:
        self.store = store
        self.metrics = Metrics()
        self.audited: list[str] = []
        self.lags_s: list[float] = []
        self.log: list[dict[str, Any]] = []

        async def audit_table(reader: Reader, models: None, table: str, *_: object) -> TableAudit:
            self.audited.append(table)
            return TableAudit(intact=True)

        monkeypatch.setattr("service.audit.continuous.audit_table", audit_table)

    async def run(self, seconds: float, pace: Pace) -> None:
        stop = asyncio.Event()

        async def sleep(waits: float) -> None:
            if waits >= FOREVER_S:
                await asyncio.Event().wait()
            self.store.now += waits
            self.store.pauses.append(waits)
            self.lags_s.append(self.value("codille_audit_lag_seconds"))
            if self.store.now > seconds:
                stop.set()
            await asyncio.sleep(0)

        self.store.sleep = sleep
        with capture_logs() as lines:
            await ContinuousAudit(
                self.store,  # type: ignore[arg-type]  # all that it reads
                self.store,  # type: ignore[arg-type]  # as above
                Reader({}),
                None,
                None,
                self.metrics,
                structlog.get_logger(),
                pace=pace,
                clock=lambda: self.store.now,
                sleep=sleep,
            ).run(stop)
        self.log += [dict(line) for line in lines]

    def value(self, name: str) -> float:
        return self.metrics.registry.get_sample_value(name) or 0.0


async def test_a_flood_of_tables_is_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    following = Audited(Growing(38, 3, until_s=60), monkeypatch)
    await following.run(60, pace())
    assert max(following.lags_s) < 20
    assert following.log == []
    assert len(following.audited) > 38 * 40
    assert following.value("codille_audited_events_total") == 3 * len(following.audited)


async def test_a_table_costs_as_many_events_as_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    even = pace(faster_each_s=FOREVER_S)
    pauses = []
    for events in (100, 200):
        following = Audited(Growing(0.2, events, until_s=5), monkeypatch)
        await following.run(20, even)
        pauses += [seconds for seconds in following.store.pauses if seconds != even.look_s]
    assert pauses == pytest.approx([140 / 500, 240 / 500])


async def test_lagging_raises_one_alarm(monkeypatch: pytest.MonkeyPatch) -> None:
    following = Audited(Growing(1000, 1, until_s=60), monkeypatch)
    await following.run(40, pace(alarm_s=20))
    (line,) = following.log
    assert (line["log_level"], line["event"]) == ("warning", "the audit lags behind the log")
    assert following.value("codille_audit_lagging") == 1
    assert following.value("codille_audit_lag_seconds") > 20
    assert following.value("codille_audit_lag_events") > 20_000


async def test_an_alarm_ends_when_the_audit_has_caught_up(monkeypatch: pytest.MonkeyPatch) -> None:
    following = Audited(Growing(200, 1, until_s=10), monkeypatch)
    await following.run(100, pace(alarm_s=10))
    assert [line["event"] for line in following.log] == ["the audit lags behind the log", "the audit lags no more"]
    assert following.value("codille_audit_lagging") == 0
    assert following.value("codille_audit_lag_events") == following.value("codille_audit_lag_seconds") == 0


async def test_an_outage_leaves_nothing_out(monkeypatch: pytest.MonkeyPatch) -> None:
    following = Audited(Growing(2, 2, until_s=20), monkeypatch)
    following.store.outages = 3
    await following.run(60, pace())
    assert {int(table) for table in following.audited} == set(range(40))
    # A round takes hours where the log is long, so it says nothing of what halts now.
    assert following.metrics.work.halted() == []
