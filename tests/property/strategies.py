"""Tables of every game and kind, and the chance that plays them."""

import random
from collections.abc import Callable, Iterator
from functools import cache
from itertools import chain, islice, product
from typing import Any, TypeAlias

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.inspect import BoolType, IntType, LiteralType, Metadata, StructType, Type

from domain.kernel.game import Game
from domain.table.options import TableOptions
from domain.table.talk import has_own_talk
from tests.support.games import Live, chance, deals_allowed, step
from tests.support.helpers import helper
from tests.support.long import beginnings, ended, enough, is_long
from tests.support.registry import GAMES
from tests.support.repetition import times
from tests.support.run import made_once

TABLES: tuple[type[Live], ...] = tuple(type(f"{game.title} table", (Live,), {"game": game}) for game in GAMES.values())
"""The tables of each game."""

of_each_game = pytest.mark.parametrize("tables", TABLES, ids=lambda tables: tables.game.name)


def choices(field: Type) -> tuple[Any, ...]:
    """What an option may be; of a number the least and the greatest."""
    match field:
        case Metadata():
            return choices(field.type)
        case LiteralType():
            return field.values
        case BoolType():
            return (True, False)
        case IntType():
            assert field.ge is not None
            assert field.le is not None
            return (field.ge, field.le)
        case _:
            raise AssertionError(f"no choice is known for {field}")


def every_options(game: Game) -> tuple[Any, ...]:
    """All combinations of the game's options."""
    return _every_options(game.name, game.options)


@cache
def _every_options(name: str, options: Any) -> tuple[Any, ...]:
    struct, tried = msgspec.inspect.type_info(options), helper(name, "habits").tried
    assert isinstance(struct, StructType)
    some = [tried.get(field.name) or choices(field.type) for field in struct.fields]
    return tuple(options(*values) for values in product(*some))


def numbers_of_deals(game: Game, options: object) -> tuple[int, ...]:
    """The smallest numbers of deals that a game may have; of a long one the smallest alone."""
    return tuple(islice(deals_allowed(game, options), 1 if is_long(game, options) else 3))


@st.composite
def started(draw: st.DrawFn, tables: type[Live]) -> Live:
    """A table of this game, begun; a long game in any of its first deals."""
    options = draw(st.sampled_from(every_options(tables.game)))
    if is_long(tables.game, options):
        own = TableOptions(talk=not has_own_talk(tables.game) and draw(st.booleans()))
        return draw(st.sampled_from(beginnings(tables, options, own, draw(st.integers(0, 1))))).branch()
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


EVENTS = 500
"""A property is tried with random games of about so many events together, whatever the game."""
LEAST_TRIES = 2
"""However long its games are."""

Property: TypeAlias = Callable[[type[Live], st.DataObject, random.Random], None]
"""Holds for the tables of a game, whatever is drawn and however is played."""


def events_a_game(game: Game) -> int:
    """About how many events a random game has, as far as tests play it: the mean of a few."""
    return _events_a_game(game.name)


@cache
def _events_a_game(name: str) -> int:
    kept = made_once(f"events-a-game-{name}", lambda path: path.write_text(str(_counted(name))))
    return int(kept.read_text())


def _counted(name: str) -> int:
    tables = next(tables for tables in TABLES if tables.game.name == name)
    every, lengths = every_options(tables.game), list[int]()
    for number in range(6):
        rng = chance(("events a game", name, number))
        options = rng.choice(every)
        deals = rng.choice(numbers_of_deals(tables.game, options))
        lengths.append(ended(tables.started(options=options, deals=deals, seed=rng.randbytes(32)), rng).version)
    return sum(lengths) // len(lengths)


def tries(game: Game, most: int, events: int = EVENTS) -> int:
    """How many random games a property is tried with: the fewer, the longer they are."""
    return times(max(LEAST_TRIES, min(most, events // events_a_game(game))))


def in_random_games(most: int, events: int = EVENTS) -> Callable[[Property], Callable[[type[Live]], None]]:
    """Has Hypothesis try the property in each game, at most so often, with about so many events together."""

    def decorated(holds: Property) -> Callable[[type[Live]], None]:
        @of_each_game
        def test(tables: type[Live]) -> None:
            settings(max_examples=tries(tables.game, most, events))(given(data=st.data(), rng=luck)(holds))(tables)

        test.__name__, test.__doc__ = holds.__name__, holds.__doc__
        return test

    return decorated


def playing(
    live: Live, rng: random.Random, *, until: Callable[[Live], bool] = lambda _: False, liking: str | None = None
) -> Iterator[Live]:
    """The table after each action, from its start to its end; a long game as far as tests play it."""
    yield live
    while live.table.status == "playing" and not until(live) and not enough(live.game, live.table):
        step(live, rng, liking=liking)
        yield live


def texts(value: object) -> Iterator[str]:
    """Every text in a JSON value."""
    match value:
        case str():
            yield value
        case list() | tuple():
            yield from chain.from_iterable(map(texts, value))
        case dict():
            yield from chain.from_iterable(map(texts, value.values()))
        case _:
            pass
