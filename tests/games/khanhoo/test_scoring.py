"""KH-8: the score, the best division, the choice among equally good ones, and the lines."""

import random
from itertools import combinations

import pytest

from domain.games.khanhoo.contracts import ROWS
from domain.games.khanhoo.division import Search, best_division, cards_to_go_out
from domain.games.khanhoo.events import HandsShown, MeldLaid, WentOut
from domain.games.khanhoo.meta import PACK
from domain.seats import seat_audience
from tests.games.khanhoo import checker
from tests.games.khanhoo.checker import in_order, melds_in
from tests.games.khanhoo.tables import KhanhooLive, dealt
from tests.games.khanhoo.test_claims import example
from tests.games.khanhoo.test_melds import divided, hand, worth
from tests.support.games import chance

FIRST = "Ah Ah 2s 2s 3d 3d Jc Jc Qc Qc Kc Kc 5h 5s 5d"
SIXTH = "Ah As As Ad 2d 3h 3s 3d 3d 4d 5d 8h 8s 8d Jo"


# the worked examples


def test_kh_8_1_example_1_is_32() -> None:
    live = dealt({0: f"{FIRST} 9d"})
    live.go_out(0, "9d")
    assert live.booked(0) == [("KH-5.3", 2), ("KH-5.9", 10), ("KH-5.10", 15), ("KH-8.2", 5)]


def test_kh_8_2_example_2_34_with_going_out() -> None:
    live = dealt({0: "Ah Ah 2s 2s 3d 3d Kc 9h 9h 4h 4h 4s 4s 4d 4d 7h"})
    live.go_out(0, "7h")
    assert sum(amount for _, amount in live.booked(0)) == 29 + 5


def test_kh_8_2_only_who_went_out_scores_five_more() -> None:
    live = dealt({0: f"{FIRST} 9d"})
    live.go_out(0, "9d")
    assert [("KH-8.2", 5) in live.booked(seat) for seat in live.seats] == [True, False, False]


def test_kh_8_3_example_6_without_rest_and_with() -> None:
    assert (worth(SIXTH, out=True), worth(SIXTH)) == (7, 10)
    assert ("khanhoo", "Ah 3d Jo") in divided(SIXTH)
    live = dealt({0: f"{SIXTH} 7h"})
    live.go_out(0, "7h")
    assert sum(amount for _, amount in live.booked(0)) == 12


def test_kh_8_1_example_8_a_meld_laid_and_one_in_hand_stay_two() -> None:
    live = example()
    live.act(1, "yield")
    assert live.view("public")["seats"][2]["laid"][0]["meld"] == "khanhoo"
    two = [("KH-5.6", 5), ("KH-5.6", 5)]
    live = dealt({0: "Ah", 2: "2s 3d Ah 2s 3d 4h 6h 8h 4s 6s 9s 5d 7d 9d Kc"}, turn_limit=10)
    live.discard(0, "Ah")
    live.bump(2, "khanhoo", "2s 3d")
    live.act(1, "yield")
    live.discard(2, "Kc")
    live.let_go()
    while live.table.scored == 0:
        kept = {*live.cards(2, "Ah 2s 3d")}
        live.turns(1) if live.turn != 2 else _discards_else(live, kept)
    assert [line for line in live.booked(2) if line[0] in ("KH-5.6", "KH-5.10")] == two


def _discards_else(live: KhanhooLive, kept: set[str]) -> None:
    """Seat 2 draws, and discards none of these."""
    if live.phase == "draw":
        live.do("draw-stock")
    live.do("discard", card=next(card for card in live.hand(2) if card not in kept))
    live.let_go()


def test_kh_8_1_hands_are_shown_and_known_to_all() -> None:
    live = dealt({0: f"{FIRST} 9d"})
    hands = [live.hand(seat) for seat in live.seats]
    live.go_out(0, "9d")
    (shown,) = live.of(HandsShown)
    assert [each.cards for each in shown.hands] == [tuple(card for card in hands[0] if card != "9d.1"), *hands[1:]]


def test_kh_8_3_the_division_is_of_the_whole_hand_where_nobody_is_out() -> None:
    live = dealt({}, players=2).to_limit()
    for seat in live.seats:
        cards = live.of(HandsShown)[0].hands[seat].cards
        expected = checker.divided(cards, without_rest=False) or ()
        named = [(checker.ROWS[row], " ".join(map(checker.plain, melded))) for row, melded in expected]
        assert live.divisions(seat) == named


# the choice among equals


@pytest.mark.parametrize(
    ("plainly", "melds"),
    [
        # More cards are melded before any other choice.
        ("3h 4h 5h 6h", [("sequence", "6h 5h 4h 3h")]),
        ("Ah As Ad 2h 3h", [("sequence", "3h 2h Ah")]),
        # Then the lower row; then the earlier cards, in the order of the pack.
        ("5h 6h 7h 7s 7d 6s 5s", [("sequence", "7s 6s 5s"), ("sequence", "7h 6h 5h")]),
        ("Ah As Ad Ah", [("aces", "As Ah Ah")]),
        ("4h 4s 4d 5h 5s 5d Jo 9h", [("triplet", "5s 5h 5d"), ("triplet", "4s 4h 4d")]),
    ],
)
def test_kh_8_4_of_equal_divisions(plainly: str, melds: list[tuple[str, str]]) -> None:
    assert divided(plainly) == melds


def test_kh_8_4_of_two_copies_the_first_goes_to_the_first_meld() -> None:
    (first, second) = best_division(hand("9h 9h 8h 8h 7h 7h"), without_rest=False)
    assert (first.cards, second.cards) == (("9h.1", "8h.1", "7h.1"), ("9h.2", "8h.2", "7h.2"))
    assert best_division(("9h.2", "8h.2", "7h.1", "7h.2"), without_rest=False)[0].cards == ("9h.2", "8h.2", "7h.1")


def some_hand(rng: random.Random, size: int) -> tuple[str, ...]:
    """A hand in which much can be melded."""
    kept = rng.choice(["h", "hd", "shd", "shdc"])
    ranks = rng.sample("A23456789", rng.randint(2, 9))
    likely = [card for card in PACK if card[1] in kept and (card[0] in ranks or card[1] == "c")]
    cards = rng.sample(likely, min(size, len(likely)))
    others = [card for card in PACK if card not in cards]
    return PACK.sorted([*cards, *rng.sample(others, size - len(cards))])


def whole_hand(rng: random.Random) -> tuple[str, ...]:
    """A hand that can be melded without rest."""
    free, cards = [*PACK], list[str]()
    while len(cards) < 13:
        _, needed = rng.choice(checker.KINDS)
        named = [[card for card in free if checker.plain(card) == name][:number] for name, number in needed.items()]
        meld = [card for some in named for card in some]
        if len(meld) == needed.total() <= 15 - len(cards):
            cards += meld
            free = [card for card in free if card not in meld]
    if rng.random() < 0.5:
        cards[rng.randrange(len(cards))] = "Jo.1"
    return PACK.sorted(cards)


def rows(cards: tuple[str, ...], *, without_rest: bool) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """The best division, as the independent check has it."""
    melds = best_division(cards, without_rest=without_rest)
    return tuple((checker.ROWS.index(meld.meld), meld.cards) for meld in melds)


def test_kh_8_4_every_audit_finds_the_same() -> None:
    rng = chance("divisions")
    for number in range(120):
        cards = some_hand(rng, rng.randint(6, 12) if number % 3 else 15)
        assert rows(cards, without_rest=False) == checker.divided(cards, without_rest=False), cards
        if checker.divided(cards, without_rest=True) is None:
            with pytest.raises(ValueError, match="without rest"):
                best_division(cards, without_rest=True)
    for _ in range(60):
        cards = whole_hand(rng)
        assert rows(cards, without_rest=True) == checker.divided(cards, without_rest=True), cards
        assert rows(cards, without_rest=False) == checker.divided(cards, without_rest=False), cards


def every_division(cards: tuple[str, ...]) -> int:
    """The points of the best division, by trying every set of melds."""
    melds = list(melds_in(cards))
    best = 0
    for number in range(4):
        for some in combinations(melds, number):
            named = [card for _, each in some for card in each]
            if len(set(named)) == len(named):
                best = max(best, sum(checker.POINTS[meld] for meld, _ in some))
    return best


def test_kh_8_3_the_best_is_what_trying_every_set_of_melds_finds() -> None:
    rng = chance("every set")
    for _ in range(40):
        cards = some_hand(rng, 9)
        if len(melds_in(cards)) < 40:
            assert sum(ROWS[meld.meld].points for meld in best_division(cards, without_rest=False)) == every_division(
                cards
            )


def test_kh_7_1_a_hand_goes_out_where_the_check_finds_a_division_without_rest() -> None:
    rng = chance("going out")
    ways = 0
    for _ in range(60):
        cards = some_hand(rng, rng.choice([4, 7, 10]))
        expected = [
            card
            for card in cards
            if checker.divided(in_order([other for other in cards if other != card]), without_rest=True) is not None
        ]
        assert list(cards_to_go_out(cards)) == expected, cards
        ways += len(expected)
    assert ways


SLOW = (
    "5h 5s 5d 6h 6s 6d 8h 9h 9s 9d Ah As As Ad Jo",
    "Ah Ah 2h 2h 3h 3h 4h 4h 5h 5h 6h 6h 7h 7h Jo",
    "2h 2s 2d 3h 3s 3d 4h 4s 4d 5h 5s 5d 6h 6s 6d",
    "2h 2h 2s 2s 3h 3h 3s 3s 3d 3d Ah Ah As Ad Jo",
    "Ah Ah As As Ad Ad 2s 2s 2h 2d 3d 3d 3h 3s Jo",
)


@pytest.mark.parametrize("plainly", SLOW)
def test_kh_8_3_no_hand_takes_long_to_divide(plainly: str) -> None:
    """What is left of a hand is looked at once: so few rests there are of any hand found that is hard to divide."""
    search = Search(hand(plainly))
    search.best(search.hand)
    assert 100 < search.rests < 1000


# lines


def test_kh_8_5_lines_stand_seat_by_seat_and_cite_their_events() -> None:
    live = dealt({0: "Ah", 2: "2s 3d Ah 2s 3d Kc Qc Jc 5h 5s 5d 7d 7d Jc 9s"})
    live.discard(0, "Ah")
    live.bump(2, "khanhoo", "2s 3d")
    live.act(1, "yield")
    live.go_out(2, "9s")
    scored = live.scores()
    at = {event.public.TYPE: event.version for event in live.events if event.deal == 1}
    assert at[MeldLaid.TYPE] < at[WentOut.TYPE] < at[HandsShown.TYPE]
    own = [line for line in scored.lines if line.seat == 2]
    assert own[0].events == (at[MeldLaid.TYPE],)
    assert {line.events for line in own[1:-1]} == {(at[HandsShown.TYPE],)}
    assert own[-1].events == (at[WentOut.TYPE], at[HandsShown.TYPE])
    assert [line.seat for line in scored.lines[::2]] == sorted(line.seat or 0 for line in scored.lines[::2])
    assert all(line.amount > 0 for line in scored.lines[::2])
    assert sum(line.amount for line in scored.lines) == 0
    assert {line.account for line in scored.lines[1::2]} == {"bank"}
    assert own[0].text == "Khanhoo by seat 2, laid: 5 (2s.1 Ah.1 3d.1)"
    assert {seat_audience(seat) for seat in live.seats} == {"seat:0", "seat:1", "seat:2"}


def test_kh_8_5_a_player_without_melds_has_no_line() -> None:
    live = dealt({0: f"{FIRST} 9d", 1: "2h 4h 6h 8h 9s 8s 6s 4s 2d 4d 6d 8d 7h 9h As"})
    live.go_out(0, "9d")
    assert live.booked(1) == [] or live.divisions(1)
