"""Dumps of all games of a month as files, and the page that lists them."""

import asyncio
from collections.abc import AsyncGenerator
from io import BufferedReader
from pathlib import Path
from typing import Any

from litestar import Response, get
from litestar.params import FromPath
from msgspec import Struct

from service.describe.texts import english
from service.http.content_negotiation import JSON
from service.http.folders import DUMPS, lead_to, listing, wants_page
from service.http.preconditions import is_unchanged, known_tags
from service.http.problems import Problem
from service.http.request import Request, RoutedRequest
from service.http.responses import BytesResponse, PiecesResponse, unless_unchanged
from service.pages import File, rendered
from service.pages.rendering import page
from service.queries.dump_files import MEDIA_TYPE, DumpManifest, dump_manifests
from service.queries.finished_games import FinishedGames

NONE_HERE = "no dumps are served: the operator has set no CODILLE_DUMPS_DIR"

CHECKED = {"Cache-Control": "no-cache"}
"""Caches ask each time: words may have been erased."""

PIECE = 1 << 18
"""Bytes that are read at once."""


class Dump(Struct, frozen=True):
    """A dump as it is had from the service."""

    url: str
    manifest_url: str
    current: bool
    """Whether it is served: no words were erased at its tables since it was made."""
    manifest: DumpManifest


class DumpList(Struct, frozen=True):
    """The dumps, the newest month first."""

    items: tuple[Dump, ...]


@get("/archive/dumps", include_in_schema=False)
async def dumps(request: RoutedRequest) -> Response[Any]:
    """The dumps: a page for browsers, JSON for others. Raises Problem if none are served."""
    asked, service = request.prepared, str(request.base_url).rstrip("/")
    if asked.path != DUMPS:
        return lead_to(DUMPS)
    as_page = wants_page(asked)
    address = f"{service}{DUMPS}"
    items = [
        Dump(address + manifest.file, address + manifest.name, await _current(asked, manifest), manifest)
        for manifest in await _manifests(asked)
    ]
    found = DumpList(tuple(items))
    return listing(rendered(page("dumps.html", english(), dumps=found.items)) if as_page else found, asked)


@get("/archive/dumps/{name:str}", include_in_schema=False)
async def dump(request: RoutedRequest, name: FromPath[str]) -> Response[Any]:
    """A dump, or its manifest. Raises Problem if there is none of this name, or if words were erased since."""
    asked = request.prepared
    for manifest in await _manifests(asked):
        if name == manifest.name:
            await _require_current(asked, manifest)
            return unless_unchanged(File.of(manifest.encoded(), JSON, CHECKED), asked)
        if name == manifest.file:
            await _require_current(asked, manifest)
            return await _file(asked, _folder(asked) / manifest.file, manifest)
    raise Problem("no-such-route", f"{DUMPS} has no file of this name; it lists those that it has")


async def _file(request: Request, path: Path, manifest: DumpManifest) -> Response[Any]:
    etag, known = f'"{manifest.packed_sha256}"', known_tags(request)
    headers = {"ETag": etag, **CHECKED}
    if known is not None and is_unchanged(known, etag):
        return BytesResponse(b"", status=304, media_type=MEDIA_TYPE, headers=headers)
    try:
        file = await asyncio.to_thread(path.open, "rb")
    except FileNotFoundError:
        # Its month has another dump since the manifests were read.
        raise Problem("no-such-route", "another dump has taken the place of this one") from None
    headers |= {"Content-Length": str(manifest.packed_bytes)}
    pieces = _pieces(file)
    return PiecesResponse(await anext(pieces), pieces, media_type=MEDIA_TYPE, headers=headers, slows=True)


async def _pieces(file: BufferedReader) -> AsyncGenerator[bytes, None]:
    with file:
        while piece := await asyncio.to_thread(file.read, PIECE):
            yield piece


def _folder(request: Request) -> Path:
    """Where dumps are. Raises Problem if none are served."""
    folder = request.services.settings.dumps_dir
    if folder is None:
        raise Problem("no-such-route", NONE_HERE)
    return folder


async def _manifests(request: Request) -> list[DumpManifest]:
    return await asyncio.to_thread(dump_manifests, _folder(request))


async def _current(request: Request, manifest: DumpManifest) -> bool:
    """Whether no words were erased at the dump's tables since it was made, as far as the archive follows the log."""
    games = FinishedGames(request.services.edge.archive)
    return await games.erased(manifest.month, manifest.size, request.spending) <= manifest.size


async def _require_current(request: Request, manifest: DumpManifest) -> None:
    if not await _current(request, manifest):
        raise Problem("dump-outdated", "words were erased at its tables since: it is served again when it is made anew")


HANDLERS = (dumps, dump)
