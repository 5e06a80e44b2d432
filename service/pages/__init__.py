"""The page on which people step through a game. It is a client of the interface like any other, and has no rights."""

from importlib import resources
from typing import Annotated

from litestar import Response, get
from litestar.params import PathParameter

from service.http.parameters import TableId
from service.http.problems import Problem

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
"""Nothing comes from elsewhere, and nothing runs but the page's own files."""

MEDIA_TYPES = {"css": "text/css", "html": "text/html", "js": "text/javascript", "svg": "image/svg+xml"}

FILES = {
    file.name: file.read_bytes()
    for file in resources.files("service.pages").joinpath("static").iterdir()
    if file.name.rpartition(".")[2] in MEDIA_TYPES
}


@get("/replay/{table:uuid}", include_in_schema=False)
async def replay(table: TableId) -> Response[bytes]:  # noqa: ARG001 (the page reads it from its own address)
    """The page of a table; what it shows it asks for by itself."""
    return _file("replay.html", {"Content-Security-Policy": POLICY, "Referrer-Policy": "no-referrer"})


@get("/page/{name:str}", include_in_schema=False)
async def file(name: Annotated[str, PathParameter(description="The file.")]) -> Response[bytes]:
    """One of the page's files."""
    if name not in FILES or name.endswith(".html"):
        raise Problem("no-such-route", "the page has no such file")
    return _file(name, {})


def _file(name: str, headers: dict[str, str]) -> Response[bytes]:
    return Response(FILES[name], media_type=MEDIA_TYPES[name.rpartition(".")[2]], headers=headers)


HANDLERS = (replay, file)
