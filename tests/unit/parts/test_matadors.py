"""The ranking of L'Hombre's family: black aces always trumps, red suits upside down below the ace."""

import pytest

from domain.cards import Suit
from domain.parts.matadors import BASTA, PACK, RANKINGS, RANKS, SPADILLE, matadors_of, trumps_of

TRUMPS = {
    "s": "As 2s Ac Ks Qs Js 7s 6s 5s 4s 3s",
    "h": "As 7h Ac Ah Kh Qh Jh 2h 3h 4h 5h 6h",
    "d": "As 7d Ac Ad Kd Qd Jd 2d 3d 4d 5d 6d",
    "c": "As 2c Ac Kc Qc Jc 7c 6c 5c 4c 3c",
}
PLAIN = {
    "s": "Ks Qs Js 7s 6s 5s 4s 3s 2s",
    "h": "Kh Qh Jh Ah 2h 3h 4h 5h 6h 7h",
    "d": "Kd Qd Jd Ad 2d 3d 4d 5d 6d 7d",
    "c": "Kc Qc Jc 7c 6c 5c 4c 3c 2c",
}


def ranked(trump: Suit | None, suit: str) -> str:
    """The cards of a suit under these trumps, high to low."""
    ranking = RANKINGS[trump]
    cards = [card for card in PACK if ranking.suits[card] == suit]
    cards.sort(key=ranking.power.__getitem__, reverse=True)
    return " ".join(cards)


def test_forty_cards_in_sorted_order() -> None:
    assert " ".join(PACK) == " ".join(
        (
            "Ks Qs Js 7s 6s 5s 4s 3s 2s As",
            "Kh Qh Jh Ah 2h 3h 4h 5h 6h 7h",
            "Kd Qd Jd Ad 2d 3d 4d 5d 6d 7d",
            "Kc Qc Jc 7c 6c 5c 4c 3c 2c Ac",
        )
    )
    assert set(RANKS) == {"s", "h", "d", "c"}


@pytest.mark.parametrize("trump", ["s", "h", "d", "c"])
def test_trumps_high_to_low(trump: Suit) -> None:
    assert " ".join(trumps_of(trump)) == TRUMPS[trump] == ranked(trump, trump)


@pytest.mark.parametrize("trump", ["s", "h", "d", "c"])
def test_plain_suits_without_the_black_aces(trump: Suit) -> None:
    for suit in "shdc":
        if suit != trump:
            assert ranked(trump, suit) == PLAIN[suit]


@pytest.mark.parametrize(("suit", "ace"), [("s", " As"), ("h", ""), ("d", ""), ("c", " Ac")])
def test_without_trumps_a_black_ace_is_the_lowest_of_its_suit(suit: str, ace: str) -> None:
    assert ranked(None, suit) == PLAIN[suit] + ace


@pytest.mark.parametrize(("trump", "manille"), [("s", "2s"), ("h", "7h"), ("d", "7d"), ("c", "2c")])
def test_matadors_are_spadille_manille_and_basta(trump: Suit, manille: str) -> None:
    assert (SPADILLE, BASTA) == ("As", "Ac")
    assert matadors_of(trump) == RANKINGS[trump].matadors == ("As", manille, "Ac")
    assert RANKINGS[trump].trump == trump


def test_there_is_a_ranking_for_every_trump_suit_and_for_none() -> None:
    assert list(RANKINGS) == [None, "s", "h", "d", "c"]
    assert (RANKINGS[None].trump, RANKINGS[None].matadors) == (None, ())
