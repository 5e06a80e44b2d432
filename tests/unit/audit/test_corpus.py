"""The published records: the intact ones are frozen, and each altered one fails as the index says."""

import asyncio
from codecs import BOM_UTF8
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from domain.audit.findings import TEXTS
from domain.audit.verification import CHECKS, LINE_ENDS
from domain.record.disclosure import Disclosure
from domain.record.export import Header, Trailer
from domain.record.recorded import Recorded
from domain.registry import GAMES
from domain.table.events import DealScored
from tests.support import corpus
from tests.support.checker.export import wrong_with
from tests.support.corpus import INDEX, RECORDS, Altered, Intact, encoded, index
from tests.support.edits import built, events
from tests.support.exports import MemoryTransparency, exported, file_of, transparency_over, verified
from tests.support.for_each import for_each
from tests.support.games import READER

KEY = MemoryTransparency().verifier
SUCCESSOR = b"\2" * 32
"""The key that follows in the record that was exported after a change of keys."""
INTACT = {one.file: one for one in index().records}
ALTERED = {one.name: one for one in index().altered}
OTHER_ENDS = {one.name: one for one in index().line_ends}

OF_THE_FILE = {"form", "header", "chain", "seals", "inclusion", "checkpoint", "signature", "signer"}
"""The checks that need no rules."""

every_intact = for_each("file", INTACT)


def test_the_index_names_what_is_published() -> None:
    assert sorted(path.name for path in RECORDS.iterdir()) == sorted(["index.json", *INTACT])
    assert (len(INTACT), len(ALTERED)) == (len(index().records), len(index().altered))
    assert len(OTHER_ENDS) == len(index().line_ends)
    assert INDEX.read_text(encoding="utf-8") == encoded(index())
    assert index().key == KEY


def test_a_record_is_added_and_the_others_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, one = index(), INTACT["opened.ndjson"]
    data = one.data
    monkeypatch.setattr(corpus, "RECORDS", tmp_path)
    monkeypatch.setattr(corpus, "INDEX", tmp_path / "index.json")
    corpus.INDEX.write_bytes(INDEX.read_bytes())
    try:
        corpus.add("another", one.about, data)
        assert index() == replace(before, records=[*before.records, replace(one, file="another.ndjson")])
        with pytest.raises(SystemExit):
            corpus.add("another", one.about, data)
        with pytest.raises(SystemExit):
            corpus.add("altered", one.about, data.replace(b'"deals":', b'"deal":'))
        assert {path.name: path.read_bytes() for path in tmp_path.glob("*.ndjson")} == {"another.ndjson": data}
    finally:
        index.cache_clear()


@every_intact
def test_a_frozen_record_has_not_changed(file: str) -> None:
    one = INTACT[file]
    assert sha256(one.data).hexdigest() == one.sha256, "published records are never changed; add another one"


@every_intact
def test_a_frozen_record_is_intact(file: str) -> None:
    one = INTACT[file]
    found = verified(one.data, KEY)
    assert (found.verdict, [check for check in found.checks if not check.passed]) == ("intact", [])
    assert (not found.unchecked) == one.complete


def recorded(one: Intact) -> list[Recorded]:
    return events(one.data.split(b"\n")[1:-2])


def log_of(one: Intact) -> MemoryTransparency:
    """The log that the record was exported from."""
    log = transparency_over(recorded(one))
    trailer = msgspec.json.decode(one.data.splitlines()[-1], type=Trailer)
    for _ in trailer.keys[1:]:
        asyncio.run(log.sign_checkpoint())
        log.rotate(SUCCESSOR)
    return log


@every_intact
def test_a_frozen_record_is_folded_and_written_again_byte_for_byte(file: str) -> None:
    one = INTACT[file]
    header = msgspec.json.decode(one.data.splitlines()[0], type=Header)
    whole, log = recorded(one), log_of(one)
    table = READER.fold(None, whole, header.audience)
    assert (table.table, table.version) == (header.table, header.version)
    assert file_of(whole, header.audience, Disclosure.of_records(whole).opens, log) == one.data
    if one.complete and table.over:
        assert exported(whole, header.audience, log) == one.data


@for_each("name", ALTERED)
def test_an_altered_record_fails_as_its_index_says(name: str) -> None:
    one = ALTERED[name]
    found = verified(one.data, KEY)
    assert found.verdict == "altered"
    failed = [check for check in found.checks if not check.passed]
    failures = [check for check in failed if check.name == one.fails]
    assert failures, [(check.name, check.text) for check in failed]
    if one.event is not None:
        assert one.event in {event for check in failures for event in check.events}
    if one.line is not None:
        assert any(f"ine {one.line}" in check.text for check in failures), failures


@for_each("name", OTHER_ENDS)
def test_a_record_is_intact_but_for_its_line_ends(name: str) -> None:
    one = OTHER_ENDS[name]
    data = built(INTACT[one.of].data, one.edits)
    key = f"\ufeff\t{KEY}\u00a0\r\n"
    assert verified(data, key) == replace(verified(INTACT[one.of].data, KEY), line_ends=LINE_ENDS)
    assert wrong_with(data, KEY) == []


@for_each("fails", OF_THE_FILE)
def test_other_line_ends_hide_no_alteration_and_move_none(fails: str) -> None:
    """The report is the same for one record of each check that the file alone can fail."""
    data = next(one.data for one in ALTERED.values() if one.fails == fails)
    expected = replace(verified(data, KEY), line_ends=LINE_ENDS)
    assert expected.verdict == "altered"
    for end, begin in ((b"\r\n", b""), (b"\n", BOM_UTF8), (b"\r\n", BOM_UTF8)):
        carried = begin + data.replace(b"\n", end)
        assert (verified(carried, KEY), verified(carried.removesuffix(b"\n"), KEY)) == (expected, expected)
        assert wrong_with(carried, KEY) != []


def test_every_check_has_a_record_that_fails_it() -> None:
    assert {one.fails for one in ALTERED.values()} == CHECKS.keys()
    assert TEXTS.keys() <= CHECKS.keys()


@for_each("name", [one.name for one in ALTERED.values() if one.fails in TEXTS])
def test_what_was_made_anew_fits(name: str) -> None:
    """No signature tells of what the rules are to tell of."""
    found = verified(ALTERED[name].data, KEY)
    assert not {"form", "checkpoint", "signer"} & {check.name for check in found.checks if not check.passed}


def test_every_game_has_a_published_record_of_a_finished_game() -> None:
    files = ["finished.ndjson", *(f"finished-{of}.ndjson" for of in GAMES if of != "crocodile")]
    finished = [event for file in files for event in recorded(INTACT[file]) if event.type == "game-finished"]
    assert sorted(event.game for event in finished) == sorted(GAMES)


def test_what_a_game_adds_to_its_score_is_altered_in_some_record() -> None:
    common = {*DealScored.__struct_encode_fields__}
    scores = ((of, each) for of, game in GAMES.items() for each in game.events if issubclass(each, DealScored))
    adding = {of for of, each in scores if {*each.__struct_encode_fields__} - common}
    assert adding == {name.removeprefix("outcome-") for name in ALTERED if name.startswith("outcome-")}


def test_the_records_are_small() -> None:
    assert sum(len(one.data) for one in INTACT.values()) < 320_000 * len(GAMES)


def found_independently(one: Altered) -> bool:
    """Whether the file alone shows it, or the rules of a game that is finished."""
    of_file = one.fails in OF_THE_FILE or one.name.startswith(("envelope-time-", "envelope-action"))
    return of_file or b'"game-finished"' in one.data


@every_intact
def test_who_knows_the_document_alone_finds_it_intact(file: str) -> None:
    assert wrong_with(INTACT[file].data, KEY) == []


@for_each("name", [one.name for one in ALTERED.values() if found_independently(one)])
def test_who_knows_the_document_alone_finds_it_altered(name: str) -> None:
    assert wrong_with(ALTERED[name].data, KEY) != []
