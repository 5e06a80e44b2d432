"""The OpenAPI and the AsyncAPI document: the committed files, served unchanged."""

from typing import Any

from litestar import Response

from service.http.operation import operation
from service.http.request import Request
from service.http.responses import unless_unchanged


@operation(
    "GET",
    "/v1/openapi.json",
    id="getOpenApi",
    tag="Specification",
    summary="The OpenAPI document",
    description="This document. `/docs` shows it as a page. The AsyncAPI document also describes the frames of streams "
    "and the notices.",
    answers="This document.",
    cost=3,
    problems=("invalid-token", "rate-limited", "unavailable"),
    headers=("If-None-Match",),
    lenient=True,
    example=lambda _: {"openapi": "3.1.0", "info": {"title": "codille", "version": "0.1.0"}, "paths": {}},
)
async def get_openapi(request: Request) -> Response[dict[str, Any]]:
    """The committed document, or 304."""
    return unless_unchanged(request.interface.openapi, request)


@operation(
    "GET",
    "/v1/asyncapi.json",
    id="getAsyncApi",
    tag="Specification",
    summary="The AsyncAPI document",
    description="The messages that the service sends: the frames of streams, and the notices for webhooks.",
    answers="The AsyncAPI document.",
    cost=3,
    problems=("invalid-token", "rate-limited", "unavailable"),
    headers=("If-None-Match",),
    lenient=True,
    example=lambda _: {"asyncapi": "3.0.0", "info": {"title": "codille", "version": "0.1.0"}, "channels": {}},
)
async def get_asyncapi(request: Request) -> Response[dict[str, Any]]:
    """The committed document, or 304."""
    return unless_unchanged(request.interface.asyncapi, request)


HANDLERS = (get_openapi, get_asyncapi)
