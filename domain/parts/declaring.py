"""Earlier rules, under which declarer made the declarations without a choice, which are automatic now."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from domain.kernel.dealing import Dealt
from domain.kernel.event import Event, Payload
from domain.kernel.game import Decider, Game, rescored
from domain.kernel.rulebook import Rulebook
from domain.parts.scoring import all_citing


def first_version(newest: Game, rulebook: Rulebook, cited_at_first: Callable[[Any], tuple[int, ...]]) -> Game:
    """The game under the first version of its rules, which is this rulebook: declarer always declared.

    Tables were recorded in two more forms: with declarations that had become automatic, and with lines that cited only
    the events given by `cited_at_first`.
    """
    decider = always_declared(newest.decider)
    first = replace(newest, times_rise=False, rulebook=rulebook, decider=decider)
    declaring_itself = replace(first, decider=replace(decider, next_automatic=following(newest.decider)))
    citing_less = rescored(first, all_citing(newest.scoring, cited_at_first))
    return replace(first, forms=(declaring_itself, citing_less))


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
