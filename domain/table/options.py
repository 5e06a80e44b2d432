"""The options of a table itself, whatever game is played there."""

from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import force_setattr

DAY = 24 * 60 * 60

Visibility: TypeAlias = Literal["public", "unlisted", "private"]


class Clock(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The time that players have (TL-2.1): seconds for an act, and a reserve for the game."""

    seconds: Annotated[int, Meta(ge=1, le=30 * DAY, description="The seconds for an act.")]
    reserve: Annotated[
        int, Meta(ge=0, le=30 * DAY, description="The seconds beyond those that each player has for the whole game.")
    ] = 0
    increment: Annotated[
        int, Meta(ge=0, le=DAY, description="The seconds that each act in time adds to the player's reserve.")
    ] = 0
    absent_after: Annotated[
        int,
        Meta(ge=1, le=100, description="After so many acts in a row for which the time ran out the house plays on."),
    ] = 3


class SpectatorDelay(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """How late spectators see a running deal (TL-6.1): by time, or by a number of events; exactly one of the two."""

    seconds: (
        Annotated[int, Meta(ge=1, le=3600, description="The seconds after which spectators see an event.")] | UnsetType
    ) = UNSET
    events: (
        Annotated[int, Meta(ge=1, le=1000, description="The events that follow on an event before spectators see it.")]
        | UnsetType
    ) = UNSET

    def __post_init__(self) -> None:
        """Raises ValueError unless exactly one of the two is given."""
        if (self.seconds is UNSET) == (self.events is UNSET):
            raise ValueError("must have either seconds or events")


class TableOptions(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """The options of a table of any game. An option left out has its default, and is not recorded."""

    clock: Annotated[Clock | None, Meta(description="How much time players have; null: as much as they like.")] = None
    on_abandon: Annotated[
        Literal["play-on", "end"],
        Meta(description="Whether the house plays on for who abandons a running game, or the game ends."),
    ] = "play-on"
    visibility: Annotated[
        Visibility,
        Meta(
            description="Who may look and sit down: anybody, at a `public` table, which lists show, and at an "
            "`unlisted` one, which no list shows; at a `private` one who holds an invitation."
        ),
    ] = "public"
    talk: Annotated[
        bool,
        Meta(
            description="Whether those who sit at the table may talk while the game is on, for all who may look to "
            "read. Not for games with rules of their own by which players talk."
        ),
    ] = False
    spectator_delay: Annotated[
        SpectatorDelay | None,
        Meta(description="How far who does not sit at the table is behind a running deal; null: not at all."),
    ] = None

    def __post_init__(self) -> None:
        """Replaces values equal to the default by the default itself, since only that object is left out when
        encoding.
        """
        for name, default in zip(self.__struct_fields__, self.__struct_defaults__, strict=True):
            if getattr(self, name) == default:
                force_setattr(self, name, default)


DEFAULT = TableOptions()


class _Opening(Struct):
    table: TableOptions = DEFAULT


_opening = msgspec.json.Decoder(_Opening)


def options_in(opening: bytes) -> TableOptions:
    """The options of the table itself in the public payload of its first event. Raises msgspec.DecodeError."""
    return _opening.decode(opening).table
