"""What the lines of a deal say and cite."""

from domain.kernel.worth import cited
from domain.parts.scoring import reason


def test_a_text_names_the_seat_and_says_how_it_came_out_and_how_much() -> None:
    assert reason("Tournee", 1, "crocodile lunch", "2 × 3") == "Tournee by seat 1, crocodile lunch: 2 × 3"
    assert reason("Primeras", 0, None, 1) == "Primeras by seat 0: 1"
    assert reason("Solo", 2, "win", 2000, "seat 3 sits out") == "Solo by seat 2, win: 2,000 (seat 3 sits out)"


def test_events_are_cited_in_order_each_once() -> None:
    assert cited(9, None, 4, 9, 7) == (4, 7, 9)
    assert cited(None) == ()
