"""Parameters that several operations take."""

from typing import Annotated, TypeAlias
from uuid import UUID

from litestar.params import HeaderParameter, PathParameter, QueryParameter

from service.http.query import BIGGEST

TableId: TypeAlias = Annotated[UUID, PathParameter(description="The table's id.")]
PlayerId: TypeAlias = Annotated[UUID, PathParameter(description="The player's id.")]

IfMatch: TypeAlias = Annotated[
    str | None,
    HeaderParameter(name="If-Match", description='Only if the table is at this version: `"31"`, several, or `*`.'),
]
IfNoneMatch: TypeAlias = Annotated[
    str | None,
    HeaderParameter(name="If-None-Match", description='Only if the table is not at this version: `"31"`; else 304.'),
]
IdempotencyKey: TypeAlias = Annotated[
    str | None,
    HeaderParameter(
        name="Idempotency-Key",
        description="Up to 255 printable ASCII characters. The same key and body get the first answer again.",
    ),
]
MinVersion: TypeAlias = Annotated[
    int | None,
    QueryParameter(
        name="min_version", ge=1, le=BIGGEST, description="Wait until the table's read models show this version."
    ),
]
Cursor: TypeAlias = Annotated[
    str | None, QueryParameter(name="cursor", min_length=1, max_length=512, description="`next` of the page before.")
]
Limit: TypeAlias = Annotated[int, QueryParameter(name="limit", ge=1, le=200, description="Items a page.")]
GameName: TypeAlias = Annotated[
    str | None, QueryParameter(name="game", min_length=1, max_length=64, description="Only of this game.")
]
