"""Answers, as bytes of JSON with their headers."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import msgspec
from litestar import Response
from litestar.openapi import ResponseSpec
from litestar.response.base import ASGIResponse
from litestar.types import Receive, Scope, Send

from service.http.content_negotiation import JSON
from service.http.preconditions import etag, unchanged
from service.http.problems import MEDIA_TYPE, ProblemDocument
from service.pages import File
from service.queries.tables import Page, Stored

REPLAYED = {"Idempotency-Replayed": "true"}

_MEANING = {
    400: "The request, a header or the body is not well-formed.",
    401: "A token is needed, or the one presented is not valid.",
    403: "The caller may not do this.",
    404: "There is no such thing.",
    405: "The method is not allowed here.",
    406: "The answer cannot be had in such a media type.",
    409: "The table's state does not allow it.",
    412: "The table is at another version.",
    413: "The body is too large.",
    415: "The body has the wrong media type.",
    422: "A field or parameter does not fit, a key was used with another body, or the rules do not allow it.",
    429: "Too many requests.",
    503: "The service is not available just now.",
}


def problems(*statuses: int) -> dict[int, ResponseSpec]:
    """The problem documents that an operation may answer, beside those that any may."""
    return {
        status: ResponseSpec(
            ProblemDocument, description=_MEANING[status], media_type=MEDIA_TYPE, generate_examples=False
        )
        for status in sorted({*statuses, 401, 406, 422, 429, 503})
    }


READING: dict[int, ResponseSpec] = problems(400, 404)
WRITING = problems(400, 403, 404, 409, 412, 413, 415)


class Reply(Response[bytes]):
    """An answer in bytes, which it sends as they are: Litestar's way of rendering takes ten times as long."""

    def __init__(self, body: bytes, *, status: int, media_type: str, headers: Mapping[str, str]) -> None:
        # Not Litestar's, which prepares a rendering that does not take place.
        self.content = body
        self.status_code = status
        self.media_type = media_type
        self.headers = dict(headers)

    def to_asgi_response(self, *_: Any, **_others: Any) -> ASGIResponse:
        """What to send it with: itself."""
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
    told = dict(headers or {})
    if version is not None:
        told["ETag"] = etag(version)
    return Reply(body, status=status, media_type=JSON, headers=told)


def at_version(stored: Stored, if_none_match: str | None) -> Response[Any]:
    """A table's resource, or 304 where the client has it."""
    if unchanged(if_none_match, etag(stored.version)):
        return Reply(b"", status=304, media_type=JSON, headers={"ETag": etag(stored.version)})
    return json(stored.body, version=stored.version)


def unless_unchanged(file: File, if_none_match: str | None) -> Response[Any]:
    """A file, or 304 where the client has it. Raises Problem when `If-None-Match` is malformed."""
    headers = {"ETag": file.etag, **file.headers}
    if unchanged(if_none_match, file.etag):
        return Reply(b"", status=304, media_type=file.media_type, headers=headers)
    return Reply(file.body, status=200, media_type=file.media_type, headers=headers)


def page(found: Page) -> Response[Any]:
    """A page of items that are JSON already."""
    return json(b'{"items":[' + joined(found.items) + b'],"next":' + msgspec.json.encode(found.next) + b"}")


def joined(items: Sequence[bytes]) -> bytes:
    """The members of a JSON list."""
    return b",".join(items)
