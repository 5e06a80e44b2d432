"""SO-1.3: how cards rank and which suit they belong to, by every suit that may be trump."""

from itertools import pairwise, permutations

import pytest

from domain.games.solo.meta import PACK, RANKINGS, trumps_of
from domain.parts.tricks import Played, winner
from tests.games.solo.checker import winner_of
from tests.games.solo.tables import PACK as CARDS
from tests.games.solo.tables import SUITS
from tests.support.games import chance

TRUMPS: dict[str, tuple[str, ...]] = {
    "s": ("Qc", "7s", "Qs", "As", "Ks", "Js", "Ts", "9s", "8s"),
    "h": ("Qc", "7h", "Qs", "Ah", "Kh", "Qh", "Jh", "Th", "9h", "8h"),
    "d": ("Qc", "7d", "Qs", "Ad", "Kd", "Qd", "Jd", "Td", "9d", "8d"),
    "c": ("Qc", "7c", "Qs", "Ac", "Kc", "Jc", "Tc", "9c", "8c"),
}
"""High to low, by what is trump (SO-1.3)."""
PLAIN: dict[str, tuple[str, ...]] = {
    "s": ("As", "Ks", "Js", "Ts", "9s", "8s", "7s"),
    "h": ("Ah", "Kh", "Qh", "Jh", "Th", "9h", "8h", "7h"),
    "d": ("Ad", "Kd", "Qd", "Jd", "Td", "9d", "8d", "7d"),
    "c": ("Ac", "Kc", "Jc", "Tc", "9c", "8c", "7c"),
}


@pytest.mark.parametrize("trump", SUITS)
def test_so_1_3_trumps_stand_as_the_rule_names_them(trump: str) -> None:
    assert trumps_of(trump) == TRUMPS[trump]  # type: ignore[arg-type] # a suit
    assert len(TRUMPS[trump]) == (9 if trump in "sc" else 10)


@pytest.mark.parametrize("trump", SUITS)
def test_so_1_3_every_card_belongs_to_one_suit(trump: str) -> None:
    ranking = RANKINGS[trump]  # type: ignore[index] # a suit
    for suit, cards in {**PLAIN, trump: TRUMPS[trump]}.items():
        assert {card for card in PACK if ranking.suits[card] == suit} == set(cards)
        for higher, lower in pairwise(cards):
            assert ranking.power[higher] > ranking.power[lower]  # type: ignore[index] # cards


@pytest.mark.parametrize("suit", SUITS)
def test_so_1_3_a_plain_black_suit_has_no_queen(suit: str) -> None:
    assert (f"Q{suit}" in PLAIN[suit]) == (suit in "hd")
    assert len(PLAIN[suit]) == (8 if suit in "hd" else 7)


@pytest.mark.parametrize("trump", SUITS)
def test_so_1_3_of_two_cards_that_follow_the_higher_one_wins(trump: str) -> None:
    for one, other in permutations(CARDS, 2):
        trick = [(0, one), (1, other)]
        taker = winner([Played(seat, card) for seat, card in trick], RANKINGS[trump])  # type: ignore[index,arg-type] # as named
        assert taker == winner_of(trick, trump)


@pytest.mark.parametrize("trump", SUITS)
def test_so_1_3_whole_tricks_go_where_the_rule_says(trump: str) -> None:
    rng = chance(trump)
    for _ in range(3000):
        trick = list(enumerate(rng.sample(CARDS, 4)))
        taker = winner([Played(seat, card) for seat, card in trick], RANKINGS[trump])  # type: ignore[index,arg-type] # as named
        assert taker == winner_of(trick, trump)
