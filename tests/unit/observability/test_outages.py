"""Outages in the log: each cause at once, and a flood of failures in few lines."""

from contextlib import AsyncExitStack
from typing import Any

import pytest
import structlog
from structlog.testing import LogCapture

from service import wiring
from service.config import Settings
from service.observability.metrics import Metrics
from service.observability.outages import AGAIN_S, QUIET_S, START_S, OutageLog
from service.store.database import Database
from service.watchers import open_watchers

FULL = 'could not extend file "base/5/1": No space left on device'


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def watched(clock: Clock) -> tuple[OutageLog, Metrics, list[Any]]:
    captured = LogCapture()
    metrics = Metrics()
    return (
        OutageLog(metrics, structlog.wrap_logger(None, processors=[captured]), clock=clock),
        metrics,
        captured.entries,
    )


def test_each_cause_is_logged_once_with_the_servers_own_sentence_and_again_while_it_lasts() -> None:
    clock = Clock()
    outages, metrics, entries = watched(clock)
    for _ in range(500):
        outages.failed("disk-full", f"{FULL}\nHINT:  Check free disk space.")
    outages.failed("timeout", "TimeoutError")
    assert [(entry["log_level"], entry["cause"], entry["reason"], entry["failures"]) for entry in entries] == [
        ("error", "disk-full", FULL, 1),
        ("error", "timeout", "TimeoutError", 501),
    ]
    clock.now += AGAIN_S
    outages.failed("disk-full", "No space left on device")
    assert (len(entries), entries[-1]["failures"]) == (3, 502)
    exposed = metrics.exposition().decode()
    assert 'codille_database_failures_total{cause="disk-full"} 501.0' in exposed
    assert 'codille_database_failures_total{cause="timeout"} 1.0' in exposed


def test_what_is_answered_meanwhile_does_not_end_an_outage() -> None:
    clock = Clock()
    outages, _, entries = watched(clock)
    for _ in range(50):
        outages.failed("disk-full", FULL)
        outages.answered()
        clock.now += 1
    assert len(entries) == 1


def test_the_end_of_an_outage_is_logged_and_the_next_one_begins_anew() -> None:
    clock = Clock()
    outages, _, entries = watched(clock)
    outages.answered()
    outages.failed("unreachable", "no server")
    clock.now += 7
    outages.failed("unreachable", "no server")
    clock.now += QUIET_S
    outages.answered()
    outages.answered()
    assert [entry["event"] for entry in entries] == ["Postgres fails", "Postgres answers again"]
    assert (entries[-1]["failures"], entries[-1]["after_s"]) == (2, 7)
    outages.failed("unreachable", "no server")
    assert (entries[-1]["event"], entries[-1]["failures"]) == ("Postgres fails", 1)


def test_a_start_that_waits_for_postgres_says_so_and_is_an_outage_only_if_it_takes_long() -> None:
    clock = Clock()
    outages, metrics, entries = watched(clock)
    for _ in range(2):
        outages.failed("unreachable", "the database system is starting up")
    clock.now += START_S - 1
    outages.failed("timeout", "TimeoutError")
    assert [(entry["log_level"], entry["event"], entry["reason"]) for entry in entries] == [
        ("info", "waiting for Postgres", "the database system is starting up")
    ]
    assert 'codille_database_failures_total{cause="unreachable"} 0.0' in metrics.exposition().decode()
    clock.now += 1
    outages.failed("unreachable", "no server")
    assert (entries[-1]["log_level"], entries[-1]["event"]) == ("error", "Postgres fails")
    outages, _, entries = watched(clock)
    outages.failed("unreachable", "no server")
    outages.answered()
    outages.failed("unreachable", "no server")
    assert [entry["event"] for entry in entries] == ["waiting for Postgres", "Postgres answers", "Postgres fails"]


def test_what_postgres_itself_says_is_no_slow_start() -> None:
    outages, _, entries = watched(Clock())
    outages.failed("too-many-connections", "sorry, too many clients already")
    outages.failed("unreachable", "no server")
    assert [entry["event"] for entry in entries] == ["Postgres fails", "Postgres fails"]


async def test_all_connections_of_a_process_to_the_primary_report_the_same_outages(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    watches = []

    class Watched(Database):
        def __init__(self, dsn: str, **options: Any) -> None:
            watches.append(options.get("watch"))
            super().__init__(dsn, **options)

    nowhere = "postgresql://127.0.0.1:1/codille", "redis://127.0.0.1:1"
    monkeypatch.setattr(wiring, "Database", Watched)
    monkeypatch.setattr("service.store.database.Database", Watched)
    opening = wiring.open_services(Settings(role="webhooks"), *nowhere)
    async with opening as services, AsyncExitStack() as stack:
        await open_watchers(stack, services, *nowhere)
        assert (len(watches), len(set(watches)), None in watches) == (2, 1, False)
