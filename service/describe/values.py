"""Types of values that several responses have."""

from typing import Annotated, Any, TypeAlias

from msgspec import Meta

Id: TypeAlias = Annotated[str, Meta(extra_json_schema={"format": "uuid"})]
Version: TypeAlias = Annotated[int, Meta(ge=1)]
Json: TypeAlias = dict[str, Any]
