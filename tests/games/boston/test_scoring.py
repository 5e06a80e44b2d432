"""BO-7, BO-8, BO-9: what a deal comes to, and its ledger."""

import pytest

from domain.games.boston.events import GameScored
from domain.games.boston.meta import Options
from tests.games.boston.checker import LADDER, SUPPORTED, TRICKS, Played, Share, owed
from tests.games.boston.tables import SUITS, BostonLive, planned, played, shared_out
from tests.support.for_each import for_each

WIDE = Options(piccolissimo=True)


def score(live: BostonLive) -> GameScored:
    (scored,) = live.of(GameScored)
    assert isinstance(scored, GameScored)
    return scored


@for_each("won", range(14))
@for_each("contract", TRICKS)
def test_bo_7_1_base_and_a_premium_for_each_trick_over_or_short(contract: str, won: int) -> None:
    live = played(contract, shared_out(won))
    goal, level = TRICKS[contract], TRICKS[contract] - 4
    value = 3 * level + level * abs(won - goal)
    assert live.booked(0) == [("contract", "BO-7.5", value if won >= goal else -value)]


@for_each("honours, premiums", [(0, 0), (3, 2), (4, 4)])
@for_each("won", [5, 9])
@for_each("contract", TRICKS)
def test_bo_7_2_honours_won_or_lost(contract: str, won: int, honours: int, premiums: int) -> None:
    winners = shared_out(won)[::-1]
    plain = played(contract, winners, suit="d")
    live = played(contract, winners, suit="d", honours=honours)
    premium = TRICKS[contract] - 4
    sign = 1 if score(plain).totals[0] > 0 else -1
    assert score(live).totals[0] - score(plain).totals[0] == sign * 3 * premium * premiums


def test_bo_7_2_those_of_others_do_not_count() -> None:
    live = played("five", shared_out(5), honours=4, holder=1)
    assert score(live).totals[0] == 3


def test_bo_7_2_nor_those_of_another_suit() -> None:
    plan = planned(shared_out(9)[::-1], "d", 4)
    assert {card for trick in plan for seat, card in trick.items() if seat == 0 and card[0] in "AKQJ"} >= {
        "Ad", "Kd", "Qd", "Jd",
    }  # fmt: skip
    hearts = {card for trick in plan for seat, card in trick.items() if seat == 0 and card in ("Ah", "Kh", "Qh", "Jh")}
    assert len(hearts) < 3


@for_each("suit", SUITS)
@for_each("won", [0, 1, 2, 13])
@for_each("contract", [name for name in LADDER if name not in (*TRICKS, "four-ace-misere")])
def test_bo_7_3_misere_and_boston_count_the_base_alone(contract: str, won: int, suit: str) -> None:
    live = played(contract, shared_out(won), suit=suit, options=WIDE, honours=4 if won == 13 else 0)
    due = owed(contract, suit, Played(won)).declarer
    assert due is not None
    assert live.booked(0) == [("contract", "BO-7.5", due.amount)]


@pytest.mark.parametrize(("suit", "factor"), list(zip(SUITS, (1, 2, 3, 4), strict=True)))
def test_bo_7_4_the_sum_is_multiplied_by_the_factor(suit: str, factor: int) -> None:
    assert score(played("ten", shared_out(11), suit=suit)).totals[0] == (18 + 6) * factor


@pytest.mark.parametrize("won", [8, 7])
def test_bo_7_5_declarer_alone_scores(won: int) -> None:
    scored = score(played("eight", shared_out(won, 3), declarer=0))
    assert scored.outcome == ("made" if won == 8 else "failed")
    assert scored.totals == (12 if won == 8 else -16, 0, 0, 0)
    assert (scored.declarer, scored.supporter, scored.contract, scored.suit) == (0, None, "eight", "s")


SHARES = [(mine, theirs) for mine in (3, 5, 6, 8) for theirs in (2, 3, 4, 5)]


@for_each("suit", ["s", "d"])
@for_each("mine, theirs", SHARES)
@for_each("contract", SUPPORTED)
def test_allied_deals_score_as_the_independent_check_says(contract: str, mine: int, theirs: int, suit: str) -> None:
    live = played(contract, shared_out(mine, theirs), suit=suit, supporter=2)
    due = owed(contract, suit, Played(mine), Played(theirs))
    assert score(live).outcome == due.outcome
    assert booked(live, 0) == due.declarer
    assert booked(live, 2) == due.supporter


def booked(live: BostonLive, seat: int) -> Share | None:
    """What the seat gains by its line, if it has one; no honours count."""
    lines = [Share(rule, amount, honours=False) for _, rule, amount in live.booked(seat)]
    assert len(lines) < 2
    return lines[0] if lines else None


def test_every_allied_outcome_is_reached_in_each_contract() -> None:
    for contract in SUPPORTED:
        outcomes = {owed(contract, "s", Played(mine), Played(theirs)).outcome for mine, theirs in SHARES}
        assert outcomes == {"both-made", "both-failed", "declarer-failed", "supporter-failed"}


def test_bo_8_1_both_reach_theirs_and_score_half_the_own_value() -> None:
    live = played("six", shared_out(7, 4), suit="c", supporter=2)
    assert (live.booked(0), live.booked(2)) == ([("contract", "BO-8.1", 8)], [("contract", "BO-8.1", 6)])


@pytest.mark.parametrize(("contract", "owes"), [("five", 3), ("six", 4), ("seven", 4), ("eight", 4)])
def test_bo_8_1_what_the_supporter_owes(contract: str, owes: int) -> None:
    goal = TRICKS[contract]
    assert score(played(contract, shared_out(goal, owes), supporter=2)).outcome == "both-made"
    assert score(played(contract, shared_out(goal, owes - 1), supporter=2)).outcome == "supporter-failed"


def test_bo_8_2_neither_does_and_both_lose_half() -> None:
    live = played("seven", shared_out(6, 2), suit="h", supporter=2)
    assert (live.booked(0), live.booked(2)) == ([("contract", "BO-8.2", -24)], [("contract", "BO-8.2", -30)])


def test_bo_8_3_one_does_and_the_other_pays_half_the_sum() -> None:
    live = played("six", shared_out(5, 5), suit="c", supporter=2)
    assert (live.booked(0), live.booked(2)) == ([("contract", "BO-8.3", -16)], [])
    assert score(live).outcome == "declarer-failed"
    live = played("six", shared_out(7, 3), suit="c", supporter=2)
    assert (live.booked(0), live.booked(2)) == ([], [("contract", "BO-8.3", -16)])
    assert score(live).outcome == "supporter-failed"


def test_bo_8_4_a_half_is_rounded_up_in_gain_and_loss() -> None:
    live = played("five", shared_out(5, 3), supporter=2, honours=3, holder=2)
    assert [live.score.totals[seat] for seat in (0, 2)] == [2, 3]
    live = played("five", shared_out(3, 2), supporter=2)
    assert [live.score.totals[seat] for seat in (0, 2)] == [-3, -2]
    live = played("five", shared_out(4, 4), supporter=2, honours=3, holder=2)
    assert (live.score.totals[0], live.score.totals[2]) == (-5, 0)
    live = played("five", shared_out(4, 3), supporter=2)
    assert (live.score.totals[0], live.score.totals[2]) == (-4, 0)


def test_bo_8_5_one_allys_tricks_do_not_make_good_for_the_other() -> None:
    live = played("eight", shared_out(9, 2), supporter=2)
    assert score(live).outcome == "supporter-failed"
    live = played("eight", shared_out(4, 8), supporter=2)
    assert score(live).outcome == "declarer-failed"


@for_each("contract", [name for name in LADDER if name != "four-ace-misere"])
def test_bo_9_1_everything_is_booked_against_the_bank(contract: str) -> None:
    live = played(contract, shared_out(3), options=WIDE)
    own, other = score(live).lines
    assert (own.seat, own.counter, other.account, other.seat) == (0, "bank", "bank", None)
    assert own.amount == -other.amount
    assert sum(live.table.balances.values()) == 0


def test_bo_9_2_declarer_then_the_supporter_each_with_the_rule() -> None:
    live = played("six", shared_out(7, 4), supporter=2)
    lines = score(live).lines
    assert [(line.seat, line.rule) for line in lines[::2]] == [(0, "BO-8.1"), (2, "BO-8.1")]
    assert lines[0].text == "Six by seat 0, both made it: half of (6 + 2 × 1 over) × 1 (declarer)"
    assert live.cited(lines[0]) == ["bid-made", "support-called", *["support-answered"] * 2, *["trick-won"] * 13]


@for_each(
    "won, honours, formula",
    [
        (10, 0, "18 × 3"),
        (11, 0, "(18 + 6 × 1 over) × 3"),
        (7, 0, "(18 + 6 × 3 short) × 3"),
        (10, 3, "(18 + 6 × 2 for three honours by BO-7.2) × 3"),
        (12, 4, "(18 + 6 × 2 over + 6 × 4 for four honours by BO-7.2) × 3"),
        (8, 3, "(18 + 6 × 2 short + 6 × 2 for three honours by BO-7.2) × 3"),
    ],
)
def test_bo_9_2_a_line_names_tricks_over_and_honours_apart(won: int, honours: int, formula: str) -> None:
    live = played("ten", shared_out(won)[:: -1 if honours else 1], suit="d", honours=honours)
    line, _ = score(live).lines
    outcome = "made" if won >= 10 else "failed"
    assert line.text == f"Ten by seat 0, {outcome}: {formula}"
    dealt = ["cards-dealt"] if honours else []
    assert live.cited(line) == [*dealt, "bid-made", *["trick-won"] * 13]


def test_bo_9_2_of_allies_the_line_of_who_was_dealt_honours_cites_the_deal() -> None:
    live = played("five", shared_out(5, 3), supporter=2, honours=3, holder=2)
    own, _, other, _ = score(live).lines
    assert own.text == "Five by seat 0, both made it: half of 3 × 1 (declarer)"
    assert other.text.endswith("half of (3 + 1 × 2 for three honours by BO-7.2) × 1 (supporter)")
    assert ["cards-dealt" in live.cited(line) for line in (own, other)] == [False, True]


def test_bo_9_2_the_sum_of_both_values_cites_the_deal_for_the_honours_of_either() -> None:
    line, _ = score(played("five", shared_out(4, 4), supporter=2, honours=3, holder=2)).lines
    assert line.text.endswith(
        "half the sum of (3 + 1 × 1 short) × 1 and (3 + 1 × 1 over + 1 × 2 for three honours by BO-7.2) × 1 (declarer)"
    )


@pytest.mark.parametrize("contract", ["boston", "grande-misere"])
def test_bo_9_2_where_the_base_counts_alone_no_line_cites_the_deal(contract: str) -> None:
    live = played(contract, shared_out(13 if contract == "boston" else 0), honours=0)
    line, _ = score(live).lines
    assert line.text.endswith(f"{100 if contract == 'boston' else 32} × 1")
    assert "cards-dealt" not in live.cited(line)


def test_bo_9_2_a_score_of_nothing_has_no_line() -> None:
    lines = score(played("six", shared_out(5, 5), supporter=2)).lines
    assert [line.seat for line in lines[::2]] == [0]


def test_worked_example_ten_everybody_declines() -> None:
    plan = shared_out(7)
    live = played("seven", plan, supporter=9)
    assert score(live).totals == (9, 0, 0, 0)
    assert len(live.view("public", live.version - 2)["contract"]["answers"]) == 3
