"""The OpenAPI document: the committed file, served as it is."""

from typing import Any

from litestar import Response, get

from service.http.parameters import IfNoneMatch
from service.http.request import Ask
from service.http.responses import unless_unchanged


@get("/v1/openapi.json", include_in_schema=False)
async def openapi(request: Ask, if_none_match: IfNoneMatch = None) -> Response[Any]:
    """The document."""
    return unless_unchanged(request.edge.document, if_none_match)


HANDLERS = (openapi,)
