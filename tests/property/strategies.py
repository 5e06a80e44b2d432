"""Tables of every game and kind, and the chance that plays them."""

import random
from collections.abc import Callable, Iterator
from itertools import chain, islice, product
from typing import Any

import msgspec
import pytest
from hypothesis import strategies as st
from msgspec.inspect import BoolType, IntType, LiteralType, Metadata, StructType, Type

from domain.kernel.game import Game
from domain.table.options import TableOptions
from domain.table.talk import has_own_talk
from tests.support.games import Live, chance, deals_allowed, step
from tests.support.registry import GAMES

TABLES: tuple[type[Live], ...] = tuple(type(f"{game.title} table", (Live,), {"game": game}) for game in GAMES.values())
"""The tables of each game."""

of_each_game = pytest.mark.parametrize("tables", TABLES, ids=lambda tables: tables.game.name)


def choices(field: Type) -> tuple[Any, ...]:
    """What an option may be; of a number its least and one not much greater, so that no game is long."""
    match field:
        case Metadata():
            return choices(field.type)
        case LiteralType():
            return field.values
        case BoolType():
            return (True, False)
        case IntType():
            assert field.ge is not None
            return (field.ge, field.ge + 10)
        case _:
            raise AssertionError(f"no choice is known for {field}")


def every_options(game: Game) -> tuple[Any, ...]:
    """All combinations of the game's options."""
    struct = msgspec.inspect.type_info(game.options)
    assert isinstance(struct, StructType)
    return tuple(game.options(*values) for values in product(*(choices(field.type) for field in struct.fields)))


def numbers_of_deals(game: Game, options: object) -> tuple[int, ...]:
    """The smallest numbers of deals that a game may have."""
    return tuple(islice(deals_allowed(game, options), 3))


@st.composite
def started(draw: st.DrawFn, tables: type[Live]) -> Live:
    """A table of this game, begun."""
    options = draw(st.sampled_from(every_options(tables.game)))
    return tables.started(
        options=options,
        deals=draw(st.sampled_from(numbers_of_deals(tables.game, options))),
        seed=draw(st.binary(min_size=32, max_size=32)),
        entropies=draw(st.tuples(*[st.none() | st.binary(max_size=64)] * tables.game.course.seats(options))),
        table=TableOptions(talk=not has_own_talk(tables.game) and draw(st.booleans())),
    )


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


def texts(value: object) -> Iterator[str]:
    """Every text in a JSON value."""
    match value:
        case str():
            yield value
        case list():
            yield from chain.from_iterable(map(texts, value))
        case dict():
            yield from chain.from_iterable(map(texts, value.values()))
        case _:
            pass
