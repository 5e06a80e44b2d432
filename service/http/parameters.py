"""Parameters that several operations take."""

from collections.abc import Mapping
from typing import Annotated, Any, TypeAlias
from urllib.parse import parse_qs
from uuid import UUID

from litestar.params import HeaderParameter, PathParameter, QueryParameter

from service.http.examples import (
    CONTENT_TAG,
    CURSOR,
    INVITATION,
    INVITATION_ID,
    KEY,
    PLAYERS,
    TABLE,
    TOKEN_ID,
    WEBHOOK_ID,
)
from service.http.forms import GRAPHIC
from service.http.query import BIGGEST

LONGEST_WAIT_S = 60
"""The longest wait for a response, in seconds."""

PATH: Mapping[str, Any] = {
    "table": Annotated[UUID, PathParameter(description="The table's id.", schema_extra={"examples": [TABLE]})],
    "player": Annotated[UUID, PathParameter(description="The player's id.", schema_extra={"examples": [PLAYERS[0]]})],
    "token": Annotated[UUID, PathParameter(description="The token's id.", schema_extra={"examples": [TOKEN_ID]})],
    "invitation": Annotated[
        UUID, PathParameter(description="The invitation's id.", schema_extra={"examples": [INVITATION_ID]})
    ],
    "webhook": Annotated[UUID, PathParameter(description="The webhook's id.", schema_extra={"examples": [WEBHOOK_ID]})],
}
"""Path parameters by name."""

_TAGS = {"pattern": r'^(\*|"[0-9]+"(, ?"[0-9]+")*)$', "examples": ['"31"']}

HEADERS: Mapping[str, Any] = {
    "If-Match": Annotated[
        str | None,
        HeaderParameter(
            name="If-Match",
            description='Only if the table is at this version: `"31"`, several, or `*`.',
            schema_extra=_TAGS,
        ),
    ],
    "If-None-Match": Annotated[
        str | None,
        HeaderParameter(
            name="If-None-Match",
            description='Only if the response has another entity tag than `"31"`; otherwise 304.',
            schema_extra=_TAGS | {"pattern": r'^(\*|"[0-9a-f-]+"(, ?"[0-9a-f-]+")*)$'},
        ),
    ],
    "Idempotency-Key": Annotated[
        str | None,
        HeaderParameter(
            name="Idempotency-Key",
            description="Up to 255 printable ASCII characters. The same key and body get the first response again.",
            schema_extra={"pattern": "^[ -~]+$", "minLength": 1, "maxLength": 255, "examples": [KEY]},
        ),
    ],
    "Last-Event-ID": Annotated[
        str | None,
        HeaderParameter(
            name="Last-Event-ID",
            description="The last `id` of the stream that the client has received; the stream resumes after it. It "
            "overrides `after`.",
            schema_extra={"pattern": "^(0|[1-9][0-9]{0,17})$", "examples": ["31"]},
        ),
    ],
}
"""Headers by name, as operations on tables take them. `prepare` reads and checks them, since types say nothing of their
form.
"""

IF_CHANGED: Any = Annotated[
    str | None,
    HeaderParameter(
        name="If-None-Match",
        description="Only if the content's entity tag differs from this one; otherwise 304.",
        schema_extra={"pattern": r'^(\*|(W/)?"[!#-~]*"(, ?(W/)?"[!#-~]*")*)$', "examples": [CONTENT_TAG]},
    ),
]
"""`If-None-Match` where the entity tag follows from the content rather than from a table's version."""

INVITE: Any = Annotated[
    str | None,
    QueryParameter(
        name="invite",
        min_length=1,
        max_length=128,
        pattern=GRAPHIC,
        description="An invitation to the table. Without one, only those who play there may see a private table.",
        schema_extra={"examples": [INVITATION]},
    ),
]
"""A parameter of every operation on a table. Guards read it."""

MinVersion: TypeAlias = Annotated[
    int | None,
    QueryParameter(
        name="min_version",
        ge=1,
        le=BIGGEST,
        description="The response shows the table at this version or a later one.",
        schema_extra={"examples": [1]},
    ),
]
After: TypeAlias = Annotated[
    int | None,
    QueryParameter(
        name="after",
        ge=0,
        le=BIGGEST,
        description="With `wait`: the version that the caller has.",
        schema_extra={"examples": [0]},
    ),
]
Wait: TypeAlias = Annotated[
    int | None,
    QueryParameter(
        name="wait",
        ge=0,
        le=LONGEST_WAIT_S,
        description="With `after`: the response is delayed until the table is beyond that version, for at most this "
        "many seconds. Then it is the current response.",
        schema_extra={"examples": [0]},
    ),
]
Cursor: TypeAlias = Annotated[
    str | None,
    QueryParameter(
        name="cursor",
        min_length=1,
        max_length=512,
        description="`next` of the previous page.",
        schema_extra={"examples": [CURSOR]},
    ),
]
Limit: TypeAlias = Annotated[
    int, QueryParameter(name="limit", ge=1, le=200, description="Items a page.", schema_extra={"examples": [50]})
]
GameName: TypeAlias = Annotated[
    str | None,
    QueryParameter(
        name="game",
        min_length=1,
        max_length=64,
        description="Only this game.",
    ),
]


def invitation_in(query: bytes) -> str | None:
    """The invitation in a query that has not been checked yet; None unless there is exactly one."""
    if b"invite=" not in query:
        return None
    try:
        given = parse_qs(query.decode(), errors="strict", max_num_fields=100).get("invite", [])
    except ValueError:
        return None
    return given[0] if len(given) == 1 else None
