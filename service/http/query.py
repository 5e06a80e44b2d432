"""Strict queries: a parameter that is unknown, repeated or malformed is refused."""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal, get_args, get_origin
from urllib.parse import unquote_to_bytes
from uuid import UUID

from litestar.params import QueryParameter
from msgspec import Struct

from service.http.faults import one_of
from service.http.forms import IN_WORDS, TIME, instant
from service.http.problems import invalid_query

BIGGEST = 2**31 - 1
"""The greatest version, and the greatest number in a query."""

BIGGEST_POSITION = 2**53 - 1
"""The greatest log position in a query: the limit of exact integers in JavaScript."""

_ID = re.compile("[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,17}")
_TRACKING = re.compile(rb"(?:utm_\w+|(?:fb|g|d|tw|tt|y)clid|msclkid|[gw]braid|igshid|mc_[ce]id)(?:=.*)?", re.DOTALL)
"""Parameters that mail, chats and advertising add to links that people follow. The service does nothing with them."""

_ANYTHING = re.compile(r".*", re.DOTALL)


class QueryForm(Struct, frozen=True):
    """What a parameter of a query must be."""

    many: bool
    integer: bool
    text: bool
    id: bool
    pattern: re.Pattern[str]
    choices: tuple[str, ...]
    """The allowed values of an enumeration; empty for other parameters."""


def query_forms(hints: Mapping[str, Any]) -> dict[str, QueryForm]:
    """The forms of those of these parameters that a query may have, by name."""
    forms = {}
    for name, hint in hints.items():
        kind, *described = get_args(hint) if get_origin(hint) is Annotated else (hint,)
        for parameter in described:
            if isinstance(parameter, QueryParameter):
                types = {kind, *get_args(kind)}
                choices = tuple(value for each in types if get_origin(each) is Literal for value in get_args(each))
                pattern = re.compile(parameter.pattern) if parameter.pattern else _ANYTHING
                many = any(get_origin(each) in (list, tuple) for each in types)
                form = QueryForm(many, int in types, str in types, UUID in types, pattern, choices)
                forms[parameter.name or name] = form
    return forms


def check_query(
    query: bytes, known: Mapping[str, QueryForm], *, opened_by: str | None = None, followed: bool = False
) -> tuple[tuple[str, str], ...]:
    """Raises Problem unless the query has only known parameters, each well-formed and given once.

    A query with the parameter `opened_by` may have others too; these are returned unchecked. In one that is `followed`,
    as people follow links, parameters that track them are ignored.
    """
    seen: set[str] = set()
    others: list[tuple[str, str]] = []
    for part in (without_tracking(query) if followed else query).split(b"&"):
        if not part:
            continue
        given, _, text = part.partition(b"=")
        name, value = _text(given), _text(text)
        parameter = known.get(name)
        if parameter is None:
            others.append((name, value))
            continue
        if name in seen and not parameter.many:
            raise invalid_query(name, "must be given once")
        if parameter.integer and not _INTEGER.fullmatch(value):
            raise invalid_query(name, "must be a whole number")
        if parameter.id and not _ID.fullmatch(value):
            raise invalid_query(name, "must be a UUID")
        if not parameter.pattern.fullmatch(value):
            # Litestar would accept a trailing line feed.
            form = IN_WORDS.get(parameter.pattern.pattern, "is of another form")
            # Whatever is between may have sent the space on as %20.
            if parameter.pattern.fullmatch("+".join(value.rsplit(" ", 1))):
                form += ", and a + in a query means a space: it must be sent as %2B"
            raise invalid_query(name, form)
        if parameter.choices and value not in parameter.choices:
            raise invalid_query(name, f"must be {one_of(parameter.choices)}")
        if not parameter.text and value.lower() == "null":
            # Litestar would treat it as missing.
            raise invalid_query(name, "must not be null")
        seen.add(name)
    if others and opened_by not in seen:
        raise invalid_query(others[0][0][:64], "is not a parameter of this address")
    return tuple(others)


def time_in(name: str, text: str | None) -> datetime | None:
    """The parameter's time in UTC. Raises Problem if it is malformed."""
    if text is None:
        return None
    try:
        time = instant(text)
    except OverflowError:
        raise invalid_query(name, "is out of range") from None
    if time is None:
        raise invalid_query(name, IN_WORDS[TIME])
    return time


def without_tracking(query: bytes) -> bytes:
    """The query without the parameters that track people."""
    return b"&".join(part for part in query.split(b"&") if not _TRACKING.fullmatch(unquote_to_bytes(part)))


def _text(encoded: bytes) -> str:
    try:
        text = unquote_to_bytes(encoded.replace(b"+", b" ")).decode()
    except UnicodeDecodeError:
        raise invalid_query("query", "must be UTF-8") from None
    if "\0" in text:
        raise invalid_query("query", "must not hold NUL")
    return text
