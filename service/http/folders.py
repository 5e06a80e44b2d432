"""Addresses that are folders of files: a list of them as a page for browsers, and as JSON for others."""

from typing import Any

import msgspec
from litestar import Response
from msgspec.structs import replace

from service.http.content_negotiation import JSON, acceptable
from service.http.oauth_requests import METADATA
from service.http.request import Request
from service.http.responses import BytesResponse, unless_unchanged
from service.pages import HTML, File
from service.pages.kit_files import ADDRESS as KITS

DUMPS = "/archive/dumps/"
"""The folder of the dumps."""

AS_THEY_ARE = frozenset(address.encode() for address in ("/", KITS, DUMPS, METADATA))
"""Addresses that end with a slash, or begin with a dot, and are no other way to write another one."""

VARY = {"Vary": "Accept, Accept-Encoding, Authorization"}


def lead_to(address: str) -> BytesResponse:
    """Leads to the address of a page or a folder; a folder's has a slash at its end, so that relative links hold."""
    return BytesResponse(b"", status=308, media_type=HTML, headers={"Location": address})


def wants_page(request: Request) -> bool:
    """Whether a page is wanted rather than JSON. Raises Problem if neither is."""
    return acceptable(request.lines, (JSON, "text/html")) == "text/html"


def listing(found: File | msgspec.Struct, request: Request) -> Response[Any]:
    """The list, as a page or as what is to be JSON; or 304 if the client has it. Raises Problem."""
    file = found if isinstance(found, File) else File.of(msgspec.json.encode(found), JSON)
    return unless_unchanged(replace(file, headers={**file.headers, **VARY}), request)
