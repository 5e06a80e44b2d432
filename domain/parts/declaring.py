"""Declarations without a choice, which are automatic now but were once made by declarer."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from domain.kernel.dealing import Dealt
from domain.kernel.event import Event, Payload
from domain.kernel.game import Decider


def always_declared(decider: Decider) -> Decider:
    """The decider of a game in which declarer always makes the declaration."""

    def begin(dealt: Dealt) -> Any:
        state = decider.begin(dealt)
        return replace(state, common=replace(state.common, always_declared=True))

    return replace(decider, begin=begin)


def following(decider: Decider) -> Callable[[Any], Event[Payload] | None]:
    """The next automatic event of a deal whose declarer always declares, as if the declaration were automatic there
    too.
    """

    def next_automatic(state: Any) -> Event[Payload] | None:
        if state.PHASE != "declaration":
            return decider.next_automatic(state)
        return decider.next_automatic(replace(state, common=replace(state.common, always_declared=False)))

    return next_automatic
