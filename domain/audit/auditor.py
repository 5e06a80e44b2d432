"""The audit of a table's record, from its events alone.

Every event is derived again from those before it: an automatic event from the table's state, a player's event from the
action that it records. The result is compared with the record. So the audit explains a score by the rules that made it,
and detects other rules, cards or seeds.

No record makes an audit raise: every fault becomes a failed check.
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
    """The audit of a whole record, or of one deal and the events that the deal rests on. Raises nothing.

    `records` begin with the table's first event, with every section that the audience may open now.
    """
    findings = Findings() if deal is None else Findings(*_concerned(records, (deal,))[0])
    _run_checks(reader, Extract(records), audience, findings)
    return _conclude(findings)


def audit_extract(reader: Reader, extract: Extract, deal: int) -> Audit:
    """The audit of a deal from an extract of the record. Raises nothing.

    It equals the audit by `audit` if the rest of the record is intact.
    """
    findings = Findings(*_concerned(extract.records, (deal,))[0])
    _run_checks(reader, extract, HOUSE, findings)
    return _conclude(findings)


def audit_deals(
    reader: Reader, records: Sequence[Recorded], deals: Sequence[int], audience: Audience = HOUSE
) -> tuple[Audit, ...]:
    """The audits of several deals, each equal to the one by `audit`, in one pass over the record. Raises nothing."""
    by_deal = [Findings(*concerned) for concerned in _concerned(records, deals)]
    if by_deal:
        _run_checks(reader, Extract(records), audience, FindingsByDeal(by_deal))
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
    """Whether the table's pinned rules ensure that times never go back."""
    try:
        return reader.of(reader.opened(records[0], PUBLIC)).times_rise
    except Exception:  # any fault of the first event is reported by a later check
        return True


def _conclude(findings: Findings) -> Audit:
    checks, unchecked = tuple(findings.checks()), tuple(findings.unchecked)
    verdict: Literal["altered", "not-judged", "intact"]
    verdict = "altered" if findings.failures else "intact" if findings.judged else "not-judged"
    return Audit(verdict, checks, unchecked)


def _concerned(records: Sequence[Recorded], deals: Iterable[int]) -> list[tuple[frozenset[int], int | None]]:
    """For each deal, the versions of the events that it rests on, and the version of its last event.

    A deal rests on its own events and on some outside deals: those before the first deal, and those from the beginning
    of the deal before it to its own last event. The other events concern other deals.
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
