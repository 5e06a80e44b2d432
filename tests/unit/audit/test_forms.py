"""Records of every form that there has been are judged intact, whatever sentences say today.

The files are recorded games of earlier commits, byte for byte: each name ends with the commit that made it.
"""

import gzip
import json
import re
from collections.abc import Iterable, Sequence
from functools import cache
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.audit.auditor import audit
from domain.audit.findings import Audit
from domain.kernel.canonical import canonical
from domain.kernel.course import Standing
from domain.kernel.game import Game
from domain.kernel.ledger import Transfer
from domain.kernel.offers import OneOf
from domain.kernel.worth import Score
from domain.record.export import signed_text
from domain.record.history import Reader, record_command, without_section
from domain.record.recorded import Recorded
from domain.table.actions import Act
from domain.table.options import SpectatorDelay, TableOptions
from domain.table.seat_offers import offers
from domain.table.talk import Talk
from domain.table.view import to_act
from tests.golden.games import as_recorded
from tests.golden.games import names as golden_names
from tests.golden.games import records as golden_records
from tests.golden.wanted import GOLDEN
from tests.support.exports import MemoryTransparency, exported, placed, verified
from tests.support.for_each import for_each
from tests.support.forging import forged, puts, rehashed
from tests.support.games import EVERYBODY, READER, chance, moment, read, step
from tests.support.registry import GAMES

FORMS = Path(__file__).parent / "forms"
NAMES = sorted(path.name.removesuffix(".json.gz") for path in FORMS.glob("*.json.gz"))
FIRST = "b646a936"
"""The commit of the records whose lines cite the fewest events."""


@cache
def recorded(name: str) -> list[Recorded]:
    """The record of this name."""
    return as_recorded(json.loads(gzip.decompress((FORMS / f"{name}.json.gz").read_bytes()))["events"])


def failed(found: Audit) -> set[tuple[str, int]]:
    """The failed checks, each with its event."""
    return {(check.name, check.events[0]) for check in found.checks if not check.passed}


def of_type(whole: Sequence[Recorded], type_: str) -> list[Recorded]:
    """The events of this type."""
    return [record for record in whole if record.type == type_]


def said(record: Recorded) -> dict[str, Any]:
    """The public part of an event."""
    decoded: dict[str, Any] = msgspec.json.decode(record.public)
    return decoded


@for_each("name", NAMES)
def test_a_record_of_every_form_is_intact(name: str) -> None:
    found = audit(READER, recorded(name))
    assert (found.verdict, failed(found), found.unchecked) == ("intact", set(), ())


@for_each("name", NAMES)
def test_it_is_read_as_it_stands(name: str) -> None:
    """Every payload is written again as the bytes that were hashed, so nothing in it goes unread."""
    for record in recorded(name):
        if record.type != "table-opened":
            assert canonical(READER.read(record).public) == record.public


def test_the_forms_are_there() -> None:
    """So that the tests above show something: both of each pair that nothing but the event itself tells apart."""
    everything = [record for name in NAMES for record in recorded(name)]
    declared = {(one.game, one.actor[:4]) for one in everything if one.type == "contract-declared"}
    assert {("lhombre", "seat"), ("ombre", "seat"), ("solo", "seat")} <= declared
    assert {("ombre", "hous")} & declared == set()
    scored = [said(one) for one in everything if (one.game, one.type) == ("solo", "deal-scored")]
    assert {len(one) for one in scored} == {5, 9}
    ruling = [len(said(one)["lines"][0]["events"]) for one in everything if one.type == "ledger-corrected"]
    assert set(ruling) == {1}


def with_mended_words(of: Game) -> Game:
    """The game with other words in every line: they are read backwards."""

    def mended(transfers: Iterable[Transfer]) -> tuple[Transfer, ...]:
        return tuple(replace(each, text=each.text[::-1]) for each in transfers)

    def score(state: Any) -> Score | None:
        result = of.decider.score(state)
        return None if result is None else replace(result, transfers=mended(result.transfers))

    def over(standing: Standing) -> str | None:
        reason = of.course.over(standing)
        return None if reason is None else f"at last: {reason}"

    return replace(
        of,
        decider=replace(of.decider, score=score),
        dealing=replace(
            of.dealing,
            antes=lambda standing, version: mended(of.dealing.antes(standing, version)),
            shares=lambda standing, version: mended(of.dealing.shares(standing, version)),
        ),
        course=replace(of.course, over=over),
        earlier=tuple(map(with_mended_words, of.earlier)),
        forms=tuple(map(with_mended_words, of.forms)),
    )


MENDED = Reader({name: with_mended_words(each) for name, each in GAMES.items()})


@pytest.mark.parametrize("of", GAMES)
def test_every_word_is_mended_and_the_records_are_as_good_as_before(of: str) -> None:
    for name in {"disputed", golden_names(of)[-1]}:
        assert failed(audit(MENDED, golden_records(of, name))) == set()


@for_each("name", NAMES)
def test_so_are_those_of_every_form(name: str) -> None:
    assert failed(audit(MENDED, recorded(name))) == set()


@pytest.mark.parametrize(("type_", "check"), [("deal-scored", "ledger"), ("ledger-corrected", "corrections")])
@pytest.mark.parametrize("line", [0, 1])
def test_a_word_that_differs_on_a_line_from_its_counter_line_is_found(type_: str, check: str, line: int) -> None:
    whole = golden_records("lorum", "disputed")
    event = of_type(whole, type_)[-1]

    def other(public: dict[str, Any]) -> None:
        public["lines"][line]["text"] += "!"

    assert failed(audit(READER, forged(whole, event.version, other))) == {(check, event.version)}


def test_the_table_does_not_say_that_the_game_ended_for_a_reason_that_it_had_not() -> None:
    whole = golden_records("burraco", "disputed")
    (end,) = of_type(whole, "game-finished")
    for reason in ("last deal scored", "ended by agreement", "no player is left", "abandoned by seat 1"):
        if reason != said(end)["reason"]:
            found = failed(audit(READER, forged(whole, end.version, puts("reason", reason))))
            assert found == {("finish", end.version)}, reason


def test_under_rules_of_today_a_line_cites_all_that_it_rests_on() -> None:
    """What version 1 left open is not open any more."""
    whole = golden_records("crocodile", "casco-face-up")
    assert said(whole[0])["rules_version"] == 2
    casco = of_type(whole, "casco-laid")[0]
    scored = next(one for one in of_type(whole, "deal-scored") if one.deal == casco.deal)

    def as_before(public: dict[str, Any]) -> None:
        for each in public["lines"]:
            each["events"] = each["events"][1:]

    assert failed(audit(READER, forged(whole, scored.version, as_before))) == {("ledger", scored.version)}


def test_under_the_first_rules_it_does_or_does_as_the_first_tables_did_but_nothing_else() -> None:
    whole = recorded(f"crocodile-casco-face-up-{FIRST}")
    casco = of_type(whole, "casco-laid")[0]
    scored = next(one for one in of_type(whole, "deal-scored") if one.deal == casco.deal)
    forced = next(one for one in of_type(whole, "casco-forced") if one.deal == casco.deal)

    def as_today(public: dict[str, Any]) -> None:
        for each in public["lines"]:
            each["events"] = [forced.version, *each["events"]]

    def otherwise(public: dict[str, Any]) -> None:
        for each in public["lines"]:
            each["events"] = each["events"][:-1]

    assert failed(audit(READER, forged(whole, scored.version, as_today))) == set()
    assert {name for name, _ in failed(audit(READER, forged(whole, scored.version, otherwise)))} == {"ledger"}


def test_of_what_solo_adds_to_a_score_all_is_there_or_nothing() -> None:
    whole = recorded(f"solo-levels-1-{FIRST}")
    scored = of_type(whole, "deal-scored")[0]
    found = audit(READER, forged(whole, scored.version, puts("declarer", 0)))
    assert found.verdict == "altered"


@pytest.mark.parametrize("name", [f"lhombre-touts-{FIRST}", f"ombre-outcomes-7-{FIRST}", "solo-levels-2-05bf1e06"])
def test_a_table_that_rests_where_declarer_declares_today_as_well_goes_on(name: str) -> None:
    """Cut off before each declaration, the table waits for declarer, and is played on from there."""
    whole = recorded(name)
    forced = 0
    for event in of_type(whole, "contract-declared"):
        before = whole[: event.version - 1]
        history = READER.history(before)
        assert history is not None
        of = READER.of(history.table)
        assert failed(audit(READER, before)) == set()
        seat = said(event)["seat"]
        assert to_act(of, history.table) == (seat,)
        offered = offers(of, history.table, seat)
        action = of.decider.action_of(READER.read(event))
        assert action is not None
        forced += len(offered) == 1 and all(
            isinstance(field, OneOf) and len(field.values) == 1 for field in offered[0].fields.values()
        )
        player = history.table.players[seat]
        assert player is not None
        _, made = record_command(of, history, Act(player, action), moment(event.version))
        assert made[0].public == event.public
        assert failed(audit(READER, [*before, *made])) == set()
    assert forced, "in this record somebody declared what left no choice"


def test_the_first_tables_have_times_that_go_back() -> None:
    whole = recorded(f"crocodile-concessions-1-{FIRST}")
    back = rehashed([*whole[:9], *(replace(one, at="2026-11-20T09:59:59.000000Z") for one in whole[9:])])
    assert failed(audit(READER, back)) == set()
    today = golden_records("crocodile", "concessions-1")
    back = rehashed([*today[:9], *(replace(one, at="2026-11-20T09:59:59.000000Z") for one in today[9:])])
    assert failed(audit(READER, back)) == {("envelope", 10)}


@pytest.mark.parametrize(
    ("delay", "audience", "missing"),
    [(SpectatorDelay(events=5), "public", False), (SpectatorDelay(events=5), "seat:0", True), (None, "public", True)],
)
def test_words_that_late_spectators_miss_may_have_been_erased_since(
    delay: SpectatorDelay | None, audience: str, missing: bool
) -> None:
    live = GOLDEN["don"].live.started(table=TableOptions(talk=True, spectator_delay=delay))
    (said,) = live.command(Act(EVERYBODY[0], Talk("words")))
    step(live, chance("erased"))
    erased = [without_section(one, "public") if one.version == said.version else one for one in live.records]
    shown = [without_others(one, audience) for one in erased]
    found = audit(READER, shown, audience=audience)
    assert failed(found) == ({("openings", said.version)} if missing else set())
    assert any(one.events == (said.version,) and "erased" in one.text for one in found.unchecked) != missing


def without_others(record: Recorded, audience: str) -> Recorded:
    """The record with the sections that this audience may open now."""
    sealed = {to: one for to, one in json.loads(record.sealed).items() if to in ("public", audience)}
    return replace(record, sealed=canonical(sealed))


def test_a_correction_of_the_first_hour_books_by_rules_that_there_are_not() -> None:
    def named_otherwise(public: dict[str, Any]) -> None:
        public["lines"] += [line | {"rule": "XX-1", "kind": "contract"} for line in public["lines"]]
        public["totals"] = [0 for _ in public["totals"]]

    for whole, expected in (
        (recorded(f"lhombre-disputed-{FIRST}"), False),
        (golden_records("lhombre", "disputed"), True),
    ):
        corrected = of_type(whole, "ledger-corrected")[0]
        found = audit(READER, forged(whole, corrected.version, named_otherwise))
        assert any("have no XX-1" in check.text for check in found.checks) == expected


def of_the_first_format(data: bytes, by: MemoryTransparency) -> bytes:
    """The export as the first services made it, signed by this key."""
    *lines, last, _ = data.split(b"\n")
    trailer = msgspec.json.decode(last)
    lines[0] = lines[0].replace(b"codille-export-v2", b"codille-export-v1")
    before = b"\n".join([*lines, b""])
    del trailer["announcements"]
    trailer["signature"] = by.sign(signed_text(json.loads(lines[0])["table"], sha256(before).digest()))
    return before + canonical(trailer) + b"\n"


KEY, OTHER = MemoryTransparency(), MemoryTransparency(secret=b"\3" * 32)


@pytest.fixture(scope="module")
def first() -> bytes:
    """A finished game of the first hour, as it was exported then."""
    return of_the_first_format(exported(placed(recorded(f"lhombre-disputed-{FIRST}"))), KEY)


def test_exports_of_the_first_format_are_verified(first: bytes) -> None:
    assert verified(first).verdict == "unpinned"
    found = verified(first, KEY.verifier)
    assert (found.verdict, found.unchecked) == ("intact", ())
    assert [check.name for check in found.checks if not check.passed] == []
    assert verified(first, KEY.verifier, OTHER.verifier).verdict == "intact"


def failing(data: bytes, *keys: str) -> set[str]:
    """The checks that an export fails."""
    return {check.name for check in verified(data, *keys).checks if not check.passed}


def test_what_was_changed_in_one_is_found(first: bytes) -> None:
    assert failing(first.replace(b'"deal":1,', b'"deal":2,', 1)) >= {"chain", "signature"}
    assert "signature" in failing(first.replace(b'"audience":"public"', b'"audience":"seat:0"'))
    assert failing(first, OTHER.verifier) == {"signer"}
    *_, last, _ = first.split(b"\n")
    trailer = json.loads(last)
    unused = canonical(trailer | {"keys": [*trailer["keys"], OTHER.verifier]})
    assert failing(first.replace(last, unused)) == {"signer"}
    another = canonical(trailer | {"signature": OTHER.sign("codille/export\n")})
    assert failing(first.replace(last, another)) >= {"signature"}
    # A trailer of today has more in it, and does not fit the format.
    assert failing(first.replace(last, canonical(trailer | {"announcements": []}))) == {"form"}


@for_each("name", [name for name in NAMES if not re.search("left-and-closed|table-expired", name)])
def test_a_running_table_of_every_form_is_played_to_its_end(name: str) -> None:
    """Cut off after any of its acts it goes on by the rules that it pinned, and the whole is intact."""
    whole, rng = recorded(name), chance(name)
    acts = [one.version for one, after in pairwise(whole) if one.deal and one.action != after.action]
    before = whole[: rng.choice(acts)]
    rules = READER.of(read(before).table)
    live = type("Before", (GOLDEN[rules.name].live,), {"game": rules})(before)
    while live.table.status == "playing":
        step(live, rng)
    found = audit(READER, live.records)
    assert (found.verdict, failed(found)) == ("intact", set())
