"""Types of values that several responses have, and the meanings of fields that they have in common."""

from typing import Annotated, Any, Generic, TypeAlias, TypeVar

from msgspec import Meta, Struct

T = TypeVar("T")

Version: TypeAlias = Annotated[int, Meta(ge=1)]
Json: TypeAlias = dict[str, Any]

AT = Meta(description="The time of the event.")
BALANCES = Meta(description="The balance of each account.")
BEARER = Meta(description="The seat or account that bears the counter-line.")
CREATED_AT = Meta(description="The time of creation.")
ID = Meta(description="The id.")
OPTIONS = Meta(description="The options of the table.")
RULES_VERSION = Meta(description="The version of the table's rules.")
UNIT = Meta(description="The unit of all amounts.")


class Listed(Struct, Generic[T], frozen=True):
    """Items in an order."""

    items: Annotated[tuple[T, ...], Meta(description="The items of the page.")]


class Paged(Listed[T], Generic[T], frozen=True):
    """A page of items."""

    next: Annotated[str | None, Meta(description="The cursor of the next page; null on the last.")]
