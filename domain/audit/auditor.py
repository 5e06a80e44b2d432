"""The audit of a table's record, from its events alone.

Every event is derived again from those before it: an automatic event from the table's state, a player's event from the
action that it records. The result is compared with the record. So the audit explains a score with the rules that made
it, and detects whatever other rules, cards or seeds have made.

No record makes an audit raise: whatever is broken is a failed check at its place.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Literal

from domain.audit.extract import Extract, Stretch
from domain.audit.findings import Audit, Findings, FindingsByDeal
from domain.audit.integrity import check_chain, check_envelopes, check_openings, check_seals
from domain.audit.rederivation import rederive
from domain.record.history import Reader
from domain.record.recorded import Recorded
from domain.seats import HOUSE, PUBLIC, Audience


def audit(reader: Reader, records: Sequence[Recorded], deal: int | None = None, audience: Audience = HOUSE) -> Audit:
    """The audit of a whole record, or of one deal in it with all that the deal rests on. Raises nothing.

    `records` are the table's from its first event on, with every section open that the audience may open by now.
    """
    findings = Findings() if deal is None else Findings(*_concerned(records, (deal,))[0])
    _run_checks(reader, Extract(records), audience, findings)
    return _conclude(findings)


def audit_extract(reader: Reader, extract: Extract, deal: int) -> Audit:
    """The audit of a deal from what it reads of a record. Raises nothing.

    It is the one that `audit` makes, if what is not read is intact.
    """
    findings = Findings(*_concerned(extract.records, (deal,))[0])
    _run_checks(reader, extract, HOUSE, findings)
    return _conclude(findings)


def audit_deals(reader: Reader, records: Sequence[Recorded], deals: Sequence[int]) -> tuple[Audit, ...]:
    """The audits of several deals, each as `audit` makes it, in one pass over the record. Raises nothing."""
    by_deal = [Findings(*concerned) for concerned in _concerned(records, deals)]
    if by_deal:
        _run_checks(reader, Extract(records), HOUSE, FindingsByDeal(by_deal))
    return tuple(map(_conclude, by_deal))


def _run_checks(reader: Reader, extract: Extract, audience: Audience, findings: Findings) -> None:
    checked = extract.checked
    check_chain(extract.opening, findings)
    if extract.passed:
        check_chain(extract.stretch, findings, extract.passed[-1])
    check_envelopes(checked, findings, times_rise=_times_rise(reader, checked))
    check_seals(checked, findings)
    check_openings(checked, audience, findings, extract.records)
    rederive(reader, extract, findings)


def _times_rise(reader: Reader, records: Sequence[Recorded]) -> bool:
    """Whether the rules that the table pinned are such that its times never go back."""
    try:
        return reader.of(reader.opened(records[0], PUBLIC)).times_rise
    except Exception:  # whatever is wrong with the first event is found later
        return True


def _conclude(findings: Findings) -> Audit:
    checks, unchecked = tuple(findings.checks()), tuple(findings.unchecked)
    verdict: Literal["altered", "not-judged", "intact"]
    verdict = "altered" if findings.failures else "intact" if findings.judged else "not-judged"
    return Audit(verdict, checks, unchecked)


def _concerned(records: Sequence[Recorded], deals: Iterable[int]) -> list[tuple[frozenset[int], int | None]]:
    """For each deal the versions of the events that it rests on, and the version of its last event.

    It rests on its own events, and on those outside deals before the first deal, and from the beginning of the deal
    before it up to its last event. What came between is the matter of other deals.
    """
    versions: defaultdict[int | None, list[int]] = defaultdict(list)
    for record in records:
        versions[record.deal].append(record.version)
    outside = versions[None]
    concerned = []
    for deal in deals:
        own = versions.get(deal, ())
        last = max(own, default=None)
        stretch = Stretch.of(records, deal)
        before = [
            one for one in outside if (last is None or one <= last) and not stretch.opening <= one <= stretch.after
        ]
        concerned.append((frozenset((*own, *before)), last))
    return concerned
