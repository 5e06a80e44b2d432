"""Outages in the log: each cause at once, and a flood of failures in few lines."""

from typing import Any

import structlog
from structlog.testing import LogCapture

from service.observability.metrics import Metrics
from service.observability.outages import AGAIN_S, QUIET_S, OutageLog

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
