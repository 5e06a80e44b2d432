"""Exports: a table's record as a file that proves itself."""

from litestar import Response

from domain.record import export
from domain.record.export import MEDIA_TYPE
from domain.seats import PUBLIC
from service.http import guards
from service.http.examples import TABLE, Sample
from service.http.min_version import check_min_version
from service.http.operation import operation
from service.http.parameters import MinVersion
from service.http.preconditions import is_unchanged
from service.http.request import Request
from service.http.responses import BytesResponse, PiecesResponse
from service.queries.exports import export_pieces, prepare_export


def exported_lines(sample: Sample) -> str:
    """The first lines of an export."""
    played = sample.played
    last = played.records[-1]
    header = export.encode_line(export.Header(PUBLIC, export.FORMAT, last.hash.hex(), TABLE, last.version))
    return (header + export.event_line(played.records[0], PUBLIC, over=True)).decode()


@operation(
    "GET",
    "/v1/tables/{table:uuid}/export",
    tag="Record",
    summary="A table's record as a file",
    description="The whole record as lines of JSON, with every sealed section that the caller may open now. The last "
    "line has a signed checkpoint, the proofs that the log contains the events, the log's keys, and a signature over "
    "everything else in the file. `codille verify` checks the file without the service. It is sent in pieces as they "
    "are made; if one cannot be made, the connection ends before the body does.",
    answers="The record.",
    cost=2700,
    kept_cost=50,
    guards=(guards.table_exists,),
    client_scope="read",
    headers=("If-None-Match",),
    media_types=(MEDIA_TYPE,),
    answer_headers=("ExportETag",),
    example=exported_lines,
)
async def export_table(request: Request, min_version: MinVersion = None) -> Response[bytes]:
    """The record as a file. Raises Problem below `min_version`."""
    services, table = request.services, request.table
    audience = await services.tables.seating.audience(table, request.player)
    history = await services.tables.spectators.seen(table, request.player)
    check_min_version(min_version, history.version)
    export = await prepare_export(services.log.store, services.log.transparency, table, audience, history)
    headers = {"ETag": f'"{export.tag}"'}
    if request.known_tags is not None and is_unchanged(request.known_tags, headers["ETag"]):
        return BytesResponse(b"", status=304, media_type=MEDIA_TYPE, headers=headers)
    headers["Content-Disposition"] = f'attachment; filename="{export.filename}"'
    pieces = export_pieces(services.edge.heavy, services.log.transparency, export, request.spending)
    first = await anext(pieces)
    return PiecesResponse(first, pieces, request.gone, media_type=MEDIA_TYPE, headers=headers)
