"""What a seat asks for, and the phases of a deal in which it may."""

from typing import ClassVar

from msgspec import Struct


class Action(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="type"):
    """What a seat asks for. Each action type is a subclass with its tag.

    `RULE` is the numbered rule that says when the action may be taken at all, `ORDER` the one that says whose turn it
    is, `WITHHELD` the one that takes it from a seat in its turn, where those are others.
    """

    RULE: ClassVar[str]
    ORDER: ClassVar[str | None] = None
    WITHHELD: ClassVar[str | None] = None


class Phase(Struct, frozen=True, gc=False):
    """One phase of a deal, holding only what exists in it. A game's state is a union of phases."""

    PHASE: ClassVar[str]
    TURN: ClassVar[frozenset[str]] = frozenset()
    """The action types that a seat takes in its turn."""
    FREE: ClassVar[frozenset[str]] = frozenset()
    """The action types that are not bound to a turn."""
