"""An opponent acts by what its seat knows, and better than chance."""

from collections.abc import Sequence
from random import Random
from statistics import mean

import pytest
from msgspec.structs import replace

from domain.kernel.event import redact
from domain.kernel.game import Game
from domain.opponents.choosing import LEVELS, choose
from domain.opponents.opponent import Opponent
from domain.opponents.playouts import MOST, Playouts, candidates
from domain.opponents.tournament import Pair, Start, duplicate, play, started
from domain.picking import Chance
from domain.registry import GAMES
from domain.seats import seat_audience
from domain.table.state import Table
from tests.games.toy.game import TOY
from tests.support.picking import repeatable
from tests.support.repetition import times
from tests.support.worlds import Played, folds, played

CHEAP = ("boston", "ombre", "solo")
"""Games whose deals opponents play in a second; `make long` plays the others, too."""

TRICKS = ("boston", "crocodile", "king", "lhombre", "ombre", "solo", "tetka")
"""Games of tricks alone. In Nine-Card Don a deal's first card makes trumps, which is an event of its own."""

LEARNED = 5
"""So many playouts of each act are played in which others learn."""

COMPARED = GAMES if times(1) > 1 else CHEAP


def chances(text: str) -> Chance:
    return Random(text).randrange  # noqa: S311 (what is drawn can be repeated; nothing is secret)


def a_start(game: Game, number: int) -> Start:
    return started(game, f"opponents/{game.name}/{number}", chances)


@pytest.mark.parametrize("name", COMPARED)
def test_deals_among_quick_opponents_end(name: str) -> None:
    """Each act is legal: the table would refuse another."""
    game = GAMES[name]
    start = a_start(game, 1)
    assert play(game, start, ["quick"] * len(start.own), chances).ended


@pytest.mark.parametrize("name", COMPARED)
def test_quick_beats_chance(name: str) -> None:
    """The same deals, with the better player at each seat in turn."""
    game = GAMES[name]
    assert mean(duplicate(game, Pair("quick", "random"), number, "law", chances).difference for number in range(4)) > 0


@pytest.mark.parametrize("name", GAMES)
def test_what_a_seat_cannot_know_changes_nothing(name: str) -> None:
    """In each world that the seat may believe in, with the same chance, it does the same."""
    game, asked = GAMES[name], 0
    for number in range(times(1)):
        for record, seat, version in moments(game, repeatable(number)):
            opponent, acts = followed(record, seat, version), set()
            assert opponent.belief is not None
            for turn in range(2):
                world = opponent.belief.draw(repeatable(turn).randrange)
                other = Opponent(game, seat)
                other.table = opponent.belief.before
                for event in world.events:
                    other.see("table", replace(event, sealed=redact(event.sealed, seat_audience(seat))))
                acts.add(str(other.choose(4, repeatable(5).randrange)))
            assert len(acts) == 1
            asked += 1
    assert asked


def moments(game: Game, rng: Random) -> list[tuple[Played, int, int]]:
    """Some seats that must act in a deal of a game, or may where none must: the record, the seat, and the version."""
    options = game.options()
    record = played(game, rng, options, game.course.deals(options).default, until=lambda table: table.scored >= 1)
    (first, last), *_ = record.deals
    found = []
    for version in range(first + 1, last):
        state = record.tables[version - 1].deal_state
        if game.decider.next_automatic(state) is None and game.decider.score(state) is None:
            due = game.decider.to_act(state) or record.seats
            found += [(record, seat, version) for seat in due if game.decider.offers(state, seat)]
    return rng.sample(found, min(3, len(found)))


def followed(record: Played, seat: int, version: int) -> Opponent:
    """The opponent at the seat, after the event of this version."""
    opponent = Opponent(record.game, seat)
    for event in record.events[:version]:
        opponent.see("table", replace(event, sealed=redact(event.sealed, seat_audience(seat))))
    return opponent


@pytest.mark.parametrize("name", GAMES)
def test_a_deal_in_which_somebody_must_act_is_not_over(name: str) -> None:
    """So playouts ask for the score of others alone."""
    game, rng = GAMES[name], repeatable(6)
    options = game.options()
    deals = game.course.deals(options).default
    record = played(game, rng, options, deals, until=lambda table: table.scored >= 1)
    states = [table.deal_state for table in record.tables if table.running_deal is not None]
    over = [state for state in states if game.decider.score(state) is not None]
    assert over
    assert not [state for state in over if game.decider.to_act(state)]


@pytest.mark.parametrize("name", GAMES)
def test_a_playout_that_learns_comes_to_an_end_and_what_one_wins_others_lose(name: str) -> None:
    """Each act is offered: the game would refuse another."""
    game = GAMES[name]
    for record, seat, version in moments(game, repeatable(7)):
        opponent, table = followed(record, seat, version), record.tables[version - 1]
        assert opponent.belief is not None
        playouts = Playouts(game, repeatable(2).randrange, len(record.seats), learner=seat)
        offers = game.decider.offers(table.deal_state, seat)
        for act in candidates(offers, 2, playouts.act):
            for number in range(LEARNED):
                world = opponent.belief.draw(repeatable(number).randrange)
                state = game.decider.evolve(
                    world.table.deal_state, game.decider.decide(world.table.deal_state, seat, act)
                )
                gained = playouts.gained(state, version + 1, opponent.belief.trick)
                assert sum(gained) == pytest.approx(0)


@pytest.mark.parametrize("name", TRICKS)
def test_the_trick_is_what_lies_on_the_table(name: str) -> None:
    for record, seat, version in moments(GAMES[name], repeatable(8)):
        belief, state = followed(record, seat, version).belief, record.tables[version - 1].deal_state
        assert belief is not None
        on_table = [each.card for each in state.tricks.trick] if hasattr(state, "tricks") else []
        assert [getattr(act, "card", None) for act in belief.trick] == on_table


@pytest.mark.parametrize("name", GAMES)
def test_candidates_are_offered_and_bounded(name: str) -> None:
    """Each is one of the offers' acts, and no offer has more than its share."""
    game = GAMES[name]
    for record, seat, version in moments(game, repeatable(3)):
        state = record.tables[version - 1].deal_state
        offers = game.decider.offers(state, seat)
        acts = candidates(offers, MOST, Playouts(game, repeatable(1).randrange, len(record.seats)).act)
        assert 0 < len(acts) <= MOST * len(offers)
        for act in acts:
            game.decider.decide(state, seat, act)


def test_without_time_the_usual_act_is_taken() -> None:
    for record, seat, version in moments(GAMES["king"], repeatable(4)):
        opponent, chance = followed(record, seat, version), repeatable(1).randrange
        table = opponent.table
        assert table is not None
        offers = table_offers(record.game, table, seat)
        usual = Playouts(record.game, repeatable(1).randrange, len(record.seats)).usual_act(
            table.deal_state, seat, offers
        )
        late = choose(record.game, table, seat, opponent.belief, chance, LEVELS["strong"], in_time=lambda: False)
        assert late == usual


def table_offers(game: Game, table: Table, seat: int) -> Sequence[object]:
    return game.decider.offers(table.deal_state, seat)


def test_an_opponent_of_a_game_without_worlds_plays_on() -> None:
    """The toy does not say what its events move unseen, so its opponents have no belief."""
    own = list(folds(played(TOY, repeatable(1), TOY.options(), 1, until=lambda table: table.scored >= 1), "seat:0"))
    table = next(table for table in own if table.running_deal is not None and TOY.decider.offers(table.deal_state, 0))
    assert choose(TOY, table, 0, None, repeatable(1).randrange, 24) is not None
