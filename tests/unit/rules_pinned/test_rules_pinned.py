"""A table is played, replayed and audited under the rules that it was opened with, whatever rules came after."""

from functools import cache
from itertools import count

import msgspec
import pytest
from msgspec.structs import replace

from domain.audit.auditor import audit, audit_deals
from domain.audit.findings import Audit
from domain.games.crocodile import CROCODILE
from domain.kernel.game import Game
from domain.record.catalogue import UnknownRules
from domain.record.history import Reader
from domain.record.recorded import Recorded
from service.audit.one_table import audit_table
from service.store.store import Head
from tests.support.exports import exported, placed, verified
from tests.support.forging import forged, rehashed
from tests.support.games import chance
from tests.support.projecting import Play
from tests.support.versions import CROCODILE_2

NOW = Reader({"crocodile": CROCODILE_2})
"""Knows the new rules, and the old ones for old tables."""
THEN = Reader({"crocodile": CROCODILE})
"""Knows nothing of the new rules."""


OLD, NEW = CROCODILE.rulebook.version, CROCODILE_2.rulebook.version

HAS_ONE = 376
"""The first game with a silent Primeras: they are rare."""


@cache
def table(version: int) -> tuple[Recorded, ...]:
    """A finished game under these rules in which somebody made a silent Primeras; the same acts under both."""
    game: Game = {OLD: CROCODILE, NEW: CROCODILE_2}[version]
    for number in count(HAS_ONE):
        play = Play(number, chance(("pinned", number)), game=game)
        records = [record for records in play.steps() for record in records]
        if any(b"Silent Primeras" in record.public for record in records):
            return tuple(placed(records))
    raise AssertionError("there is always another game")


def primeras(records: tuple[Recorded, ...]) -> str:
    """The line of the silent Primeras, as it explains itself."""
    scored = next(record for record in records if b"Silent Primeras" in record.public)
    lines = msgspec.json.decode(scored.public)["lines"]
    return str(next(line["text"] for line in lines if "Silent Primeras" in line["text"]))


def failed(found: Audit) -> set[str]:
    return {check.name for check in found.checks if not check.passed}


def test_the_versions_differ_in_one_point() -> None:
    old, new = CROCODILE.rulebook, CROCODILE_2.rulebook
    assert old.digest() != new.digest()
    assert ": 1 × " in primeras(table(OLD))
    assert ": 2 × " in primeras(table(NEW))


@pytest.mark.parametrize("version", [OLD, NEW])
def test_every_table_is_audited_under_its_own_rules(version: int) -> None:
    assert failed(audit(NOW, table(version))) == set()
    assert verified(exported(table(version), reader=NOW), reader=NOW).verdict == "unpinned"


@pytest.mark.parametrize("version", [OLD, NEW])
def test_every_table_is_replayed_under_its_own_rules(version: int) -> None:
    state = NOW.fold(None, table(version))
    assert (state.rules_version, state.status) == (version, "finished")
    assert NOW.of(state).rulebook.version == version
    last = msgspec.json.decode(table(version)[-1].public)
    assert list(state.totals) == last["totals"]


def test_new_tables_are_opened_under_the_new_rules() -> None:
    assert NOW.game("crocodile").rulebook.version == NEW
    assert msgspec.json.decode(table(NEW)[0].public)["rules_version"] == NEW


def test_a_table_that_goes_on_goes_on_under_its_rules() -> None:
    """Its next events follow from the old rules although the new ones are there."""
    records = table(OLD)
    scored = next(record.version for record in records if b"Silent Primeras" in record.public)
    state = NOW.fold(None, records[: scored - 1])
    score = NOW.of(state).decider.score(state.deal_state)
    assert score is not None
    assert primeras(records) in [transfer.text for transfer in score.transfers]
    (other,) = [t.text for t in CROCODILE_2.decider.score(state.deal_state).transfers if "Silent Primeras" in t.text]  # type: ignore[union-attr] # it is settled
    assert ": 2 × " in other


def test_a_record_of_rules_that_are_not_known_is_not_judged() -> None:
    found = audit(THEN, table(NEW))
    assert (found.verdict, failed(found)) == ("not-judged", set())
    (unchecked,) = found.unchecked
    assert f"crocodile with rules of version {NEW}" in unchecked.text
    with pytest.raises(UnknownRules):
        THEN.fold(None, table(NEW))
    assert verified(exported(table(NEW), reader=NOW), reader=THEN).verdict == "unknown"


def test_nor_is_one_of_another_digest() -> None:
    def other(public: dict[str, object]) -> None:
        public["rules_digest"] = "ab" * 32

    whole = forged(table(OLD), 1, other)
    found = audit(NOW, whole)
    assert (found.verdict, failed(found)) == ("not-judged", set())
    assert {one.verdict for one in audit_deals(NOW, whole, [1, 2, 3])} == {"not-judged"}


def test_nor_is_one_with_an_event_of_a_later_version_but_what_came_before_is() -> None:
    whole = list(table(OLD))
    last = next(record for record in whole if record.deal == 3)
    later = rehashed([*whole[: last.version - 1], replace(last, schema=9), *whole[last.version :]])
    found = audit(NOW, later)
    assert (found.verdict, failed(found)) == ("not-judged", set())
    assert [one.verdict for one in audit_deals(NOW, later, [1, 2, 3])] == ["intact", "intact", "not-judged"]


def test_what_needs_no_rules_is_judged_all_the_same() -> None:
    whole = list(table(NEW))
    whole[5] = replace(whole[5], hash=bytes(32))
    found = audit(THEN, whole)
    assert (found.verdict, failed(found)) == ("altered", {"chain"})
    assert verified(exported(whole, reader=NOW), reader=THEN).verdict == "altered"


def test_who_says_that_other_rules_were_in_force_is_found() -> None:
    def newer(public: dict[str, object]) -> None:
        public |= {"rules_version": NEW, "rules_digest": CROCODILE_2.rulebook.digest()}

    found = audit(NOW, forged(table(OLD), 1, newer))
    assert {"ledger", "totals"} <= failed(found)


async def test_the_audit_of_the_log_reports_no_difference_of_what_is_not_judged() -> None:
    """So no alert follows from it. One that is altered is reported, whatever its rules."""
    whole = table(NEW)
    head = Head(whole[-1].version, whole[-1].hash)
    found = await audit_table(THEN, None, whole[0].table, whole, head)
    assert (found.differences, found.judged, found.intact) == ((), False, False)
    found = await audit_table(NOW, None, whole[0].table, whole, head)
    assert (found.differences, found.judged, found.intact) == ((), True, True)
    altered = [*whole[:5], replace(whole[5], hash=bytes(32)), *whole[6:]]
    found = await audit_table(THEN, None, whole[0].table, altered, head)
    assert {one.check for one in found.differences} == {"chain"}
