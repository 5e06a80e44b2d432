"""Entity tags, conditional requests (RFC 9110, 13), and idempotency keys."""

import re
from hashlib import sha256
from typing import Any

from service.http.body import digest
from service.http.problems import Problem
from service.http.query import BIGGEST
from service.http.request import Request
from service.http.schemas import RequestBody
from service.store.store import Receipt

_TAG = re.compile(r'(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"')
_KEY = re.compile(r"[\x20-\x7e]{1,255}")
_STREAM_ID = re.compile(rb"0|[1-9][0-9]{0,17}")
_VERSION = re.compile(r'"([1-9][0-9]{0,9})"')


def expected_versions(if_match: bytes) -> tuple[int, ...] | None:
    """The versions that an action is meant for; None for any. Raises Problem."""
    named = tags("If-Match", if_match)
    if named == ("*",):
        return None
    # Weak tags never match here, and neither do tags that no table has.
    versions = tuple(int(match[1]) for tag in named if (match := _VERSION.fullmatch(tag)))
    return tuple(version for version in versions if version <= BIGGEST) or (0,)


def is_unchanged(known_tags: tuple[str, ...], tag: str) -> bool:
    """Whether the client has the content of this strong entity tag, by the tags of If-None-Match."""
    return known_tags == ("*",) or tag in {known.removeprefix("W/") for known in known_tags}


def known_tags(request: Request) -> tuple[str, ...] | None:
    """The entity tags of If-None-Match; None without that header. Raises Problem."""
    value = request.headers.get(b"if-none-match")
    return None if value is None else tags("If-None-Match", value)


def tags(name: str, value: bytes) -> tuple[str, ...]:
    """The entity tags in a header of this name. Raises Problem."""
    rest = value.decode("latin-1").strip()
    if rest == "*":
        return ("*",)
    named: list[str] = []
    while rest:
        match = _TAG.match(rest)
        if match is None:
            break
        named.append(match[0])
        rest = rest[match.end() :].lstrip()
        if rest.startswith(","):
            rest = rest.lstrip(", \t")
        elif rest:
            break
    if rest or not named:
        raise Problem("malformed-header", f'{name} must be entity tags like "31", or *')
    return tuple(named)


def last_event_id(request: Request) -> int | None:
    """The place in a stream that the client has reached, if it sends one. Raises Problem."""
    value = request.headers.get(b"last-event-id")
    if not value:
        # Browsers send an empty one if no event had an id.
        return None
    if not _STREAM_ID.fullmatch(value):
        raise Problem("malformed-header", "Last-Event-ID must be the id of a frame: a whole number, not below 0")
    return int(value)


def receipt(request: Request, raw: bytes, body: Any) -> Receipt:
    """The receipt that makes the request idempotent: its key with caller, method and path, and its body.

    Raises Problem if the key is malformed or given twice.

    Addresses are shared, so a caller who sends a secret of the player's in the body is identified by the secret alone.
    """
    key = request.headers[b"idempotency-key"].decode("latin-1")
    repeated = request.repeated and sum(name == b"idempotency-key" for name, _ in request.lines) > 1
    if not _KEY.fullmatch(key) or repeated:
        raise Problem("malformed-header", "Idempotency-Key must be one of 1 to 255 printable ASCII characters")
    proof = body.proof if isinstance(body, RequestBody) else None
    if proof is not None:
        caller = f"secret:{sha256(proof.encode()).hexdigest()}"
    elif request.bearer:
        caller = f"player:{request.player}"
    else:
        caller = f"address:{request.address}"
    # Independent of the spelling of ids in the path.
    path = request.template.format_map(request.parameters)
    scope = sha256("\n".join((caller, request.method, path, key)).encode()).digest()
    return Receipt(scope, digest(raw))
