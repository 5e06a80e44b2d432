"""What several processes measure is told as if one had measured it."""

import os
from collections.abc import Iterator

import pytest
from prometheus_client.parser import text_string_to_metric_families

from service.observability.metrics import Metrics
from service.observability.shared_metrics import SharedMetrics


@pytest.fixture
def files() -> Iterator[list[int]]:
    made = [os.memfd_create("measured") for _ in range(3)]
    yield made
    for file in made:
        os.close(file)


def told(metrics: Metrics) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    """What is told, sample by sample."""
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(metrics.exposition().decode())
        for sample in family.samples
        if not sample.name.endswith("_created")
    }


def shared(metrics: Metrics) -> SharedMetrics:
    assert metrics.shared is not None
    return metrics.shared


def test_it_is_told_as_if_one_had_measured_it(files: list[int]) -> None:
    alone = Metrics()
    several = [Metrics(files[number:] + files[:number]) for number in range(3)]
    for number, metrics in enumerate(several):
        for one in (alone, metrics):
            for count in range(number + 2):
                one.request("GET", "/v1/tables", 200, 0.25 * count)
                one.request("GET", f"/v1/own/{number}", 404, 0.5)
                one.appended(count, 0.125)
            one.action("ombre", "bid", "accepted")
            one.audit_failed()
    for one in (alone, several[1]):
        one.audited(17)
        one.signed(12)
    for metrics in several:
        shared(metrics).leave()
    assert told(several[0]) == told(several[1]) == told(several[2]) == told(alone)


def test_of_one_that_has_left_nothing_nothing_is_told(files: list[int]) -> None:
    metrics = Metrics(files)
    metrics.audit_failed()
    assert told(metrics)["codille_audit_failures_total", ()] == 1


def test_of_one_that_was_killed_while_it_wrote_nothing_is_told(files: list[int]) -> None:
    one, other = Metrics(files), Metrics(files[1:] + files[:1])
    other.audit_failed()
    shared(other).leave()
    os.pwrite(files[1], b"xxxx", 100)
    assert told(one)["codille_audit_failures_total", ()] == 0


def test_one_that_is_started_again_counts_on_from_what_was_told(files: list[int]) -> None:
    for crashes in range(3):
        metrics = Metrics(files)
        metrics.audit_failed()
        metrics.audited(3 - crashes)
        assert told(metrics)["codille_audit_failures_total", ()] == crashes + 1
        assert told(metrics)["codille_audit_position", ()] == 3 - crashes
