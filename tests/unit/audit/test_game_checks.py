"""What a game's rules say of all its deals together is checked when the last deal is scored."""

from collections.abc import Sequence
from functools import partial

import pytest
from msgspec.structs import replace

from domain.audit.auditor import audit
from domain.audit.findings import Check
from domain.games.crocodile import CROCODILE
from domain.kernel.course import Standing
from domain.kernel.game import GameCheck
from domain.kernel.ledger import Line
from domain.record.history import Reader
from domain.record.recorded import Recorded
from tests.golden.games import records as golden_records

RULE, WHAT = "CR-2.1", "the number of lines"


def lines_of_all_deals(
    standing: Standing, lines: Sequence[tuple[Line, ...]], *, more: int = 0
) -> tuple[GameCheck, ...]:
    """A rule, made up, by which a game has as many lines as it has, and so many more."""
    number = sum(map(len, lines))
    assert (standing.deal, len(lines)) == (standing.deals, standing.deals)
    return (GameCheck("totals", RULE, WHAT, number, number + more),)


def finished() -> list[Recorded]:
    return golden_records("crocodile", "disputed")


def checked(more: int, deal: int | None = None) -> list[Check]:
    """What the audit says of the lines' number."""
    checks = partial(lines_of_all_deals, more=more)
    reader = Reader({"crocodile": replace(CROCODILE, decider=replace(CROCODILE.decider, game_checks=checks))})
    return [check for check in audit(reader, finished(), deal).checks if check.name == "totals"]


def scored() -> list[Recorded]:
    return [record for record in finished() if record.type == "deal-scored"]


def test_it_passes_with_the_rule_that_the_game_names() -> None:
    last = scored()[-1].version
    assert [check.events for check in checked(0) if check.rule == RULE and last in check.events] != []


@pytest.mark.parametrize("whole", [True, False])
def test_it_fails_at_the_score_of_the_last_deal(*, whole: bool) -> None:
    last = scored()[-1]
    (failed,) = [check for check in checked(1, None if whole else last.deal) if not check.passed]
    assert (failed.events, failed.rule, failed.computed - failed.recorded) == ((last.version,), RULE, 1)
    assert WHAT in failed.text


def test_no_other_deal_rests_on_it() -> None:
    assert all(check.passed for check in checked(1, 1))
