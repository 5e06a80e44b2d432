"""The pages for people, and the files that they load."""

import re
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from litestar import Response, get
from litestar.params import PathParameter, QueryParameter

from domain.record.catalogue import UnknownEvent
from domain.record.disclosure import Disclosure
from domain.table.state import Table, opponent_at
from service import pages
from service.auth.names import labels
from service.commands.cache import NoSuchTable
from service.describe.texts import english
from service.http import guards
from service.http.guards import looks
from service.http.operations.events import LOOKED_AT_S
from service.http.problems import Problem
from service.http.query import BIGGEST
from service.http.request import Request, RoutedRequest
from service.http.responses import BytesResponse, unless_unchanged
from service.pages.deal_job import render_deal

if TYPE_CHECKING:
    from service.services import Services


@get("/", include_in_schema=False)
async def home(request: RoutedRequest) -> Response[Any]:
    """The first page for people."""
    return _file(request.prepared, pages.SCRIPTED.home)


@get("/new", include_in_schema=False)
async def new(request: RoutedRequest) -> Response[Any]:
    """The page at which a person sets up a table."""
    return _file(request.prepared, pages.SCRIPTED.new)


@get("/tables", include_in_schema=False)
async def tables(request: RoutedRequest) -> Response[Any]:
    """The page of current and past tables."""
    return _file(request.prepared, pages.SCRIPTED.tables)


@get("/disputes", include_in_schema=False)
async def disputes(request: RoutedRequest) -> Response[Any]:
    """The page of disputes at all tables."""
    return _file(request.prepared, pages.SCRIPTED.disputes)


@get("/disputes/{table:uuid}/{dispute:int}", include_in_schema=False)
async def dispute(request: RoutedRequest) -> Response[Any]:
    """The page of a dispute. Its script takes table and number from the address, and says if there is none."""
    return await _of_table(request.prepared, pages.SCRIPTED.desk)


@get("/players/{player:uuid}", include_in_schema=False)
async def player(request: RoutedRequest) -> Response[Any]:
    """The page of a player. Its script takes the player's id from the address, and says if there is none."""
    return _file(request.prepared, pages.SCRIPTED.player)


@get(["/leaderboard", "/leaderboard/{game:str}"], include_in_schema=False)
async def leaderboard(
    request: RoutedRequest, game: Annotated[str | None, PathParameter(description="The game's name.")] = None
) -> Response[Any]:
    """The page of a game's best players, by default the first game's. Raises Problem if no game has this name."""
    if game is not None and game not in request.prepared.services.reader.games:
        raise Problem("no-such-game", "no game of this name is offered")
    return _file(request.prepared, pages.SCRIPTED.leaderboard)


@get("/docs", include_in_schema=False)
async def docs(request: RoutedRequest) -> Response[Any]:
    """The page that presents the OpenAPI document."""
    return _file(request.prepared, pages.SCRIPTED.docs)


@get("/docs/viewer", include_in_schema=False)
async def viewer(request: RoutedRequest) -> Response[Any]:
    """The viewer within that page."""
    return _file(request.prepared, pages.SCRIPTED.viewer)


@get("/replay/{table:uuid}", include_in_schema=False)
async def replay(request: RoutedRequest) -> Response[Any]:
    """The page on which a table's game is stepped through."""
    return await _of_table(request.prepared, pages.SCRIPTED.replay)


@get("/play/{table:uuid}", include_in_schema=False)
async def play(request: RoutedRequest) -> Response[Any]:
    """The page at which a person plays at a table."""
    return await _of_table(request.prepared, pages.SCRIPTED.play)


@get("/page/{name:path}", include_in_schema=False)
async def file(
    request: RoutedRequest, name: Annotated[str, PathParameter(description="The file's path.")]
) -> Response[Any]:
    """One of the pages' files. Raises Problem if none is there."""
    wanted = pages.FILES.get(str(name).removeprefix("/"))
    if wanted is None:
        raise Problem("no-such-route", "there is no such file")
    return _file(request.prepared, wanted)


@get(["/robots.txt", "/favicon.ico"], include_in_schema=False)
async def at_root(request: RoutedRequest) -> Response[Any]:
    """A file that crawlers and browsers look for at an address that no page names."""
    return _file(request.prepared, pages.AT_ROOT[request.prepared.path])


async def _of_table(seeker: Request, page: pages.File) -> Response[Any]:
    """The page of a table. Its script takes the table's id from the address.

    If the table does not exist or the caller may not see it, the same page is sent with status 404: a browser opens a
    page without a token, and the page's script may have one for the table.
    """
    try:
        seen = await looks(seeker.services, seeker.table, seeker.query, seeker.bearer)
    except NoSuchTable:
        seen = False
    return (
        _file(seeker, page)
        if seen
        else BytesResponse(page.body, status=404, media_type=page.media_type, headers=page.headers)
    )


@get("/games", include_in_schema=False)
async def games(request: RoutedRequest) -> Response[Any]:
    """The page of the games offered."""
    return _file(request.prepared, request.prepared.interface.games_page)


@get("/games/{game:str}", include_in_schema=False)
async def game(
    request: RoutedRequest,
    game: Annotated[str, PathParameter(description="The game's name.")],
    rules_version: Annotated[int | None, QueryParameter(ge=1, le=BIGGEST, description="The rules' version.")] = None,
) -> Response[Any]:
    """The rules of a game, by default the newest. Raises Problem if no game has this name, or no rules this version."""
    interface, known = request.prepared.interface, request.prepared.services.reader.games
    if game not in known:
        raise Problem("no-such-game", "no game of this name is offered")
    try:
        return _file(request.prepared, await interface.game_page(game, rules_version))
    except UnknownEvent:
        raise Problem("no-such-game", f"the rules of {game} have no version {rules_version}") from None


@get("/replay/{table:uuid}/deal/{deal:int}", include_in_schema=False)
async def deal(
    request: RoutedRequest, deal: Annotated[int, PathParameter(description="The deal's number.")]
) -> Response[Any]:
    """A deal on one page, to be read and printed, as the caller may see it. Raises NoSuchTable and NoSuchDeal."""
    seeker = request.prepared
    services, table = seeker.services, seeker.table
    guards.number(seeker, "deal")
    await guards.may_look(seeker)
    history = await services.spectators.seen(table, seeker.player)
    state, disclosure = history.table, Disclosure.of_table(history.table)
    audience = await services.seating.audience(table, seeker.player)
    ledger = await services.queries.ledger(table, seeker.player)
    lines = [line for line in msgspec.json.decode(ledger.body)["lines"] if line["deal"] == deal]
    names = await _names(services, state)
    arguments = (table, deal, history.version, audience, disclosure, state.players, names, lines)
    key = ("deal-page", *arguments[:4], history.head, ledger.version, state.texts, tuple(sorted(names.items())))
    seeker.spending.add(history.version * LOOKED_AT_S)
    body = await services.heavy.kept(
        key, lambda: services.heavy.run(seeker.spending, render_deal, *arguments, events=history.version)
    )
    page = pages.rendered(body)
    # No cache stores what one caller may see.
    headers = {**page.headers, "Cache-Control": "no-store"}
    return BytesResponse(page.body, status=200, media_type=page.media_type, headers=headers)


async def _names(services: "Services", state: Table) -> dict[str, str]:
    """The names of a table's players by id, told apart where they look alike, as scripts have them."""
    known = await services.accounts.players([player for player in state.players if player])
    texts = english()
    erased = texts.plain("seat.erased")
    names = {player: erased if profile.name is None else profile.name for player, profile in known.items()}
    bots = {
        player: (seat, opponent_at(state, seat))
        for seat, player in enumerate(state.players)
        if player and player not in names
    }
    return labels(names) | texts.bots(bots)


def _file(request: Request, wanted: pages.File) -> Response[Any]:
    return unless_unchanged(wanted, request)


_PAGES = (new, tables, disputes, dispute, player, leaderboard, docs, viewer, games, game, replay, play, deal)

PATHS = re.compile("|".join(re.sub(r"{.*?}", r"[\\w.~-]+", path) for page in _PAGES for path in page.paths), re.ASCII)
"""Matches the paths of pages other than the first, whatever stands for their parameters."""

HANDLERS = (home, *_PAGES, file, at_root)
