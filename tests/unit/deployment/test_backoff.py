"""The wait before a restart grows while restarts fail, and begins again after a steady run."""

from deploy.embedded.backoff import STEADY_S, Backoff


def test_waits_double_up_to_a_bound() -> None:
    backoff = Backoff(0.5, 3.0)
    assert [backoff.after(0.0) for _ in range(5)] == [0.5, 1.0, 2.0, 3.0, 3.0]


def test_after_a_steady_run_they_begin_again() -> None:
    backoff = Backoff(0.5, 3.0)
    for _ in range(3):
        backoff.after(STEADY_S)
    assert [backoff.after(STEADY_S + 1), backoff.after(0.0)] == [0.5, 1.0]


def test_how_long_a_steady_run_is_depends_on_what_runs() -> None:
    backoff = Backoff(0.1, 2.0, steady_s=1.0)
    assert [backoff.after(ran_s) for ran_s in (0.5, 0.5, 1.5, 0.0, 0.0)] == [0.1, 0.2, 0.1, 0.2, 0.4]
