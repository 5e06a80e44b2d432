"""Tables of every kind, and the chance that plays them."""

import random
from collections.abc import Callable, Iterator
from itertools import product

from hypothesis import strategies as st

from domain.games.crocodile.meta import Options
from tests.support.crocodile import CONTRAPRIMERAS, STACKING
from tests.support.games import Live, chance, step

OPTIONS: tuple[Options, ...] = tuple(
    Options(contraprimeras=contraprimeras, bonus_stacking=stacking, casco_stock=stock)  # type: ignore[arg-type] # as named
    for contraprimeras, stacking, stock in product(CONTRAPRIMERAS, STACKING, ("all", "face-up"))
)

started: st.SearchStrategy[Live] = st.builds(
    lambda options, deals, seed, entropies: Live.started(options=options, deals=deals, seed=seed, entropies=entropies),
    options=st.sampled_from(OPTIONS),
    deals=st.sampled_from([3, 3, 6, 9]),
    seed=st.binary(min_size=32, max_size=32),
    entropies=st.tuples(*[st.none() | st.binary(max_size=64)] * 3),
)
"""A table whose game has begun."""

picking: st.SearchStrategy[random.Random] = st.randoms(use_true_random=False)
"""What picks among offers; Hypothesis sees and shrinks every choice."""

luck: st.SearchStrategy[random.Random] = st.builds(chance, st.integers(0, 2**64 - 1))
"""What picks among offers, by one number: for long games."""


def playing(live: Live, rng: random.Random, *, until: Callable[[Live], bool] = lambda _: False) -> Iterator[Live]:
    """The table after each action, from its start to its end."""
    yield live
    while live.table.status == "playing" and not until(live):
        step(live, rng)
        yield live
