"""A table's events, and its views at earlier versions."""

from typing import Annotated, Any

import msgspec
from litestar import Response

from domain.kernel.table_view import TableView
from domain.record.disclosure import Disclosure
from domain.record.envelope import served
from domain.seats import HOUSE, PUBLIC, Audience, seat_audience
from projections.models import Stored
from service.describe.drawing.svg import POLICY
from service.describe.drawing.table import TableDrawing
from service.describe.texts import english
from service.http import guards, schemas
from service.http.content_negotiation import SVG
from service.http.examples import Sample
from service.http.forms import AS
from service.http.min_version import awaited_version, check_min_version, require_min_version
from service.http.operation import READS_TABLE, operation
from service.http.parameters import Limit, MinVersion, Wait, query
from service.http.problems import Problem, invalid_query
from service.http.query import BIGGEST
from service.http.request import Request
from service.http.responses import at_version
from service.queries.drawings import drawn
from service.queries.table_queries import MOST_STEPS

LOOKED_AT_S = 5e-7
"""Seconds of the database per event examined."""

MOST_TYPES = 20
"""The most types of events in one query."""

As = Annotated[
    str,
    query(
        "as",
        "The audience of the view: `me` (without a token the public), `public`, `seat:N` or `all`. "
        "Another seat's view and `all` are open once every deal up to the version is over.",
        "me",
        pattern=AS,
    ),
]


def _events_example(sample: Sample) -> Any:
    version, seat, _ = sample.played.midway()
    after, items = sample.played.events_of_act(version, seat_audience(seat))
    return {"items": items, "version": after}


@operation(
    "GET",
    "/v1/tables/{table:uuid}/events",
    tag="Record",
    summary="A table's events",
    description="The table's events in order, each with the sealed sections that the caller may open now. `type` "
    "selects events of these types, for example to find the deals of a long game without reading all of it.",
    answers="A page of events.",
    cost=4,
    **READS_TABLE,
    example=_events_example,
)
async def list_events(
    request: Request,
    after: Annotated[int, query("after", "Only events after this version.", 0, ge=0, le=BIGGEST)] = 0,
    limit: Limit = 100,
    type_: Annotated[
        list[str] | None,
        query("type", "Only events of this type; may be repeated.", ["deal-scored"], min_items=1, max_items=MOST_TYPES),
    ] = None,
    min_version: MinVersion = None,
    wait: Wait = None,
) -> Response[schemas.Events]:
    """A page of events, each with the sections open to the caller. Raises what `awaited_version` raises."""
    services, table = request.services, request.table
    await awaited_version(request, min_version, after, wait)
    state = (await services.tables.spectators.seen(table, request.player)).table
    audience = await services.tables.seating.audience(table, request.player)
    disclosure = Disclosure.of_table(state)
    if type_:
        # All events are examined, however few are selected.
        request.spending.add(max(0, state.version - after) * LOOKED_AT_S)
        records = await services.log.reads.stream_of_types(table, type_, after, state.version, limit)
    else:
        records = await services.log.reads.stream(table, after, state.version, limit)
    items = tuple([msgspec.Raw(served(record, audience, over=disclosure.opens(record))) for record in records])
    body = msgspec.json.encode(schemas.Events(items, state.version))
    return at_version(Stored(state.version, body), request.known_tags)


@operation(
    "GET",
    "/v1/tables/{table:uuid}/replay/{version:int}",
    tag="Record",
    summary="A table at a version",
    description="The view of the table as it was when that version was the newest.",
    answers="The view at the version.",
    cost=100,
    kept_cost=15,
    guards=(guards.table_exists, guards.version_exists),
    client_scope="read",
    headers=("If-None-Match",),
    problems=("deal-not-over",),
    example=lambda sample: sample.disputed.view(sample.disputed.version, PUBLIC),
)
async def get_replay(
    request: Request,
    version: int,
    as_: As = "me",
    min_version: MinVersion = None,
) -> Response[TableView]:
    """The view at a version. Raises Problem below `min_version`, and if the audience is not open to the caller."""
    await require_min_version(request, min_version)
    audience = await _audience(request, version, as_)
    view = await request.services.edge.queries.replayed(request.table, version, audience, request.spending)
    return at_version(view, request.known_tags)


def _drawing_example(sample: Sample) -> Any:
    """What a drawing says in words, without what it shows."""
    played = sample.played
    version, _, _ = played.midway()
    drawn = TableDrawing(played.game, msgspec.to_builtins(played.view(version, PUBLIC)), english()).svg().decode()
    return drawn.partition("<style>")[0] + "</svg>"


@operation(
    "GET",
    "/v1/tables/{table:uuid}/replay/{version:int}.svg",
    tag="Record",
    summary="A table at a version, as a picture",
    description="The view of the table as it was when that version was the newest, drawn in SVG: seats, hands, trick, "
    "piles, marks and totals, in light and dark. It shows the view and nothing else, so seats have no names.",
    answers="The picture.",
    cost=120,
    kept_cost=15,
    guards=(guards.table_exists, guards.version_exists),
    client_scope="read",
    headers=("If-None-Match",),
    problems=("deal-not-over",),
    media_types=(SVG,),
    example=_drawing_example,
)
async def get_replay_drawing(
    request: Request,
    version: int,
    as_: As = "me",
    min_version: MinVersion = None,
) -> Response[bytes]:
    """The view at a version as a drawing. Raises what `get_replay` raises."""
    await require_min_version(request, min_version)
    audience = await _audience(request, version, as_)
    drawing = await drawn(request.services.edge.heavy, request.table, version, audience, request.spending)
    return at_version(drawing, request.known_tags, media_type=SVG, headers={"Content-Security-Policy": POLICY})


def _range_example(sample: Sample) -> Any:
    played = sample.played
    version, _, _ = played.midway()
    after, _ = played.events_of_act(version, PUBLIC)
    step = {
        "version": version,
        "event": played.event(version, PUBLIC),
        "changed": ["version", "seats", "trick", "to_act"],
        "view": played.view(version, PUBLIC),
    }
    return {"steps": [step], "version": after}


@operation(
    "GET",
    "/v1/tables/{table:uuid}/replay",
    tag="Record",
    summary="A table over a range of versions",
    description=f"The event and the view of each version in a range, at most {MOST_STEPS} of them.",
    answers="The steps.",
    cost=100,
    kept_cost=15,
    **READS_TABLE,
    problems=("deal-not-over", "no-such-version"),
    example=_range_example,
)
async def get_replay_range(
    request: Request,
    from_: Annotated[int, query("from", "The first version.", 1, ge=1, le=BIGGEST)] = 1,
    to: Annotated[
        int | None, query("to", "The last version; by default as far as one answer reaches.", 10, ge=1, le=BIGGEST)
    ] = None,
    as_: As = "me",
    min_version: MinVersion = None,
) -> Response[schemas.Replay]:
    """The steps of a range of versions. Raises Problem for a range or audience that the caller may not have."""
    services = request.services
    history = await services.tables.spectators.seen(request.table, request.player)
    state = history.table
    check_min_version(min_version, state.version)
    last = min(from_ + MOST_STEPS - 1, state.version) if to is None else to
    if max(from_, last) > state.version:
        raise Problem("no-such-version", f"the table is at version {state.version}")
    if last < from_ or last - from_ >= MOST_STEPS:
        raise invalid_query("to", f"must be from {from_} to {from_ + MOST_STEPS - 1}")
    audience = await _audience(request, last, as_)
    steps = await services.edge.queries.steps(history, from_, last, audience, request.spending)
    return at_version(Stored(state.version, b'{"steps":%b,"version":%d}' % (steps, state.version)), request.known_tags)


async def _audience(request: Request, version: int, wanted: str) -> Audience:
    """The audience named by `as` in the query. Raises Problem if its view is not open to the caller."""
    services, table = request.services, request.table
    own = await services.tables.seating.audience(table, request.player)
    if wanted in ("me", own):
        return own
    if wanted == PUBLIC:
        return PUBLIC
    state = (await services.tables.spectators.seen(table, request.player)).table
    if wanted != "all" and int(wanted.removeprefix("seat:")) >= len(state.players):
        raise invalid_query("as", f"must be a seat of the table, from seat:0 to seat:{len(state.players) - 1}")
    if state.running_deal is not None and await services.log.store.last_deal(table, version) > state.scored:
        raise Problem("deal-not-over", "this view is open when every deal up to the version is over")
    return HOUSE if wanted == "all" else wanted
