"""The pages for people, and the files that they load."""

from typing import Annotated, Any

from litestar import Response, get
from litestar.params import PathParameter

from service import pages
from service.http.problems import Problem
from service.http.request import Request
from service.http.responses import unless_unchanged


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
    """The page of a table. Its script takes the table's id from the address."""
    return _file(request, pages.REPLAY)


@get("/page/{name:str}", include_in_schema=False)
async def file(request: Request, name: Annotated[str, PathParameter(description="The file's name.")]) -> Response[Any]:
    """One of the pages' files. Raises Problem where none has this name."""
    if name not in pages.FILES:
        raise Problem("no-such-route", "there is no such file")
    return _file(request, pages.FILES[name])


def _file(request: Request, wanted: pages.File) -> Response[Any]:
    return unless_unchanged(wanted, request.context)


HANDLERS = (home, docs, replay, file)
