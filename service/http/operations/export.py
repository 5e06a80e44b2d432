"""Exports: a table's record as a file that proves itself."""

from typing import Any

from litestar.response import Stream

from domain.record import export
from domain.record.export import MEDIA_TYPE
from domain.seats import PUBLIC
from service.http import guards
from service.http.examples import TABLE, Sample
from service.http.operation import operation
from service.http.request import PreparedRequest
from service.queries.exports import export_lines, prepare_export


def _example(sample: Sample) -> Any:
    """The first lines of an export."""
    played = sample.played
    last = played.records[-1]
    header = export.encode_line(export.Header(PUBLIC, export.FORMAT, last.hash.hex(), TABLE, last.version))
    return (header + export.event_line(played.records[0], PUBLIC, over=True)).decode()


@operation(
    "GET",
    "/v1/tables/{table:uuid}/export",
    id="exportTable",
    tag="Record",
    summary="A table's record as a file",
    description="The whole record as lines of JSON, with every sealed section that the caller may open now. The last "
    "line holds a signed checkpoint, the proofs that the log holds the events, the log's keys, and a signature over "
    "all else in the file. `codille verify` checks the file without the service.",
    answers="The record.",
    cost=2700,
    guards=(guards.table_exists,),
    media_types=(MEDIA_TYPE,),
    answer_headers=("ExportETag",),
    example=_example,
)
async def export_table(request: PreparedRequest) -> Stream:
    """The record as a file."""
    services, table = request.services, request.table
    audience = await services.queries.audience(table, request.player)
    history = await services.tables.current(table)
    made = await prepare_export(services.store, services.transparency, table, audience, history)
    return Stream(
        export_lines(services.store, services.transparency, made),
        media_type=MEDIA_TYPE,
        headers={
            "Content-Disposition": f'attachment; filename="{made.filename}"',
            "ETag": f'"{made.tag}"',
        },
    )


HANDLERS = (export_table,)
