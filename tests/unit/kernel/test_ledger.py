"""Double entry: each transfer is two lines that cancel."""

import pytest

from domain.kernel.canonical import canonical
from domain.kernel.ledger import BANK, POOL, Line, Party, Transfer, book, signed
from tests.support.for_each import for_each

PLAYERS = ("anna", "bo", "cleo")


def transfer(account: Party, counter: Party, amount: int) -> Transfer:
    """A transfer of this amount."""
    return Transfer(account, counter, amount, "contract", "CR-9.2", "why", (3, 4))


def test_a_transfer_is_a_line_and_its_counter_line() -> None:
    assert book([transfer(1, BANK, -6)], PLAYERS) == (
        Line("player:bo", "bank", 1, -6, "contract", "CR-9.2", "why", (3, 4)),
        Line("bank", "player:bo", None, 6, "contract", "CR-9.2", "why", (3, 4)),
    )


@for_each("account, counter", [(0, 2), (0, BANK), (POOL, 1), (POOL, BANK)])
@for_each("amount", [1, -1, 70])
def test_lines_sum_to_zero(account: Party, counter: Party, amount: int) -> None:
    lines = book([transfer(account, counter, amount), transfer(2, 1, 5)], PLAYERS)
    assert sum(line.amount for line in lines) == 0
    assert len(lines) == 4


def test_nothing_is_booked_for_nothing() -> None:
    assert book([transfer(0, BANK, 0)], PLAYERS) == ()
    assert book([], PLAYERS) == ()


def test_a_line_as_it_stands_on_the_wire() -> None:
    (line, _) = book([transfer(1, BANK, -6)], PLAYERS)
    assert canonical(line) == (
        b'{"account":"player:bo","amount":-6,"events":[3,4],"kind":"contract","rule":"CR-9.2","seat":1,'
        b'"text":"why","with":"bank"}'
    )


@pytest.mark.parametrize(("amount", "text"), [(3, "+3"), (0, "+0"), (-6, "\u22126")])
def test_amounts_are_written_with_their_sign(amount: int, text: str) -> None:
    assert signed(amount) == text
