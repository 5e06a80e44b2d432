"""What the house's view of a table costs in calls of functions. It is made at every act, whatever has been played."""

import sys
from collections.abc import Mapping
from pathlib import Path
from types import FrameType

import domain
from domain.record.history import Reader
from domain.registry import GAMES
from domain.seats import HOUSE
from domain.table.state import Table
from domain.table.view import view
from tests.golden.games import names, records
from tests.support.for_each import for_each

DOMAIN = str(Path(domain.__file__).parent)
CALLS: Mapping[str, int] = {
    "crocodile": 19,
    "boston": 32,
    "burraco": 64,
    "diloti": 50,
    "dingo": 76,
    "don": 52,
    "khanhoo": 36,
    "king": 24,
    "lhombre": 25,
    "lorum": 68,
    "nuts": 87,
    "ombre": 44,
    "solo": 25,
    "tetka": 27,
}
"""The most calls that a view takes in a recorded game, with those of comprehensions. They only fall."""
OF_ANOTHER = 40
"""The most of a game that is not named."""


def calls(table: Table) -> int:
    """How many functions of the domain the view calls, once what is remembered is."""
    number = 0

    def count(frame: FrameType, event: str, _: object) -> None:
        nonlocal number
        number += event == "call" and frame.f_code.co_filename.startswith(DOMAIN)

    view(GAMES[table.game], table, HOUSE)
    sys.setprofile(count)
    try:
        view(GAMES[table.game], table, HOUSE)
    finally:
        sys.setprofile(None)
    return number


@for_each("of", GAMES)
def test_the_houses_view_takes_no_more_calls_than_it_did(of: str) -> None:
    reader, most = Reader(GAMES), 0
    for name in names(of)[:3]:
        table = None
        for record in records(of, name):
            table = reader.fold(table, [record], HOUSE)
            if table is not None and table.deal_state is not None:
                most = max(most, calls(table))
    assert 0 < most <= CALLS.get(of, OF_ANOTHER), most
