"""Declarations that leave nothing to choose: they follow by themselves, but at one time declarer made them too."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from domain.kernel.dealing import Dealt
from domain.kernel.event import Event, Payload
from domain.kernel.game import Decider


def always_declared(decider: Decider) -> Decider:
    """The decider of the game when declarer declares whatever was bid."""

    def begin(dealt: Dealt) -> Any:
        state = decider.begin(dealt)
        return replace(state, common=replace(state.common, always_declared=True))

    return replace(decider, begin=begin)


def following(decider: Decider) -> Callable[[Any], Event[Payload] | None]:
    """What is due in a deal whose declarer always declares, if the declaration followed by itself there too."""

    def next_automatic(state: Any) -> Event[Payload] | None:
        if state.PHASE != "declaration":
            return decider.next_automatic(state)
        return decider.next_automatic(replace(state, common=replace(state.common, always_declared=False)))

    return next_automatic
