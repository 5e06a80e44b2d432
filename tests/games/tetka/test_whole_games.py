"""Whole games picked from offers: they conserve what is booked, and their views count what tricks have cost."""

from collections import Counter

from domain.audit.auditor import audit
from domain.games.tetka import TETKA
from domain.games.tetka.penalties import BUMS
from domain.kernel.words import said
from domain.table.events import DealScored
from tests.games.tetka.checker import costs
from tests.games.tetka.tables import TetkaLive
from tests.support.games import READER, chance, finished, step


def game(number: int) -> TetkaLive:
    """A finished game."""
    return finished(TetkaLive.started(seed=bytes([number]) * 32), chance(number))


def test_random_games_are_intact_and_sum_to_zero() -> None:
    types: Counter[str] = Counter()
    for number in range(4):
        live = game(number)
        found = audit(READER, live.records)
        assert (found.verdict, found.unchecked) == ("intact", ())
        assert sum(live.table.balances.values()) == 0
        assert 32 <= live.table.accounts["bank"] <= 36
        types.update(event.public.TYPE for event in live.events)
    assert types["card-played"] == 4 * types["trick-won"] == 4 * 4 * 4 * 13


def test_the_view_counts_what_the_tricks_so_far_have_cost() -> None:
    rng = chance("view")
    live = TetkaLive.started(seed=bytes(32))
    while live.table.scored < 1:
        tricks = live.table.deal_state.tricks
        view = live.view("public")
        told = [[(played.seat, played.card) for played in trick.cards] for trick in tricks.complete]
        due = [cost for cost in costs(view["bum_card"], told, tricks.winners) if cost.trick is not None]
        assert list(view["points"]) == [sum(cost.points for cost in due if cost.seat == seat) for seat in range(4)]
        suit = [card for trick in told for _, card in trick if card[1] == view["bum_suit"]]
        assert sum(view["captured"]) == len(suit)
        assert [seat["tricks"] for seat in view["seats"]] == [tricks.winners.count(seat) for seat in range(4)]
        assert view["bum_trick"] == BUMS[view["bum_card"]].number
        (sentence,) = [said(group, view) for group in TETKA.words.status]
        assert sentence is not None
        step(live, rng)


def test_two_lines_of_a_trick_differ_in_their_text() -> None:
    """Where lines are listed by their texts, each penalty is told."""
    for number in range(4):
        for score in game(number).of(DealScored):
            texts = [line.text for line in score.lines if line.seat is not None]
            assert len(set(texts)) == len(texts)
