"""ND-3: leading, trumps by the first card, following suit, and who wins a trick."""

import pytest

from domain.games.don.meta import RANKINGS
from domain.kernel.rejection import Code
from domain.parts.tricks import CardPlayed, Played, TrickWon
from domain.parts.tricks import winner as winner_of
from tests.games.don.tables import WORTHLESS, DonLive, begun, dealt, planned, play, played
from tests.support.checker.record import following, taker
from tests.support.for_each import for_each
from tests.support.games import chance, step


def test_nd_3_1_the_pitcher_leads_any_card() -> None:
    live = dealt({0: "As 8h 7d Qc"})
    assert live.offered(0, "play") == [{"card": {"one_of": live.hand(0)}}]
    assert len(live.hand(0)) == 9
    live.refuses(0, "play", Code.RULE_VIOLATION, "ND-3.1", card=live.hand(1)[0])
    for seat in (1, 2, 3):
        live.refuses(seat, "play", Code.NOT_YOUR_TURN, "ND-3.1", card="2c")


@pytest.mark.parametrize("card", ["As", "2h", "Td", "5c"])
def test_nd_3_1_the_first_card_makes_trumps(card: str) -> None:
    live = dealt({0: card})
    assert live.view("public")["trump"] is None
    live.do("play", card=card)
    assert [live.view(audience)["trump"] for audience in live.audiences] == [card[1]] * 5


def test_nd_3_1_trumps_stay_for_the_deal_and_end_with_it() -> None:
    plan = planned(WORTHLESS, [0] * 9)
    live = begun(plan)
    for tricks in range(9):
        play(live, planned([WORTHLESS[tricks]], [0]))
        assert live.view("public")["trump"] == ("s" if tricks < 8 else None)


@pytest.mark.parametrize("dealer", range(4))
def test_nd_3_1_in_turn(dealer: int) -> None:
    plan = planned(WORTHLESS, [2, 2, 1, 0, 0, 3, 3, 1, 0])
    live = play(begun(plan, dealer=dealer), plan, 3)
    seats = [event.seat for event in live.of(CardPlayed)]
    first = (dealer + 1) % 4
    assert seats == [(leader + step) % 4 for leader in (first, 2, 2) for step in range(4)]
    assert live.turn == 1


def test_nd_3_2_follow_suit_if_you_can() -> None:
    live = dealt({0: "As", 1: "Ks 8s 9d 4c"})
    live.do("play", card="As")
    allowed = tuple(card for card in live.hand(1) if card[1] == "s")
    assert live.offered(1, "play") == [{"card": {"one_of": allowed}}]
    for card in sorted({*live.hand(1)} - {*allowed}):
        live.refuses(1, "play", Code.RULE_VIOLATION, "ND-3.2", card=card)


def test_nd_3_3_no_card_that_is_not_held_is_led() -> None:
    plan = planned(WORTHLESS, [2] * 9)
    live = play(begun(plan), plan, 1)
    card = live.of(CardPlayed)[0].card
    assert live.refuses(2, "play", Code.RULE_VIOLATION, "ND-3.3", card=card) == f"you do not hold {card}"


def test_nd_3_2_without_the_suit_play_anything() -> None:
    hearts = "Kh Qh Jh Th 9h"
    live = dealt({0: "3s Ac", 1: f"2c 2s {hearts} 8h 7h", 2: "3c Ks Qs Js", 3: "4c Ts"})
    live.do("play", card="3s")
    live.do("play", card="2s")
    live.do("play", card="Qs")
    live.do("play", card="Ts")
    live.do("play", card="3c")
    live.do("play", card="4c")
    live.do("play", card="Ac")
    live.do("play", card="2c")
    assert live.turn == 0
    live.do("play", card=next(card for card in live.hand(0) if card[1] == "s"))
    assert live.offered(1, "play") == [{"card": {"one_of": live.hand(1)}}]
    assert all(card[1] == "h" for card in live.hand(1))


def test_nd_3_2_a_random_card_is_taken_exactly_when_the_rule_allows_it() -> None:
    rng = chance("following")
    for number in range(4):
        live = DonLive.started(seed=bytes([number]) * 32)
        while live.table.scored == 0:
            seat = live.turn
            trick = () if live.phase == "pitch" else live.table.deal_state.tricks.trick
            allowed = following(live.hand(seat), trick[0].card if trick else None)
            assert live.offered(seat, "play") == [{"card": {"one_of": tuple(allowed)}}]
            step(live, rng)


@for_each(
    "trick, winner",
    [
        ("2s 3s 4s 5s", 3),
        ("As Ks Qs Js", 0),
        ("2h 3h Ah Kh", 2),
        ("Ah Kh 2s Qh", 2),
        ("Ah 3s 2s Qh", 1),
        ("2h Ad Ac 3h", 3),
        ("2h Ad Ac Kc", 0),
        ("Th Jh 9h 2c", 1),
    ],
)
def test_nd_3_3_who_wins_a_trick(trick: str, winner: int) -> None:
    ranking = RANKINGS["s"]
    assert winner_of([Played(seat, card) for seat, card in enumerate(trick.split())], ranking) == winner
    assert taker(list(enumerate(trick.split())), "s") == winner


def test_nd_3_4_the_tricks_of_partners_count_together() -> None:
    live = played(WORTHLESS, [0, 1, 2, 3, 0, 2, 0, 1, 3])
    # The six that count go to seats 3, 0, 2, 0, 1 and 3.
    assert [side.count for side in live.score.sides] == [30, 30]


@pytest.mark.parametrize("winners", [[0] * 9, [1] * 9, [0, 1, 2, 3, 0, 1, 2, 3, 0]])
def test_nd_3_4_all_nine_tricks_are_played(winners: list[int]) -> None:
    live = played(WORTHLESS, winners)
    assert [won.trick for won in live.of(TrickWon)] == list(range(1, 10))


def test_nd_3_4_unless_the_game_ends() -> None:
    live = played(("5s 4s 3s 2s", *WORTHLESS[1:]), [0] * 9, scores=(111, 0))
    assert [won.trick for won in live.of(TrickWon)] == [1]
    assert live.table.status == "finished"
