"""Actions, and the phases of a deal in which they may be taken."""

from typing import ClassVar

from msgspec import Struct


class Action(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="type"):
    """What a seat asks for. Each action type is a subclass with its tag, and names the rules that refusals cite."""

    RULE: ClassVar[str]
    """The numbered rule that says when the action may be taken."""
    ORDER: ClassVar[str | None] = None
    """The rule that says whose turn it is where the phase does not; None: `RULE` does."""


def tag_of(action: Action | type[Action]) -> str:
    """The action's type, as it stands on the wire."""
    return str(action.__struct_config__.tag)


class Phase(Struct, frozen=True, gc=False):
    """One phase of a deal, holding only what exists in it. A game's state is a union of phases."""

    PHASE: ClassVar[str]
    RULE: ClassVar[str]
    """The rule that says which acts there are in this phase. A refusal cites it for an act that has no place here."""
    TURN: ClassVar[frozenset[str]] = frozenset()
    """The types of action that only the seat whose turn it is may take."""
    FREE: ClassVar[frozenset[str]] = frozenset()
    """The types of action that need no turn."""
    ORDER: ClassVar[str | None] = None
    """The rule that says whose turn it is in this phase; None: the action does."""
