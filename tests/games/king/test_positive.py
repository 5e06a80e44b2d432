"""KG-6 and KG-7: the score of a positive deal, and what is booked."""

from itertools import product

import pytest

from domain.audit.auditor import audit
from domain.games.king import KING
from domain.games.king.scoring import game_checks
from domain.kernel.ledger import BANK
from domain.table.actions import Entry, OpenDispute, RuleDispute
from domain.table.events import DealScored
from tests.games.king.tables import KingLive, negative, planned, positive, won_by
from tests.support.for_each import for_each
from tests.support.games import EVERYBODY, READER, chance, finished, step

NUMBERS = (6, 4, 2, 1)


def test_kg_6_1_up_25_a_trick() -> None:
    live = positive(NUMBERS, "up")
    assert live.points() == [150, 100, 50, 25]
    assert live.lines()[0] == [("KG-6.1", 150)]


def test_kg_6_1_who_wins_no_trick_has_no_line() -> None:
    assert positive((6, 5, 2, 0), "up").lines()[3] == []


def test_kg_6_2_down_325_less_75_a_trick() -> None:
    live = positive(NUMBERS, "down")
    assert live.points() == [-125, 25, 175, 250]
    assert live.lines()[0] == [("KG-6.2", -125)]


def test_kg_6_2_who_wins_no_trick_keeps_325_and_who_wins_all_loses_650() -> None:
    assert positive((13, 0, 0, 0), "down").points() == [-650, 325, 325, 325]


def test_kg_6_3_up_the_high_bidder_pays_the_dealer() -> None:
    live = positive((2, 6, 4, 1), "up", calls=(3, None, None))
    assert live.points() == [125, 75, 100, 25]
    assert live.lines()[0] == [("KG-6.1", 50), ("KG-6.3", 75)]
    assert live.lines()[1] == [("KG-6.1", 150), ("KG-6.3", -75)]
    assert (live.score.aim, live.score.buyer, live.score.price) == ("up", 1, 3)


def test_kg_6_3_down_the_dealer_pays_the_high_bidder() -> None:
    live = positive((2, 6, 4, 1), "down", calls=(3, None, None))
    assert live.points() == [-50, 100, 25, 250]
    assert live.lines()[0] == [("KG-6.2", 175), ("KG-6.3", -225)]
    assert live.lines()[1] == [("KG-6.2", -125), ("KG-6.3", 225)]


def test_kg_6_3_adjusted_tricks_may_fall_below_0_or_rise_above_13() -> None:
    live = positive((5, 0, 6, 2), "up", calls=(13,))
    assert live.points() == [450, -325, 150, 50]


@for_each("direction, price, won", [*product(("up", "down"), (1, 7, 13), (0, 2, 13))])
def test_kg_6_3_it_is_what_adjusted_tricks_come_to(direction: str, price: int, won: int) -> None:
    numbers = (won, 0, 13 - won, 0)
    live = positive(numbers, direction, calls=(price,) if price == 13 else (price, None, None))
    adjusted = [won + price, -price, 13 - won, 0]
    assert live.points() == [25 * number if direction == "up" else 325 - 75 * number for number in adjusted]


@for_each("direction, calls", [*product(("up", "down"), ((), (4, None, None), (13,)))])
def test_kg_6_4_every_positive_deal_gives_325(direction: str, calls: tuple[int | None, ...]) -> None:
    assert sum(positive(NUMBERS, direction, calls=calls).points()) == 325


def test_kg_7_1_one_line_a_player_with_the_bank_and_the_price_between_two() -> None:
    live = positive((2, 6, 4, 1), "down", calls=(3, None, None))
    accounts = {(line.seat, line.rule): line.counter for line in live.score.lines if line.seat is not None}
    assert {counter for (_, rule), counter in accounts.items() if rule == "KG-6.2"} == {"bank"}
    assert accounts[0, "KG-6.3"] == f"player:{EVERYBODY[1]}"
    assert accounts[1, "KG-6.3"] == f"player:{EVERYBODY[0]}"
    assert sum(line.amount for line in live.score.lines) == 0


def test_kg_7_1_both_of_the_last_two_tricks_are_one_line_and_no_line_is_zero() -> None:
    live = negative(6, planned([0] * 11 + [2]))
    assert live.lines() == {0: [], 1: [], 2: [("KG-4.6", -180)], 3: []}
    assert positive((13, 0, 0, 0), "down").lines()[2] == [("KG-6.2", 325)]


@pytest.mark.parametrize("number", range(3))
def test_kg_7_2_the_bank_stands_at_1300_after_deal_6_and_at_0_after_deal_10(number: int) -> None:
    live = finished(KingLive.started(seed=bytes([number]) * 32), chance(number))
    banks = []
    bank = 0
    for public in live.of(DealScored):
        bank += sum(line.amount for line in public.lines if line.account == BANK)
        banks.append(bank)
    assert (banks[5], banks[9]) == (1300, 0)


def test_kg_7_2_the_audit_checks_it_corrections_left_out() -> None:
    rng = chance("bank")
    live = KingLive.started(seed=b"\7" * 32)
    while live.table.status == "playing":
        step(live, rng)
        if live.table.scored == 1 and not live.table.disputes:
            live.command(OpenDispute(EVERYBODY[0], (), live.table.booked[-1].deal, "Why?"))
            entry = Entry(0, BANK, 7, "captured", "KG-4.1", "7")
            live.command(RuleDispute("an arbiter", 1, "upheld", "So.", (entry,)))
    assert live.table.balances[BANK] != 0
    assert audit(READER, live.records).verdict == "intact"


def test_kg_7_2_a_game_in_which_it_does_not_is_faulty() -> None:
    live = finished(KingLive.started(), chance("faulty"))
    lines = [public.lines for public in live.of(DealScored)]
    sixth, tenth = game_checks(live.table.standing, lines)
    assert [(check.rule, check.recorded, check.computed) for check in (sixth, tenth)] == [
        ("KG-7.2", 1300, 1300),
        ("KG-7.2", 0, 0),
    ]
    (short, _) = game_checks(live.table.standing, [(), *lines[1:]])
    assert (short.recorded, short.computed) == (1040, 1300)


def test_kg_7_3_a_penalty_cites_the_events_of_the_tricks_that_it_counts() -> None:
    live = negative(3, planned([0, 1, 1, 3, *[0] * 8]))
    tricks = [event.version for event in live.events if event.public.TYPE == "trick-won"]
    (line,) = [line for line in live.score.lines if line.seat == 1]
    assert set(tricks[1:3]) < {*line.events}
    assert live.cited(line) == [*["card-played"] * 4, "trick-won"] * 2
    assert [event.public.seat for event in live.events if event.version in (tricks[1], tricks[2])] == [1, 1]


def test_kg_7_3_a_positive_line_cites_the_direction_and_the_tricks_the_price_the_bid_and_the_direction() -> None:
    live = positive((2, 6, 4, 1), "up", calls=(3, None, None))
    own = {line.rule: live.cited(line) for line in live.score.lines if line.seat == 0}
    assert own["KG-6.1"] == ["direction-declared", *[*["card-played"] * 4, "trick-won"] * 2]
    assert own["KG-6.3"] == ["bid-made", "direction-declared"]


def test_kg_7_3_of_several_bids_the_highest_is_cited() -> None:
    live = positive((2, 6, 4, 1), "down", calls=(3, 4, None, None))
    (line,) = [line for line in live.score.lines if line.seat == 2 and line.rule == "KG-6.3"]
    bid = live.events[line.events[0] - 1].public
    assert (bid.seat, bid.tricks) == (2, 4)


def test_what_a_positive_deal_comes_to_is_in_the_table() -> None:
    rows = {row.aim: (row.base, row.each, row.price) for row in KING.rulebook.tables["contracts"]}
    assert rows["up"] == (0, 25, -25)
    assert rows["down"] == (325, -75, 75)
    assert won_by(*NUMBERS).count(0) == 6
