"""Events of a table's life that whoever has the log's key might forge, and that the document refutes."""

import json
from collections.abc import Sequence

import msgspec
import pytest
from msgspec.structs import replace

from domain.audit.verification import Verification
from domain.kernel.canonical import canonical
from domain.record.history import without_section
from domain.record.recorded import Recorded
from domain.seats import HOUSE, PUBLIC
from tests.golden.games import records as golden_records
from tests.support.exports import file_of, placed, transparency_over, verified
from tests.support.forging import forged, puts, rehashed

NO_PLAYERS = ["", "anna", "x" * 5000, "01970000-0000-7000-8000-00000000010", "01970000-0000-7000-8000-00000000010G"]


def base(name: str, *, of: str = "crocodile") -> list[Recorded]:
    return placed(golden_records(of, name))


def checked(made: Sequence[Recorded]) -> Verification:
    return verified(file_of(made, PUBLIC, lambda _: True, transparency_over(made)))


def failed(found: Verification) -> set[tuple[str, tuple[int, ...]]]:
    return {(check.name, check.events) for check in found.checks if not check.passed}


@pytest.mark.parametrize(
    ("of", "name", "type_", "audience"),
    [
        ("crocodile", "disputed", "table-opened", HOUSE),
        ("crocodile", "disputed", "dispute-opened", PUBLIC),
        ("crocodile", "disputed", "dispute-ruled", PUBLIC),
        ("ombre", "table-under-clock", "table-talk", PUBLIC),
    ],
)
def test_an_event_without_the_section_of_its_type_is_altered(of: str, name: str, type_: str, audience: str) -> None:
    whole = base(name, of=of)
    assert checked(whole).verdict == "unpinned"
    event = next(one for one in whole if one.type == type_)
    seals = {to: seal for to, seal in json.loads(event.seals).items() if to != audience}
    bare = replace(without_section(event, audience), seals=canonical(seals))
    made = rehashed([*whole[: event.version - 1], bare, *whole[event.version :]])
    assert ("payload", (event.version,)) in failed(checked(made))


@pytest.mark.parametrize("player", NO_PLAYERS, ids=lambda player: player[:8])
def test_a_player_is_a_uuid(player: str) -> None:
    whole = base("left-and-closed")
    taken = [one.version for one in whole if one.type == "seat-taken"][-1]
    found = checked(forged(whole, taken, puts("player", player)))
    assert ("seating", (taken,)) in failed(found)


def test_an_erasure_is_an_action_of_its_own() -> None:
    whole = base("table-under-clock", of="ombre")
    said = next(one for one in whole if one.type == "table-talk")
    last = whole[-1]
    erasure = replace(
        last,
        version=last.version + 1,
        position=last.position + 1,
        deal=None,
        type="text-erased",
        actor=HOUSE,
        action="01970000-0000-7000-8000-00000000abcd",
        public=msgspec.json.encode({"audience": PUBLIC, "version": said.version}),
        seals=b"{}",
        sealed=b"{}",
    )
    silent = [without_section(one, PUBLIC) if one.version == said.version else one for one in whole]
    assert failed(checked(rehashed([*silent, erasure]))) == set()
    forgery = replace(erasure, action=last.action)
    assert failed(checked(rehashed([*silent, forgery]))) == {("envelope", (erasure.version,))}
