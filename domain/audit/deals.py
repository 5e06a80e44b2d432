"""Audit: a table's record computed anew, from its events alone.

Every event is derived again from those before it: what followed by itself from the table's state, what a player did
from the action that the event tells of. What stands in the record is compared with what is computed, so that the
audit explains a score with the same rules that made it, and finds what any other rules, cards or seeds have made.

Nothing that a record holds makes an audit fail to answer: whatever it breaks is a check that failed, with its place.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from domain.audit.findings import Audit, Findings, FindingsOfParts
from domain.audit.rederiving import rederived
from domain.audit.seals import chain, envelopes, openings, seals
from domain.record.history import Reader
from domain.record.recorded import Recorded
from domain.seats import HOUSE, Audience


def audit(reader: Reader, records: Sequence[Recorded], deal: int | None = None, audience: Audience = HOUSE) -> Audit:
    """The audit of a whole record, or of one deal in it with all that the deal rests on. It raises nothing.

    `records` are the table's from its first event on, with every section open that the audience may open by now.
    """
    found = Findings() if deal is None else Findings(*_concerned(records, (deal,))[0])
    _audit(reader, records, audience, found)
    return _told(found)


def audits(reader: Reader, records: Sequence[Recorded], deals: Sequence[int]) -> tuple[Audit, ...]:
    """The audits of several deals of a record, each as `audit` makes it, from going through the record once."""
    parts = [Findings(*concerned) for concerned in _concerned(records, deals)]
    if parts:
        _audit(reader, records, HOUSE, FindingsOfParts(parts))
    return tuple(map(_told, parts))


def _audit(reader: Reader, records: Sequence[Recorded], audience: Audience, found: Findings) -> None:
    chain(records, found)
    envelopes(records, found)
    seals(records, found)
    openings(records, audience, found)
    rederived(reader, records, found)


def _told(found: Findings) -> Audit:
    return Audit("altered" if found.failures else "intact", tuple(found.checks()), tuple(found.unchecked))


def _concerned(records: Sequence[Recorded], deals: Iterable[int]) -> list[tuple[frozenset[int], int | None]]:
    """For each deal the versions of the events that it rests on, and that of its last event."""
    versions: defaultdict[int | None, list[int]] = defaultdict(list)
    for record in records:
        versions[record.deal].append(record.version)
    outside = versions[None]
    found = []
    for deal in deals:
        own = versions.get(deal, ())
        last = max(own, default=None)
        before = outside if last is None else (version for version in outside if version <= last)
        found.append((frozenset((*own, *before)), last))
    return found
