"""LO-3: tricks, what it costs to capture, how it is settled, and when play stops."""

import pytest

from domain.kernel.rejection import Code
from tests.games.lorum.tables import NO_HEARTS, NO_TRICKS, QUEENS, in_deal, planned, play_out

HEARTS = [rank + "h" for rank in "AKQJT987"]


def test_lo_3_1_suit_is_followed_if_it_can_be() -> None:
    live = in_deal(NO_TRICKS, {0: ["9s"], 1: ["7s", "Ah"], 2: HEARTS[1:]})
    live.play("9s")
    refused = live.refuses(1, "play", Code.RULE_VIOLATION, "LO-3.1", card="Ah")
    assert refused.startswith("you can follow suit: 9s is led, play ")
    live.play("7s")
    assert sorted(live.open_cards(2)) == sorted(live.hand(2)) or any(card[1] == "s" for card in live.hand(2))


def test_lo_3_1_without_the_suit_led_any_card_may_be_played() -> None:
    live = in_deal(QUEENS, {0: ["9s"], 1: HEARTS})
    live.play("9s")
    assert live.open_cards(1) == HEARTS


def test_lo_3_1_the_highest_of_the_suit_led_wins_and_leads() -> None:
    live = in_deal(QUEENS, {0: ["9s"], 1: ["Ts"], 2: HEARTS, 3: ["8s"]})
    live.play("9s", "Ts", "Ah", "8s")
    assert live.to_act == (1,)
    assert live.view("public")["last_trick"]["winner"] == 1
    assert [seat["tricks"] for seat in live.view("public")["seats"]] == [0, 1, 0, 0]


def test_lo_3_1_nobody_plays_out_of_turn() -> None:
    live = in_deal(NO_TRICKS, {})
    for seat in (1, 2, 3):
        live.refuses(seat, "play", Code.NOT_YOUR_TURN, "LO-3.1", card=live.hand(seat)[0])
    live.refuses(0, "pass", Code.WRONG_PHASE, "LO-3.1")
    live.refuses(0, "turn-up", Code.WRONG_PHASE, "LO-3.1", place=1)


def test_lo_3_2_no_heart_is_led_to_the_first_trick_of_no_hearts() -> None:
    live = in_deal(NO_HEARTS, {0: ["Ah", "7s"]})
    others = [card for card in live.hand(0) if card[1] != "h"]
    assert live.open_cards(0) == others
    live.refuses(0, "play", Code.RULE_VIOLATION, "LO-3.2", card="Ah")
    live.refuses(0, "play", Code.RULE_VIOLATION, "LO-3.1", card="Ac")


def test_lo_3_2_but_by_who_holds_nothing_else() -> None:
    live = in_deal(NO_HEARTS, {0: HEARTS})
    assert live.open_cards(0) == HEARTS
    live.play("Ah")


def test_lo_3_2_a_heart_may_be_discarded_there_and_led_later() -> None:
    live = in_deal(NO_HEARTS, {0: ["As", "9h"], 1: HEARTS[:7], 2: ["Ks"], 3: ["Qs"]})
    live.play("As", "Ah", "Ks", "Qs")
    assert "9h" in live.open_cards(0)


@pytest.mark.parametrize("kind", [QUEENS, NO_TRICKS])
def test_lo_3_2_other_kinds_have_no_such_rule(kind: int) -> None:
    assert "Ah" in in_deal(kind, {0: ["Ah", "7s"]}).open_cards(0)


def captured(kind: int, winners: list[int]) -> tuple[list[int], int, set[str]]:
    """What the players gain in a deal whose tricks they win so, what is in the pot, and the rules of the lines."""
    live = play_out(kind, planned(winners))
    return live.gains(), live.pot, {line.rule for line in live.score.lines}


def test_lo_3_3_each_heart_costs_1() -> None:
    assert captured(NO_HEARTS, [0, 1, 2, 3, 0, 2, 3, 3]) == ([4, -4, -4, 4], 0, {"LO-3.8"})


def test_lo_3_4_queens_cost_4_3_2_and_1() -> None:
    assert captured(QUEENS, [2, 0, 1, 0, 3, 3, 3, 3]) == ([-5, -3, -2, 10], 0, {"LO-3.7"})


def test_lo_3_4_worked_examples() -> None:
    assert captured(QUEENS, [1, 0, 0, 1, 2, 2, 3, 3]) == ([-7, -3, 5, 5], 0, {"LO-3.8"})
    assert captured(QUEENS, [0] * 8) == ([30, -10, -10, -10], 0, {"LO-3.9"})


def test_lo_3_5_each_trick_costs_1() -> None:
    assert captured(NO_TRICKS, [0, 0, 0, 0, 0, 1, 1, 2]) == ([-5, -2, -1, 8], 0, {"LO-3.7"})


def test_lo_3_6_if_all_four_captured_each_pays_into_the_pot() -> None:
    assert captured(NO_TRICKS, [0, 0, 0, 0, 1, 1, 2, 3]) == ([-4, -2, -1, -1], 8, {"LO-3.6"})
    live = play_out(NO_TRICKS, planned([0, 0, 0, 0, 1, 1, 2, 3]))
    assert {(line.account, line.counter) for line in live.score.lines if line.seat is None} == {
        ("pool", f"player:{live.table.players[seat]}") for seat in range(4)
    }
    assert live.score.outcome == "four-captured"


def test_lo_3_7_if_three_did_the_fourth_receives_the_whole() -> None:
    live = play_out(NO_TRICKS, planned([0, 0, 0, 1, 1, 1, 2, 2]))
    assert (live.gains(), live.pot) == ([-3, -3, -2, 8], 0)
    assert live.score.outcome == "three-captured"


def test_lo_3_8_if_two_did_the_others_receive_half_each() -> None:
    live = play_out(NO_TRICKS, planned([0] * 5 + [1] * 3))
    assert (live.gains(), live.pot) == ([-5, -3, 4, 4], 0)
    assert live.score.outcome == "two-captured"


def test_lo_3_9_who_captured_all_receives_the_whole_of_each() -> None:
    live = play_out(NO_TRICKS, planned([0] * 8))
    assert (live.gains(), live.pot) == ([24, -8, -8, -8], 0)
    assert live.score.outcome == "one-captured"


def texts(kind: int, winners: list[int]) -> list[str]:
    """What the lines of such a deal say, by seat."""
    return [line.text for line in play_out(kind, planned(winners)).score.lines if line.seat is not None]


def test_lo_9_2_a_line_says_how_many_were_captured_and_what_they_cost() -> None:
    assert texts(QUEENS, [1] * 8) == [
        "Queens by seat 0, no queen captured: 10",
        "Queens by seat 1, 4 queens captured at a cost of 10: 3 × 10",
        "Queens by seat 2, no queen captured: 10",
        "Queens by seat 3, no queen captured: 10",
    ]
    assert texts(QUEENS, [2, 0, 1, 0, 3, 3, 3, 3]) == [
        "Queens by seat 0, 2 queens captured at a cost of 5: 5",
        "Queens by seat 1, 1 queen captured at a cost of 3: 3",
        "Queens by seat 2, 1 queen captured at a cost of 2: 2",
        "Queens by seat 3, no queen captured: 10",
    ]
    assert texts(NO_HEARTS, [0, 1, 2, 3, 0, 2, 3, 3]) == [
        "No hearts by seat 0, no heart captured: 4",
        "No hearts by seat 1, 4 hearts captured: 4",
        "No hearts by seat 2, 4 hearts captured: 4",
        "No hearts by seat 3, no heart captured: 4",
    ]
    assert texts(NO_TRICKS, [0, 0, 0, 0, 0, 1, 1, 2]) == [
        "No tricks by seat 0, 5 tricks captured: 5",
        "No tricks by seat 1, 2 tricks captured: 2",
        "No tricks by seat 2, 1 trick captured: 1",
        "No tricks by seat 3, no trick captured: 8",
    ]


def test_lo_3_10_play_stops_when_all_that_costs_is_captured() -> None:
    """The queens lie in the first four of eight tricks; the hearts end with the sixth."""
    live = play_out(QUEENS, planned([0, 1, 2, 3, 0, 1, 2, 3]))
    assert [event.public.TYPE for event in live.events if event.deal == 2].count("trick-won") == 4
    live = play_out(NO_HEARTS, planned([0, 1, 2, 3, 0, 1, 2, 3]))
    assert [event.public.TYPE for event in live.events if event.deal == 1].count("trick-won") == 6


def test_lo_3_10_no_tricks_is_played_out() -> None:
    live = play_out(NO_TRICKS, planned([0] * 8))
    assert [event.public.TYPE for event in live.events if event.deal == 3].count("trick-won") == 8
