"""Verifying in the kit for TypeScript: intact records pass, and every alteration that needs no rules is noticed."""

import json
from codecs import BOM_UTF8
from pathlib import Path
from typing import Any

from tests.support.edits import built
from tests.support.typescript import asked, needs_node, passes, sizes

RECORDS = Path(__file__).parents[3] / "api-spec" / "examples" / "records"

INDEX: dict[str, Any] = json.loads((RECORDS / "index.json").read_text())

MOST_LINES = 500
"""Lines of code of the module that verifies, types aside."""

BY_RULES = {
    "acts", "antes", "clock", "corrections", "dealer", "disputes", "draws", "finish", "legality", "outcome", "payload",
    "rules", "seating", "stopping-point", "tricks", "turn-up",
}  # fmt: skip
"""The checks that compute what the rules, the table's or the game's, make of an act."""

ELSEWHERE = {
    "ledger-amount": ("totals", 13),
    "pack-cards": ("commitments", 6),
    "antes-amount": ("totals", 35),
    "seating-twice": ("first-dealer", 5),
    "corrections-amount": ("totals", 43),
}
"""Alterations against the rules that another check notices all the same, and the event at which it does."""

OF_THE_TABLE = {"bots-opened-with"}
"""Alterations that nobody notices without the rules of a table: here, who may have asked for a bot."""

pytestmark = needs_node


def verified(records: list[tuple[bytes, list[str]]], folder: Path) -> list[Any]:
    """The reports on these files, with these keys."""
    questions = []
    for number, (data, keys) in enumerate(records):
        path = folder / f"{number}.ndjson"
        path.write_bytes(data)
        questions.append({"path": str(path), "keys": keys})
    reports: list[Any] = asked("verify.mjs", questions)
    return reports


def test_the_bytes_are_those_of_the_published_vectors() -> None:
    passes("vectors.test.mjs")


def test_every_intact_record_is_intact(tmp_path: Path) -> None:
    records = [(RECORDS / one["file"]).read_bytes() for one in INDEX["records"]]
    reports = verified([(record, [INDEX["key"]]) for record in records], tmp_path)
    for one, record, report in zip(INDEX["records"], records, reports, strict=True):
        assert (report["verdict"], report["faults"]) == ("intact", []), one["file"]
        assert report["events"] == record.count(b"\n") - 2
        assert any(text.startswith("What rests on the rules") for text in report["unchecked"])


def test_a_record_is_intact_but_for_its_line_ends(tmp_path: Path) -> None:
    rows = INDEX["line_ends"]
    data = [(RECORDS / one["of"]).read_bytes() for one in rows]
    records = [*data, *(built(record, one["edits"]) for record, one in zip(data, rows, strict=True))]
    reports = verified([(record, [f"\ufeff\t{INDEX['key']}\u00a0\r\n"]) for record in records], tmp_path)
    for one, report, carried in zip(rows, reports[: len(rows)], reports[len(rows) :], strict=True):
        assert (report["verdict"], report["lineEnds"]) == ("intact", None)
        assert carried.pop("lineEnds"), one["name"]
        assert carried == {name: value for name, value in report.items() if name != "lineEnds"}, one["name"]


def test_other_line_ends_hide_no_alteration_and_move_none(tmp_path: Path) -> None:
    rows = [one for one in INDEX["altered"] if one["name"] in ("form-space", "form-cut", "chain-hash")]
    data = [built((RECORDS / one["of"]).read_bytes(), one["edits"]) for one in rows]
    carried = [BOM_UTF8 + record.replace(b"\n", b"\r\n") for record in data]
    reports = verified([(record, []) for record in (*data, *carried)], tmp_path)
    faults = [report["faults"] for report in reports]
    assert faults[: len(rows)] == faults[len(rows) :]
    assert all(faults)


def test_every_alteration_that_needs_no_rules_is_noticed_where_it_is(tmp_path: Path) -> None:
    altered = INDEX["altered"]
    data = [built((RECORDS / one["of"]).read_bytes(), one["edits"]) for one in altered]
    reports = verified([(record, [INDEX["key"]]) for record in data], tmp_path)
    noticed = set()
    for one, report in zip(altered, reports, strict=True):
        check, event = ELSEWHERE.get(one["name"], (one["fails"], one["event"]))
        found = [
            fault
            for fault in report["faults"]
            if fault["check"] == check
            and event in (None, fault.get("event"))
            and one["line"] in (None, fault.get("line"))
        ]
        if one["name"] in OF_THE_TABLE or (one["name"] not in ELSEWHERE and one["fails"] in BY_RULES):
            assert not found, one["name"]
        else:
            assert found, (one["name"], report["faults"])
            assert report["verdict"] == "altered"
            noticed.add(one["fails"])
    assert noticed >= {one["fails"] for one in altered} - BY_RULES


def test_a_record_without_a_pinned_signer_says_so_and_what_is_none_is_unreadable(tmp_path: Path) -> None:
    record = (RECORDS / "closed.ndjson").read_bytes()
    other = next(key for key in json.loads((RECORDS / "rotated.ndjson").read_text().splitlines()[-1])["keys"][1:])
    unpinned, foreign, *unreadable = verified(
        [(record, []), (record, [other]), (b"", []), (b"{}\n", []), (b"\xff\n", []), (b'{"format":"x"}\n', [])],
        tmp_path,
    )
    assert unpinned["verdict"] == "unpinned"
    assert any(text.startswith("The signer is not pinned") for text in unpinned["unchecked"])
    assert [fault["check"] for fault in foreign["faults"]] == ["signer"]
    assert {report["verdict"] for report in unreadable} == {"unreadable"}


def test_whatever_is_cut_off_or_turned_round_raises_nothing_and_is_noticed(tmp_path: Path) -> None:
    record = (RECORDS / "closed.ndjson").read_bytes()
    cut = [record[:-size] for size in range(2, len(record) - 1, 97)]
    turned = [record[:place] + bytes([record[place] ^ 1]) + record[place + 1 :] for place in range(0, len(record), 31)]
    reports = verified([(data, [INDEX["key"]]) for data in [*cut, *turned]], tmp_path)
    assert all(report["verdict"] in {"altered", "unreadable"} for report in reports)


def test_the_module_is_short() -> None:
    assert sizes(["verify.js"])["verify.js"] <= MOST_LINES
