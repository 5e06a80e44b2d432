"""Entity tags, conditional requests (RFC 9110, 13), and idempotency keys."""

import re
from hashlib import sha256

from service.http import body as bodies
from service.http.problems import Problem
from service.http.query import BIGGEST
from service.http.request import Ask
from service.store.store import Receipt

_TAG = re.compile(r'(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"')
_KEY = re.compile(r"[\x20-\x7e]{1,255}")
_VERSION = re.compile(r'"([1-9][0-9]{0,9})"')


def etag(version: int) -> str:
    """The entity tag of a table at a version."""
    return f'"{version}"'


def expected_versions(if_match: str | None) -> tuple[int, ...] | None:
    """The versions that an action is meant for; None for any. Raises Problem."""
    tags = _tags("If-Match", if_match)
    if tags is None or tags == ["*"]:
        return None
    # Weak tags never match here, and neither do tags that no table ever has.
    versions = tuple(int(found[1]) for tag in tags if (found := _VERSION.fullmatch(tag)))
    return tuple(version for version in versions if version <= BIGGEST) or (0,)


def unchanged(if_none_match: str | None, tag: str) -> bool:
    """Whether the client has what this strong entity tag stands for. Raises Problem when the header is malformed."""
    tags = _tags("If-None-Match", if_none_match)
    return tags is not None and (tags == ["*"] or tag in {known.removeprefix("W/") for known in tags})


def _tags(name: str, value: str | None) -> list[str] | None:
    if value is None:
        return None
    if value.strip() == "*":
        return ["*"]
    tags: list[str] = []
    rest = value.strip()
    while rest:
        found = _TAG.match(rest)
        if found is None:
            break
        tags.append(found[0])
        rest = rest[found.end() :].lstrip()
        if rest.startswith(","):
            rest = rest.lstrip(", \t")
        elif rest:
            break
    if rest or not tags:
        raise Problem("malformed-header", f'{name} must be entity tags like "31", or *')
    return tags


async def receipt(ask: Ask, key: str | None) -> Receipt | None:
    """What makes the request idempotent, if it has a key. Raises Problem."""
    if key is None:
        return None
    if not _KEY.fullmatch(key) or len(ask.headers.getall("idempotency-key")) > 1:
        raise Problem("malformed-header", "Idempotency-Key must be one of 1 to 255 printable ASCII characters")
    caller = f"player:{ask.caller}" if ask.caller else f"address:{ask.exchange.address}"
    # However the ids in it are spelled.
    path = ask.scope["path_template"].format_map(ask.path_params)
    scope = sha256("\n".join((caller, ask.method, path, key)).encode()).digest()
    return Receipt(scope, bodies.digest(await ask.body()))
