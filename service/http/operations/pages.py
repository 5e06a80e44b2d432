"""The pages for people, and the files that they load."""

from typing import Annotated, Any

from litestar import Response, get
from litestar.params import PathParameter

from service import pages
from service.http.parameters import IfNoneMatch
from service.http.problems import Problem
from service.http.responses import unless_unchanged


@get("/docs", include_in_schema=False)
async def docs(if_none_match: IfNoneMatch = None) -> Response[Any]:
    """The documentation of the interface."""
    return unless_unchanged(pages.DOCS, if_none_match)


@get("/replay/{table:uuid}", include_in_schema=False)
async def replay(if_none_match: IfNoneMatch = None) -> Response[Any]:
    """The page of a table, whose id the page takes from its own address."""
    return unless_unchanged(pages.REPLAY, if_none_match)


@get("/page/{name:str}", include_in_schema=False)
async def file(
    name: Annotated[str, PathParameter(description="The file's name.")], if_none_match: IfNoneMatch = None
) -> Response[Any]:
    """One of the pages' files. Raises Problem when there is none of this name."""
    if name not in pages.FILES:
        raise Problem("no-such-route", "the page has no such file")
    return unless_unchanged(pages.FILES[name], if_none_match)


HANDLERS = (docs, replay, file)
