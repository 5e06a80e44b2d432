"""Reading one's own writes: at least this version."""

from service.http.problems import Fault, Problem
from service.http.request import Ask


async def at_least(ask: Ask, table: str, min_version: int | None) -> int:
    """The version that a read must show, which the table must have come to. Raises Problem."""
    if min_version is None:
        return 0
    if min_version > ask.edge.tables.known(table):
        head = (await ask.edge.tables.current(table)).version
        if min_version > head:
            raise Problem(
                "version-beyond-head",
                f"the table is at version {head}",
                version=head,
                errors=(Fault(f"must be at most {head}", parameter="min_version"),),
            )
    return min_version
