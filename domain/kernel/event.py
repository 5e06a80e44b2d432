"""Events as the domain sees them: a public payload, and sealed sections for the audiences that may open them."""

from collections.abc import Mapping
from typing import ClassVar, Generic, TypeVar

from msgspec import Struct

from domain.seats import HOUSE, PUBLIC, Audience

S = TypeVar("S", bound=Struct)
T = TypeVar("T")
P_co = TypeVar("P_co", bound="Payload", covariant=True)


class Reveals(Struct, frozen=True, gc=False):
    """How an event of this type changes what the audiences know of the cards."""

    to_all: str | None = None
    """The payload's field with the card or cards whose place everybody learns."""
    to_seats: str | None = None
    """The field of a seat's section with the openings of cards whose place this seat alone learns."""
    hides: bool = False
    """Whether cards leave the hand of the payload's seat and only its section names them.

    No card leaves if the payload has a `count` of 0.
    """
    deals: bool = False
    """Whether a new deal begins, after which no earlier knowledge of cards counts."""


NOTHING = Reveals()
"""The event reveals no card, and moves cards only openly."""


class Payload(Struct, frozen=True, gc=False):
    """The part of an event that everyone reads. Each event type is a subclass that names itself on the wire."""

    TYPE: ClassVar[str]
    SCHEMA: ClassVar[int] = 1
    EARLIER: ClassVar[tuple[type["Payload"], ...]] = ()
    """The earlier types of this name, with lower schemas: still read, never written."""
    SECTIONS: ClassVar[Mapping[str, type[Struct]]] = {}
    """The sealed sections by kind of audience: `seat`, `house` or `public`."""
    REVEALS: ClassVar[Reveals | None] = None
    """What the event reveals of the cards. None: it may have moved any card, so nobody knows a card after it."""
    CHECK: ClassVar[str] = "acts"
    """The audit check that recomputes the event and compares every field and section."""
    FIELD_CHECKS: ClassVar[Mapping[str, str]] = {}
    """The fields that another audit check compares, each with the name of that check."""


class Event(Struct, Generic[P_co], frozen=True, gc=False):
    """Something that happened at a table.

    An audience gets the public payload and the sections that it may open. A fact outside those sections cannot reach
    it.
    """

    public: P_co
    sealed: dict[Audience, Struct] = {}
    actor: str = HOUSE
    version: int = 0
    """The event's number in its table's record, from 1; 0 until it has one."""
    deal: int | None = None
    """The number of the deal that the event belongs to, if it belongs to one."""
    at: str = ""
    """When the event was recorded (RFC 3339, UTC, microseconds); empty until then."""

    def section(self, audience: Audience, kind: type[S]) -> S | None:
        """The section for this audience; None if it is not open here. Raises TypeError if it is of another kind."""
        data = self.sealed.get(audience)
        if data is not None and not isinstance(data, kind):
            raise TypeError(f"the section of {self.public.TYPE} for {audience} is no {kind.__name__}")
        return data


def redact(sealed: dict[Audience, T], audience: Audience) -> dict[Audience, T]:
    """The sealed sections that the audience may open when the event happens, whatever form they have.

    The house may open all, any other audience its own and the public one.
    """
    if audience == HOUSE:
        return sealed
    return {to: section for to, section in sealed.items() if to in (audience, PUBLIC)}


def kind_of(audience: Audience) -> str:
    """`seat` for a seat's audience, otherwise the audience itself."""
    return audience.partition(":")[0]
