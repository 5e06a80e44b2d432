"""How long a job will take follows from how long those before took, for each event."""

import pytest

from service.compute.pace import FIRST_S, JobPace


def test_before_anything_is_known_a_job_is_expected_to_be_slow() -> None:
    assert JobPace().expected_s("replay", 100) == pytest.approx(100 * FIRST_S)


def test_what_is_expected_comes_near_to_what_was_taken_of_each_job_alone() -> None:
    pace = JobPace()
    for _ in range(100):
        pace.learn("replay", 150, 0.0015)
    assert pace.expected_s("replay", 600) == pytest.approx(0.006, rel=0.05)
    assert pace.expected_s("export", 600) == pytest.approx(600 * FIRST_S)


def test_a_slow_job_about_little_counts_for_little() -> None:
    pace = JobPace()
    for _ in range(100):
        pace.learn("replay", 150, 0.0015)
    pace.learn("replay", 1, 0.05)
    assert pace.expected_s("replay", 150) < 0.01
