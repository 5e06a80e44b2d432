"""Records that were made anew, with hashes, proofs and signatures, and say what cannot have been."""

from typing import Any

from tests.support.corpus import RECORDS, index
from tests.support.edits import built, events
from tests.support.exports import exported, placed, verified
from tests.support.for_each import for_each
from tests.support.forging import forged, rehashed

Edit = dict[str, Any]


def put(value: object, *path: object) -> Edit:
    """The edit that puts the value at a line and the members that lead to a place in it."""
    return {"set": path, "to": value}


REFUTED: dict[str, tuple[str, Edit, str]] = {
    "a bot of no version": ("bots", put(0, 3, "public", "opponent", "version"), "payload"),
    "a substitute of no version": ("bots", put(-7, 16, "public", "opponent", "version"), "payload"),
    "a rematch of nothing": ("rematch", put("x", 2, "public", "rematch", "of"), "payload"),
    "a seat that is kept for nobody": ("rematch", put("x", 2, "public", "rematch", "players", 3), "payload"),
    "a seal for a seat in an event that has none": ("opened", put("ab" * 32, 2, "seals", "seat:0"), "payload"),
    "a seal for a seat that is not dealt to": ("bots-running", put("ab" * 32, 10, "seals", "seat:0"), "payload"),
    "a seal for another seat than acts": ("bots-running", put("ab" * 32, 15, "seals", "seat:2"), "payload"),
    "no seal for the seat that acts": ("bots-running", {"remove": [15, "seals", "seat:1"]}, "payload"),
    "no seal for a seat that is dealt to": ("bots-running", {"remove": [10, "seals", "seat:1"]}, "payload"),
    "an act of another seat": ("boston-hand-exposed", put("seat:0", 9, "actor"), "envelope"),
    "an act of the house": ("boston-hand-exposed", put("house", 10, "actor"), "envelope"),
    "an event that follows, by a seat": ("boston-hand-exposed", put("seat:1", 13, "actor"), "envelope"),
    "a first dealer who does not deal": ("bots-running", put(3, 9, "public", "first_dealer"), "dealer"),
    "a dealer who was not the first": ("bots-running", put(3, 10, "public", "dealer"), "dealer"),
    "a second deal that is the first": ("bots-running", put(2, 10, "public", "deal"), "dealer"),
    "an ante that is not the rules'": ("ombre-surrender", put(4, 7, "public", "lines", 0, "amount"), "antes"),
}


@for_each("name", REFUTED)
def test_what_the_rest_of_a_running_record_refutes_is_altered(name: str) -> None:
    of, edit, fails = REFUTED[name]
    data = (RECORDS / f"{of}.ndjson").read_bytes()
    found = verified(built(data, [edit, {"make": ["hashes", "proofs", "signature"]}]), index().key)
    assert found.verdict == "altered"
    assert fails in {check.name for check in found.checks if not check.passed}


LATER: dict[str, list[Edit]] = {
    "another form of an event": [put(9, 3, "schema")],
    "an option of other rules": [put(9, 2, "public", "rules_version"), put(9, 2, "public", "options", "later")],
}


@for_each("name", LATER)
def test_what_a_later_version_has_recorded_is_unknown_and_not_altered(name: str) -> None:
    """The schemas here do not allow it."""
    data = (RECORDS / "bots.ndjson").read_bytes()
    found = verified(built(data, [*LATER[name], {"make": ["hashes", "proofs", "signature"]}]), index().key)
    assert (found.verdict, [check for check in found.checks if not check.passed]) == ("unknown", [])


def test_each_seat_is_kept_for_a_player_of_its_own() -> None:
    whole = events((RECORDS / "rematch.ndjson").read_bytes().split(b"\n")[1:-2])

    def doubles(opened: Edit) -> None:
        opened["rematch"]["players"][3] = opened["rematch"]["players"][2]

    found = verified(exported(placed(forged(whole, 1, doubles))))
    assert {check.name for check in found.checks if not check.passed} == {"seating"}


@for_each("version", [8, 9])
def test_what_begins_a_game_or_a_deal_comes_once(version: int) -> None:
    lines = (RECORDS / "bots-running.ndjson").read_bytes().split(b"\n")[1 : version + 1]
    whole = events([*lines, lines[-1]])
    assert verified(exported(placed(rehashed(whole[:-1])))).verdict == "unpinned"
    found = verified(exported(placed(rehashed(whole))))
    assert "acts" in {check.name for check in found.checks if not check.passed}
