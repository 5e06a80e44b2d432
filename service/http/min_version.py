"""Reading one's own writes: at least this version."""

from service.http.problems import Fault, Problem
from service.http.request import PreparedRequest


async def require_min_version(request: PreparedRequest, min_version: int) -> int:
    """The version that a read must show. Raises Problem where the table has not come to it."""
    tables = request.services.tables
    if min_version > tables.known_version(request.table):
        check_min_version(min_version, (await tables.current(request.table)).version)
    return min_version


def check_min_version(min_version: int | None, head: int) -> None:
    """Raises Problem where a table at this version is not at `min_version` yet."""
    if min_version is not None and min_version > head:
        raise Problem(
            "version-beyond-head",
            f"the table is at version {head}",
            version=head,
            errors=(Fault(f"must be at most {head}", parameter="min_version"),),
        )
