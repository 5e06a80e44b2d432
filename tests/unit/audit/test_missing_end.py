"""A record that ends where an event has to follow by itself."""

from itertools import pairwise

import pytest

from domain.audit.auditor import audit
from domain.record.history import without_section
from domain.seats import HOUSE, PUBLIC
from tests.golden.games import records as golden_records
from tests.support.games import READER
from tests.support.registry import GAMES

BETWEEN_DEALS = ("deal-scored", "cards-dealt")


@pytest.mark.parametrize("name", [name for name, game in GAMES.items() if game.course.gate is None])
@pytest.mark.parametrize("audience", [HOUSE, PUBLIC])
def test_after_a_score_the_next_deal_is_missing(name: str, audience: str) -> None:
    whole = golden_records(name, "disputed")
    if audience == PUBLIC:
        # The seeds of the deals to come are not open before the game is over.
        whole = [without_section(whole[0], HOUSE), *whole[1:]]
    ends = [record.version for record, after in pairwise(whole) if (record.type, after.type) == BETWEEN_DEALS]
    for cut in (whole[:version] for version in ends):
        failed = [check for check in audit(READER, cut, audience=audience).checks if not check.passed]
        assert [(check.name, check.computed) for check in failed if check.name == "acts"] == [("acts", "cards-dealt")]
        assert not any("Error" in check.text for check in failed)
    assert ends
