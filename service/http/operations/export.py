"""Exports: a table's record as a file that proves itself."""

from litestar import get
from litestar.response import Stream

from domain.record.export import MEDIA_TYPE
from service.http import guards
from service.http.guards import guarded
from service.http.parameters import TableId
from service.http.request import Ask
from service.http.responses import problems
from service.queries.exports import lines, prepared


@get(
    "/tables/{table:uuid}/export",
    operation_id="exportTable",
    summary="A table's record, to keep",
    description="The whole record with everything that the caller may open now, as lines of JSON, with a signed "
    "checkpoint of the log, the proofs that the events stand in it, and a signature over all of it. "
    "`codille verify` checks it without the service.",
    tags=["Record"],
    opt=guarded(guards.table_exists) | {"media_types": (MEDIA_TYPE,)},
    media_type=MEDIA_TYPE,
    responses=problems(404),
)
async def export(request: Ask, table: TableId) -> Stream:
    """The record as a file."""
    key, edge = str(table), request.edge
    audience = await edge.reads.audience(key, request.caller)
    prepared_ = await prepared(edge.store, edge.transparency, key, audience, await edge.tables.current(key))
    return Stream(
        lines(edge.store, edge.transparency, prepared_),
        media_type=MEDIA_TYPE,
        headers={
            "Content-Disposition": f'attachment; filename="{prepared_.filename}"',
            "ETag": f'"{prepared_.tag}"',
        },
    )


HANDLERS = (export,)
