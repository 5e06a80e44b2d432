"""Types of values that several responses have, and the meanings of fields that they have in common."""

from typing import Annotated, Any, TypeAlias

from msgspec import Meta

Id: TypeAlias = Annotated[str, Meta(extra_json_schema={"format": "uuid"})]
Version: TypeAlias = Annotated[int, Meta(ge=1)]
Json: TypeAlias = dict[str, Any]

AT = Meta(description="The time of the event.")
CREATED_AT = Meta(description="The time of creation.")
ID = Meta(description="The id.")
ITEMS = Meta(description="The items of the page.")
NEXT = Meta(description="The cursor of the next page; null on the last.")
UNIT = Meta(description="The unit of all amounts.")
