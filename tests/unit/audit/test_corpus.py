"""The published records: each is what its index says, and they are what the golden games make."""

import json

from domain.audit.findings import TEXTS
from domain.audit.verification import CHECKS
from domain.registry import GAMES
from tests.support.checker.export import wrong_with
from tests.support.corpus import OTHERS, RECORDS, Example, examples, index
from tests.support.exports import MemoryTransparency, verified
from tests.support.for_each import for_each

MADE = {one.name: one for one in examples()}


def test_the_published_records_are_those() -> None:
    files = {f"{name}.ndjson": one.data for name, one in MADE.items()} | {"index.json": index(list(MADE.values()))}
    assert {path.name for path in RECORDS.iterdir()} == files.keys(), "run `python -m tests.support.corpus`"
    assert [name for name, data in files.items() if (RECORDS / name).read_bytes() != data] == []


@for_each("one", json.loads((RECORDS / "index.json").read_bytes())["records"])
def test_a_record_is_what_its_index_says(one: dict[str, object]) -> None:
    verification = verified((RECORDS / str(one["file"])).read_bytes(), MemoryTransparency().verifier)
    failed = [check for check in verification.checks if not check.passed]
    assert verification.verdict == ("intact" if one["intact"] else "altered"), failed
    if one["intact"]:
        assert (not verification.unchecked) == one["complete"]
        return
    failures = [check for check in failed if check.name == one["fails"]]
    assert failures, [(check.name, check.text) for check in failed]
    if one["event"] is not None:
        assert one["event"] in {event for check in failures for event in check.events}
    if one["line"] is not None:
        assert any(f"ine {one['line']}" in check.text for check in failures), failures


def test_every_check_has_a_record_that_fails_it() -> None:
    assert {one.fails for one in MADE.values()} - {None} == CHECKS.keys()
    assert TEXTS.keys() <= CHECKS.keys()


@for_each("one", [one for one in MADE.values() if one.fails in TEXTS])
def test_what_was_made_anew_fits(one: Example) -> None:
    """No signature tells of what the rules are to tell of."""
    verification = verified(one.data, MemoryTransparency().verifier)
    assert not {"form", "checkpoint", "signer"} & {check.name for check in verification.checks if not check.passed}


def test_every_game_has_a_published_record() -> None:
    assert {"crocodile", *OTHERS} == GAMES.keys()


def test_the_records_are_small() -> None:
    assert sum(len(one.data) for one in MADE.values()) < 450_000 * len(GAMES)


OF_THE_FILE = {"form", "header", "chain", "seals", "inclusion", "checkpoint", "signature", "signer"}
"""The checks that need no rules."""


def found_independently(one: Example) -> bool:
    """Whether the file alone shows it, or the rules of a game that is finished."""
    of_file = one.fails in OF_THE_FILE or one.name.startswith(("envelope-time-", "envelope-action"))
    return one.fails is None or of_file or b'"game-finished"' in one.data


@for_each("one", [*filter(found_independently, MADE.values())])
def test_who_knows_the_document_alone_finds_the_same(one: Example) -> None:
    found = wrong_with(one.data, MemoryTransparency().verifier)
    assert (found == []) == (one.fails is None), found
