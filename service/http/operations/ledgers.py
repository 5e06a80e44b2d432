"""Books: a table's ledger, a player's statement, the leaderboard."""

import csv
import io
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any
from urllib.parse import urlencode

import msgspec
from litestar import Response, get
from litestar.params import QueryParameter

from service.http import guards, schemas
from service.http.content_negotiation import CSV, JSON, acceptable
from service.http.guards import guarded
from service.http.min_version import at_least
from service.http.parameters import Cursor, GameName, IfNoneMatch, Limit, MinVersion, PlayerId, TableId
from service.http.problems import invalid_query
from service.http.request import Ask
from service.http.responses import READING, at_version, page, problems
from service.queries.tables import Page

COLUMNS = (
    "at", "game", "table", "deal", "version", "account", "with", "seat", "amount", "balance", "kind", "rule", "text",
    "events",
)  # fmt: skip

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a formula begins with, in a spreadsheet that opens a CSV file."""

TIME = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?([Zz]|[+-][0-9]{2}:[0-9]{2})$"


@get(
    "/tables/{table:uuid}/ledger",
    operation_id="getTableLedger",
    summary="A table's ledger",
    description="Balances, and every booked line with its rule, its text and the events that it rests on.",
    tags=["Ledgers"],
    opt=guarded(guards.table_exists),
    responses=READING,
)
async def table_ledger(
    request: Ask, table: TableId, min_version: MinVersion = None, if_none_match: IfNoneMatch = None
) -> Response[schemas.Ledger]:
    """A table's books."""
    key = str(table)
    floor = await at_least(request, key, min_version)
    return at_version(await request.edge.reads.ledger(key, floor), if_none_match)


@get(
    "/players/{player:uuid}/ledger",
    operation_id="getPlayerLedger",
    summary="A player's ledger",
    description="All booked lines of a player, newest first, with the running balance of each game; "
    "as CSV with `Accept: text/csv`, where the `Link` header names the next page.",
    tags=["Ledgers"],
    responses=problems(404),
    opt=guarded(guards.player_exists) | {"media_types": (JSON, CSV)},
)
async def statement(
    request: Ask,
    player: PlayerId,
    game: GameName = None,
    since: Annotated[
        str | None, QueryParameter(name="since", pattern=TIME, description="Only lines booked at or after this time.")
    ] = None,
    until: Annotated[
        str | None, QueryParameter(name="until", pattern=TIME, description="Only lines booked before this time.")
    ] = None,
    cursor: Cursor = None,
    limit: Limit = 50,
) -> Response[schemas.Statement]:
    """A player's booked lines."""
    found = await request.edge.reads.models.statement(
        str(player),
        game=game,
        since=_time("since", since),
        until=_time("until", until),
        cursor=cursor,
        limit=limit,
    )
    if acceptable(request, JSON, CSV) == JSON:
        answer = page(found)
        answer.headers["Vary"] = "Authorization, Accept"
        return answer
    headers = {"Vary": "Authorization, Accept"}
    if found.next is not None:
        kept = [(name, value) for name, value in request.query_params.multi_items() if name != "cursor"]
        following = urlencode([*kept, ("cursor", found.next)])
        headers["Link"] = f'</v1/players/{player}/ledger?{following}>; rel="next"'
    content: Any = _csv(found)
    return Response(content, media_type=CSV, headers=headers)


@get(
    "/leaderboard",
    operation_id="getLeaderboard",
    summary="The leaderboard of a game",
    description="Players by the sum of their booked lines, best first.",
    tags=["Ledgers"],
    responses=problems(),
)
async def leaderboard(
    request: Ask,
    game: Annotated[str, QueryParameter(name="game", min_length=1, max_length=64, description="The game's name.")],
    cursor: Cursor = None,
    limit: Limit = 50,
) -> Response[schemas.Leaderboard]:
    """A page of the leaderboard."""
    if game not in request.edge.games:
        raise invalid_query("game", f"must be one of {', '.join(request.edge.games)}")
    return page(await request.edge.reads.models.leaderboard(game, cursor=cursor, limit=limit))


def _time(name: str, text: str | None) -> datetime | None:
    """The time. Raises Problem."""
    if text is None:
        return None
    try:
        return datetime.fromisoformat(text.upper()).astimezone(UTC)
    except (ValueError, OverflowError):
        raise invalid_query(name, "must be a time, like 2026-11-20T10:00:00Z") from None


def _csv(found: Page) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    for item in found.items:
        line: Mapping[str, Any] = msgspec.json.decode(item)
        writer.writerow(_cell(line.get(name)) for name in COLUMNS)
    return text.getvalue().encode()


def _cell(value: object) -> object:
    """A cell of the table. A text that a spreadsheet would take for a formula is marked as a text for it."""
    if isinstance(value, list):
        return " ".join(map(str, value))
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value


HANDLERS = (table_ledger, statement, leaderboard)
