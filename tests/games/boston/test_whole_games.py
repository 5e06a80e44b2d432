"""What holds in whole games: the options there are, what is said of a score, and what is done by default."""

import pytest

from domain.games.boston import BOSTON
from domain.games.boston.meta import Options
from domain.kernel.words import Filled, said
from domain.table.words import complete
from tests.games.boston.tables import BostonLive
from tests.golden.games import events as golden_events
from tests.golden.games import names as golden_names
from tests.property.strategies import every_options


def test_there_are_eight_combinations_of_options() -> None:
    assert len(every_options(BOSTON)) == 8
    assert Options() in every_options(BOSTON)


@pytest.mark.parametrize("kind", ["alone", "supported", "thrown in"])
def test_the_score_of_a_deal_names_declarer_contract_and_supporter(kind: str) -> None:
    def kind_of(public: dict[str, object]) -> str:
        if public["declarer"] is None:
            return "thrown in"
        return "alone" if public["supporter"] is None else "supported"

    events = (event for name in golden_names("boston") for event in golden_events("boston", name))
    scored = [event["public"] for event in events if event["type"] == "deal-scored"]
    scored = [public for public in scored if kind_of(public) == kind]
    assert scored
    for public in scored:
        parts = said(complete(BOSTON).events["deal-scored"].sentences, public)
        assert parts is not None
        filled = [(part.kind, part.value) for part in parts if isinstance(part, Filled)]
        seats = [public[name] for name in ("declarer", "supporter") if public[name] is not None]
        assert [value for one, value in filled if one == "seat"] == seats
        terms = [] if kind == "thrown in" else [public["contract"], public["outcome"]]
        assert [value for one, value in filled if one == "term"] == terms


@pytest.mark.parametrize("seat", range(4))
def test_the_clock_passes_and_never_calls_or_supports(seat: int) -> None:
    live = BostonLive.started(deals=4, seed=bytes([seat]) * 32)
    while live.table.status == "playing":
        action = BOSTON.decider.default_action(live.table.deal_state, live.turn)
        assert action.__struct_config__.tag == "pass"
        live.do("pass")
