"""The kits for clients as files, and the page that says how each is used."""

from typing import Any

from litestar import Response, get
from litestar.params import FromPath

from service.describe.texts import english
from service.http.folders import VARY, lead_to, listing, wants_page
from service.http.problems import Problem
from service.http.request import RoutedRequest
from service.http.responses import BytesResponse, unless_unchanged
from service.pages import HTML
from service.pages.kit_files import ADDRESS, VERSION, NotMade, kits_page, listed

NOT_MADE = "the kits are not made here: in a checkout of the service, make kits makes them"


@get("/kits", include_in_schema=False)
async def kits(request: RoutedRequest) -> Response[Any]:
    """The kits: a page for browsers, JSON for others. Raises Problem if they are not made."""
    asked = request.prepared
    if asked.path != ADDRESS:
        return lead_to(ADDRESS)
    as_page = wants_page(asked)
    try:
        found = listed(await asked.interface.kits.files(), str(request.base_url).rstrip("/"))
    except NotMade:
        if not as_page:
            raise Problem("no-such-route", NOT_MADE) from None
        none = kits_page(None, english())
        return BytesResponse(none.body, status=404, media_type=HTML, headers={**none.headers, **VARY})
    return listing(kits_page(found, english()) if as_page else found, asked)


@get("/kits/{name:str}", include_in_schema=False)
async def kit(request: RoutedRequest, name: FromPath[str]) -> Response[Any]:
    """A kit's file. Raises Problem if there is none of this name and version."""
    try:
        files = await request.prepared.interface.kits.files()
    except NotMade:
        raise Problem("no-such-route", NOT_MADE) from None
    if name not in files:
        raise Problem("no-such-route", f"{ADDRESS} has the kits of version {VERSION}: {', '.join(files)}")
    return unless_unchanged(files[name], request.prepared)


HANDLERS = (kits, kit)
