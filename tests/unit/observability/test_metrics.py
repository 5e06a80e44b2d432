"""Several processes of a service measure as if one had measured everything."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

Samples = dict[tuple[str, tuple[tuple[str, str], ...]], float]

MEASURE = """
import os, sys
from service.observability.metrics import Metrics
metrics = Metrics(None if sys.argv[1] == "alone" else int(sys.argv[1]))
exec(sys.argv[2])
sys.stdout.buffer.write(metrics.exposition())
"""
"""Runs statements with `metrics`, of a worker of this number or of one process alone, and writes the exposition."""


def measured(directory: Path, worker: int | str, statements: str = "", *, status: int = 0) -> Samples:
    """What a process exposes after the statements; it must end with this status."""
    ended = subprocess.run(
        [sys.executable, "-c", MEASURE, str(worker), statements],
        env=dict(os.environ) | ({} if worker == "alone" else {"PROMETHEUS_MULTIPROC_DIR": str(directory)}),
        stdout=subprocess.PIPE,
        check=False,
    )
    assert ended.returncode == status
    return samples(ended.stdout)


def samples(exposition: bytes) -> Samples:
    """All samples, but for the times at which each process began to count."""
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(exposition.decode())
        for sample in family.samples
        if not sample.name.endswith("_created")
    }


EACH = """
for count in range({number} + 2):
    metrics.request("GET", "/v1/tables", 200, 0.25 * count)
    metrics.request("GET", "/v1/own/{number}", 404, 0.5)
    metrics.appended(count, 0.125)
metrics.action("ombre", "bid", "accepted")
metrics.audit.failures.inc()
"""
ONE = """
metrics.audit.position.set(17)
metrics.audit.head.set(12)
metrics.lag.set(3)
metrics.words_asked.set(2)
"""


def test_all_processes_expose_what_one_that_measured_everything_does(tmp_path: Path) -> None:
    each = [EACH.format(number=number) for number in range(3)]
    for number, statements in enumerate(each):
        measured(tmp_path, number, statements)
    measured(tmp_path, 1, ONE)
    exposed = [measured(tmp_path, number) for number in range(3)]
    assert exposed[0] == exposed[1] == exposed[2] == measured(tmp_path, "alone", "".join((*each, ONE)))


def test_a_process_that_has_measured_nothing_adds_nothing(tmp_path: Path) -> None:
    measured(tmp_path, 1)
    assert measured(tmp_path, 0, "metrics.audit.failures.inc()")["codille_audit_failures_total", ()] == 1


def test_what_a_killed_process_has_measured_counts(tmp_path: Path) -> None:
    statements = f"metrics.audit.failures.inc(); os.kill(os.getpid(), {signal.SIGKILL})"
    measured(tmp_path, 1, statements, status=-signal.SIGKILL)
    assert measured(tmp_path, 0)["codille_audit_failures_total", ()] == 1


def test_a_process_that_is_started_again_counts_on_and_leaves_no_files_behind(tmp_path: Path) -> None:
    files = []
    for crashes in range(3):
        exposed = measured(tmp_path, 0, f"metrics.audit.failures.inc(); metrics.audit.position.set({3 - crashes})")
        assert exposed["codille_audit_failures_total", ()] == crashes + 1
        assert exposed["codille_audit_position", ()] == 3 - crashes
        files.append(set(tmp_path.iterdir()))
    assert files[0] == files[1] == files[2]


def test_the_lag_is_the_one_that_was_measured_last(tmp_path: Path) -> None:
    measured(tmp_path, 0, "metrics.lag.set(5)")
    assert measured(tmp_path, 1, "metrics.lag.set(2)")["codille_projection_lag_events", ()] == 2


def test_a_process_among_several_needs_their_directory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PROMETHEUS_MULTIPROC_DIR", raising=False)
    code = "from service.observability.metrics import Metrics; Metrics(0)"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert "PROMETHEUS_MULTIPROC_DIR" in ended.stderr


SAMPLED = """
from projections.models import RedisState
state = RedisState(loading=False, writes=True, memory_bytes=1000, memory_limit_bytes=0, seconds=0.25)
metrics.servers.sampled(({size}, 1, 16), {size}, state)
"""


def test_samples_of_all_processes_are_added_up(tmp_path: Path) -> None:
    for number in range(2):
        measured(tmp_path, number, SAMPLED.format(size=number + 3))
    exposed = measured(tmp_path, 2, SAMPLED.format(size=5))
    assert exposed["codille_database_connections", (("state", "busy"),)] == 2 + 3 + 4
    assert exposed["codille_database_connections", (("state", "idle"),)] == 3
    assert exposed["codille_database_connections_limit", ()] == 48
    assert exposed["codille_append_waiting", ()] == 3 + 4 + 5
    assert (exposed["codille_redis_up", ()], exposed["codille_redis_memory_bytes", ()]) == (1, 1000)
    alone = measured(tmp_path, "alone", SAMPLED.format(size=5))
    assert exposed["process_resident_memory_bytes", ()] > 2 * alone["process_resident_memory_bytes", ()]
    assert 0 < exposed["process_open_fds", ()] <= exposed["process_max_fds", ()]
    assert exposed["process_cpu_seconds_total", ()] > alone["process_cpu_seconds_total", ()]


def test_a_process_that_does_not_reach_redis_says_so_for_all(tmp_path: Path) -> None:
    measured(tmp_path, 0, SAMPLED.format(size=1))
    assert measured(tmp_path, 1, "metrics.servers.sampled((0, 0, 16), 0, None)")["codille_redis_up", ()] == 0


JOINED = "from pathlib import Path; metrics.join(Path({directory!r}))"


def test_a_process_that_joins_others_exposes_what_all_have_measured(tmp_path: Path) -> None:
    own, others = EACH.format(number=0), EACH.format(number=1) + "metrics.webhooks.waiting.set(3)"
    measured(tmp_path, 7, others)
    joined = measured(tmp_path, "alone", f"{own}{ONE}{JOINED.format(directory=str(tmp_path))}")
    assert joined == measured(tmp_path, "alone", own + others + "\n" + ONE)
    # What is measured later counts, also where it belongs to the same series.
    statements = (
        f"{JOINED.format(directory=str(tmp_path))}\nmetrics.audit.failures.inc()\nmetrics.webhooks.waiting.set(2)"
    )
    exposed = measured(tmp_path, "alone", statements)
    assert (exposed["codille_audit_failures_total", ()], exposed["codille_webhook_messages_waiting", ()]) == (2, 3)


def test_of_processes_that_are_joined_gauges_are_taken_together_by_their_kind(tmp_path: Path) -> None:
    measured(tmp_path, 7, SAMPLED.format(size=3) + "metrics.lag.set(9)")
    exposed = measured(
        tmp_path, "alone", SAMPLED.format(size=4) + f"metrics.lag.set(2)\n{JOINED.format(directory=str(tmp_path))}"
    )
    assert exposed["codille_database_connections", (("state", "busy"),)] == 2 + 3
    assert exposed["codille_append_waiting", ()] == 3 + 4
    assert (exposed["codille_redis_up", ()], exposed["codille_redis_memory_bytes", ()]) == (1, 1000)
    assert exposed["codille_projection_lag_events", ()] == 2


def test_work_that_halts_in_one_process_is_named_by_all_of_them(tmp_path: Path) -> None:
    measured(tmp_path, 0, 'metrics.work["audit"].halts(); metrics.work["timekeeper"].goes_on()')
    named = 'assert metrics.work.halted() == ["audit"]'
    assert measured(tmp_path, 1, named)["codille_work_halted", (("work", "audit"),)] == 1
    measured(tmp_path, "alone", f"{JOINED.format(directory=str(tmp_path))}\n{named}")
    # The process that is started again under its number.
    measured(tmp_path, 0, 'metrics.work["audit"].goes_on(); assert not metrics.work.halted()')
