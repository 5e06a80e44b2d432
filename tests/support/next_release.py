"""A release and the next one, whose Solo has an event type of its own: a player declines, instead of passing.

Releases write what the one before can read. So the first has the rules of the next one beside its own: it reads, judges
and plays on such tables, and opens none.
"""

from collections.abc import Mapping
from typing import Any, ClassVar

from msgspec.structs import replace

from domain.games.solo import SOLO
from domain.kernel.event import NOTHING, Event, Payload
from domain.kernel.game import Game
from domain.parts.auction import BidPassed
from domain.registry import GAMES as OFFERED
from domain.seats import Seat

CHANGED = SOLO.name
"""The game whose rules have changed."""


class BidDeclined(Payload, frozen=True, gc=False):
    """A player declined to bid."""

    TYPE: ClassVar = "bid-declined"
    REVEALS: ClassVar = NOTHING

    seat: Seat


def _decide(state: Any, seat: Seat, action: Any) -> Event[Payload]:
    event = SOLO.decider.decide(state, seat, action)
    return replace(event, public=BidDeclined(seat)) if isinstance(event.public, BidPassed) else event


def _known(event: Event[Any]) -> Event[Any]:
    """The event by which the rules so far say the same."""
    declined = isinstance(event.public, BidDeclined)
    return replace(event, public=BidPassed(event.public.seat)) if declined else event


_NEXT: Game = replace(
    SOLO,
    rulebook=replace(SOLO.rulebook, version=SOLO.rulebook.version + 1),
    events=tuple(BidDeclined if each is BidPassed else each for each in SOLO.events),
    decider=replace(
        SOLO.decider,
        decide=_decide,
        action_of=lambda event: SOLO.decider.action_of(_known(event)),
        evolve=lambda state, event: SOLO.decider.evolve(state, _known(event)),
    ),
    words=replace(
        SOLO.words,
        events={
            BidDeclined.TYPE if name == BidPassed.TYPE else name: words for name, words in SOLO.words.events.items()
        },
    ),
    earlier=(),
)

READING: Mapping[str, Game] = {**OFFERED, CHANGED: replace(SOLO, earlier=(*SOLO.earlier, _NEXT))}
"""The games of this release."""
WRITING: Mapping[str, Game] = {
    **OFFERED,
    CHANGED: replace(_NEXT, earlier=(*SOLO.earlier, replace(SOLO, earlier=()))),
}
"""The games of the next one."""
EARLIER_REGISTRY = f"{__name__}:READING"
NEXT_REGISTRY = f"{__name__}:WRITING"
