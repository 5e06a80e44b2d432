"""Duplicate deals: the same cards for both levels, in turn at every seat or side."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest

from domain.kernel.action import Action
from domain.kernel.event import Event
from domain.kernel.game import Game
from domain.kernel.offers import Offer
from domain.opponents.playouts import Playouts
from domain.picking import Chance
from domain.seats import Seat
from domain.table.events import CardsDealt
from domain.table.state import Table, evolve
from tests.lab.tournament import duplicates
from tests.lab.tournament.duplicates import Pair, duplicate, play, sides_of, started
from tests.support.for_each import for_each
from tests.support.registry import GAMES

pytestmark = pytest.mark.long

SOLO = GAMES["solo"]


def chances(text: str) -> Chance:
    return Random(text).randrange  # noqa: S311 (what is drawn can be repeated; nothing is secret)


class Scripted:
    """An opponent that takes the first of its offers by a liking, in place of one that thinks."""

    liking: Sequence[str] = ()

    def __init__(self, game: Game, seat: Seat) -> None:
        self.game, self.seat = game, seat
        self.table: Table | None = None

    def see(self, _: str, event: Event[Any]) -> None:
        assert self.table is not None
        self.table = evolve(self.game, self.table, event)

    def choose(self, _: int, chance: Chance) -> Action:
        assert self.table is not None
        offers = self.game.decider.offers(self.table.deal_state, self.seat)
        liked = sorted(offers, key=self._rank)
        return Playouts(self.game, chance, len(self.table.players)).any_act(liked[:1])

    def _rank(self, offer: Offer) -> int:
        return self.liking.index(offer.type) if offer.type in self.liking else len(self.liking)


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Lets all seats act by these types of acts, the first of them that is offered."""

    def like(*liking: str) -> None:
        monkeypatch.setattr(Scripted, "liking", liking)
        monkeypatch.setattr(duplicates, "Opponent", Scripted)

    return like


@for_each("level, number", [("random", 0), ("random", 1), ("random", 2), ("quick", 3)])
def test_a_level_gains_exactly_nothing_over_itself(level: str, number: int) -> None:
    result = duplicate(SOLO, Pair(level, level), number, "equal", chances)
    assert result.difference == 0.0
    assert result.acts > 0
    assert not result.unended


def test_the_same_seed_gives_the_same_deals_and_another_gives_others() -> None:
    pair = Pair("quick", "random")
    once, again, other = (
        [duplicate(SOLO, pair, number, seed, chances) for number in range(2)] for seed in ("a", "a", "b")
    )
    assert once == again
    assert once != other


def test_the_difference_is_the_mean_of_what_each_seat_gains_over_the_others() -> None:
    start = started(SOLO, "one/solo/3", chances)
    expected = []
    for seat in range(4):
        levels = ["quick" if each == seat else "random" for each in range(4)]
        gained = play(SOLO, start, levels, chances).gained
        assert any(gained)
        expected.append(gained[seat] - (sum(gained) - gained[seat]) / 3)
    assert duplicate(SOLO, Pair("quick", "random"), 3, "one", chances).difference == pytest.approx(sum(expected) / 4)


def test_sides_take_turns_where_there_are_sides() -> None:
    assert sides_of(GAMES["don"]) == ((0, 2), (1, 3))
    assert sides_of(GAMES["solo"]) == ((0,), (1,), (2,), (3,))


@pytest.mark.parametrize("name", GAMES)
def test_a_deal_of_each_game_is_played_to_its_end(name: str, scripted: Callable[..., None]) -> None:
    """Any deal that a game has at least; those before it are played, and each seat then gains the same in sides."""
    scripted()
    game = GAMES[name]
    for number in range(3):
        start = started(game, f"ends/{name}/{number}", chances)
        assert 1 <= start.deal <= game.course.deals(game.options()).least
        assert start.house.scored == start.deal - 1
        played = play(game, start, ["random"] * len(start.own), chances)
        assert played.ended
        assert all(len({played.gained[seat] for seat in side}) == 1 for side in sides_of(game))


def test_all_deals_that_a_game_has_at_least_are_drawn() -> None:
    assert {started(SOLO, f"deals/{number}", chances).deal for number in range(30)} == {1, 2, 3, 4}


def test_each_seat_follows_only_what_it_may_know(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: dict[Seat, set[str]] = {seat: set() for seat in range(4)}

    class Watching(Scripted):
        def see(self, table: str, event: Event[Any]) -> None:
            if isinstance(event.public, CardsDealt):
                seen[self.seat] |= event.sealed.keys()
            super().see(table, event)

    monkeypatch.setattr(duplicates, "Opponent", Watching)
    start = started(SOLO, "secrets", chances)
    play(SOLO, start, ["random"] * 4, chances)
    assert seen == {seat: {f"seat:{seat}"} for seat in range(4)}
    assert all(own.seeds is None for own in start.own)


def test_a_deal_without_an_end_is_no_difference_and_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duplicates, "MOST_ACTS", 30)
    whole = duplicate(GAMES["don"], Pair("random", "random"), 0, "bound", chances)
    assert (whole.difference, whole.unended, whole.acts) == (0.0, 2, 60)


def test_in_a_game_without_turns_seats_act_in_turn(
    scripted: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    acted: list[Seat] = []

    class Turning(Scripted):
        def choose(self, worlds: int, chance: Chance) -> Action:
            acted.append(self.seat)
            return super().choose(worlds, chance)

    scripted("turn", "flip")
    monkeypatch.setattr(duplicates, "Opponent", Turning)
    play(GAMES["nuts"], started(GAMES["nuts"], "turns", chances), ["random"] * 2, chances)
    assert acted[:6] == [0, 1, 0, 1, 0, 1]


def test_the_time_limit_of_the_rules_runs_in_simulated_time(scripted: Callable[..., None]) -> None:
    """Nobody moves a card (NU-7.5), so each shift takes two minutes, in pauses of six tenths of a second."""
    scripted("turn", "flip")
    played = play(GAMES["nuts"], started(GAMES["nuts"], "time", chances), ["random"] * 2, chances)
    assert played.ended
    assert 199 <= played.acts < duplicates.MOST_ACTS


def test_a_pair_is_named_by_its_levels() -> None:
    assert Pair.named("strong-quick") == Pair("strong", "quick")
    assert Pair("strong", "quick").name == "strong-quick"


@for_each("name", ["strong", "strong-", "quick-best", ""])
def test_what_names_no_two_levels_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="names no two of the levels random, quick, strong"):
        Pair.named(name)
