"""The continuous audit: round after round, for as long as the service runs."""

# ruff: noqa: S608 (statements contain nothing but the test's own ids)

import asyncio
from typing import Any

import structlog
from redis.asyncio import Redis
from structlog.testing import capture_logs

from domain.record.history import Reader
from service.audit import ContinuousAudit, Pace
from service.observability.metrics import Metrics
from service.store.store import Append
from tests.integration.audit.conftest import Audited, commands
from tests.support.registry import GAMES

SLOW = Pace(round_events_per_s=1e-3, events_per_s=1e-3)


async def rounds(log: Audited) -> tuple[list[dict[str, Any]], Metrics]:
    """The errors that one round logged, and the metrics that it counted."""
    metrics = Metrics()
    stop = asyncio.Event()
    with capture_logs() as lines:
        audit = ContinuousAudit(
            log.store,
            log.source,
            Reader(GAMES),
            log.models,
            log.transparency,
            metrics,
            structlog.get_logger(),
            pace=Pace(round_events_per_s=1e12, round_s=3600.0),
        )
        working = asyncio.create_task(audit.run(stop))
        async with asyncio.timeout(60):
            while counted(metrics, "codille_audit_rounds_total") < 1:  # noqa: ASYNC110 (nothing signals it)
                await asyncio.sleep(0.01)
        stop.set()
        await working
    return [dict(line) for line in lines if line["log_level"] == "error"], metrics


def counted(metrics: Metrics, name: str) -> float:
    return metrics.registry.get_sample_value(name) or 0.0


async def test_it_finds_nothing_in_an_intact_log(log: Audited) -> None:
    lines, metrics = await rounds(log)
    assert lines == []
    assert counted(metrics, "codille_audit_failures_total") == 0
    assert counted(metrics, "codille_audit_position") == len(log.records)


async def test_it_logs_and_counts_each_difference(log: Audited, redis: Redis) -> None:
    played = log.first(lambda record: record.type == "trick-won")
    await log.tamper(f"UPDATE codille.event SET public = '{{}}' WHERE position = {played.position}")
    lines, metrics = await rounds(log)
    assert {(line["place"], line["check"]) for line in lines} >= {
        (f"table {played.table}, event {played.version}", "chain")
    }
    assert counted(metrics, "codille_audit_failures_total") == len(lines)


async def test_it_compares_the_log_with_its_checkpoint(log: Audited) -> None:
    log.transparency.hashes[4] = bytes(32)
    lines, _ = await rounds(log)
    assert [(line["place"], line["check"]) for line in lines] == [("the log", "tree")]


async def test_it_compares_the_read_models_with_the_log(log: Audited, redis: Redis) -> None:
    (key,) = [key async for key in redis.scan_iter(f"codille:g*{log.records[0].table}*")][:1]
    views = [key async for key in redis.scan_iter("codille:g*") if b"public" in key]
    value = await redis.get(views[0])
    await redis.set(views[0], value.replace(b'"deals":', b'"deals":1'))
    lines, _ = await rounds(log)
    assert key
    assert [line["check"] for line in lines] == ["read models"]


async def test_it_audits_what_is_appended_before_a_round_comes_to_it(log: Audited) -> None:
    metrics, stop = Metrics(), asyncio.Event()
    position = len(log.records)
    following = next(
        list(events)
        for events in commands()
        if events[0].table == log.records[-1].table and events[0].version > log.records[-1].version
    )
    await log.tamper(f"UPDATE codille.event SET public = '{{}}' WHERE position = {position}")
    pace = Pace(round_events_per_s=1e-3, look_s=0.01, most_events_per_s=1e12)
    with capture_logs() as lines:
        working = asyncio.create_task(
            ContinuousAudit(
                log.store, log.source, Reader(GAMES), None, None, metrics, structlog.get_logger(), pace=pace
            ).run(stop)
        )
        async with asyncio.timeout(60):
            while counted(metrics, "codille_audited_events_total") < 1:  # noqa: ASYNC110 (nothing signals it)
                await asyncio.sleep(0.01)
            before = counted(metrics, "codille_audit_failures_total")
            last = log.records[-1]
            await log.store.append([Append(last.table, last.version, last.hash, tuple(following))])
            while counted(metrics, "codille_audit_failures_total") == before:  # noqa: ASYNC110 (as above)
                await asyncio.sleep(0.01)
        stop.set()
        await working
    assert {line["place"].partition(",")[0] for line in lines if line["log_level"] == "error"} == {
        f"table {last.table}"
    }


async def test_it_stops_at_once(log: Audited) -> None:
    stop = asyncio.Event()
    audit = ContinuousAudit(
        log.store, log.source, Reader(GAMES), None, None, Metrics(), structlog.get_logger(), pace=SLOW
    )
    working = asyncio.create_task(audit.run(stop))
    await asyncio.sleep(0.05)
    stop.set()
    async with asyncio.timeout(10):
        await working
