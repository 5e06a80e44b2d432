"""LO-5 to LO-8: a count, sequences, rows, and the pot that is taken at the end."""

import pytest

from domain.games.lorum.contracts import marks_within_reach, value_of
from domain.kernel.rejection import Code
from tests.games.lorum.tables import DOMINO, PACK, QUART, TRAIN, LorumLive, in_deal
from tests.support.for_each import for_each
from tests.support.games import chance, finished, step

# Train


def test_lo_5_1_any_card_may_be_played_in_turn() -> None:
    live = in_deal(TRAIN, {0: ["As"], 1: ["7h"]})
    for seat, card in enumerate(("As", "7h")):
        assert live.open_cards(seat) == [*live.hand(seat)]
        live.refuses((seat + 2) % 4, "play", Code.NOT_YOUR_TURN, "LO-5.1", card=live.hand((seat + 2) % 4)[0])
        live.play(card)


def test_lo_5_1_each_card_adds_its_value() -> None:
    live = in_deal(TRAIN, {0: ["As", "Jh"], 1: ["Ks", "Th"], 2: ["Qs", "9h"], 3: ["7s", "8h"]})
    counts = []
    for card in ("As", "Ks", "Qs", "7s", "Jh", "Th", "9h", "8h"):
        live.play(card)
        counts.append(live.view("public")["count"])
    assert counts == [11, 15, 18, 18, 20, 21, 21, 21]
    assert live.view("public")["train"][:2] == ("As", "Ks")


def counted(ten: int, *cards: str) -> LorumLive:
    """The cards played by the seats in turn from seat 0 on."""
    hands = {seat: list(cards[seat::4]) for seat in range(4)}
    live = in_deal(TRAIN, hands, options={"train_ten": ten})
    live.play(*cards)
    return live


def marks(live: LorumLive) -> list[tuple[int, int]]:
    """Who has passed which mark so far."""
    return [(each.seat, each.mark.mark) for each in live.table.deal_state.passed]


def test_lo_5_2_who_passes_a_mark_pays_for_it() -> None:
    """22, a jack makes 24, a 9 leaves it, an ace makes 35: the last pays."""
    live = counted(1, "As", "Ah", "Js", "9s", "Ad")
    assert live.view("public")["count"] == 35
    assert marks(live) == [(0, 25)]


def test_lo_5_2_to_reach_a_mark_is_to_pass_it() -> None:
    live = counted(1, "As", "Ah", "Qs")
    assert (live.view("public")["count"], marks(live)) == (25, [(2, 25)])


def test_lo_5_2_the_marks_cost_1_2_and_3_chips() -> None:
    """48 and a queen makes 51; 73 and a jack makes 75, and the deal is over."""
    live = in_deal(
        TRAIN,
        {
            0: ["As", "Ad", "Qs", "Qh", "Jc", "7s", "7h", "7d"],
            1: ["Ah", "Ac", "Kh", "Kd", "Js", "8s", "8h", "8d"],
            2: ["Ks", "Kc", "Qd", "Qc", "Th", "9s", "9h", "9d"],
            3: ["Ts", "Td", "Tc", "Jh", "Jd", "7c", "8c", "9c"],
        },
    )
    live.play("As", "Ah", "Ks", "7c", "Ad", "Ac")  # 48
    live.play("9s", "8c", "Qs")  # 51, seat 0
    live.play("Kh", "Kc", "9c", "Qh", "Kd", "Qd", "Jh", "7s", "Js")  # 55 59 59 62 66 69 71 71 73
    assert marks(live) == [(2, 25), (0, 50)] or marks(live)[-1] == (0, 50)
    live.play("Th", "Ts")  # 74, 75
    assert live.table.scored == 5
    assert live.own_lines()[0] == [("LO-5.2", -2)]
    assert live.own_lines()[3] == [("LO-5.2", -3)]
    assert live.pot == 6
    assert live.score.outcome == "last-mark-passed"
    assert [live.cited(line) for line in live.score.lines] == [["card-counted"]] * 6


def test_lo_5_3_the_pack_counts_84_or_120() -> None:
    assert sum(value_of(card[0], 1) for card in PACK) == 84
    assert sum(value_of(card[0], 10) for card in PACK) == 120
    assert [mark.mark for mark in marks_within_reach(1)] == [25, 50, 75]
    assert [mark.mark for mark in marks_within_reach(10)] == [25, 50, 75, 100]


def test_lo_5_3_a_ten_adds_10_by_the_option() -> None:
    live = counted(10, "Ts", "Th", "Td")
    assert (live.view("public")["count"], marks(live)) == (30, [(2, 25)])


@pytest.mark.parametrize(("ten", "last", "chips"), [(1, 75, 6), (10, 100, 10)])
def test_lo_5_4_the_deal_ends_with_the_last_mark_within_reach(ten: int, last: int, chips: int) -> None:
    live = in_deal(TRAIN, {}, options={"train_ten": ten})
    rng = chance(ten)
    while live.table.scored < 5:
        before = live.table.deal_state.count
        assert before < last
        step(live, rng)
    count = [event.public.count for event in live.events if event.public.TYPE == "card-counted"][-1]
    assert last <= count
    assert live.pot == chips


# Quart


def test_lo_6_1_eldest_starts_with_any_card() -> None:
    live = in_deal(QUART, {})
    assert live.open_cards(0) == [*live.hand(0)]
    live.refuses(1, "play", Code.NOT_YOUR_TURN, "LO-6.1", card=live.hand(1)[0])
    live.refuses(0, "play", Code.RULE_VIOLATION, "LO-6.1", card=live.hand(1)[0])
    live.refuses(0, "pass", Code.WRONG_PHASE, "LO-6.1")


def test_lo_6_2_the_holder_of_the_next_card_must_play_it_out_of_turn() -> None:
    live = in_deal(QUART, {0: ["Kd", "9s"], 2: ["Ad", "Ts"], 3: ["7d"]})
    live.play("Kd")
    assert live.to_act == (2,)
    assert live.open_cards(2) == ["Ad"]
    live.refuses(2, "play", Code.RULE_VIOLATION, "LO-6.2", card="Ts")
    live.refuses(0, "play", Code.NOT_YOUR_TURN, "LO-6.2", card="9s")
    live.play("Ad")
    assert live.to_act == (3,)
    assert live.open_cards(3) == ["7d"]


def test_lo_6_2_it_may_be_the_same_player_again() -> None:
    live = in_deal(QUART, {0: ["8c", "9c"]})
    live.play("8c")
    assert (live.to_act, live.open_cards(0)) == ((0,), ["9c"])


def test_lo_6_3_a_sequence_is_complete_with_four_cards() -> None:
    """K♦ A♦ 7♦ 8♦: who played the 8♦ starts."""
    live = in_deal(QUART, {0: ["Kd"], 1: ["8d"], 2: ["Ad"], 3: ["7d"]})
    live.play("Kd", "Ad", "7d")
    assert live.view("public")["sequence"] == ("Kd", "Ad", "7d")
    live.play("8d")
    assert live.view("public")["sequence"] == ()
    assert live.view("public")["gone"] == ("Ad", "Kd", "8d", "7d")
    assert (live.to_act, live.open_cards(1)) == ((1,), [*live.hand(1)])


def test_lo_6_3_or_as_soon_as_its_next_card_is_gone() -> None:
    """J♣ Q♣ K♣ A♣, then 10♣: J♣ is gone, so it is complete with one card, and the same player starts again."""
    live = in_deal(QUART, {0: ["Jc", "Qc", "Kc", "Ac", "Tc"]})
    live.play("Jc", "Qc", "Kc", "Ac")
    assert live.open_cards(0) == [*live.hand(0)]
    live.play("Tc")
    assert (live.to_act, live.view("public")["sequence"]) == ((0,), ())
    assert live.open_cards(0) == [*live.hand(0)]


def test_lo_6_4_who_played_the_last_card_starts_the_next() -> None:
    live = in_deal(QUART, {0: ["7s", "Ts"], 1: ["8s"], 2: ["9s"]})
    live.play("7s", "8s", "9s", "Ts")
    assert live.to_act == (0,)
    live.refuses(1, "play", Code.NOT_YOUR_TURN, "LO-6.4", card=live.hand(1)[0])
    live.refuses(0, "pass", Code.WRONG_PHASE, "LO-6.4")


def test_lo_6_5_each_other_player_pays_the_winner_a_chip_for_every_card_still_held() -> None:
    live = in_deal(QUART, {0: ["7s", "8s", "9s", "Ts", "Js", "Qs", "Ks", "As"]})
    live.play("7s", "8s", "9s", "Ts", "Js", "Qs", "Ks")
    assert live.events[-1].public.next == 0
    live.play("As")
    assert live.gains() == [24, -8, -8, -8]
    assert live.own_lines()[0] == [("LO-6.5", 8)] * 3
    assert live.score.outcome == "hand-empty"
    assert live.pot == 0


def test_lo_6_6_the_event_names_who_is_next_and_nobody_at_the_end() -> None:
    live = in_deal(QUART, {0: ["7s", "8s", "9s", "Ts", "Js", "Qs", "Ks", "As"]})
    live.play("7s", "8s", "9s", "Ts", "Js", "Qs", "Ks", "As")
    said = [event.public.next for event in live.events if event.public.TYPE == "card-added"]
    assert said == [0] * 7 + [None]
    live = in_deal(QUART, {0: ["Kd"], 2: ["Ad"]})
    (event,) = live.do("play", card="Kd")
    assert event.public.next == 2
    for audience in live.audiences:
        assert live.view(audience)["to_act"] == (2,)


# Domino


def rows(live: LorumLive) -> list[str]:
    """The rows, as all see them."""
    return [" ".join(row["cards"]) for row in live.view("public")["rows"]]


def test_lo_7_1_eldest_plays_any_card_which_sets_the_starting_rank() -> None:
    live = in_deal(DOMINO, {0: ["Jh"]})
    assert live.open_cards(0) == [*live.hand(0)]
    live.refuses(1, "play", Code.NOT_YOUR_TURN, "LO-7.1", card=live.hand(1)[0])
    live.refuses(0, "turn-up", Code.WRONG_PHASE, "LO-7.1", place=1)
    live.play("Jh")
    live.refuses(0, "play", Code.NOT_YOUR_TURN, "LO-7.2", card=live.hand(0)[0])
    assert live.view("public")["starting_rank"] == "J"
    assert rows(live) == ["Jh"]


@pytest.mark.parametrize(
    ("start", "fits"),
    [
        ("Jh", {"Js", "Jd", "Jc", "Qh", "Th"}),
        ("Ah", {"As", "Ad", "Ac", "Kh"}),
        ("7h", {"7s", "7d", "7c", "8h"}),
    ],
)
def test_lo_7_2_what_fits(start: str, fits: set[str]) -> None:
    for card in PACK:
        if card != start:
            live = in_deal(DOMINO, {0: [start], 1: [card]})
            live.play(start)
            held = set(live.hand(1))
            expected = {one for one in live.hand(1) if one in fits}
            assert card in held
            if expected:
                assert set(live.open_cards(1)) == expected
            else:
                assert live.types(1) == {"pass"}


def test_lo_7_2_to_either_end_of_a_row_already_begun() -> None:
    live = in_deal(DOMINO, {0: ["Jh", "9h"], 1: ["Th"], 2: ["Qh"], 3: ["Js"]})
    live.play("Jh", "Th", "Qh", "Js")
    assert set(live.open_cards(0)) >= {"9h"}
    assert rows(live) == ["Js", "Qh Jh Th"]
    live.refuses(1, "play", Code.NOT_YOUR_TURN, "LO-7.2", card=live.hand(1)[0])


def test_lo_7_3_who_can_play_must_and_who_cannot_passes() -> None:
    live = in_deal(
        DOMINO,
        {0: ["Jh", "Th"], 1: ["9s", "8s", "7s", "9d", "8d", "7d", "9c", "8c"], 2: ["Qh"]},
    )
    assert live.types(0) == {"play"}
    live.refuses(0, "pass", Code.RULE_VIOLATION, "LO-7.3")
    live.play("Jh")
    assert [offer.describe() for offer in live.offers(1)] == [{"type": "pass", "fields": {}}]
    live.refuses(1, "play", Code.RULE_VIOLATION, "LO-7.2", card="9s")
    live.do("pass")
    assert live.to_act == (2,)
    live.refuses(2, "pass", Code.RULE_VIOLATION, "LO-7.3")
    assert "Qh" in live.open_cards(2)


@for_each("number", range(6))
def test_lo_7_4_at_most_three_pass_in_a_row(number: int) -> None:
    live, rng, passed = in_deal(DOMINO, {}, dealer=number % 4), chance(number), 0
    while live.table.scored < 7:
        step(live, rng)
        passed = passed + 1 if live.events[-1].public.TYPE == "turn-passed" else 0
        assert passed <= 3


def ended_domino(pot: int = 0) -> LorumLive:
    """Seat 0 holds all spades, and plays them; the others play or pass as they must."""
    live = in_deal(DOMINO, {0: [rank + "s" for rank in "AKQJT987"]}, pot=pot)
    while live.table.scored < 7:
        cards = live.open_cards(live.turn) if "play" in live.types(live.turn) else []
        live.do("play", card=cards[0]) if cards else live.do("pass")
    return live


def test_lo_8_1_domino_ends_with_the_last_card_of_a_hand() -> None:
    live = ended_domino()
    laid = [event.public for event in live.events if event.public.TYPE == "card-laid"]
    assert sum(public.seat == laid[-1].seat for public in laid) == 8
    assert all(sum(public.seat == seat for public in laid) < 8 for seat in range(4) if seat != laid[-1].seat)


def test_lo_8_2_the_others_pay_a_chip_for_every_card_still_held() -> None:
    live = ended_domino()
    laid = [event.public for event in live.events if event.public.TYPE == "card-laid"]
    out = laid[-1].seat
    for seat in range(4):
        if seat != out:
            held = 8 - sum(public.seat == seat for public in laid)
            assert live.own_lines()[seat] == [("LO-8.2", -held)]
    assert live.score.outcome == "pot-taken"


def test_lo_8_3_who_is_out_takes_the_pot_with_what_was_left_there() -> None:
    """13 in the pot, and what the others pay."""
    live = ended_domino(pot=13)
    paid = -sum(gain for gain in live.gains() if gain < 0)
    assert max(live.gains()) == 13 + paid
    (taken,) = [line for line in live.score.lines if line.rule == "LO-8.3" and line.seat is not None]
    assert (taken.amount, taken.counter, live.cited(taken)) == (13 + paid, "pool", ["card-laid"])
    assert live.pot == 0


def test_lo_8_4_nothing_else_leaves_the_pot() -> None:
    live = finished(LorumLive.started(), chance("pot"))
    for event in live.events:
        for line in getattr(event.public, "lines", ()):
            assert line.account != "pool" or line.amount > 0 or line.rule == "LO-8.3"


def test_lo_8_5_the_pot_is_empty_after_every_seventh_deal() -> None:
    live = finished(LorumLive.started(), chance("pot"))
    scored = [event.version for event in live.events if event.public.TYPE == "deal-scored"]
    assert [live.view("public", version)["pool"] for version in scored[6::7]] == [0] * 4
    assert any(live.view("public", version)["pool"] for version in scored)
