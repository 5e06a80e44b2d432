"""A world that a seat may believe in shows the seat exactly what it saw, and the truth is one of these worlds."""

import random

import pytest
from msgspec.structs import asdict

from domain.kernel.game import check
from domain.opponents.beliefs import Belief
from domain.seats import seat_audience, seat_in
from domain.table.automatic import next_automatic
from domain.table.state import Table, evolve
from tests.support.games import redacted
from tests.support.picking import repeatable
from tests.support.registry import GAMES
from tests.support.repetition import times
from tests.support.worlds import Played, folds, played, said

OPEN = ("tetka", "king", "solo")
"""The games in which only the dealing is sealed, and no event says what follows from a hand that it does not show."""

GAMES_PLAYED = times(2)
WORLDS = 3
"""The worlds of each moment that are drawn."""


def a_game(name: str, rng: random.Random) -> Played:
    game = GAMES[name]
    options = game.options()
    return played(game, rng, options, game.course.deals(options).default, until=lambda table: table.scored >= times(3))


def replays(
    record: Played, before: Table, events: tuple[object, ...], truth: tuple[object, ...], audience: str
) -> None:
    """The recorded acts, replayed through decide in the world, show the audience what it saw."""
    game, table = record.game, evolve(record.game, before, events[0])
    for event, true in zip(events[1:], truth[1:], strict=True):
        action = game.decider.action_of(true) if table.running_deal is not None else None
        seat = seat_in(true.actor)
        if action is None or seat is None:
            due = next_automatic(game, table)
            assert due is not None
            assert said(due, audience) == said(true, audience)
        else:
            check(game, table.deal_state, seat, action)
            assert said(game.decider.decide(table.deal_state, seat, action), audience) == said(true, audience)
        table = evolve(game, table, event)


@pytest.mark.parametrize("name", OPEN)
def test_worlds_show_the_seat_what_it_saw(name: str) -> None:
    for number in range(GAMES_PLAYED):
        rng = repeatable(number)
        record = a_game(name, rng)
        first, last = rng.choice(record.deals)
        seat = rng.choice(record.seats)
        audience = seat_audience(seat)
        own = list(folds(record, audience))
        seen = [redacted(event, audience) for event in record.events]
        belief = Belief(record.game, own[first - 2], seat, seen[first - 1])
        stops = set(rng.sample(range(first, last), min(4, last - first))) | {last - 1}
        for version in range(first + 1, last + 1):
            belief.add(seen[version - 1])
            if version - 1 in stops:
                for _ in range(WORLDS):
                    table, events = belief.draw(rng.randrange)
                    assert table.deal_state.PHASE == own[version - 1].deal_state.PHASE
                    replays(record, own[first - 2], events, record.events[first - 1 : version], audience)
        assert belief.tried <= 4 * belief.accepted


@pytest.mark.parametrize("name", OPEN)
def test_the_truth_is_among_the_worlds(name: str) -> None:
    for number in range(GAMES_PLAYED):
        record = a_game(name, repeatable(1000 + number))
        for first, last in record.deals:
            for seat in record.seats:
                audience = seat_audience(seat)
                own = list(folds(record, audience))
                belief = Belief(record.game, own[first - 2], seat, redacted(record.events[first - 1], audience))
                for version in range(first + 1, last + 1):
                    belief.add(redacted(record.events[version - 1], audience))
                    where = true_places(record, first, belief)
                    assert all(where[card] in places for card, places in belief._possible.items()), (seat, version)


def true_places(record: Played, first: int, belief: Belief) -> dict[str, int]:
    """The portion in which each card truly was dealt."""
    dealt = record.events[first - 1]
    at = {}
    for section in dealt.sealed.values():
        for openings in asdict(section).values():
            if isinstance(openings, tuple):
                at |= {opening.position: opening.card for opening in openings}
    return {
        at[position]: index
        for index, portion in belief._hidden.items()
        for position in portion.places
        if position in at
    }
