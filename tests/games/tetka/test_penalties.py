"""TE-4, TE-5: what each trick costs, who has the most tricks, and what is booked."""

from collections import Counter
from itertools import pairwise

import pytest

from domain.games.tetka.penalties import BUMS, PENALTIES, RESULTS
from domain.kernel.ledger import BANK, LineAt
from domain.table.actions import OpenDispute
from tests.games.tetka.checker import costs
from tests.games.tetka.tables import PACK, SUITS, TetkaLive, planned, played, settled, versions_of
from tests.support.for_each import for_each
from tests.support.games import EVERYBODY, chance, step

ALONE = [0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0]
"""Seat 0 wins four tricks, the others three each."""


def test_the_table_of_penalties() -> None:
    assert [(row.rule, row.points) for row in PENALTIES] == [
        ("TE-4.1", 1), ("TE-4.2", 2), ("TE-4.3", 1), ("TE-4.4", 1), ("TE-4.5", 1), ("TE-4.6", 1)
    ]  # fmt: skip


def test_te_4_1_the_trick_with_the_bum_card() -> None:
    deal = settled("5d", ALONE, {7: "5d"})
    assert deal.of_trick(7) == [("TE-4.1", -1)]
    assert [line.account for line in deal.score.transfers if line.rule == "TE-4.1"] == [2]


@pytest.mark.parametrize("suit", SUITS)
def test_te_4_2_the_trick_with_the_queen_of_the_bum_suit(suit: str) -> None:
    assert settled(f"5{suit}", ALONE, {7: f"Q{suit}"}).of_trick(7) == [("TE-4.2", -2)]


@pytest.mark.parametrize("suit", SUITS)
def test_te_4_3_a_line_for_each_other_queen(suit: str) -> None:
    others = [f"Q{other}" for other in SUITS if other != suit]
    for number in (1, 2, 3):
        deal = settled(f"5{suit}", ALONE, {7: " ".join(others[:number])})
        assert deal.of_trick(7) == [("TE-4.3", -1)] * number
        texts = [line.text for line in deal.score.transfers if line.events == versions_of(7)]
        assert len(set(texts)) == number


@for_each("suit", SUITS)
@for_each("number, rank", list(enumerate("A23456789TJQK", 1)))
def test_te_4_4_the_trick_of_the_bum_cards_number(number: int, rank: str, suit: str) -> None:
    bum = rank + suit
    assert BUMS[bum].number == number
    elsewhere = 2 if number != 2 else 3
    deal = settled(bum, ALONE, {elsewhere: bum, number: "3s" if bum != "3s" else "4s"})
    assert deal.of_trick(number) == [("TE-4.4", -1), *([("TE-4.5", -1)] if number == 13 else [])]
    assert Counter(line.rule for line in deal.score.transfers)["TE-4.4"] == 1


def test_te_4_5_the_thirteenth_trick() -> None:
    deal = settled("5d", ALONE, {13: "3s", 1: "5d Qd Qs Qh", 2: "Qc"})
    assert deal.of_trick(13) == [("TE-4.5", -1)]


@pytest.mark.parametrize("seat", range(4))
def test_te_4_6_the_largest_number_of_tricks(seat: int) -> None:
    winners = [(place + seat) % 4 for place in range(13)]
    deal = settled("5d", winners)
    assert deal.of_most() == [seat]
    (line,) = [line for line in deal.score.transfers if line.rule == "TE-4.6"]
    assert (line.amount, line.counter) == (-1, BANK)


def test_te_4_7_penalties_add_up() -> None:
    first = settled("5d", ALONE, {5: "5d Qd Qc"})
    assert first.of_trick(5) == [("TE-4.1", -1), ("TE-4.2", -2), ("TE-4.3", -1), ("TE-4.4", -1)]
    second = settled("Ks", ALONE, {13: "Qh", 1: "Ks"})
    assert second.of_trick(13) == [("TE-4.3", -1), ("TE-4.4", -1), ("TE-4.5", -1)]


@pytest.mark.parametrize(("at", "amount"), [({1: "3s", 2: "Ah"}, -1), ({1: "Ah"}, -2), ({1: "Ah Qh"}, -4)])
def test_te_4_7_an_ace_makes_the_first_trick_cost(at: dict[int, str], amount: int) -> None:
    assert sum(cost for _, cost in settled("Ah", ALONE, at).of_trick(1)) == amount


@pytest.mark.parametrize("suit", SUITS)
def test_te_4_8_a_queen_as_bum_card_is_tetka_too(suit: str) -> None:
    others = " ".join(f"Q{other}" for other in SUITS if other != suit)
    deal = settled(f"Q{suit}", ALONE, {11: f"Q{suit}", 9: others})
    assert deal.of_trick(11) == [("TE-4.1", -1), ("TE-4.2", -2)]
    assert deal.of_trick(9) == [("TE-4.3", -1)] * 3
    assert settled(f"Q{suit}", ALONE, {12: f"Q{suit}"}).of_trick(12) == [
        ("TE-4.1", -1), ("TE-4.2", -2), ("TE-4.4", -1)
    ]  # fmt: skip


EQUAL = [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 3]
"""Seats 0 and 1 win five tricks each."""


@pytest.mark.parametrize(
    ("at", "pays"),
    [
        pytest.param({1: "6c 5c 4c 3c", 2: "Kc Tc", 6: "Jc 9c 8c 7c", 11: "Ac Qc 2c"}, 0, id="six against four"),
        pytest.param({1: "6c 5c 4c 3c", 6: "Jc 9c 8c 7c", 7: "Kc Tc", 11: "Ac Qc 2c"}, 1, id="four against six"),
        pytest.param({1: "Kc 5c 4c 3c", 6: "Jc 9c 8c 7c", 11: "Ac Qc 2c 6c", 12: "Tc"}, 0, id="the king"),
        pytest.param({1: "6c 5c 4c 3c", 6: "Jc 9c 8c 7c", 11: "Ac Kc Qc 2c", 13: "Tc"}, 1, id="the jack"),
        pytest.param({6: "2c", 11: "Ac Kc Qc Jc", 12: "Tc 9c 8c 7c", 13: "6c 5c 4c 3c"}, 1, id="one card"),
    ],
)
def test_te_4_9_of_equals_who_captured_most_of_the_bum_suit_then_the_highest(at: dict[int, str], pays: int) -> None:
    """A higher card that a third player captured, or who of them the bum card itself went to, does not count."""
    for bum in ("2c", "Tc"):
        deal = settled(bum, EQUAL, at)
        assert deal.of_most() == [pays]
        assert deal.score.outcome == "nine-points"


def test_te_4_9_of_three_equals_only_those_with_most_of_the_suit_are_compared_by_its_highest() -> None:
    winners = [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3]
    at = {1: "Ac", 5: "Jc 9c 8c 7c", 9: "Kc 6c 5c 4c", 13: "Qc Tc 3c 2c"}
    assert settled("2c", winners, at).of_most() == [2]


def test_te_4_9_a_deal_played_so() -> None:
    """Tricks 5, 5, 2, 1: the two captured four clubs each, a third player the ace."""
    fours = ("Ac Kc Qc Jc", "Tc 9c 8c 7c", "6c 5c 4c 3c")
    live = played(planned([2, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2], "2c", fours=fours))
    assert [line.seat for line in live.score.lines[::2] if line.rule == "TE-4.6"] == [1]
    (text,) = {line.text for line in live.score.lines if line.rule == "TE-4.6"}
    assert text == "5 tricks by seat 1, the most tricks: 1 (equal in tricks, first by the bum suit)"


def test_te_4_10_nobody_if_the_tied_captured_none_of_the_suit() -> None:
    winners = [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 3, 3]
    at = {9: "Ac Kc Qc Jc", 10: "Tc 9c 8c 7c", 12: "6c 5c 4c 3c", 13: "2c"}
    deal = settled("2c", winners, at)
    assert (deal.of_most(), deal.score.outcome) == ([], "eight-points")


def test_te_4_10_a_deal_played_so() -> None:
    """Tricks 4, 4, 3, 2: all clubs fall to the last two, and the deal gives eight points."""
    fours = ("Ac Kc Qc Jc", "Tc 9c 8c 7c", "6c 5c 4c 3c")
    live = played(planned([2, 2, 3, 0, 0, 0, 0, 1, 1, 1, 1, 3], "2c", fours=fours, dealer=2))
    assert live.score.outcome == "eight-points"
    assert sum(live.score.totals) == -8
    assert "TE-4.6" not in {line.rule for line in live.score.lines}


@pytest.mark.parametrize("seat", range(4))
def test_te_4_11_one_player_with_all_tricks_gets_all_nine(seat: int) -> None:
    live = played(planned([seat] * 12, "Kd" if seat != 3 else "Ad"))
    assert live.score.outcome == "nine-points"
    assert list(live.score.totals) == [-9 if each == seat else 0 for each in range(4)]


def test_te_4_11_nine_points_or_eight_whatever_falls() -> None:
    assert [(row.outcome, row.points) for row in RESULTS] == [("nine-points", 9), ("eight-points", 8)]
    rng = chance("any deal")
    nobody = 0
    for _ in range(1500):
        cards = rng.sample(PACK, 52)
        winners = [rng.randrange(4) for _ in range(13)]
        deal = settled(
            cards[0], winners, {place + 1: " ".join(cards[4 * place : 4 * place + 4]) for place in range(13)}
        )
        due = costs(cards[0], deal.tricks, winners)
        booked = Counter((line.rule, -line.amount, line.account) for line in deal.score.transfers)
        assert booked == Counter((cost.rule, cost.points, cost.seat) for cost in due)
        points = -sum(line.amount for line in deal.score.transfers)
        assert (deal.score.outcome, points) in (("nine-points", 9), ("eight-points", 8))
        nobody += points == 8
    assert nobody < 20


def test_te_5_1_a_penalty_is_minus_on_the_players_account_and_plus_on_the_banks() -> None:
    live = played(planned([0] * 12, "7h"))
    for own, other in zip(live.score.lines[::2], live.score.lines[1::2], strict=True):
        assert (own.seat, own.counter, own.amount) == (0, BANK, -other.amount)
        assert (other.account, other.seat) == (BANK, None)
        assert own.amount < 0
    assert live.table.accounts == {BANK: 9}


def test_te_5_2_a_line_for_each_penalty_with_its_rule_and_its_tricks_events() -> None:
    live = played(planned([0, 1, 2, 3, *[0] * 8], "7h"))
    tricks = [event.version for event in live.events if event.public.TYPE == "trick-won"]
    of_all = [version for won in tricks for version in range(won - 4, won + 1)]
    kinds = {row.rule: row.penalty for row in PENALTIES}
    assert Counter(line.rule for line in live.score.lines[::2]) == {
        rule: 3 if rule == "TE-4.3" else 1 for rule in kinds
    }
    for line in live.score.lines:
        assert line.kind == kinds[line.rule]
        if line.rule == "TE-4.6":
            assert list(line.events) == of_all
        else:
            assert line.events[-1] in tricks
            assert live.cited(line) == ["card-played"] * 4 + ["trick-won"]
            assert all(after == before + 1 for before, after in pairwise(line.events))
    assert sum(line.amount for line in live.score.lines) == 0


def test_te_5_2_lines_stand_in_the_order_of_tricks_then_of_rules() -> None:
    deal = settled("Ks", ALONE, {1: "Ks Qs", 2: "Qh Qd", 13: "Qc"})
    assert [transfer.rule for transfer in deal.score.transfers] == [
        *("TE-4.1", "TE-4.2"),
        *("TE-4.3", "TE-4.3"),
        *("TE-4.3", "TE-4.4", "TE-4.5"),
        "TE-4.6",
    ]


def test_te_5_2_events_between_the_cards_of_a_trick_are_not_cited() -> None:
    """A dispute of an earlier deal may be raised while a trick is on the table."""
    live = disputed_in_the_middle()
    for line in live.score.lines:
        assert set(live.cited(line)) == {"card-played", "trick-won"}


def disputed_in_the_middle() -> TetkaLive:
    """A second deal, in whose third trick a line of the first deal was disputed."""
    plan = planned([0] * 12, "7h")
    live = played(plan)
    first = next(event for event in live.events if event.public.TYPE == "deal-scored")
    rng = chance("a dispute")
    while len(live.table.deal_state.tricks.played_at) < 10:
        step(live, rng)
    live.command(OpenDispute(EVERYBODY[1], (LineAt(first.version, 0),), None, "That queen was mine."))
    while live.table.scored < 2:
        step(live, rng)
    return live
