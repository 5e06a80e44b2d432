"""What happened at a table: its events, and the views that they made."""

from typing import Annotated

import msgspec
from litestar import Response, get
from litestar.params import PathParameter, QueryParameter

from domain.kernel.view import TableView
from domain.record.disclosure import Disclosure
from domain.record.envelope import served
from domain.seats import HOUSE, PUBLIC, Audience
from domain.table.state import Table
from service.http import guards, schemas
from service.http.guards import guarded
from service.http.min_version import at_least
from service.http.parameters import IfNoneMatch, Limit, MinVersion, TableId
from service.http.problems import Fault, Problem, invalid_query
from service.http.query import BIGGEST
from service.http.request import Ask
from service.http.responses import READING, at_version, joined, json, problems
from service.queries.tables import MOST_STEPS, Shown

As = Annotated[
    str,
    QueryParameter(
        name="as",
        pattern=r"^(me|public|all|seat:[0-9])$",
        description="Whose eyes to see with: `me` (without a token: the public), `public`, `seat:N`, or `all`; "
        "others than one's own only where every deal up to the version is over.",
    ),
]


@get(
    "/tables/{table:uuid}/events",
    operation_id="listEvents",
    summary="A table's events",
    description="Events in order, each with every section that the caller may open now.",
    tags=["Record"],
    opt=guarded(guards.table_exists),
    responses=READING,
)
async def events(
    request: Ask,
    table: TableId,
    after: Annotated[
        int, QueryParameter(name="after", ge=0, le=BIGGEST, description="Only events after this version.")
    ] = 0,
    limit: Limit = 100,
    min_version: MinVersion = None,
    if_none_match: IfNoneMatch = None,
) -> Response[schemas.Events]:
    """A page of events."""
    key, edge = str(table), request.edge
    await at_least(request, key, min_version)
    state = (await edge.tables.current(key)).table
    audience = await edge.reads.audience(key, request.caller)
    disclosure = Disclosure.of_table(state)
    records = await edge.tables.records(key, after, state.version, limit)
    items = joined([served(record, audience, over=disclosure.opens(record)) for record in records])
    return at_version(Shown(state.version, b'{"items":[%b],"version":%d}' % (items, state.version)), if_none_match)


@get(
    "/tables/{table:uuid}/replay/{version:int}",
    operation_id="getReplay",
    summary="A table at a version",
    description="The view at that version, as it was when it was the newest.",
    tags=["Record"],
    opt=guarded(guards.table_exists, guards.version_exists),
    responses=problems(404, 409),
)
async def replay(
    request: Ask,
    table: TableId,
    version: Annotated[int, PathParameter(description="The version, from 1.")],
    as_: As = "me",
) -> Response[TableView]:
    """The view at a version."""
    key = str(table)
    audience = await _audience(request, key, version, as_)
    shown = await request.edge.reads.view_at(key, version, audience)
    return json(shown.body, version=shown.version)


@get(
    "/tables/{table:uuid}/replay",
    operation_id="getReplayRange",
    summary="A table through its versions",
    description=f"The event and the view of each version in a range, at most {MOST_STEPS} of them.",
    tags=["Record"],
    opt=guarded(guards.table_exists),
    responses=problems(404, 409),
)
async def replay_range(
    request: Ask,
    table: TableId,
    from_: Annotated[int, QueryParameter(name="from", ge=1, le=BIGGEST, description="The first version.")] = 1,
    to: Annotated[
        int | None,
        QueryParameter(
            name="to", ge=1, le=BIGGEST, description="The last version; without it as many as there may be."
        ),
    ] = None,
    as_: As = "me",
) -> Response[schemas.Replay]:
    """The steps of a range of versions."""
    key = str(table)
    state = (await request.edge.tables.current(key)).table
    last = min(from_ + MOST_STEPS - 1, state.version) if to is None else to
    if max(from_, last) > state.version:
        raise Problem("no-such-version", f"the table is at version {state.version}")
    if last < from_ or last - from_ >= MOST_STEPS:
        raise invalid_query("to", f"must be from {from_} to {from_ + MOST_STEPS - 1}")
    audience = await _audience(request, key, last, as_)
    steps = await request.edge.reads.steps(key, from_, last, audience, Disclosure.of_table(state))
    return json(msgspec.json.encode({"steps": steps, "version": state.version}), version=state.version)


async def _audience(request: Ask, table: str, version: int, asked: str) -> Audience:
    """Who `asked` stands for, where the caller may see with those eyes. Raises Problem."""
    reads = request.edge.reads
    own = await reads.audience(table, request.caller)
    if asked in ("me", own):
        return own
    if asked == PUBLIC:
        return PUBLIC
    state = (await request.edge.tables.current(table)).table
    if asked != "all" and int(asked.removeprefix("seat:")) >= len(state.players):
        raise Problem(
            "invalid-query",
            f"the table has seats 0 to {len(state.players) - 1}",
            errors=(Fault("must be a seat of the table", parameter="as"),),
        )
    if not await _all_over(request, table, version, state):
        raise Problem("deal-not-over", "others' cards are shown when every deal up to the version is over")
    return HOUSE if asked == "all" else asked


async def _all_over(request: Ask, table: str, version: int, state: Table) -> bool:
    if state.deal is None or state.scored == state.deal:
        return True
    return await request.edge.reads.dealt_by(table, version) <= state.scored


HANDLERS = (events, replay, replay_range)
