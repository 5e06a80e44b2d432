"""Cards are placed where they may lie, and all ways are equally likely: compared with counting every way."""

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import product
from math import factorial

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from domain.cards import NAMES, Card
from domain.opponents.placing import Impossible, Placing

Way = tuple[tuple[Card, ...], ...]


def ways(possible: Mapping[Card, frozenset[str]], room: Mapping[str, int]) -> Iterator[dict[str, frozenset[Card]]]:
    """All consistent ways, by trying every place for every card."""
    for chosen in product(*(sorted(places) for places in possible.values())):
        if all(chosen.count(place) == number for place, number in room.items()):
            yield {
                place: frozenset(card for card, where in zip(possible, chosen, strict=True) if where == place)
                for place in room
            }


@st.composite
def questions(draw: st.DrawFn) -> tuple[dict[Card, frozenset[str]], dict[str, int]]:
    cards = draw(st.lists(st.sampled_from(NAMES[:20]), min_size=1, max_size=6, unique=True))
    places = "abc"[: draw(st.integers(1, 3))]
    some = st.frozensets(st.sampled_from(places), min_size=1)
    possible = {card: draw(some) for card in cards}
    # Room as some placing takes it, so that at least one way exists.
    chosen = [draw(st.sampled_from(sorted(where))) for where in possible.values()]
    return possible, {place: chosen.count(place) for place in places}


@given(questions(), st.randoms(use_true_random=False))
def test_it_counts_all_ways_and_draws_one_of_them(
    question: tuple[dict[Card, frozenset[str]], dict[str, int]], rng: random.Random
) -> None:
    possible, room = question
    every = list(ways(possible, room))
    placing = Placing(possible, room)
    assert placing.number == len(every)
    drawn = placing.draw(rng.randrange)
    assert {place: frozenset(cards) for place, cards in drawn.items()} in every


@settings(max_examples=30)
@given(questions())
def test_every_way_is_drawn_by_as_many_chances(
    question: tuple[dict[Card, frozenset[str]], dict[str, int]],
) -> None:
    possible, room = question
    placing = Placing(possible, room)
    assume(placing.number <= 6)
    weights = Counter[Way]()

    def descend(script: list[int], chance: int) -> None:
        """Follows every course that chance can take; `chance` is what is left of the whole number of courses."""
        asked: list[int] = []

        def below(number: int) -> int:
            if len(asked) < len(script):
                asked.append(number)
                return script[len(asked) - 1]
            raise _More(number)

        number = 0
        try:
            drawn = placing.draw(below)
        except _More as more:
            number = more.number
        if not number:
            weights[tuple(tuple(sorted(cards)) for cards in drawn.values())] += chance
        for value in range(number):
            descend([*script, value], chance // number)

    # Divisible by all numbers that are asked for, one after the other.
    descend([], (2 * 3 * 4 * 5 * 6 * 7 * 8 * 9 * 10 * 11) ** 8)
    assert len(weights) == placing.number
    assert len(set(weights.values())) == 1


class _More(Exception):
    """Chance is asked once more."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


def test_what_cannot_be_is_said() -> None:
    for possible, room in (
        ({"Ks": frozenset("a")}, {"a": 0, "b": 1}),
        ({"Ks": frozenset("a"), "Qs": frozenset("a")}, {"a": 1}),
        ({"Ks": frozenset("a")}, {"a": 2}),
    ):
        with pytest.raises(Impossible):
            Placing(possible, room)


def test_a_whole_deal_is_counted() -> None:
    hands = Placing(dict.fromkeys(NAMES[:39], frozenset("abc")), dict.fromkeys("abc", 13))
    assert hands.number == factorial(39) // factorial(13) ** 3
    drawn = hands.draw(random.Random(1).randrange)  # noqa: S311 (a draw of the test)
    assert sorted(map(len, drawn.values())) == [13, 13, 13]
