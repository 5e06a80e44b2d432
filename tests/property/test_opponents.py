"""An opponent acts by what its seat knows, and better than chance."""

import random
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from domain.kernel.action import Action
from domain.kernel.event import Event
from domain.kernel.game import Game, check
from domain.opponents.choosing import LEVELS
from domain.opponents.opponent import Opponent
from domain.seats import Seat, seat_audience
from domain.table.actions import Act, OpenTable, TakeSeat
from domain.table.automatic import next_automatic
from domain.table.decide import act, open_table
from domain.table.state import Table, deal_of, evolve
from tests.support.games import EVERYBODY, OPENER, TABLE, redacted
from tests.support.picking import repeatable
from tests.support.registry import GAMES
from tests.support.repetition import times

OPEN = ("tetka", "king", "solo")
"""The games whose deals have worlds; see tests/property/test_beliefs.py."""


class Player:
    """One seat, which sees the events as they are redacted for it."""

    def __init__(self, game: Game, seat: Seat, level: str, rng: random.Random) -> None:
        self.game, self.seat, self.level, self.rng = game, seat, level, rng
        self.opponent = Opponent(game, seat)

    def see(self, event: Event[Any]) -> None:
        self.opponent.see(TABLE, redacted(event, seat_audience(self.seat)))

    def act(self) -> Action:
        return self.opponent.choose(LEVELS[self.level], self.rng.randrange)


def deals(name: str, seed: int, levels: Sequence[str]) -> Iterator[tuple[Table, Table, Player, Action]]:
    """One deal among opponents of these levels: before each act the house's fold, after it, who acted, and the act."""
    game = GAMES[name]
    options = game.options()
    opening = OpenTable(OPENER, game.course.deals(options).default, options, repeatable(seed).randbytes(32))
    table, events = open_table(game, TABLE, opening)
    seats = range(len(table.players))
    players = [Player(game, seat, levels[seat], repeatable(100 * seed + seat)) for seat in seats]
    waiting = iter(seats)
    for player in players:
        player.see(events[0])
    while table.scored != 1:
        event, acting = next_automatic(game, table), None
        if event is None and None in table.players:
            seat = next(waiting)
            event = act(game, table, TakeSeat(EVERYBODY[seat], seat))
        elif event is None:
            acting = players[game.decider.to_act(table.deal_state)[0]]
            chosen = acting.act()
            event = act(game, table, Act(EVERYBODY[acting.seat], chosen))
        event = replace(event, version=table.version + 1, deal=deal_of(table, event.public))
        before, table = table, evolve(game, table, event)
        if acting is not None:
            yield before, table, acting, chosen
        for player in players:
            player.see(event)
    yield table, table, players[0], chosen


@pytest.mark.parametrize("name", OPEN)
@pytest.mark.parametrize("level", ["random", "quick"])
def test_every_act_is_legal(name: str, level: str) -> None:
    seats = GAMES[name].course.seats(GAMES[name].options())
    for before, _, player, chosen in deals(name, 7, [level, *["random"] * (seats - 1)]):
        if before.running_deal is not None:
            check(player.game, before.deal_state, player.seat, chosen)


@pytest.mark.parametrize("name", OPEN)
def test_what_a_seat_cannot_know_changes_nothing(name: str) -> None:
    """In each world that the seat may believe in, with the same chance, it does the same."""
    seats = GAMES[name].course.seats(GAMES[name].options())
    asked = 0
    for _, _, player, _ in deals(name, 11, ["quick"] * seats):
        belief, own = player.opponent.belief, player.opponent.table
        if belief is None or own is None or own.running_deal is None or repeatable(asked).random() < 0.5:
            continue
        acts = set()
        for number in range(2):
            _, events = belief.draw(repeatable(number).randrange)
            other = Player(player.game, player.seat, "quick", repeatable(5))
            other.opponent.table = belief.before
            for event in events:
                other.see(event)
            acts.add(str(other.act()))
        asked += 1
        assert len(acts) == 1
        if asked == times(4):
            break
    assert asked


@pytest.mark.parametrize("name", OPEN)
def test_quick_beats_chance(name: str) -> None:
    """The same deals, with the better player at each seat in turn."""
    seats = GAMES[name].course.seats(GAMES[name].options())
    differences = []
    for seed in range(times(1)):
        for seat in range(seats):
            levels = ["quick" if each == seat else "random" for each in range(seats)]
            *_, (table, *_) = deals(name, seed, levels)
            others = [total for each, total in enumerate(table.totals) if each != seat]
            differences.append(table.totals[seat] - sum(others) / len(others))
    assert sum(differences) > 0
