"""A game is kept whole before its rules change."""

import json

import pytest

from tests.golden.games import as_recorded, records
from tests.lab.golden.keep import whole
from tests.support.games import read


@pytest.mark.long
def test_a_game_is_kept_whole_before_its_rules_change() -> None:
    kept = json.loads(whole("toy", "target"))
    assert as_recorded(kept["events"]) == records("toy", "target")
    table = read(records("toy", "target")).table
    assert (kept["totals"], kept["winners"]) == (list(table.totals), list(table.winners or ()))
