"""Reading one's own writes: at least this version."""

from service.http.problems import Fault, Problem
from service.http.request import PreparedRequest


async def require_min_version(request: PreparedRequest, min_version: int) -> int:
    """The version that a read must show. Raises Problem where the table has not come to it."""
    tables = request.services.tables
    if min_version > tables.known_version(request.table):
        head = (await tables.current(request.table)).version
        if min_version > head:
            raise Problem(
                "version-beyond-head",
                f"the table is at version {head}",
                version=head,
                errors=(Fault(f"must be at most {head}", parameter="min_version"),),
            )
    return min_version
