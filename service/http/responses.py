"""Answers, as bytes of JSON with their headers."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import msgspec
from litestar import Response
from litestar.response.base import ASGIResponse
from litestar.types import Receive, Scope, Send

from projections import Page, Stored
from service.http.content_negotiation import JSON
from service.http.preconditions import etag, is_unchanged
from service.pages import File

REPLAYED = {"Idempotency-Replayed": "true"}


class BytesResponse(Response[bytes]):
    """An answer in bytes, which it sends as they are: Litestar's way of rendering takes ten times as long."""

    def __init__(self, body: bytes, *, status: int, media_type: str, headers: Mapping[str, str]) -> None:
        # Not Litestar's, which prepares a rendering that does not take place.
        self.content = body
        self.status_code = status
        self.media_type = media_type
        self.headers = dict(headers)

    def to_asgi_response(self, *_: Any, **_others: Any) -> ASGIResponse:
        """Itself: it is what sends the answer."""
        return cast("ASGIResponse", self)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 (as ASGI has it)
        headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in self.headers.items()]
        if self.status_code != 304:
            headers.append((b"content-type", str(self.media_type).encode()))
            headers.append((b"content-length", b"%d" % len(self.content)))
        await send({"type": "http.response.start", "status": self.status_code or 200, "headers": headers})
        await send({"type": "http.response.body", "body": self.content, "more_body": False})


def json(
    content: object, *, status: int = 200, headers: Mapping[str, str] | None = None, version: int | None = None
) -> Response[Any]:
    """The content as JSON (bytes as they are); with a table's version its entity tag."""
    body = content if isinstance(content, bytes) else msgspec.json.encode(content)
    all_headers = dict(headers or {})
    if version is not None:
        all_headers["ETag"] = etag(version)
    return BytesResponse(body, status=status, media_type=JSON, headers=all_headers)


def at_version(stored: Stored, known_tags: tuple[str, ...] | None) -> Response[Any]:
    """A table's resource, or 304 where the client has it."""
    headers = {"ETag": etag(stored.version)}
    if known_tags is not None and is_unchanged(known_tags, headers["ETag"]):
        return BytesResponse(b"", status=304, media_type=JSON, headers=headers)
    return BytesResponse(stored.body, status=200, media_type=JSON, headers=headers)


def unless_unchanged(file: File, known_tags: tuple[str, ...] | None) -> Response[Any]:
    """A file, or 304 where the client has it."""
    headers = {"ETag": file.etag, **file.headers}
    if known_tags is not None and is_unchanged(known_tags, file.etag):
        return BytesResponse(b"", status=304, media_type=file.media_type, headers=headers)
    return BytesResponse(file.body, status=200, media_type=file.media_type, headers=headers)


def page(listed: Page) -> Response[Any]:
    """A page of items that are JSON already."""
    return json(b'{"items":[' + joined(listed.items) + b'],"next":' + msgspec.json.encode(listed.next) + b"}")


def joined(items: Sequence[bytes]) -> bytes:
    """The members of a JSON list."""
    return b",".join(items)
