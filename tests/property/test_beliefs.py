"""A world that a seat may believe in shows the seat exactly what it saw."""

import random
from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import asdict

from domain.cards import Card
from domain.fair.deck import Opening
from domain.kernel.event import Event
from domain.kernel.game import check
from domain.opponents.beliefs import Belief, Undescribed
from domain.opponents.whereabouts import name_of
from domain.registry import GAMES
from domain.seats import CLOCK, Audience, seat_audience, seat_in
from domain.table.automatic import next_automatic
from domain.table.deadlines import timer_of
from domain.table.state import Table, evolve
from tests.games.toy.game import TOY
from tests.support.games import redacted
from tests.support.picking import repeatable
from tests.support.repetition import times
from tests.support.worlds import Played, folds, played, said

VERSIONS = {f"{game.name}-{game.rulebook.version}": game for each in GAMES.values() for game in (each, *each.earlier)}
"""Each game under each version of its rules."""

GAMES_PLAYED = times(2)
WORLDS = 3
"""The worlds of each moment that are drawn."""


def a_game(name: str, rng: random.Random) -> Played:
    game = VERSIONS[name]
    options = game.options()
    # Lórum has eight kinds of deals, of which the last differ most.
    scored = rng.randint(1, 8) if game.name == "lorum" else times(1)
    return played(game, rng, options, game.course.deals(options).default, until=lambda table: table.scored >= scored)


def replays(
    record: Played, before: Table, events: Sequence[Event[Any]], truth: Sequence[Event[Any]], audience: Audience
) -> None:
    """The acts, with the world's own sealed choices, are legal in the world and show the audience what it saw."""
    game, table = record.game, evolve(record.game, before, events[0])
    for event, true in zip(events[1:], truth[1:], strict=True):
        action = game.decider.action_of(event) if table.running_deal is not None else None
        seat, timer = seat_in(true.actor), timer_of(game, table)
        if action is not None and seat is not None:
            check(game, table.deal_state, seat, action)
            made = game.decider.decide(table.deal_state, seat, action)
        elif true.actor == CLOCK and timer is not None:
            made = Event(timer.event)
        else:
            due = next_automatic(game, table)
            assert due is not None
            made = due
        assert said(made, audience) == said(true, audience)
        table = evolve(game, table, event)


@pytest.mark.parametrize("name", VERSIONS)
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
            state = record.tables[version - 1].deal_state
            waits = record.game.decider.next_automatic(state) is None and record.game.decider.score(state) is None
            if version - 1 in stops and waits:
                for _ in range(WORLDS):
                    world = belief.draw(rng.randrange)
                    assert world.table.deal_state.PHASE == own[version - 1].deal_state.PHASE
                    replays(record, own[first - 2], world.events, record.events[first - 1 : version], audience)
        assert belief.tried <= 4 * belief.accepted


# In Dingo, the heaps from which cards were passed are a guess, which may be wrong.
@pytest.mark.parametrize("name", [name for name in VERSIONS if not name.startswith("dingo")])
def test_the_truth_is_among_the_worlds(name: str) -> None:
    for number in range(GAMES_PLAYED):
        rng = repeatable(1000 + number)
        record = a_game(name, rng)
        first, last = rng.choice(record.deals)
        at = true_places(record, first, last)
        for seat in record.seats:
            audience = seat_audience(seat)
            own = list(folds(record, audience))
            belief = Belief(record.game, own[first - 2], seat, redacted(record.events[first - 1], audience))
            for version in range(first + 1, last + 1):
                belief.add(redacted(record.events[version - 1], audience))
            where = belief.whereabouts(rng.randrange)
            assert not where.guessed
            for variable, heaps in where.possible.items():
                card, parts = name_of(variable), {where.parts[heap] for heap in heaps}
                places = [place for part in parts if part >= 0 for place in where.places[part]]
                assert not places or any(at.get(place, card) == card for place in places), (seat, variable)


def true_places(record: Played, first: int, last: int) -> dict[int, Card]:
    """The card at each place of the deal."""
    at: dict[int, Card] = {}
    for event in record.events[first - 1 : last]:
        for section in event.sealed.values():
            for openings in asdict(section).values():
                if isinstance(openings, tuple):
                    at |= {one.position: one.card for one in openings if isinstance(one, Opening)}
    return at


def test_a_game_that_does_not_say_what_moves_unseen_has_no_worlds() -> None:
    record = played(TOY, repeatable(1), TOY.options(), 1, until=lambda table: table.scored >= 1)
    first, last = record.deals[0]
    audience = seat_audience(0)
    own = list(folds(record, audience))
    belief = Belief(TOY, own[first - 2], 0, redacted(record.events[first - 1], audience))
    passed = next(event for event in record.events[first:last] if event.public.TYPE == "card-passed")
    with pytest.raises(Undescribed):
        belief.add(redacted(passed, audience))
