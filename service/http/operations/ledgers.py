"""A table's ledger, a player's statement, and the leaderboard."""

import csv
import io
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal
from urllib.parse import parse_qsl, urlencode
from uuid import UUID

import msgspec
from litestar import Response

from projections.cursors import LEADERBOARD, STATEMENT
from projections.models import Page
from service.describe.drawing.scores import ScoresDrawing
from service.describe.drawing.svg import POLICY
from service.describe.scores import ScoredLine, running_scores
from service.describe.texts import english
from service.http import guards, schemas
from service.http.archive_parameters import time
from service.http.content_negotiation import CSV, JSON, SVG, acceptable
from service.http.examples import CURSORS, DAY, NAMES, TABLE, Sample
from service.http.faults import one_of
from service.http.min_version import require_min_version
from service.http.operation import READS_TABLE, operation
from service.http.parameters import GameName, Limit, MinVersion, cursor_parameter, query
from service.http.problems import invalid_query
from service.http.query import time_in
from service.http.request import Request
from service.http.responses import BytesResponse, at_version, page
from service.queries.drawings import scores_drawn
from service.queries.statements import in_words, with_sentences

COLUMNS = (
    "at", "game", "table", "deal", "version", "account", "with", "seat", "amount", "balance", "kind", "rule", "text",
    "events", "sentence", "bots", "line",
)  # fmt: skip

SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t"}

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""The characters with which a spreadsheet that opens a CSV file begins a formula."""


def _ledger_example(sample: Sample) -> Any:
    played = sample.played
    return {"replay": f"/v1/tables/{TABLE}/replay/{{version}}", **played.ledger, "lines": played.lines[:4]}


@operation(
    "GET",
    "/v1/tables/{table:uuid}/ledger",
    tag="Ledgers",
    summary="A table's ledger",
    description="The balances, and every booked line with its rule, its text and the events that it is based on.",
    answers="The ledger.",
    cost=2,
    **READS_TABLE,
    example=_ledger_example,
)
async def get_table_ledger(request: Request, min_version: MinVersion = None) -> Response[schemas.Ledger]:
    """The table's ledger, at least at `min_version`. Raises Problem if the table has not reached it."""
    floor = await require_min_version(request, min_version)
    return at_version(
        await request.services.edge.queries.ledger(request.table, request.player, floor), request.known_tags
    )


def _scores_example(sample: Sample) -> Any:
    """What a drawing says in words, without what it shows."""
    played = sample.played
    course, options = played.game.course, played.history(played.version).table.options
    lines = msgspec.convert(played.lines, tuple[ScoredLine, ...])
    scores = running_scores(lines, course.seats(options), course.sides(options))
    drawn = ScoresDrawing(played.game, scores, english()).svg().decode()
    return drawn.partition("<style>")[0] + "</svg>"


@operation(
    "GET",
    "/v1/tables/{table:uuid}/scores.svg",
    tag="Ledgers",
    summary="A table's running scores, as a picture",
    description="The totals after each deal, a line for each seat or side, drawn in SVG in light and dark. A line that "
    "was booked later counts for its own deal. Seats have no names.",
    answers="The picture.",
    cost=30,
    **READS_TABLE,
    media_types=(SVG,),
    example=_scores_example,
)
async def get_scores_drawing(request: Request, min_version: MinVersion = None) -> Response[bytes]:
    """The table's ledger, at least at `min_version`, as a drawing. Raises Problem if the table has not reached it."""
    services, table = request.services, request.table
    floor = await require_min_version(request, min_version)
    state = (await services.tables.spectators.seen(table, request.player)).table
    ledger = await services.edge.queries.ledger(table, request.player, floor)
    drawing = await scores_drawn(services.edge.heavy, table, services.reader.of(state), state.options, ledger)
    return at_version(drawing, request.known_tags, media_type=SVG, headers={"Content-Security-Policy": POLICY})


def _statement_example(sample: Sample) -> Any:
    played, balance = sample.played, 0
    lines = []
    for line in played.lines:
        if line["seat"] == 0:
            balance += line["amount"]
            at = played.records[line["version"] - 1].at
            sentence = in_words(line, played.game, NAMES)
            lines.append(
                line
                | {"table": TABLE, "game": played.game.name, "at": at, "bots": False}
                | {"balance": balance, "sentence": sentence}
            )
    return {"items": lines[::-1][:3], "next": None}


@operation(
    "GET",
    "/v1/players/{player:uuid}/ledger",
    tag="Ledgers",
    summary="A player's ledger",
    description="All booked lines of a player, newest first, with the running balance of each game, and each with its "
    "`text` as recorded and a `sentence` that names players and shows cards as people write them. Lines of tables at "
    "which bots took part are marked, and change no balance, record or leaderboard. Lines of unlisted "
    "and private tables, and balances that include them, are shown only to the player. With `Accept: text/csv` the "
    "response is CSV, and its `Link` header names the next page. `bom=true`, or a `separator` other than `comma`, "
    "means CSV as well.",
    answers="A page of lines, newest first.",
    cost=3,
    guards=(guards.player_exists,),
    client_scope="read",
    media_types=(JSON, CSV),
    answer_headers=("Link",),
    other_examples={
        CSV: ("A header row, then one row for each line.", lambda sample: _csv(_statement_example(sample)["items"][:1]))
    },
    example=_statement_example,
)
async def get_player_ledger(
    request: Request,
    player: UUID,
    game: GameName = None,
    since: Annotated[str | None, time("since", "Only lines booked at or after this time.", f"{DAY}T00:00:00Z")] = None,
    until: Annotated[str | None, time("until", "Only lines booked before this time.", f"{DAY}T23:59:59Z")] = None,
    bom: Annotated[
        Literal["true", "false"],
        query("bom", "Whether a byte order mark precedes the CSV, by which spreadsheets know UTF-8.", "true"),
    ] = "false",
    separator: Annotated[
        Literal["comma", "semicolon", "tab"],
        query("separator", "What separates the values of a row of CSV.", "semicolon"),
    ] = "comma",
    cursor: Annotated[str | None, cursor_parameter(CURSORS[STATEMENT])] = None,
    limit: Limit = 50,
) -> Response[schemas.Statement]:
    """A page of a player's statement, as JSON or CSV.

    Raises Problem for a malformed time, and if the query means CSV and the caller does not accept it.
    """
    services, media_type = request.services, request.media_type
    start, end = time_in("since", since), time_in("until", until)
    if bom == "true" or separator != "comma":
        media_type = acceptable(request.lines, (CSV,))
    listed = await services.edge.queries.models.statement(
        str(player),
        own=str(player) == request.player,
        game=game,
        since=start,
        until=end,
        cursor=cursor,
        limit=limit,
    )
    lines = await with_sentences(
        listed.items, services.edge.queries.models, services.players.accounts, services.reader.games
    )
    if media_type == JSON:
        answer = page(Page([msgspec.json.encode(line) for line in lines], listed.next))
        answer.headers["Vary"] = "Authorization, Accept"
        return answer
    headers = {"Vary": "Authorization, Accept"}
    if listed.next is not None:
        given = parse_qsl(request.query.decode(), keep_blank_values=True)
        query = urlencode([*(one for one in given if one[0] != "cursor"), ("cursor", listed.next)])
        headers["Link"] = f'</v1/players/{player}/ledger?{query}>; rel="next"'
    content = _csv(lines, SEPARATORS[separator]).encode("utf-8-sig" if bom == "true" else "utf-8")
    table: Response[Any] = BytesResponse(content, status=200, media_type=f"{CSV}; charset=utf-8", headers=headers)
    return table


def _leaderboard_example(sample: Sample) -> Any:
    played = sample.played
    table = played.history(played.version).table
    order = sorted(range(len(table.totals)), key=lambda seat: -table.totals[seat])
    items = [
        {
            "rank": 1 + sum(total > table.totals[seat] for total in table.totals),
            "player": table.players[seat],
            "total": table.totals[seat],
            "games": 1,
            "wins": int(seat in (table.winners or ())),
        }
        for seat in order
    ]
    return {"items": items, "next": None}


@operation(
    "GET",
    "/v1/leaderboard",
    tag="Ledgers",
    summary="The leaderboard of a game",
    description="The players of a game by the sum of their booked lines, highest first.",
    answers="A page of players.",
    client_scope="any",
    example=_leaderboard_example,
)
async def get_leaderboard(
    request: Request,
    game: Annotated[str, query("game", "The game's name.", min_length=1, max_length=64)],
    cursor: Annotated[str | None, cursor_parameter(CURSORS[LEADERBOARD])] = None,
    limit: Limit = 50,
) -> Response[schemas.Leaderboard]:
    """A page of the leaderboard. Raises Problem for an unknown game."""
    services = request.services
    if game not in services.reader.games:
        raise invalid_query("game", f"must be {one_of(tuple(services.reader.games))}")
    return page(await services.edge.queries.models.leaderboard(game, cursor=cursor, limit=limit))


def _csv(lines: Iterable[Mapping[str, Any]], separator: str = ",") -> str:
    """The lines as a CSV table."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator)
    writer.writerow(COLUMNS)
    for line in lines:
        writer.writerow(_cell(line.get(name)) for name in COLUMNS)
    return text.getvalue()


def _cell(value: object) -> object:
    """A cell of the CSV table. An apostrophe precedes text that a spreadsheet would take for a formula."""
    if isinstance(value, list):
        return " ".join(map(str, value))
    if isinstance(value, bool):
        return str(value).lower()
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value
