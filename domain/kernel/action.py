"""Actions, and the phases of a deal in which they may be taken."""

from typing import ClassVar

from msgspec import Struct

from domain.seats import Seat


class Action(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="type"):
    """An act that a seat requests. Each action type is a subclass with its tag, and names the rules refusals cite."""

    RULE: ClassVar[str]
    """The numbered rule that says when the action may be taken."""
    ORDER: ClassVar[str | None] = None
    """The rule that says whose turn it is, if the phase names none. None: `RULE` says it too."""


def tag_of(action: Action | type[Action]) -> str:
    """The action's type on the wire."""
    return str(action.__struct_config__.tag)


def plays_card(action: Action) -> bool:
    """Whether the act plays a card."""
    return hasattr(action, "card")


class Phase(Struct, frozen=True, gc=False):
    """One phase of a deal, holding only what exists in it. A game's state is a union of phases."""

    PHASE: ClassVar[str]
    RULE: ClassVar[str]
    """The rule that lists the acts of this phase."""
    TURN: ClassVar[frozenset[str]] = frozenset()
    """The types of action that only the seat whose turn it is may take."""
    FREE: ClassVar[frozenset[str]] = frozenset()
    """The types of action that need no turn."""

    def acts_rule(self) -> str:
        """The rule that lists the acts open now, which a refusal cites for any other act."""
        return self.RULE

    def turn_rule(self, seat: Seat) -> str | None:  # noqa: ARG002 - phases in which it depends on the seat read it
        """The rule by which it is not this seat's turn now. None: the action names it."""
        return None
