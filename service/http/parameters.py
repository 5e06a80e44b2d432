"""Parameters that several operations take."""

from collections.abc import Mapping
from typing import Annotated, Any, TypeAlias
from urllib.parse import parse_qs
from uuid import UUID

from litestar.params import PathParameter, QueryParameter

from service.http.examples import (
    CONTENT_TAG,
    INVITATION,
    INVITATION_ID,
    KEY,
    PLAYERS,
    TABLE,
    TOKEN_ID,
    WEBHOOK_ID,
)
from service.http.forms import AFTER_KEY, GRAPHIC
from service.http.query import BIGGEST

LONGEST_WAIT_S = 60
"""The longest wait for a response, in seconds."""


def _shown(example: object) -> dict[str, Any]:
    return {} if example is None else {"examples": [example]}


def query(name: str, description: str, example: object = None, **limits: Any) -> QueryParameter:
    """A parameter of a query, with an example of it and with Litestar's limits of it."""
    return QueryParameter(name=name, description=description, schema_extra=_shown(example), **limits)


def cursor_parameter(example: str, form: str = AFTER_KEY) -> QueryParameter:
    """The parameter for where a page of a list begins, of this form."""
    return query("cursor", "`next` of the previous page.", example, min_length=1, max_length=512, pattern=form)


def in_path(description: str, example: object = None) -> PathParameter:
    """A parameter of a path, with an example of it."""
    return PathParameter(description=description, schema_extra=_shown(example))


PATH: Mapping[str, Any] = {
    "table": Annotated[UUID, in_path("The table's id.", TABLE)],
    "player": Annotated[UUID, in_path("The player's id.", PLAYERS[0])],
    "token": Annotated[UUID, in_path("The token's id.", TOKEN_ID)],
    "invitation": Annotated[UUID, in_path("The invitation's id.", INVITATION_ID)],
    "webhook": Annotated[UUID, in_path("The webhook's id.", WEBHOOK_ID)],
    "version": Annotated[int, in_path("The version, from 1.", 12)],
    "deal": Annotated[int, in_path("The deal's number, from 1.", 1)],
    "dispute": Annotated[int, in_path("The dispute's number at its table, from 1.", 1)],
    "seat": Annotated[int, in_path("The bot's seat.", 1)],
    "game": Annotated[str, in_path("The game's name.")],
}
"""Path parameters by name."""

Header: TypeAlias = tuple[str, str, Mapping[str, Any]]
"""A header's description, an example of it, and what its text must be, in JSON Schema."""

HEADERS: Mapping[str, Header] = {
    "If-Match": (
        'Only if the table is at this version: `"31"`, several, or `*`.',
        '"31"',
        {"pattern": r'^(\*|"[0-9]+"(, ?"[0-9]+")*)$'},
    ),
    "If-None-Match": (
        'Only if the response has another entity tag than `"31"`; otherwise 304.',
        '"31"',
        {"pattern": r'^(\*|"[0-9a-f-]+"(, ?"[0-9a-f-]+")*)$'},
    ),
    "Idempotency-Key": (
        "Up to 255 printable ASCII characters. The same key and body get the first response again.",
        KEY,
        {"maxLength": 255, "minLength": 1, "pattern": "^[ -~]+$"},
    ),
    "Last-Event-ID": (
        "The last `id` of the stream that the client has received; the stream resumes after it. It overrides `after`.",
        "31",
        {"pattern": "^(0|[1-9][0-9]{0,17})$"},
    ),
}
"""Headers by name, as operations on tables take them. The edge reads and checks them."""

IF_CHANGED: Header = (
    "Only if the content's entity tag differs from this one; otherwise 304.",
    CONTENT_TAG,
    {"pattern": r'^(\*|(W/)?"[!#-~]*"(, ?(W/)?"[!#-~]*")*)$'},
)
"""`If-None-Match` where the entity tag follows from the content rather than from a table's version."""

INVITE: Any = Annotated[
    str | None,
    query(
        "invite",
        "An invitation to the table. Without one, only those who play there may see a private table.",
        INVITATION,
        min_length=1,
        max_length=128,
        pattern=GRAPHIC,
    ),
]
"""A parameter of every operation on a table. Guards read it."""

MinVersion: TypeAlias = Annotated[
    int | None,
    query("min_version", "The response shows the table at this version or a later one.", 1, ge=1, le=BIGGEST),
]
After: TypeAlias = Annotated[
    int | None, query("after", "With `wait`: the version that the caller has.", 0, ge=0, le=BIGGEST)
]
Wait: TypeAlias = Annotated[
    int | None,
    query(
        "wait",
        "With `after`: the response is delayed until the table is beyond that version, for at most this "
        "many seconds. Then it is the current response.",
        0,
        ge=0,
        le=LONGEST_WAIT_S,
    ),
]
Limit: TypeAlias = Annotated[int, query("limit", "Items a page.", 50, ge=1, le=200)]
GameName: TypeAlias = Annotated[str | None, query("game", "Only this game.", min_length=1, max_length=64)]


def invitation_in(query: bytes) -> str | None:
    """The invitation in a query that has not been checked yet; None unless there is exactly one."""
    if b"invite=" not in query:
        return None
    try:
        given = parse_qs(query.decode(), errors="strict", max_num_fields=100).get("invite", [])
    except ValueError:
        return None
    return given[0] if len(given) == 1 else None
