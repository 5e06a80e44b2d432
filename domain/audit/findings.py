"""The findings of an audit: its checks, the events behind them, and the differences where they failed."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct

MOST_DIFFERENCES = 10
"""The most differences that a failed check names."""


class FailedCheck(Struct, frozen=True, gc=False):
    """A check that failed at one event. `recorded` and `computed` are the two values that differ."""

    name: str
    event: int
    recorded: Any = None
    computed: Any = None
    text: str | None = None
    rule: str | None = None
    last: bool = False
    """Whether this failure ended the checking."""


class Unchecked(Struct, frozen=True):
    """Events that cannot be fully checked yet, or not by this audience, and the reason."""

    events: tuple[int, ...]
    text: str


class Check(Struct, frozen=True):
    """A check in a report. Passed: all events at which it passed. Failed: one event, with the recorded and the computed
    value.
    """

    name: str
    passed: bool
    rule: str | None
    events: tuple[int, ...]
    recorded: Any
    computed: Any
    text: str


class Audit(Struct, frozen=True):
    """The checks of a deal or a table, and the verdict: `altered` if one failed.

    Otherwise it is `not-judged` if some rules or events are unknown here, so that checks are missing, and `intact` if
    none are.
    """

    verdict: Literal["intact", "altered", "not-judged"]
    checks: tuple[Check, ...]
    unchecked: tuple[Unchecked, ...] = ()


TEXTS: Mapping[str, str] = {
    "chain": "Each event's hash covers the event and the hash before it.",
    "envelope": "Each event names the table, the game, the deal, the actor and the action that it belongs to.",
    "payload": "Each event says what its type says, all of it and nothing else, in canonical form.",
    "seals": "Each opened section is the one that was committed to.",
    "openings": "Each section that may be open now is open, and no other.",
    "rules": "The rules in force are those that the table pinned when it was opened.",
    "seating": "Players took and left seats as they may.",
    "clock": "What the clock recorded was due by then, and what is left to the seats' clocks follows from the times.",
    "first-dealer": "The first dealer was drawn from the first seed.",
    "dealer": "The deal went to the player whose turn it was.",
    "seed": "The deal's seed hashes to the seed before it, and so to the commitment made before anyone sat down.",
    "pack": "The pack drawn again from seed and entropies is the pack that was dealt, to those it was dealt to.",
    "commitments": "Each card of the pack opens its commitment.",
    "antes": "What is booked when the cards are dealt follows from the rules.",
    "legality": "Every act was open to the player who took it, under the rules in force.",
    "acts": "Every event was recorded as the act, or what went before, makes it.",
    "draws": "Every card drawn was the next of the pile it was drawn from.",
    "turn-up": "What had to be turned, laid open or forced was.",
    "tricks": "Every trick went to the player whose card takes it.",
    "stopping-point": "Play stopped when the result was settled, not earlier and not later.",
    "outcome": "The outcome, and what the game adds to it, follow from the play.",
    "ledger": "Every line was booked as the rules say, and lines sum to zero.",
    "totals": "Totals are the sums of the lines booked.",
    "disputes": "Lines were disputed, and disputes ruled on, as they may be.",
    "corrections": "Every correction takes back what was disputed, sums to zero, and totals and winners follow it.",
    "erasures": "No words but those for everyone were erased, and each only once.",
    "finish": "The game ended when its rules say, and those won who win by them.",
}
"""The sentence for each check that passed, in the order in which checks are reported."""


class Findings:
    """Collects the results of checks: the events at which a check passed, and the details of each failure.

    With `concerned` it collects for these events alone; `last` is the last of them. A failure that ends the checking
    before `last` is collected too.
    """

    def __init__(self, concerned: frozenset[int] | None = None, last: int | None = None) -> None:
        self.concerned = concerned
        self._last = last
        self._passed: dict[str, defaultdict[str | None, list[int]]] = {name: defaultdict(list) for name in TEXTS}
        self.failures: list[FailedCheck] = []
        self.unchecked: list[Unchecked] = []
        self.judged = True
        """Whether all rules and events that these checks need are known."""

    def passed(self, name: str, version: int, rule: str | None = None) -> None:
        """Adds this event to those at which the check passed."""
        if self.concerned is None or version in self.concerned:
            self._passed[name][rule].append(version)

    def failed(self, failure: FailedCheck) -> None:
        """Adds a failed check."""
        ends = failure.last and (self._last is None or failure.event <= self._last)
        if self.concerned is None or failure.event in self.concerned or ends:
            self.failures.append(failure)

    def not_checked(self, unchecked: Unchecked) -> None:
        """Adds events that cannot be fully checked."""
        if self.concerned is None or not self.concerned.isdisjoint(unchecked.events):
            self.unchecked.append(unchecked)

    def not_judged(self, version: int, text: str) -> None:
        """Notes that the rules cannot judge anything from this event on, for this reason."""
        if self._last is None or version <= self._last:
            self.judged = False
            self.unchecked.append(Unchecked((version,), text))

    def compare(
        self, name: str, version: int, what: str, recorded: object, computed: object, rule: str | None = None
    ) -> bool:
        """Adds a passed or a failed check and returns whether it passed, which takes two equal values.

        `what` names the values.
        """
        if recorded == computed:
            self.passed(name, version, rule)
            return True
        self.failed(FailedCheck(name, version, *_differing(recorded, computed), what, rule))
        return False

    def checks(self) -> Iterator[Check]:
        """The checks to report, in the order of `TEXTS`: one a failure, and one a kind and rule that passed."""
        for name, text in TEXTS.items():
            yield from (_failed(failure) for failure in self.failures if failure.name == name)
            for rule, events in self._passed[name].items():
                yield Check(name, True, rule, tuple(sorted(set(events))), None, None, text)


class FindingsByDeal(Findings):
    """Passes the results of one pass over a record on to the findings of each deal that they concern."""

    def __init__(self, by_deal: Sequence[Findings]) -> None:
        super().__init__()
        self._by_deal = by_deal
        self._at: defaultdict[int, list[Findings]] = defaultdict(list)
        """The findings that an event concerns, by version; for most events those of one deal."""
        for findings in by_deal:
            for version in findings.concerned or ():
                self._at[version].append(findings)

    def passed(self, name: str, version: int, rule: str | None = None) -> None:
        """Adds the passed check for each deal that rests on the event."""
        for findings in self._at.get(version, ()):
            findings.passed(name, version, rule)

    def failed(self, failure: FailedCheck) -> None:
        """Adds the failure for each deal that it concerns."""
        for findings in self._by_deal:
            findings.failed(failure)

    def not_judged(self, version: int, text: str) -> None:
        """Notes it for each deal that ends at this event or later."""
        for findings in self._by_deal:
            findings.not_judged(version, text)

    def not_checked(self, unchecked: Unchecked) -> None:
        """Adds the events for each deal that they concern."""
        for findings in self._by_deal:
            findings.not_checked(unchecked)


def _differing(recorded: object, computed: object) -> tuple[Any, Any]:
    """The two values if they differ as a whole, otherwise their first differing parts by path."""
    paths = dict(_differences("", msgspec.to_builtins(recorded), msgspec.to_builtins(computed)))
    first = list(paths.items())[:MOST_DIFFERENCES]
    if list(paths) == [""]:
        return first[0][1]
    return (
        {path.lstrip("."): pair[0] for path, pair in first},
        {path.lstrip("."): pair[1] for path, pair in first},
    )


def _differences(path: str, recorded: Any, computed: Any) -> Iterator[tuple[str, tuple[Any, Any]]]:
    """The paths of the innermost parts in which two values differ, with the parts."""
    if isinstance(recorded, dict) and isinstance(computed, dict):
        for key in sorted(recorded.keys() | computed.keys()):
            if recorded.get(key) != computed.get(key) or (key in recorded) != (key in computed):
                yield from _differences(f"{path}.{key}", recorded.get(key), computed.get(key))
    elif isinstance(recorded, list | tuple) and isinstance(computed, list | tuple) and len(recorded) == len(computed):
        for index, (one, other) in enumerate(zip(recorded, computed, strict=True)):
            if one != other:
                yield from _differences(f"{path}[{index}]", one, other)
    elif recorded != computed:
        yield path, (recorded, computed)


def _failed(failure: FailedCheck) -> Check:
    what = f" ({failure.text})" if failure.text else ""
    text = f"{TEXTS[failure.name]} Not so at event {failure.event}{what}."
    return Check(failure.name, False, failure.rule, (failure.event,), failure.recorded, failure.computed, text)


def unreadable(name: str, version: int, error: Exception) -> FailedCheck:
    """The failed check for an event that cannot be read."""
    return FailedCheck(name, version, text=f"this cannot be read ({type(error).__name__}: {error})")
