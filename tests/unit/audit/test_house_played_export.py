"""Exports of a running deal in which the house plays a seat: intact, and no actor or action of another kind passes."""

from collections.abc import Sequence
from itertools import pairwise

import pytest
from msgspec.structs import replace

from domain.audit.verification import Verification
from domain.record.recorded import Recorded
from domain.seats import PUBLIC
from domain.table.actions import AbandonSeat
from tests.games.ombre.tables import OmbreLive
from tests.property.strategies import TABLES
from tests.support.exports import exported, file_of, placed, transparency_over, verified
from tests.support.forging import rehashed
from tests.support.games import EVERYBODY, Live, chance, step
from tests.support.lively import lively

OTHER_ACTION = "01970000-0000-7000-8000-00000000abcd"


def failed(found: Verification) -> list[tuple[str, str]]:
    return [(check.name, check.text) for check in found.checks if not check.passed]


def cuts(records: Sequence[Recorded]) -> list[int]:
    """Versions in running deals with which an action of the house for a seat ends."""
    ends = [one.version for one, after in pairwise(records) if one.action != after.action]
    by_house = {one.action for one in records if one.actor.startswith("bot:")}
    return [end for end in ends if records[end - 1].action in by_house and records[end - 1].deal is not None]


@pytest.mark.parametrize("tables", TABLES, ids=lambda tables: tables.game.name)
def test_a_running_deal_in_which_the_house_plays_is_intact(tables: type[Live]) -> None:
    games = [lively(tables, number).records for number in range(3)]
    found = [(records, end) for records in games for end in cuts(records)]
    rng = chance(("played by the house", tables.game.name))
    for records, end in rng.sample(found, min(10, len(found))):
        audience = rng.choice([PUBLIC, "seat:0", "seat:1"])
        verification = verified(exported(placed(records[:end]), audience))
        assert (verification.verdict, failed(verification)) == ("unpinned", []), (end, audience)


def running_with_house() -> list[Recorded]:
    """A running deal in which the house plays seat 1, up to an act that the house took."""
    live = OmbreLive.started()
    live.command(AbandonSeat(EVERYBODY[1]))
    rng = chance("running with the house")
    while not live.records[-1].actor.startswith("bot:"):
        step(live, rng, rare=0)
    assert live.table.running_deal is not None
    return placed(live.records)


def forged(records: Sequence[Recorded]) -> Verification:
    made = rehashed(records)
    return verified(file_of(made, PUBLIC, lambda _: False, transparency_over(made)))


def failed_envelopes(found: Verification) -> set[tuple[int, ...]]:
    return {check.events for check in found.checks if check.name == "envelope" and not check.passed}


def test_an_act_of_the_house_shares_action_and_time_with_the_event_before() -> None:
    records = running_with_house()
    last = records[-1]
    assert failed(forged(records)) == []
    for changed in (
        replace(last, action=OTHER_ACTION),
        replace(last, at=last.at.replace("2026", "2027")),
        replace(last, actor="bot:2"),
        replace(last, actor="bot:2", action=OTHER_ACTION),
        replace(last, actor="arbiter:x", action=OTHER_ACTION),
    ):
        assert failed_envelopes(forged([*records[:-1], changed])) == {(last.version,)}


def test_what_follows_by_itself_in_a_hidden_deal_shares_action_and_time_with_the_event_before() -> None:
    records = running_with_house()
    dealt = next(one.version for one in records if one.type == "cards-dealt")
    changed = replace(records[dealt - 1], action=OTHER_ACTION)
    assert (dealt,) in failed_envelopes(forged([*records[: dealt - 1], changed, *records[dealt:]]))
