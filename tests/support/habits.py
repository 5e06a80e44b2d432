"""How strangers play a game: what they lean to and wish for, and what must then be seen of it.

Nothing here is a rule: it is about which of the things offered are picked more often, so that in a few games most of
what there is in a game comes up.
"""

import random
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from tests.support.picking import Temper, repeatable, temper_of

Options = dict[str, Any]
Envelope = dict[str, Any]


class Wish(NamedTuple):
    """What the first player picks where it is offered, and how readily that player and the others pick acts."""

    values: Mapping[str, object]
    own: Mapping[str, float]
    others: Mapping[str, float]
    early: tuple[float, float] | None = None
    """How the first player and the others lean to the first of several values."""


BY_RANK = (Wish({}, {}, {}, (0.7, -0.7)), Wish({}, {}, {}, (-0.7, 0.7)), Wish({}, {}, {}))
"""Cards are offered in sorted order: who leans to the first plays high, who leans to the last low."""


class Habits(NamedTuple):
    """How strangers play a game."""

    game: str
    games: int
    """How many games are played by default: few, but so many that all of `few` is seen."""
    few: Collection[str]
    """What must be seen in any run: labels of the game's golden games."""
    many: Collection[str] = ()
    """What must be seen in a long one."""
    option_sets: Sequence[Options] = ({},)
    """Every way in which a table may be opened."""
    seats: Callable[[Options], int] = lambda _: 4
    leanings: Mapping[str, Sequence[float]] = {}
    """By type of act, how readily one player or another picks it."""
    wishes: Sequence[Wish] = BY_RANK
    rounds: int = 3
    """How often every wish has its turn; then all play as they like."""
    in_public: Mapping[str, Collection[str]] = {"card-played": ("card",)}
    """By type of event, the public fields that show or name cards to everybody."""
    in_section: Mapping[str, Collection[str]] = {}
    """By type of event, the fields of a seat's section that show cards to the seat."""
    open: Collection[str] = ()
    """The cards that are not dealt and lie open from the start."""
    differing: Collection[str] = ()
    """The fields of a view that audiences see differently, besides `seats`."""
    tried: Mapping[str, Sequence[int]] = {}
    """By option, the numbers that random games try, where one of the least and the greatest makes a deal too long."""
    tells_choices: bool = False
    """Whether what seats choose is sealed until all have chosen, and mostly told then."""
    events_a_deal: int = 200
    """A deal has fewer events."""
    deals: int | None = None
    """How many deals a game has; without it, so many that everybody deals once."""


def options_of(habits: Habits, number: int) -> Options:
    """The options of a game, so that in time every wish meets every set."""
    return dict(habits.option_sets[(number + number // len(habits.wishes)) % len(habits.option_sets)])


def tempers(habits: Habits, number: int, *, wishing: bool | None = None) -> list[Temper]:
    """The players of a game, of which the first one may wish for something: by default in the first games."""
    rng = repeatable(number)
    free = free_tempers(habits, rng, habits.seats(options_of(habits, number)))
    if not (number < wishless(habits) if wishing is None else wishing):
        return free
    wish = habits.wishes[number % len(habits.wishes)]
    own, others = (free[0].early, None) if wish.early is None else wish.early
    first = replace(free[0], readiness={**free[0].readiness, **wish.own}, wishes=wish.values, early=own)
    rest = [
        replace(each, readiness={**each.readiness, **wish.others}, early=each.early if others is None else others)
        for each in free[1:]
    ]
    return [first, *rest]


def wishless(habits: Habits) -> int:
    """The number of the first game in which nobody wishes for anything."""
    return habits.rounds * len(habits.wishes)


def free_tempers(habits: Habits, rng: random.Random, players: int) -> list[Temper]:
    """Players who wish for nothing."""
    return [temper_of(rng, habits.leanings) for _ in range(players)]
