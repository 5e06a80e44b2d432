"""The pages for people, and the files that they load."""

from typing import Annotated, Any

from litestar import Response, get
from litestar.params import PathParameter, QueryParameter

from domain.record.catalogue import UnknownEvent
from service import pages
from service.commands.cache import NoSuchTable
from service.http.guards import looks
from service.http.problems import Problem
from service.http.query import BIGGEST
from service.http.request import Request, RoutedRequest
from service.http.responses import BytesResponse, unless_unchanged


@get("/", include_in_schema=False)
async def home(request: RoutedRequest) -> Response[Any]:
    """The first page for people."""
    return _file(request.prepared, pages.HOME)


@get("/docs", include_in_schema=False)
async def docs(request: RoutedRequest) -> Response[Any]:
    """The page that presents the OpenAPI document."""
    return _file(request.prepared, pages.DOCS)


@get("/replay/{table:uuid}", include_in_schema=False)
async def replay(request: RoutedRequest) -> Response[Any]:
    """The page of a table. Its script takes the table's id from the address.

    If the table does not exist or the caller may not see it, the same page is sent with status 404: a browser opens a
    page without a token, and the page's script may have one for the table.
    """
    seeker = request.prepared
    try:
        seen = await looks(seeker.services, seeker.table, seeker.query, seeker.bearer)
    except NoSuchTable:
        seen = False
    page = pages.REPLAY
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


@get("/page/{name:str}", include_in_schema=False)
async def file(
    request: RoutedRequest, name: Annotated[str, PathParameter(description="The file's name.")]
) -> Response[Any]:
    """One of the pages' files. Raises Problem if none has this name."""
    if name not in pages.FILES:
        raise Problem("no-such-route", "there is no such file")
    return _file(request.prepared, pages.FILES[name])


def _file(request: Request, wanted: pages.File) -> Response[Any]:
    return unless_unchanged(wanted, request)


HANDLERS = (home, docs, games, game, replay, file)
