"""Events as the domain sees them: a public payload, and sealed sections for the audiences that may open them."""

from collections.abc import Mapping
from typing import ClassVar, Generic, TypeVar

from msgspec import Struct

from domain.seats import HOUSE, PUBLIC, Audience

S = TypeVar("S", bound=Struct)
T = TypeVar("T")
P_co = TypeVar("P_co", bound="Payload", covariant=True)


class Reveals(Struct, frozen=True, gc=False):
    """What an event of this type changes in what the audiences know of the cards."""

    to_all: str | None = None
    """The field of the payload with the card or cards whose place everybody learns."""
    to_seats: str | None = None
    """The field of a seat's section with the openings of the cards whose place this seat alone learns."""
    hides: bool = False
    """Whether cards leave the hand of the payload's seat and only its section says which.

    None do where the payload has a `count` of 0.
    """
    deals: bool = False
    """Whether a new deal begins: whatever was known of the cards is void."""


NOTHING = Reveals()
"""For an event that reveals no card and moves cards only openly."""


class Payload(Struct, frozen=True, gc=False):
    """What an event says to everyone. Each event type is a subclass that names itself on the wire."""

    TYPE: ClassVar[str]
    SCHEMA: ClassVar[int] = 1
    EARLIER: ClassVar[tuple[type["Payload"], ...]] = ()
    """The types with its name and lower schemas, which are read and written no more."""
    SECTIONS: ClassVar[Mapping[str, type[Struct]]] = {}
    """The sealed sections by kind of audience: `seat`, `house` or `public`."""
    REVEALS: ClassVar[Reveals | None] = None
    """What it reveals of the cards. None: it may have moved any card, so that nobody knows one after it."""
    CHECK: ClassVar[str] = "acts"
    """The check of the audit that computes the event again, every field and section of it, and compares."""
    FIELD_CHECKS: ClassVar[Mapping[str, str]] = {}
    """The fields that have a check of their own instead, with its name."""


class Event(Struct, Generic[P_co], frozen=True, gc=False):
    """Something that happened at a table.

    An audience gets the public payload and the sections that it may open. So redaction is closed: what stands in no
    section for the audience cannot reach it.
    """

    public: P_co
    sealed: dict[Audience, Struct] = {}
    actor: str = HOUSE
    version: int = 0
    """The place in the table's stream; 0 until the event has one."""
    deal: int | None = None
    """The number of the deal that the event belongs to, if it belongs to one."""
    at: str = ""
    """When it was recorded (RFC 3339, UTC, microseconds); empty until it is."""

    def section(self, audience: Audience, kind: type[S]) -> S | None:
        """The section for this audience, if it is open here. Raises TypeError if it is of another kind."""
        data = self.sealed.get(audience)
        if data is not None and not isinstance(data, kind):
            raise TypeError(f"the section of {self.public.TYPE} for {audience} is no {kind.__name__}")
        return data


def redact(sealed: dict[Audience, T], audience: Audience) -> dict[Audience, T]:
    """Those of an event's sealed sections that the audience may open when the event happens, in whatever form they are.

    The house may open all, any other audience its own and the public one.
    """
    if audience == HOUSE:
        return sealed
    return {to: section for to, section in sealed.items() if to in (audience, PUBLIC)}


def kind_of(audience: Audience) -> str:
    """`seat` for a seat's audience, else the audience itself."""
    return audience.partition(":")[0]
