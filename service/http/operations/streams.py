"""Streams: what happens, as it happens."""

from typing import Annotated, Literal

import msgspec
from litestar import Response
from litestar.params import QueryParameter

from domain.seats import PUBLIC
from service.http import guards
from service.http.examples import Sample
from service.http.min_version import check_version
from service.http.operation import operation
from service.http.query import BIGGEST
from service.http.request import PreparedRequest
from service.http.streaming import listener_of, streamed
from service.live.frames import NDJSON, SSE, frame
from service.live.tables import WantedTable

FORMS = (SSE, NDJSON)


def _frames(sample: Sample, form: str) -> str:
    played = sample.played
    version = played.midway()[0]
    view = msgspec.json.encode({"version": version, "view": played.view(version, PUBLIC)})
    event = msgspec.json.encode(played.event(version + 1, PUBLIC))
    return (frame(form, "snapshot", view, version) + frame(form, "event", event, version + 1)).decode()


After = Annotated[
    int | None,
    QueryParameter(
        name="after",
        ge=0,
        le=BIGGEST,
        description="The stream goes on after this version, from 0 on, in place of beginning with a snapshot.",
        schema_extra={"examples": [0]},
    ),
]
View = Annotated[
    Literal["true", "false"],
    QueryParameter(
        name="view",
        description="Whether each event's frame holds the caller's view after the event, as `view`.",
        schema_extra={"examples": ["true"]},
    ),
]


@operation(
    "GET",
    "/v1/tables/{table:uuid}/events/stream",
    id="streamEvents",
    tag="Streams",
    summary="A table's events as they happen",
    description="First a `snapshot` frame with the caller's view, then each event in an `event` frame, as the caller is "
    "told of it when it happens, with its version as `id`. With `Last-Event-ID` or `after` there is no "
    "snapshot, and the events after that version come first, none left out and none twice. Comments, or empty "
    "lines, show that the stream is alive. A `dropped` frame says why the service ends a stream: the client "
    "does not read, the token is no longer valid, the process stops. Browsers read streams with `fetch`, "
    "since `EventSource` sends no token.",
    answers="The frames, for as long as the client reads them.",
    cost=20,
    guards=(guards.table_exists,),
    headers=("Last-Event-ID",),
    media_types=FORMS,
    stream=True,
    example=lambda sample: _frames(sample, SSE),
    other_examples={NDJSON: ("The same frames as lines of JSON.", lambda sample: _frames(sample, NDJSON))},
)
async def stream_events(request: PreparedRequest, after: After = None, view: View = "false") -> Response[bytes]:
    """The table's stream. Raises Problem for a version that the table has not come to."""
    services = request.services
    if request.last_event_id is not None:
        after = request.last_event_id
    if after:
        head = (await services.tables.current(request.table)).version
        check_version("after" if request.last_event_id is None else "Last-Event-ID", after, head)
    wanted = WantedTable(request.table, after, view == "true")
    listener = listener_of(request)
    stream = services.table_streams.open(wanted, listener, request.spending)
    return await streamed(request, "table", listener, stream)


HANDLERS = (stream_events,)
