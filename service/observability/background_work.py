"""Which background work of a service halts."""

from collections.abc import Callable

from service.observability.families import Families


class Work:
    """One kind of background work of this process, which goes on or halts. `measure` is called when that changes."""

    def __init__(self, measure: Callable[[bool], object] = bool) -> None:
        self._measure = measure
        self._halts: bool | None = None
        """None: another process under this one's number may have measured it."""

    def halts(self) -> bool:
        """Notes that the work met an outage or an error. Returns whether that is news, to be logged."""
        return self._note(halts=True)

    def goes_on(self) -> None:
        """Notes that the work goes on."""
        self._note(halts=False)

    def _note(self, *, halts: bool) -> bool:
        news, self._halts = self._halts is not halts, halts
        if news:
            self._measure(halts)
        return news


class WorkMetrics:
    """All background work of this process, by its name."""

    def __init__(self, families: Families) -> None:
        self._families = families
        self._gauge = families.gauge("codille_work_halted", "1 where background work halts, by its name.", ("work",))
        self._works: dict[str, Work] = {}

    def __getitem__(self, name: str) -> Work:
        """The work of this name."""
        if name not in self._works:
            self._works[name] = Work(self._gauge.labels(name).set)
        return self._works[name]

    def halted(self) -> list[str]:
        """The names of the work that halts, in any of the service's processes that measure together."""
        return sorted(self._families.set_labels(self._gauge))
