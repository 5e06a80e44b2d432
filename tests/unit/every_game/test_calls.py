"""What the house's view of a table costs in calls of functions. It is made at every act, whatever has been played."""

from collections.abc import Mapping
from functools import partial

from domain.record.history import Reader
from domain.registry import GAMES
from domain.seats import HOUSE
from domain.table.view import view
from tests.golden.games import names, records
from tests.support.calls import calls
from tests.support.for_each import for_each

CALLS: Mapping[str, int] = {
    "crocodile": 18,
    "boston": 26,
    "burraco": 53,
    "diloti": 50,
    "dingo": 71,
    "don": 52,
    "khanhoo": 36,
    "king": 22,
    "lhombre": 17,
    "lorum": 67,
    "nuts": 87,
    "ombre": 37,
    "solo": 20,
    "tetka": 25,
}
"""The most calls that a view takes in a recorded game, with those of comprehensions. They only fall."""
OF_ANOTHER = 40
"""The most of a game that is not named."""


@for_each("of", GAMES)
def test_the_houses_view_takes_no_more_calls_than_it_did(of: str) -> None:
    reader, most = Reader(GAMES), 0
    for name in names(of)[:3]:
        table = None
        for record in records(of, name):
            table = reader.fold(table, [record], HOUSE)
            if table is not None and table.deal_state is not None:
                most = max(most, calls(partial(view, GAMES[of], table, HOUSE)))
    assert 0 < most <= CALLS.get(of, OF_ANOTHER), most
