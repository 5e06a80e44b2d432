"""Entity tags, conditional requests (RFC 9110, 13), and idempotency keys."""

import re

from litestar.types import HTTPScope

from service.http.problems import Problem
from service.http.query import BIGGEST
from service.http.request_context import RequestContext

_TAG = re.compile(r'(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"')
_KEY = re.compile(r"[\x20-\x7e]{1,255}")
_VERSION = re.compile(r'"([1-9][0-9]{0,9})"')


def etag(version: int) -> str:
    """The entity tag of a table at a version."""
    return f'"{version}"'


def expected_versions(if_match: bytes | None) -> tuple[int, ...] | None:
    """The versions that an action is meant for; None for any. Raises Problem."""
    named = tags("If-Match", if_match)
    if named is None or named == ("*",):
        return None
    # Weak tags never match here, and neither do tags that no table ever has.
    versions = tuple(int(match[1]) for tag in named if (match := _VERSION.fullmatch(tag)))
    return tuple(version for version in versions if version <= BIGGEST) or (0,)


def is_unchanged(known_tags: tuple[str, ...] | None, tag: str) -> bool:
    """Whether the client has what this strong entity tag stands for, by the tags of If-None-Match."""
    return known_tags is not None and (
        known_tags == ("*",) or tag in {known.removeprefix("W/") for known in known_tags}
    )


def tags(name: str, value: bytes | None) -> tuple[str, ...] | None:
    """The entity tags in a header of this name. Raises Problem."""
    if value is None:
        return None
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


def idempotency_key(context: RequestContext, scope: HTTPScope) -> str | None:
    """The request's idempotency key, if it has one. Raises Problem."""
    value = context.headers.get(b"idempotency-key")
    if value is None:
        return None
    key = value.decode("latin-1")
    repeated = context.repeated and sum(name == b"idempotency-key" for name, _ in scope["headers"]) > 1
    if not _KEY.fullmatch(key) or repeated:
        raise Problem("malformed-header", "Idempotency-Key must be one of 1 to 255 printable ASCII characters")
    return key
