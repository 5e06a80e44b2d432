"""Streams: events as they happen."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from litestar import Response

from domain.seats import PUBLIC, Audience
from service.http import guards, schemas
from service.http.examples import PLAYERS, TABLE, Sample
from service.http.min_version import check_version
from service.http.operation import operation
from service.http.operations.tables import table_summary
from service.http.parameters import query
from service.http.problems import position_beyond_end
from service.http.query import BIGGEST, BIGGEST_POSITION
from service.http.request import Request
from service.http.responses import json
from service.http.streaming import streamed, subscriber_of
from service.live.frame_contents import (
    LobbySnapshot,
    Notice,
    PlayerSnapshot,
    PlayersTable,
    PresenceChange,
    SeatPresence,
    TableSnapshot,
)
from service.live.frames import DETAILS, NDJSON, RETRY_MS, SSE, Dropped, Form, Kind, dropped, frame
from service.live.table_stream import WantedTable
from service.live.whole_acts import with_more

FORMS = (SSE, NDJSON)


Frames: TypeAlias = Sequence[tuple[Kind, int | None, Any]]
"""Frames by kind, with their ids and contents."""


def _written(frames: Frames, form: Form) -> str:
    """The frames as they are sent."""
    return b"".join(
        dropped(form, data.reason) if isinstance(data, Dropped) else frame(form, kind, msgspec.json.encode(data), place)
        for kind, place, data in frames
    ).decode()


def _in_both_forms(frames: Callable[[Sample], Frames]) -> dict[str, Any]:
    """Examples of a stream's response."""
    return {
        "example": lambda sample: _written(frames(sample), SSE),
        "other_examples": {
            NDJSON: ("The same frames as lines of JSON.", lambda sample: _written(frames(sample), NDJSON))
        },
    }


END: Frames = (("dropped", None, Dropped("stopping", DETAILS["stopping"], RETRY_MS)),)
"""The last frame of the examples."""


def table_frames(sample: Sample) -> Frames:
    """A table's stream that begins within a deal."""
    played = sample.played
    version = played.midway()[0]
    snapshot = TableSnapshot(version, msgspec.Raw(msgspec.json.encode(played.view(version, PUBLIC))))
    seats = range(len(played.history(version).table.players))
    here = PresenceChange(TABLE, tuple(SeatPresence(seat, seat != 1) for seat in seats))
    event = streamed_event(sample, version + 1)
    return ("snapshot", version, snapshot), ("presence", None, here), ("event", version + 1, event), *END


def streamed_event(sample: Sample, version: int, audience: Audience = PUBLIC) -> dict[str, Any]:
    """An event in a stream, as the audience receives it."""
    return dict(sample.played.event(version, audience), more=_more(sample, version))


def _more(sample: Sample, version: int) -> bool:
    """Whether another event of the same act follows the one at this version."""
    _, more = next(with_more(sample.played.records[version - 1 : version + 1]))
    return more


def player_frames(sample: Sample) -> Frames:
    """The stream of the player who is next to act."""
    played = sample.played
    version, seat, _ = played.midway()
    event = played.event(version, PUBLIC)
    position, table, game, at = (event[name] for name in ("position", "table", "game", "at"))
    listed = PlayersTable(table, game, "playing", version - 1, seat, your_turn=False)
    snapshot = PlayerSnapshot(position - 1, PLAYERS[seat], (listed,))
    notice = Notice(position, table, game, version, at, seat, ("your-turn",), _more(sample, version))
    return ("snapshot", position - 1, snapshot), ("event", position, notice), *END


def lobby_frames(sample: Sample) -> Frames:
    """The lobby's stream as the first player takes a seat at a table."""
    event = streamed_event(sample, 2)
    position = event["position"]
    tables = (msgspec.Raw(msgspec.json.encode(table_summary(sample.played, 1))),)
    return ("snapshot", position - 1, LobbySnapshot(position - 1, tables)), ("event", position, event), *END


After = Annotated[
    int | None,
    query("after", "The stream begins after this version (from 0) instead of with a snapshot.", 0, ge=0, le=BIGGEST),
]
View = Annotated[
    Literal["true", "false"],
    query("view", "Whether each event's frame has the caller's view after the event, as `view`.", "true"),
]
WithOffers = Annotated[
    Literal["true", "false"],
    query(
        "offers",
        "Whether the snapshot and the last frame of each act (`more` is false) have the caller's offers at "
        "that version, as `offers`; a caller without a seat has none.",
        "true",
    ),
]


@operation(
    "GET",
    "/v1/tables/{table:uuid}/events/stream",
    tag="Streams",
    summary="A table's events as they happen",
    description="First a `snapshot` frame with the caller's view, then each event in an `event` frame as the caller "
    "may see it at that moment, with its version as `id`; `more` says whether another event of the same act follows at "
    "once. With `Last-Event-ID` or `after` there is no snapshot, and the events after that version come first, each "
    "once and without gaps. Comments, or empty lines, show that the stream is alive. A `presence` frame, without an "
    "`id`, gives the seats whose players are connected: once the snapshot or the missed events have come, and whenever "
    "that changes. A `dropped` frame gives the reason if "
    "the service ends a stream: the client does not read, the token is no longer valid, the caller may no longer see "
    "the private table, or the process stops. Browsers read streams with `fetch`, since `EventSource` sends no token.",
    answers="The frames, for as long as the client reads them.",
    cost=20,
    guards=(guards.table_exists,),
    client_scope="read",
    headers=("Last-Event-ID",),
    media_types=FORMS,
    problems=("version-beyond-head",),
    stream="table",
    fast=True,
    **_in_both_forms(table_frames),
)
async def stream_events(
    request: Request, after: After = None, view: View = "false", offers: WithOffers = "false"
) -> Response[bytes]:
    """The table's stream. Raises Problem for a version that the table has not reached."""
    services = request.services
    if request.last_event_id is not None:
        after = request.last_event_id
    if after:
        head = await services.tables.spectators.version(request.table, request.player)
        check_version("after" if request.last_event_id is None else "Last-Event-ID", after, head)
    wanted = WantedTable(request.table, after, view == "true", offers == "true")
    private = (await services.tables.cache.table_options(request.table)).visibility == "private"
    subscriber = subscriber_of(request, request.table if private else "")
    stream = services.edge.streams.tables.open(wanted, subscriber, request.spending)
    return await streamed(request, "table", subscriber, stream)


@operation(
    "GET",
    "/v1/tables/{table:uuid}/presence",
    tag="Streams",
    summary="Who is connected",
    description="The seats whose players are connected: they have a stream of the table or their own stream, or a "
    "waiting read of the table, or had one a few seconds ago. This is not part of the view. The table's stream reports "
    "changes in `presence` frames with all seats, after about a second, or a few seconds for changes in other "
    "processes. Such a frame has no `id`; a stream that begins or resumes has one of who is connected then.",
    answers="The connected seats.",
    cost=2,
    guards=(guards.table_exists,),
    client_scope="read",
    links=(("stream", "streamEvents", {"table": "$response.body#/table"}),),
    example=lambda _: {
        "table": TABLE,
        "seats": [{"seat": 0, "connected": True}, {"seat": 1, "connected": False}, {"seat": 2, "connected": True}],
        "complete": True,
    },
)
async def get_presence(request: Request) -> Response[schemas.Presence]:
    """The seats whose players are connected."""
    connected = await request.services.edge.presence.connected(request.table)
    seats = tuple(SeatPresence(seat, here) for seat, here in enumerate(connected.seats))
    return json(schemas.Presence(request.table, seats, connected.complete))


FAR = (
    "A stream resumes over at most 10,000 positions of the log; from further back it starts over, with a `reset` frame "
    "instead of the snapshot. While nothing happens, a `ping` frame without content moves the `id`, so that a quiet "
    "stream does not fall behind; among lines of JSON it is an empty line."
)

AfterPosition = Annotated[
    int | None,
    query(
        "after",
        "The stream begins after this position of the log instead of with a snapshot.",
        90211,
        ge=0,
        le=BIGGEST_POSITION,
    ),
]


async def _resumed_after(request: Request, after: int | None) -> int | None:
    """The position after which a stream of the whole log begins. Raises Problem if the log has not reached it."""
    given = after if request.last_event_id is None else request.last_event_id
    if given and given > await request.services.log.store.end():
        raise position_beyond_end(parameter="after" if request.last_event_id is None else "Last-Event-ID")
    return given


@operation(
    "GET",
    "/v1/players/me/stream",
    tag="Streams",
    summary="What calls for the caller",
    description="First a `snapshot` frame with the caller's tables that are not over, and whether it is the caller's "
    "turn there. Then an `event` frame for each event that concerns the caller there, or at tables joined later: "
    "`notices` has one or more of `your-turn`, `game-started`, `deal-scored`, `game-over`, `table-closed` and "
    "`dispute-ruled`, or `rematch`, for a table that keeps the caller a seat. The `id` is the event's position "
    "in the log. " + FAR,
    answers="The frames, for as long as the client reads them.",
    cost=30,
    guards=(guards.authenticated,),
    client_scope="read",
    headers=("Last-Event-ID",),
    media_types=FORMS,
    problems=("position-beyond-end",),
    stream="player",
    **_in_both_forms(player_frames),
)
async def stream_player(request: Request, after: AfterPosition = None, view: View = "false") -> Response[bytes]:
    """The caller's stream. Raises Problem for a position that the log has not reached."""
    subscriber = subscriber_of(request)
    after = await _resumed_after(request, after)
    stream = request.services.edge.streams.players.open(after, subscriber, request.spending, views=view == "true")
    return await streamed(request, "player", subscriber, stream)


@operation(
    "GET",
    "/v1/tables/stream",
    tag="Streams",
    summary="The lobby as it changes",
    description="First a `snapshot` frame with the open and the running tables, the newest 200 of each. Then an "
    "`event` frame for each event by which a table opens, fills, empties, begins, finishes or closes, as the public "
    "sees it. The `id` is the event's position in the log. " + FAR,
    answers="The frames, for as long as the client reads them.",
    cost=20,
    client_scope="read",
    headers=("Last-Event-ID",),
    media_types=FORMS,
    problems=("position-beyond-end",),
    stream="lobby",
    **_in_both_forms(lobby_frames),
)
async def stream_lobby(request: Request, after: AfterPosition = None) -> Response[bytes]:
    """The lobby's stream. Raises Problem for a position that the log has not reached."""
    subscriber = subscriber_of(request)
    stream = request.services.edge.streams.lobby.open(await _resumed_after(request, after), subscriber)
    return await streamed(request, "lobby", subscriber, stream)
