"""Measurements of what plays for bots."""

from service.observability.families import Families

LATENESS_S = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 60.0)


class BotMetrics:
    """The acts of bots."""

    def __init__(self, families: Families) -> None:
        self._acts = families.counter("codille_bot_acts_total", "Acts of bots, by their level.", ("level",))
        self._worlds = families.counter("codille_bot_worlds_total", "Worlds in which bots tried acts.")
        self._hurried = families.counter(
            "codille_bot_acts_hurried_total", "Acts for which bots tried fewer worlds than their level has."
        )
        self._lost = families.counter("codille_bot_acts_lost_total", "Acts of bots that came too late.")
        self._failed = families.counter(
            "codille_bot_failures_total", "Acts for which bots met with an error, and took the mildest act or none."
        )
        self._lateness = families.histogram(
            "codille_bot_lateness_seconds",
            "Time from when a bot was to act to its act, without its pause.",
            buckets=LATENESS_S,
        )
        # Every process that plays for bots watches all tables, and acts at its own.
        self._tables = families.gauge("codille_bot_tables", "Tables with bots that are not over.", together="max")
        self._waiting = families.gauge("codille_bot_tables_waiting", "Tables that wait for bots.", together="sum")
        # The projecting process checks this, so that it is measured even if no process plays.
        self._needed = families.gauge("codille_bots_needed", "1 where bots were seated.", together="max")
        self._playing = families.gauge("codille_bots_playing", "1 where the process plays for bots.", together="max")

    def acted(self, level: str, worlds: int, late_s: float, *, hurried: bool) -> None:
        """Counts an act that was chosen in so many worlds and recorded so late; `hurried` if they were fewer than its
        level has.
        """
        self._acts.labels(level).inc()
        self._worlds.inc(worlds)
        if hurried:
            self._hurried.inc()
        self._lateness.observe(max(0.0, late_s))

    def lost(self) -> None:
        """Counts an act that came too late."""
        self._lost.inc()

    def failed(self) -> None:
        """Counts an error of a bot."""
        self._failed.inc()

    def watched(self, tables: int) -> None:
        """Sets the number of tables with bots."""
        self._tables.set(tables)

    def waiting(self, tables: int) -> None:
        """Sets the number of tables that wait for this process."""
        self._waiting.set(tables)

    def needed(self, *, needed: bool) -> None:
        """Sets whether bots were seated, so that a process has to play for them."""
        self._needed.set(needed)

    def playing(self, *, plays: bool) -> None:
        """Sets whether this process plays for bots."""
        self._playing.set(plays)
