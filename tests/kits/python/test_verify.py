"""What the kit checks without rules: every intact record passes, and what was altered is noticed, but for what only the
rules can tell.
"""

import json
from codecs import BOM_UTF8
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from codille_client import Altered, packs
from codille_client.ed25519 import ORDER, ed25519
from codille_client.packs import pack, shuffled
from codille_client.verify import Chain, Report, canonical, commitment, event_hash, verify
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.support.edits import built
from tests.support.for_each import for_each
from tests.support.registry import OFFERED

SPEC = Path(__file__).parents[3] / "api-spec"
RECORDS = SPEC / "examples" / "records"
INDEX = json.loads((RECORDS / "index.json").read_text())

NEEDS_RULES = {
    *("payload", "clock", "rules", "seating", "dealer", "legality", "acts", "draws", "turn-up", "tricks"),
    *("stopping-point", "outcome", "finish", "disputes"),
}
"""The checks that need the rules of a game, or of a table. Some of what fails them is noticed all the same."""
OF_THE_TABLE = {"bots-opened-with"}
"""Alterations that nobody notices without the rules of a table: here, who may have asked for a bot."""
NOTICED_OTHERWISE = {
    "bots-entropy": "first-dealer",
    "talk-not-allowed": "openings",
    "seating-twice": "pack",
    "pack-cards": "commitments",
}
BY_AMOUNTS = {"ledger-amount", "corrections-amount", "antes-amount"}
"""Pairs of lines are opposite here, but sums are not the totals."""


def vectors(name: str) -> Any:
    return json.loads((SPEC / "vectors" / f"{name}.json").read_text())


@cache
def record(file: str) -> bytes:
    return (RECORDS / file).read_bytes()


def checks(report: Report) -> set[str]:
    return {fault.check for fault in report.faults}


@for_each("case", INDEX["records"])
def test_an_intact_record_is_intact(case: Mapping[str, Any]) -> None:
    report = verify(record(case["file"]), [INDEX["key"]])
    assert (report.verdict, report.faults) == ("intact", [])
    assert report.events == record(case["file"]).count(b"\n") - 2
    assert len(report.unchecked) == 1 or not case["complete"]


@for_each("case", INDEX["altered"])
def test_an_altered_record_is_noticed_as_far_as_that_needs_no_rules(case: Mapping[str, Any]) -> None:
    data = built(record(case["of"]), case["edits"])
    report = verify(data, [INDEX["key"]])
    check = NOTICED_OTHERWISE.get(case["name"], case["fails"])
    check = "totals" if case["name"] in BY_AMOUNTS else check
    if check in NEEDS_RULES or case["name"] in OF_THE_TABLE:
        assert (report.verdict, verify(data).verdict) == ("intact", "unpinned")
        return
    assert report.verdict == "altered"
    assert check == "signer" or verify(data).verdict == "altered"
    assert check in checks(report), report.faults
    if case["event"] is not None and check == case["fails"]:
        assert any(fault.event == case["event"] for fault in report.faults if fault.check == check)
    if case["line"] is not None:
        assert any(fault.line == case["line"] for fault in report.faults)


@for_each("case", INDEX["line_ends"])
def test_a_record_is_intact_but_for_its_line_ends(case: Mapping[str, Any]) -> None:
    report = verify(built(record(case["of"]), case["edits"]), [f"\ufeff\t{INDEX['key']}\u00a0\r\n"])
    assert report.line_ends is not None
    assert replace(report, line_ends=None) == verify(record(case["of"]), [INDEX["key"]])
    assert report.verdict == "intact"


@for_each("name", ["form-space", "form-cut", "chain-hash"])
def test_other_line_ends_hide_no_alteration_and_move_none(name: str) -> None:
    (case,) = (one for one in INDEX["altered"] if one["name"] == name)
    data = built(record(case["of"]), case["edits"])
    plain = verify(data)
    for carried in (data.replace(b"\n", b"\r\n"), BOM_UTF8 + data, data.removesuffix(b"\n")):
        assert (verify(carried).verdict, verify(carried).faults) == ("altered", plain.faults)


def test_a_signer_who_is_not_pinned_is_said_so_and_a_key_that_is_none_is_an_error() -> None:
    report = verify(record("finished.ndjson"))
    assert report.verdict == "unpinned"
    assert "The signer is not pinned: anyone could have signed this." in report.unchecked
    other = "codille/log+" + INDEX["key"].split("+")[1] + "+AAAA"
    with pytest.raises(ValueError, match="is no verifier key"):
        verify(b"", [other])


@for_each("data", [b"", b"\n", b"{}\n", b"[1]\n", b"\xff\n", b"[" * 100_000, b'{"format":"codille-export-v9"}\n'])
def test_what_is_no_export_is_unreadable(data: bytes) -> None:
    assert verify(data).verdict == "unreadable"


def test_nothing_in_a_file_is_an_exception(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every member of every line is of another type, one after the other. Signatures are not looked at here."""
    monkeypatch.setattr("codille_client.verify.ed25519", lambda *_: True)
    lines = record("closed.ndjson").split(b"\n")
    for number, line in enumerate(lines[:-1]):
        value = json.loads(line)
        for name in value:
            for wrong in (None, 7, "x", [], {"a": [1]}):
                altered = [*lines]
                altered[number] = canonical({**value, name: wrong})
                verdict = verify(b"\n".join(altered)).verdict
                assert verdict != "intact" or value[name] == wrong, (number, name, wrong)


def test_layouts_are_those_of_the_vectors() -> None:
    for case in vectors("canonical"):
        assert canonical(case["value"]).decode() == case["canonical"]
    for case in vectors("event"):
        assert event_hash(case["event"], case["previous"]) == case["event"]["hash"]
    for case in vectors("seal"):
        assert commitment(case["section"]) == case["commitment"]
    case = vectors("stream")
    own = packs.words_of(
        bytes.fromhex(case["seed"]),
        case["label"],
        case["table"],
        case["deal"],
        [*map(bytes.fromhex, case["entropies"])],
    )
    assert [*islice(own, len(case["words"]))] == case["words"]
    for case in vectors("below"):
        words = iter(case["words"])
        assert packs.below(case["bound"], words) == case["number"]
        assert len([*words]) == len(case["words"]) - case["taken"]


def test_packs_are_those_of_the_vectors() -> None:
    for case in vectors("packs"):
        own = pack(case["game"])
        if case["game"] == "nuts":
            own = [f"{seat}.{card}" for seat in range(4) for card in own]
        assert [card for card in own if card in {*case["sorted"]}] == case["sorted"], case["game"]
    assert {case["game"] for case in vectors("packs")} == OFFERED.keys()
    for case in vectors("pack"):
        entropies = [*map(bytes.fromhex, case["entropies"])]
        seed = bytes.fromhex(case["seed"])
        assert shuffled(pack("crocodile"), seed, "codille-deal", case["table"], case["deal"], entropies) == case["pack"]


def test_signatures_are_those_of_ed25519() -> None:
    secret = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    public = secret.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    for message in (b"", b"codille", bytes(1000)):
        signature = secret.sign(message)
        assert ed25519(public, signature, message)
        assert not ed25519(public, signature, message + b"x")
        assert not ed25519(public, signature[:-1], message)
        assert not ed25519(public[:-1], signature, message)
        assert not ed25519(bytes(31) + b"\xff", signature, message)
        for place in (0, 31, 32, 63):
            assert not ed25519(
                public, signature[:place] + bytes([signature[place] ^ 1]) + signature[place + 1 :], message
            )
        # The same number, but for the order of the group.
        more = int.from_bytes(signature[32:], "little") + ORDER
        assert not ed25519(public, signature[:32] + more.to_bytes(32, "little"), message)


def events(file: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in record(file).split(b"\n")[1:-2]]


def test_a_chain_goes_on_from_its_beginning_or_from_a_trusted_event() -> None:
    record = events("finished.ndjson")
    chain, middle = Chain(), Chain(version=20, head=record[19]["hash"])
    for event in record:
        chain.add(event)
        if event["version"] > 20:
            middle.add(event)
    assert chain.head == middle.head == record[-1]["hash"]


def altered(event: dict[str, Any], *path: str | int, to: Any) -> dict[str, Any]:
    """The event with another value there, sealed and hashed anew by `rehashed`."""
    found: Any = json.loads(json.dumps(event))
    inner = found
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = to
    return dict(found)


def test_a_chain_notices_other_hashes_seals_and_cards() -> None:
    record = events("finished.ndjson")
    dealt = next(place for place, event in enumerate(record) if event["type"] == "cards-dealt")
    cases = [
        (altered(record[dealt], "public", "dealer", to=7), "its hash is another's"),
        (altered(record[dealt], "version", to=99), f"it comes after event {dealt}"),
        (altered(record[dealt], "sealed", "seat:0", "salt", to="00" * 32), "its section for seat:0 does not fit"),
        ({"version": dealt + 1}, "it cannot be read"),
    ]
    swapped = altered(record[dealt], "sealed", "seat:0", "data", "cards", 0, "card", to="Xx")
    swapped["seals"]["seat:0"] = commitment(swapped["sealed"]["seat:0"])
    swapped["hash"] = event_hash(swapped, record[dealt - 1]["hash"])
    cases.append((swapped, "Xx is not what was committed to at place"))
    for event, text in cases:
        chain = Chain()
        for before in record[:dealt]:
            chain.add(before)
        with pytest.raises(Altered, match=text):
            chain.add(event)
