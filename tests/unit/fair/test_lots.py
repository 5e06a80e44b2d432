"""The first dealer, drawn by a number or by cards; recomputed here with the standard library alone."""

import hmac
from collections.abc import Iterator
from hashlib import sha256
from itertools import count

import pytest

from domain.cards import Card
from domain.fair.lots import Draw, FirstDealer, Lots, by_cards, by_number
from domain.parts.matadors import PACK
from tests.support.for_each import for_each

RANKS = "AKQJ765432"
ENTROPIES = (b"", b"a", b"bc")


def lots(number: int, seats: int = 3) -> Lots:
    """What is drawn from, by number."""
    return Lots(seats, sha256(b"lots %d" % number).digest(), "a table", ENTROPIES)


def words(lots: Lots, label: bytes) -> Iterator[int]:
    """The counter stream's 32-bit words under this label, deal 0."""
    parts = (label, lots.table.encode(), bytes(4), *lots.entropies)
    message = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    for counter in count():
        block = hmac.new(lots.seed, message + counter.to_bytes(8, "big"), sha256).digest()
        yield from (int.from_bytes(block[start : start + 4], "big") for start in range(0, 32, 4))


def below(bound: int, stream: Iterator[int]) -> int:
    """The next number below the bound."""
    return next(word for word in stream if word < 2**32 // bound * bound) % bound


def pack_drawn(lots: Lots) -> list[Card]:
    """The pack as it is shuffled for drawing."""
    stream = words(lots, b"codille-dealer-draw")
    cards = list(PACK)
    for last in range(len(cards) - 1, 0, -1):
        other = below(last + 1, stream)
        cards[last], cards[other] = cards[other], cards[last]
    return cards


@for_each("number, seats", [(number, seats) for number in range(8) for seats in (2, 3, 4)])
def test_by_number_under_a_label_of_its_own(number: int, seats: int) -> None:
    given = lots(number, seats)
    assert by_number(given) == FirstDealer(below(seats, words(given, b"codille-first-dealer")), ())


def test_every_seat_is_drawn() -> None:
    draw = by_cards(PACK, RANKS)
    assert {by_number(lots(number)).dealer for number in range(30)} == {0, 1, 2}
    assert {draw(lots(number)).dealer for number in range(30)} == {0, 1, 2}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_by_cards_the_highest_deals_and_who_ties_draws_again(seats: int) -> None:
    draw = by_cards(PACK, RANKS)
    rounds = set()
    for number in range(150):
        given = lots(number, seats)
        first = draw(given)
        cards = iter(pack_drawn(given))
        drawing = list(range(seats))
        expected: list[Draw] = []
        rounds_here = 0
        while len(drawing) > 1:
            rounds_here += 1
            drawn = {seat: next(cards) for seat in drawing}
            expected += [Draw(seat, card) for seat, card in drawn.items()]
            highest = next(rank for rank in RANKS if any(card[0] == rank for card in drawn.values()))
            drawing = [seat for seat, card in drawn.items() if card[0] == highest]
        assert first == FirstDealer(drawing[0], tuple(expected))
        rounds.add(rounds_here)
    assert {1, 2} <= rounds


def test_an_ace_is_highest_where_it_stands_first() -> None:
    for number in range(60):
        given = lots(number)
        drawn = by_cards(PACK, RANKS)(given).draws[:3]
        aces = [one.seat for one in drawn if one.card[0] == "A"]
        if len(aces) == 1:
            assert by_cards(PACK, RANKS)(given).dealer == aces[0]
            assert by_cards(PACK, RANKS[::-1])(given).dealer != aces[0]
            return
    raise AssertionError("no ace was drawn")


def test_everything_given_decides() -> None:
    draw = by_cards(PACK, RANKS)
    one = lots(1)
    others = [
        lots(2),
        Lots(3, one.seed, "another table", ENTROPIES),
        Lots(3, one.seed, one.table, (b"", b"ab", b"c")),
    ]
    assert draw(one) == draw(lots(1))
    assert len({draw(given).draws for given in (one, *others)}) == 4
