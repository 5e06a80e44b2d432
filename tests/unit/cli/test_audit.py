"""`codille audit` names the cause of what differs, folds what follows from it, and says what it did not check."""

from collections.abc import Sequence
from io import StringIO
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from rich.console import Console

from domain.kernel.canonical import canonical
from domain.record.recorded import Recorded
from domain.table.events import DealScored
from service.audit import AuditSummary, Difference
from service.audit.one_table import audit_table
from service.cli.audit import MOST_DIFFERENCES, rendered
from service.store.store import Head
from tests.golden.games import records
from tests.support.forging import rehashed
from tests.support.games import READER

WHOLE = AuditSummary(
    tables=1,
    events=9,
    position=9,
    processes=1,
    seconds=1.0,
    tree="contiguous",
    models="those of 1 tables, 1 in lists",
    tallies="those of 2 players",
    not_checked=(),
    not_judged=0,
    differences=(),
)


def spoken(summary: AuditSummary) -> str:
    """All that is said, in one line."""
    console = Console(file=StringIO(), width=10_000)
    for part in rendered(summary):
        console.print(part)
    return " ".join(console.file.getvalue().split())  # type: ignore[attr-defined]


def printed(*differences: Difference) -> list[str]:
    """What is said of the differences, line by line."""
    summary = replace(WHOLE, differences=differences)
    console = Console(file=StringIO(), width=10_000)
    for part in list(rendered(summary))[1:]:
        console.print(part)
    return console.file.getvalue().splitlines()  # type: ignore[attr-defined]


async def audited(whole: Sequence[Recorded]) -> list[str]:
    found = await audit_table(READER, None, whole[0].table, whole, Head(len(whole), whole[-1].hash))
    return printed(*found.differences)


@pytest.mark.parametrize("hashed", [True, False])
async def test_a_changed_amount_is_said_with_both_amounts_and_the_rest_in_one_line(*, hashed: bool) -> None:
    whole = records("crocodile", "disputed")
    place, scored = next((place, one) for place, one in enumerate(whole) if one.type == DealScored.TYPE)
    public: dict[str, Any] = msgspec.json.decode(scored.public)
    due = public["lines"][0]["amount"]
    public["lines"][0]["amount"] = due + 1
    whole[place] = msgspec.structs.replace(scored, public=canonical(public))
    said = await audited(rehashed(whole) if hashed else whole)
    assert len(said) == 2
    assert said[0].startswith(f"table {scored.table}, event {scored.version}: ledger: ")
    assert said[0].endswith(f" (lines[0]). amount: recorded {due + 1}, computed {due}.")
    assert said[1].lstrip().partition(" ")[2].startswith("more in this table may follow from it: ")
    assert (f"chain at event {scored.version}" in said[1]) != hashed


async def test_an_intact_table_has_nothing_to_say() -> None:
    assert await audited(records("crocodile", "disputed")) == []


def test_what_concerns_no_record_of_a_table_stands_alone() -> None:
    lists = Difference("table 1", "lists", "totals in the lists: 1, in the log: 2")
    assert printed(lists, lists) == ["table 1: lists: totals in the lists: 1, in the log: 2"] * 2


def test_values_are_short_and_steer_no_terminal_and_many_differences_are_counted() -> None:
    long = Difference("table 1, event 2", "acts", "Not so.", "1", 2, "\x1b" + "a" * 1000, None)
    assert len(printed(long)[0]) < 200
    assert "\x1b" not in printed(long)[0]
    secret = Difference("table 1, event 2", "payload", "Not so.", "1", 2, "Ks", "Qs")
    assert printed(secret) == ["table 1, event 2: payload: Not so."]
    many = [Difference(f"table {n}", "acts", "Not so.", str(n), 1) for n in range(MOST_DIFFERENCES + 3)]
    assert printed(*many)[-1] == "… and 3 more"


def test_what_was_not_checked_stands_beside_the_verdict() -> None:
    assert "verdict intact" in spoken(WHOLE)
    assert "not checked" not in spoken(WHOLE)
    part = replace(WHOLE, not_checked=("read models", "tallies"), models="not audited: they are of another log")
    assert "intact; not checked: read models, tallies" in spoken(part)
    assert "read models not audited: they are of another log" in spoken(part)
    altered = replace(part, differences=(Difference("the read models", "read models", "they are of another log"),))
    assert "altered; not checked: read models, tallies" in spoken(altered)
