"""Serving the specification: the OpenAPI document, and a page to read it on."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, cast

import msgspec
from litestar import Request, Response, get

from service.http.responses import problems
from service.spec.page import page

POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
"""The page loads nothing and runs nothing."""


class Specification:
    """The document as it is served, made when it is first asked for."""

    def __init__(self, make: Callable[[], Mapping[str, Any]]) -> None:
        self._make = make
        self._made: asyncio.Future[tuple[bytes, bytes]] | None = None

    async def document(self) -> bytes:
        """The OpenAPI document as JSON."""
        return (await self._both())[0]

    async def page(self) -> bytes:
        """The documentation page as HTML."""
        return (await self._both())[1]

    async def _both(self) -> tuple[bytes, bytes]:
        if self._made is None:
            # In a thread, since whole games are played for its examples.
            self._made = asyncio.ensure_future(asyncio.to_thread(self._render))
        # One caller that goes away must not take the work from the others.
        return await asyncio.shield(self._made)

    def _render(self) -> tuple[bytes, bytes]:
        document = self._make()
        return msgspec.json.encode(document), page(document).encode()


def _specification(request: Request[Any, Any, Any]) -> Specification:
    return cast("Specification", request.app.state["specification"])


@get(
    "/v1/openapi.json",
    operation_id="getOpenApi",
    summary="The OpenAPI document",
    description="This document. `/docs` shows it as a page.",
    tags=["Specification"],
    responses=problems(),
)
async def openapi(request: Request[Any, Any, Any]) -> Response[dict[str, Any]]:
    """The document."""
    body: Any = await _specification(request).document()
    return Response(body, media_type="application/json")


@get("/docs", include_in_schema=False)
async def docs(request: Request[Any, Any, Any]) -> Response[bytes]:
    """The page."""
    headers = {"Content-Security-Policy": POLICY}
    return Response(await _specification(request).page(), media_type="text/html", headers=headers)


HANDLERS = (openapi, docs)
