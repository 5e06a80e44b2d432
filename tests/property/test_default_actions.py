"""What is done for players whose clocks have run out: it is legal, follows from their own offers, and ends a game."""

import random

import pytest
from msgspec.structs import asdict

from domain.kernel.action import tag_of
from domain.kernel.game import Game
from domain.kernel.offers import described
from domain.seats import seat_audience
from domain.table.actions import Act, Command, RunOut
from domain.table.deadlines import timer_of
from domain.table.seat_offers import default_action, offers
from domain.table.state import Table
from domain.table.view import to_act
from tests.property.strategies import every_options, numbers_of_deals, tries
from tests.support.games import EVERYBODY, chance
from tests.support.helpers import helper
from tests.support.registry import GAMES
from tests.support.worlds import any_command, folds, played

GAMES_PLAYED = 12

of_each_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def by_default(game: Game, table: Table, rng: random.Random) -> Command:
    """What is done for the first seat that must act; where none must, the clock of the rules runs out.

    Where neither is, players go on: a game without turns and without a time limit waits for them for good.
    """
    timer, seats = timer_of(game, table), to_act(game, table)
    if not seats:
        return any_command(game, table, rng) if timer is None else RunOut(timer.since)
    return Act(EVERYBODY[seats[0]], default_action(game, table, seats[0]))


def sometimes_by_default(game: Game, table: Table, rng: random.Random) -> Command:
    return any_command(game, table, rng) if rng.random() < 0.7 else by_default(game, table, rng)


@of_each_game
@pytest.mark.parametrize("choose", [any_command, sometimes_by_default])
def test_it_is_legal_and_follows_from_what_the_seat_knows(game: Game, choose: object) -> None:
    every = every_options(game)
    for number in range(tries(game, GAMES_PLAYED)):
        options = every[number % len(every)]
        record = played(
            game,
            chance((game.name, number)),
            options,
            numbers_of_deals(game, options)[0],
            until=lambda table: table.scored == 2,
            choose=choose,  # type: ignore[arg-type] # one of the two above
        )
        for seat in record.seats:
            for own, house in zip(folds(record, seat_audience(seat)), record.tables, strict=True):
                if seat not in to_act(game, house):
                    continue
                action = default_action(game, house, seat)
                assert described(offers(game, house, seat), tag_of(action), asdict(action)), (house.version, action)
                assert default_action(game, own, seat) == action, house.version


@of_each_game
def test_nothing_else_done_the_game_ends(game: Game) -> None:
    longest = helper(game.name, "habits").events_a_deal
    for number, options in enumerate(every_options(game)):
        deals = numbers_of_deals(game, options)[0]
        record = played(
            game,
            chance((game.name, "by default", number)),
            options,
            deals,
            until=lambda table: table.version > 20 + longest * table.deals,
            choose=by_default,
        )
        assert record.tables[-1].status == "finished"


@of_each_game
def test_nothing_is_done_for_a_seat_that_need_not_act(game: Game) -> None:
    record = played(game, chance(game.name), game.options(), numbers_of_deals(game, game.options())[0])
    with pytest.raises(ValueError, match="seat 0 is"):
        default_action(game, record.tables[-1], 0)
