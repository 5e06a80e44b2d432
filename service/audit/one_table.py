"""The audit of one table: its record, as the domain audits it, the end of its stream, and its read models."""

import asyncio
from collections.abc import Iterator, Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.audit.auditor import audit, audit_extract
from domain.audit.extract import Extract, Stretch
from domain.audit.findings import Audit, Check
from domain.record.history import Reader
from domain.record.recorded import Recorded
from domain.table.events import DealScored, GameFinished
from projections.models import ReadModels, ReadModelsUnavailable
from service.audit.checks import Difference
from service.audit.read_models import compare_table
from service.compute.byte_cache import Made
from service.compute.jobs import JobContext
from service.queries.deal_audits import DealAudit, DealNotOver, NoSuchDeal
from service.store.store import Head


class TableAudit(Struct, frozen=True):
    """The result of comparing a table with its record."""

    differences: tuple[Difference, ...] = ()
    judged: bool = True
    """Whether the rules and events of the record are known here."""
    intact: bool = False
    """Whether the record passed every check. Only then are the read models compared with it."""
    compared: bool = False
    """Whether there were read models to compare."""
    behind: bool = False
    """Whether the read models had not reached the table's version yet."""


async def audit_table(
    reader: Reader,
    models: ReadModels | None,
    table: str,
    records: Sequence[Recorded],
    head: Head | None,
    reached: int = 0,
) -> TableAudit:
    """Audits a table: its record against its stream's head, and its read models (None: without them).

    The head must have been read no later than the records. All read models have reached the position `reached`.
    """
    if head is None:
        return TableAudit((Difference(f"table {table}", "chain", "the table has events and no stream"),))
    # In a thread, so that the event loop can serve others.
    result = await asyncio.to_thread(table_audit, reader, records, head)
    differences = tuple(_differences(table, result))
    if result.verdict == "not-judged":
        return TableAudit(judged=False)
    if differences or not records:
        return TableAudit(differences)
    if models is None:
        return TableAudit(intact=True)
    try:
        comparison = await compare_table(models, reader, records, reached)
    except ReadModelsUnavailable:
        return TableAudit(intact=True)
    return TableAudit(comparison.differences, intact=True, compared=comparison.present, behind=comparison.behind)


async def deal_audit(context: JobContext, table: str, deal: int, head: Head) -> Made:
    """A job: the audit of a deal, in its served form. An altered one is not cached, since the alteration may go on.

    `head` is the end of the table's stream. Raises NoSuchDeal and DealNotOver.
    """
    store, reader = context.store, context.reader
    outline = await store.outline(table, reader.passing, head.version)
    if all(record.deal != deal for record in outline):
        raise NoSuchDeal(f"deal {deal} has not started")
    over = any(
        (record.deal == deal and record.type == DealScored.TYPE) or record.type == GameFinished.TYPE
        for record in outline
    )
    if not over and not any(record.deal is not None and record.deal > deal for record in outline):
        raise DealNotOver(f"deal {deal} is not over")
    stretch = Stretch.of(outline, deal)
    upto = head.version if stretch.until is None else stretch.until - 1
    followed = [
        *await store.stream(table, 0, stretch.opening),
        *await store.stream(table, stretch.after, upto),
    ]
    result = audit_extract(reader, Extract.of(outline, stretch, followed), deal)
    audited = DealAudit.of(_with_ending(result, outline, head))
    return Made(msgspec.json.encode(audited), lasting=audited.verdict == "intact")


def table_audit(reader: Reader, records: Sequence[Recorded], head: Head) -> Audit:
    """The audit of a table's events and of the end of its stream.

    The head must have been read no later than the records.
    """
    return _with_ending(audit(reader, records), records, head)


def _with_ending(result: Audit, records: Sequence[Recorded], head: Head) -> Audit:
    """The audit, with the verdict `altered` if the end of the stream is. The last event is among the records."""
    ending = _ending(records, head)
    return result if ending is None else replace(result, verdict="altered", checks=(ending, *result.checks))


def _differences(table: str, result: Audit) -> Iterator[Difference]:
    for check in result.checks:
        if not check.passed:
            event = check.events[0] if check.events else 0
            place = f"table {table}" + (f", event {event}" if event else "")
            yield Difference(place, check.name, check.text, table, event, check.recorded, check.computed)


def _ending(records: Sequence[Recorded], head: Head) -> Check | None:
    """The failed check of the stream's end; None if the end is right."""
    last = next((record for record in records if record.version == head.version), None)
    if last is not None and last.hash == head.hash:
        return None
    recorded = None if last is None else last.hash.hex()
    text = f"The table's stream goes to version {head.version} and ends with another hash, or its end is missing."
    return Check("chain", False, None, (head.version,), recorded, head.hash.hex(), text)
