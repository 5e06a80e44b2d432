"""Records as files: a table's, that proves itself; sent to be checked; and a player's, taken along."""

from collections.abc import AsyncGenerator
from typing import Annotated, Any
from uuid import UUID

from litestar import Response

from domain.audit.auditor import audit
from domain.record import export
from domain.record.export import MEDIA_TYPE
from domain.seats import PUBLIC
from service.http import archive_parameters as by
from service.http import body, guards
from service.http.charges import BYTE_COST, PER_SECOND
from service.http.content_negotiation import takes_gzip
from service.http.examples import DAY, PLAYERS, TABLE, Sample
from service.http.forms import AS
from service.http.min_version import check_min_version
from service.http.operation import READS_TABLE, operation
from service.http.parameters import GameName, MinVersion, query
from service.http.preconditions import is_unchanged
from service.http.problems import Problem, invalid_query
from service.http.query import time_in
from service.http.request import Request
from service.http.responses import BytesResponse, PiecesResponse
from service.queries.deal_audits import DealAudit
from service.queries.exports import export_pieces, prepare_export
from service.queries.finished_games import FinishedGames, NotInList, WantedGames
from service.queries.player_exports import PlayerExports, packed
from service.queries.record_checks import NoSuchSeat, RecordAudit, RecordVerification, frame, record_pieces

MOST_BYTES = 8 * 1024 * 1024
"""The most bytes of a file."""

MOST_LINES = 20_000
"""The most lines of a file: several times those of a record of as many bytes."""

ANY_FILE = "application/octet-stream"
"""The media type that programs give a file of which they know nothing. Those that make clients know it, too."""

PACKED = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"PK\x03\x04")
"""The first bytes of what gzip, Zstandard and ZIP have compressed."""


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
    **READS_TABLE,
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
    return PiecesResponse(first, pieces, media_type=MEDIA_TYPE, headers=headers)


def record_frames(sample: Sample) -> list[tuple[str, Any]]:
    """A frame of each kind, with its data, of a table that was opened. Audits and lines are from its end."""
    played = sample.played
    audited = DealAudit.of(audit(played.reader, played.records, 1))
    few = DealAudit(audited.verdict, audited.checks[:1])
    verification = RecordVerification("intact", TABLE, played.game.name, PUBLIC, 1, few.checks, 0, (), None)
    view = played.view(1, PUBLIC)
    return [
        ("verification", verification),
        ("table", view),
        ("ledger", played.ledger | {"lines": played.ledger["lines"][:1]}),
        ("audit", RecordAudit(1, few)),
        ("step", {"version": 1, "event": played.event(1, PUBLIC), "changed": list(view), "view": view}),
    ]


def _example(sample: Sample) -> str:
    first, *_, last = record_frames(sample)
    return b"".join(frame(kind, data) for kind, data in (first, last)).decode()


@operation(
    "POST",
    "/v1/records/check",
    tag="Record",
    summary="A record checked from its file",
    description="Verifies a file as `GET /v1/tables/{table}/export` and `codille verify` have it, of this service or "
    "of another, and steps through it. Nothing is stored. The answer is lines of JSON: the verification; the table, "
    "its ledger and the audit of each deal that is over, as far as the events can be followed; then each event with "
    "the view after it. Where this service does not know the rules that the table pinned, events "
    f"have no views. A file has at most 8 MiB and {MOST_LINES} lines, and is not compressed. It is read when its turn "
    "has come.",
    answers="The verification, then the record.",
    cost=3000,
    kept_cost=20,
    client_scope="any",
    takes=ANY_FILE,
    requests=lambda sample: {"a record that is cut off": exported_lines(sample)},
    media_types=(MEDIA_TYPE,),
    line="RecordFrame",
    other_examples={MEDIA_TYPE: ("Each line is a RecordFrame.", _example)},
)
async def check_record(
    request: Request,
    as_: Annotated[
        str,
        query(
            "as",
            "Whose views the steps have: of the audience that the file was exported for (`me`), `public`, `seat:N` or "
            "`all`. After the last version up to which every deal is over they are those of the file's audience.",
            "all",
            pattern=AS,
        ),
    ] = "me",
) -> Response[bytes]:
    """The verification and the steps of the file. Raises Problem, Busy, Left and JobLost."""
    body.check_media_type(request.lines, (MEDIA_TYPE, ANY_FILE))
    if request.headers.get(b"content-encoding", b"identity").lower() != b"identity":
        raise _packed()
    pieces = _pieces(request, as_)
    first = await anext(pieces)
    return PiecesResponse(first, pieces, media_type=MEDIA_TYPE, headers={"Vary": "Authorization"})


async def _pieces(request: Request, eyes: str) -> AsyncGenerator[bytes, None]:
    """The pieces of the answer, from the turn of the request to its end: so long the file is in memory."""
    services = request.services
    keys = [str(key.verifier) for key in await services.log.transparency.keys()]
    files = services.edge.heavy.files
    # That the client has left is noticed when its file is read.
    await files.acquire(request.spending.origin)
    try:
        data = await body.read(request.headers, request.receive, MOST_BYTES)
        if data.startswith(PACKED):
            raise _packed()
        if data.count(b"\n") > MOST_LINES:
            raise Problem("body-too-large", f"a record may have {MOST_LINES} lines")
        request.spending.add(len(data) * BYTE_COST / PER_SECOND)
        pieces = record_pieces(services.edge.heavy, keys, data, eyes, request.spending)
        del data
        async for piece in pieces:
            yield piece
    except NoSuchSeat as error:
        (seats,) = error.args
        raise invalid_query("as", f"must be a seat of the table, from seat:0 to seat:{seats - 1}") from None
    finally:
        files.release()


@operation(
    "GET",
    "/v1/players/{player:uuid}/records.ndjson",
    tag="Record",
    summary="The records of all finished games of a player",
    description="The exports of the player's finished games, one after the other, newest first: each header's line "
    "begins the next. A player gets their own games with what they knew, and also those that lists do not show; "
    "everybody else gets those that lists show, as the public sees them. Filters are the archive's, but "
    "by when games were finished, and by whether any of their deals was disputed or corrected. The stream is sent as "
    "it is made, packed by gzip for `Accept-Encoding: gzip`. Where the quota is used up it pauses until the quota "
    "starts over. A stream that ended early is resumed `after` the last table whose record came whole. `codille "
    "verify` checks the file.",
    answers="The records.",
    cost=2700,
    kept_cost=50,
    guards=(guards.player_exists,),
    client_scope="read",
    media_types=(MEDIA_TYPE,),
    example=exported_lines,
)
async def get_player_records(
    request: Request,
    player: UUID,
    after: Annotated[
        UUID | None, query("after", "Only tables after this one in the order of the stream.", TABLE)
    ] = None,
    game: GameName = None,
    rules_version: by.RulesVersion = None,
    option: by.Option = None,
    among: Annotated[
        list[UUID] | None, query("with", "Only with this player, too; may be repeated.", [PLAYERS[1]], max_items=5)
    ] = None,
    since: Annotated[str | None, by.time("since", "Only finished at or after this time.", f"{DAY}T00:00:00Z")] = None,
    until: Annotated[str | None, by.time("until", "Only finished before this time.", f"{DAY}T23:59:59Z")] = None,
    bots: by.WithBots = None,
    disputed: by.Disputed = None,
    corrected: by.Corrected = None,
) -> Response[bytes]:
    """The records of a player. Raises Problem if there is no such player or table or the query is invalid, and Busy
    for the first of them.
    """
    services = request.services
    if request.profile is None or request.profile.name is None:
        raise Problem("no-such-player", "no player has this id")
    own = str(player) == request.player
    log, tables = services.log, services.tables
    exports = PlayerExports(log.store, log.transparency, services.edge.heavy, tables.spectators, tables.seating)
    by.require_game(game, rules_version=rules_version, option=option)
    wanted = WantedGames(
        game=game,
        rules_version=rules_version,
        options=by.options_of(services.reader.games.get(game or ""), option or ()),
        players=tuple(dict.fromkeys(map(str, among or ()))),
        since=time_in("since", since),
        until=time_in("until", until),
        bots=by.flag(bots),
        flags={"disputed": by.flag(disputed), "corrected": by.flag(corrected)},
    )
    tables_after = None if after is None else str(after)
    found = FinishedGames(services.edge.archive).of_player(
        str(player), wanted, request.spending, own=own, after=tables_after
    )
    pieces = exports.pieces(found, request.player, request.spending)
    headers = {
        "Vary": "Authorization, Accept-Encoding",
        "Content-Disposition": f'attachment; filename="codille-{player}.ndjson"',
    }
    if takes_gzip(request.headers):
        pieces, headers["Content-Encoding"] = packed(pieces), "gzip"
    try:
        first = await anext(pieces, b"")
    except NotInList:
        raise invalid_query("after", "must be a finished table of the player") from None
    return PiecesResponse(first, pieces, media_type=MEDIA_TYPE, headers=headers, slows=True)


def _packed() -> Problem:
    return Problem(
        "unsupported-media-type", "the record must not be compressed", headers={"Accept-Encoding": "identity"}
    )
