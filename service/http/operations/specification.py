"""The OpenAPI document: the committed file, served as it is."""

from typing import Any

from litestar import Response

from service.http.operation import operation
from service.http.request import PreparedRequest
from service.http.responses import unless_unchanged


@operation(
    "GET",
    "/v1/openapi.json",
    id="getOpenApi",
    tag="Specification",
    summary="The OpenAPI document",
    description="This document. `/docs` shows it as a page.",
    answers="This document.",
    cost=3,
    problems=("invalid-token", "rate-limited", "unavailable"),
    headers=("If-None-Match",),
    lenient=True,
    example=lambda _: {"openapi": "3.1.0", "info": {"title": "codille", "version": "0.1.0"}, "paths": {}},
)
async def get_openapi(request: PreparedRequest) -> Response[dict[str, Any]]:
    """The committed document, or 304."""
    return unless_unchanged(request.services.document, request.context)


HANDLERS = (get_openapi,)
