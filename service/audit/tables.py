"""A table's audit as it stands in the log: what the domain finds in its events, and that none is missing at the end."""

from collections.abc import Sequence

from msgspec.structs import replace

from domain.audit.deals import audit
from domain.audit.findings import Audit, Check
from domain.record.history import Reader
from domain.record.recorded import Recorded
from service.store.store import Head


def table_audit(reader: Reader, records: Sequence[Recorded], head: Head, deal: int | None = None) -> Audit:
    """The audit of a table's events, or of one deal in them, under the stream's head, read not after the events."""
    found = audit(reader, records, deal)
    ending = _ending(records, head)
    return found if ending is None else replace(found, verdict="altered", checks=(ending, *found.checks))


def _ending(records: Sequence[Recorded], head: Head) -> Check | None:
    """What is wrong with the end of the stream, if anything."""
    last = next((record for record in records if record.version == head.version), None)
    if last is not None and last.hash == head.hash:
        return None
    recorded = None if last is None else last.hash.hex()
    text = f"The table's stream goes to version {head.version} and ends with another hash, or its end is missing."
    return Check("chain", False, None, (head.version,), recorded, head.hash.hex(), text)
