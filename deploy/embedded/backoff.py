"""Waits before something that ended is restarted."""

STEADY_S = 30.0
"""Seconds after which a run counts as recovered from the cause of the last end."""


class Backoff:
    """Waits that double from `least_s` up to `most_s`, and start over after a run longer than `steady_s`."""

    def __init__(self, least_s: float, most_s: float, steady_s: float = STEADY_S) -> None:
        self._least_s = least_s
        self._most_s = most_s
        self._steady_s = steady_s
        self._next_s = least_s

    def after(self, ran_s: float) -> float:
        """The wait in seconds before the next start, after a run of `ran_s` seconds."""
        wait_s = self._least_s if ran_s > self._steady_s else self._next_s
        self._next_s = min(2 * wait_s, self._most_s)
        return wait_s
