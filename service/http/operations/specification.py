"""The OpenAPI and AsyncAPI documents: the committed files of everything, and those for any game and for one."""

from typing import Any

from litestar import Response

from service.http import guards
from service.http.interface import GENERIC
from service.http.operation import operation
from service.http.request import Request
from service.http.responses import unless_unchanged

SHARED: dict[str, Any] = {
    "tag": "Specification",
    "answers": "The document.",
    "cost": 3,
    "client_scope": "any",
    "headers": ("If-None-Match",),
}
"""What all these operations declare."""

FOR_ALL = {"problems": ("invalid-token", "rate-limited", "unavailable"), "lenient": True}
FOR_GAME = {"guards": (guards.game_exists,)}

INFO = {"title": "codille", "version": "0.1.0"}
OPENAPI = SHARED | {"example": lambda _: {"openapi": "3.1.0", "info": INFO, "paths": {}}}
ASYNCAPI = SHARED | {"example": lambda _: {"asyncapi": "3.0.0", "info": INFO, "channels": {}}}


@operation(
    "GET",
    "/v1/openapi.json",
    summary="The OpenAPI document",
    description="The whole interface to all games. `/v1/openapi/generic.json` describes it without any game, and each "
    "game has a document of its own; both are a third of this one. `/docs` shows them as pages.",
    **OPENAPI,
    **FOR_ALL,
)
async def get_open_api(request: Request) -> Response[dict[str, Any]]:
    """The committed document, or 304."""
    return unless_unchanged(request.interface.openapi, request)


@operation(
    "GET",
    "/v1/openapi/generic.json",
    summary="The OpenAPI document for any game",
    description="The whole interface, with acts, views and events as open objects, for clients that know no game.",
    **OPENAPI,
    **FOR_ALL,
)
async def get_generic_open_api(request: Request) -> Response[dict[str, Any]]:
    """The generic document, or 304. Raises Problem while it is not built."""
    return unless_unchanged(await request.interface.document("openapi", GENERIC), request)


@operation(
    "GET",
    "/v1/games/{game:str}/openapi.json",
    summary="The OpenAPI document for a game",
    description="The whole interface, with the acts, views, events and examples of this game alone, under the newest "
    "version of its rules.",
    **OPENAPI,
    **FOR_GAME,
)
async def get_game_open_api(request: Request, game: str) -> Response[dict[str, Any]]:
    """The game's document, or 304. Raises Problem while it is not built."""
    return unless_unchanged(await request.interface.document("openapi", game), request)


@operation(
    "GET",
    "/v1/asyncapi.json",
    summary="The AsyncAPI document",
    description="The messages that the service sends: the frames of streams, and the notices for webhooks.",
    **ASYNCAPI,
    **FOR_ALL,
)
async def get_async_api(request: Request) -> Response[dict[str, Any]]:
    """The committed document, or 304."""
    return unless_unchanged(request.interface.asyncapi, request)


@operation(
    "GET",
    "/v1/asyncapi/generic.json",
    summary="The AsyncAPI document for any game",
    description="The messages that the service sends, with events and views as open objects.",
    **ASYNCAPI,
    **FOR_ALL,
)
async def get_generic_async_api(request: Request) -> Response[dict[str, Any]]:
    """The generic document, or 304. Raises Problem while it is not built."""
    return unless_unchanged(await request.interface.document("asyncapi", GENERIC), request)


@operation(
    "GET",
    "/v1/games/{game:str}/asyncapi.json",
    summary="The AsyncAPI document for a game",
    description="The messages that the service sends, with the events and views of this game alone.",
    **ASYNCAPI,
    **FOR_GAME,
)
async def get_game_async_api(request: Request, game: str) -> Response[dict[str, Any]]:
    """The game's document, or 304. Raises Problem while it is not built."""
    return unless_unchanged(await request.interface.document("asyncapi", game), request)
