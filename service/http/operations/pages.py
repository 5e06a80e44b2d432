"""The pages for people, and the files that they load."""

from typing import Annotated, Any

from litestar import Response, get
from litestar.params import PathParameter

from service import pages
from service.commands.cache import NoSuchTable
from service.http.guards import looks, table_of
from service.http.problems import Problem
from service.http.request import Request
from service.http.responses import BytesResponse, unless_unchanged


@get("/", include_in_schema=False)
async def home(request: Request) -> Response[Any]:
    """The first page for people."""
    return _file(request, pages.HOME)


@get("/docs", include_in_schema=False)
async def docs(request: Request) -> Response[Any]:
    """The page that presents the OpenAPI document."""
    return _file(request, pages.DOCS)


@get("/replay/{table:uuid}", include_in_schema=False)
async def replay(request: Request) -> Response[Any]:
    """The page of a table. Its script takes the table's id from the address.

    If the table does not exist or the caller may not see it, the same page is sent with status 404: a browser opens a
    page without a token, and the page's script may have one for the table.
    """
    try:
        seen = await looks(request.services, table_of(request), request.scope["query_string"], request.context.bearer)
    except NoSuchTable:
        seen = False
    page = pages.REPLAY
    return (
        _file(request, page)
        if seen
        else BytesResponse(page.body, status=404, media_type=page.media_type, headers=page.headers)
    )


@get("/page/{name:str}", include_in_schema=False)
async def file(request: Request, name: Annotated[str, PathParameter(description="The file's name.")]) -> Response[Any]:
    """One of the pages' files. Raises Problem if none has this name."""
    if name not in pages.FILES:
        raise Problem("no-such-route", "there is no such file")
    return _file(request, pages.FILES[name])


def _file(request: Request, wanted: pages.File) -> Response[Any]:
    return unless_unchanged(wanted, request.context)


HANDLERS = (home, docs, replay, file)
