"""Whatever is done to a record is found, and where; and no record is refused to which nothing was done."""

import random
from collections.abc import Sequence
from functools import cache
from itertools import cycle, islice
from typing import Any

import msgspec

from domain.audit.auditor import audit, audit_deals
from domain.audit.verification import Verification
from domain.kernel.canonical import canonical
from domain.kernel.event import Event
from domain.record.export import with_line_feeds
from domain.record.history import Reader
from domain.record.recorded import GENESIS, Recorded, commitment, rehash
from domain.seats import HOUSE, Audience
from domain.table.following import says_why_itself
from domain.table.options import DEFAULT
from tests.property.strategies import TABLES, every_options, numbers_of_deals, of_each_game
from tests.support.exports import exported, placed, transparency_over, verified
from tests.support.for_each import for_each
from tests.support.games import READER, Live, chance, step
from tests.support.lively import lively
from tests.support.long import beginnings, ended, is_long
from tests.support.registry import GAMES as REGISTERED
from tests.support.repetition import times
from tests.support.run import played_once
from tests.support.tampering import ALTERATIONS, Alteration, changed, value_changed, values_swapped

GAMES = 2 * len(TABLES)
STEPS = 90
EVERY, SOME = 8, 16
"""So many acts are exported each by itself, then those after which there is an event of a new type, and some others."""


@cache
def record(number: int) -> tuple[Recorded, ...]:
    """The record of a whole game: of each game one by chance, then of each one with a clock."""
    return tuple(played_once(f"tampered-{number}", lambda: placed(_played(number).records)))


def _played(number: int) -> Live:
    rng = chance(("tampering", number))
    tables = TABLES[number % len(TABLES)]
    if number >= len(TABLES):
        return lively(tables, number)
    options = rng.choice(every_options(tables.game))
    entropies = tuple(islice(cycle((rng.randbytes(5), None, b"", None)), tables.game.course.seats(options)))
    deals = rng.choice(numbers_of_deals(tables.game, options))
    live = tables.started(options=options, deals=deals, seed=rng.randbytes(32), entropies=entropies)
    return ended(live, rng)


@cache
def export(number: int, audience: str) -> bytes:
    return exported(record(number), audience)


def failed(found: Verification) -> list[str]:
    return [check.text for check in found.checks if not check.passed]


@for_each("number", range(GAMES))
@for_each("audience", ["public", "seat:0", "seat:1"])
def test_a_finished_game_is_intact(number: int, audience: str) -> None:
    found = verified(export(number, audience), transparency_over(record(number)).verifier)
    assert (found.verdict, failed(found), found.unchecked) == ("intact", [], ())


def begun(tables: type[Live], rng: random.Random) -> Live:
    """A table whose game has started; a long game in any of its first deals."""
    options = tables.game.options()
    if is_long(tables.game, options):
        return rng.choice(beginnings(tables, options, DEFAULT, 0)).branch()
    return tables.started(seed=rng.randbytes(32))


@of_each_game
@for_each("seed", range(times(2)))
def test_a_game_is_intact_at_every_version_for_everyone(tables: type[Live], seed: int) -> None:
    rng = chance(("running", seed))
    live = tables.opened(seed=rng.randbytes(32)) if seed == 0 else begun(tables, rng)
    # The versions of one game are exported for one audience after another, those of another game in another order.
    audiences, seen = cycle(rng.sample(live.audiences, len(live.audiences))), set[str]()
    for acts in range(1 if seed == 0 else STEPS):
        types = {record.type for record in live.records} - seen
        over = live.table.status != "playing"
        if types or over or acts < EVERY or (acts + seed) % SOME == 0:
            seen |= types
            found = verified(exported(placed(live.records), next(audiences)))
            assert (found.verdict, failed(found)) == ("unpinned", [])
        if over:
            break
        step(live, rng)


@for_each("alteration", ALTERATIONS)
@for_each("seed", range(times(2)))
def test_every_alteration_is_found_with_its_place(alteration: Alteration, seed: int) -> None:
    rng = chance((alteration.__name__, seed))
    for _ in range(times(12 if alteration in (value_changed, values_swapped) else 3)):
        data = export(rng.randrange(GAMES), rng.choice(["public", "seat:1"]))
        altered = alteration(data, rng)
        if with_line_feeds(altered) == data:
            continue
        found = verified(altered)
        assert found.verdict in ("altered", "unreadable"), first_difference(data, altered)
        assert without_place(found) == []


def without_place(found: Verification) -> list[str]:
    """What is said of faults with neither a line nor an event; a file that is no export has no places."""
    if found.verdict == "unreadable":
        return []
    return [check.text for check in found.checks if not (check.passed or check.events or "line" in check.text.lower())]


@for_each("audience", ["public", "seat:1"])
def test_a_file_without_its_events_is_found_with_its_place(audience: str) -> None:
    first, *_, last = export(0, audience).splitlines(keepends=True)
    for left in ([first], [first.rstrip()], [first, last], [first, b"{}\n"], [first, b"{}\n", last]):
        found = verified(b"".join(left))
        assert (found.verdict, without_place(found)) == ("altered", [])
        assert "There is no event after line 1." in failed(found)


def first_difference(data: bytes, altered: bytes) -> str:
    place = next(i for i in range(len(data) + 1) if data[i : i + 1] != altered[i : i + 1])
    return f"{data[place - 60 : place + 60]!r} has become {altered[place - 60 : place + 60]!r}"


@for_each("seed", range(times(60)))
def test_an_event_that_is_altered_in_place_is_named(seed: int) -> None:
    rng = chance(("place", seed))
    data = export(rng.randrange(GAMES), "public").splitlines(keepends=True)
    number = rng.randrange(1, len(data) - 1)
    one = value_changed(data[number], rng)
    if one == data[number]:
        return
    found = verified(b"".join([*data[:number], one, *data[number + 1 :]]))
    named = {version for check in found.checks if not check.passed for version in check.events}
    assert number in named or any(f"Line {number + 1} " in text for text in failed(found)), (data[number], one)


def forged(records: Sequence[Recorded], rng: random.Random) -> tuple[int, list[Recorded]]:
    """One value in what an event says is another one, and every hash and seal is made anew to fit; the version."""
    version = rng.choice([one.version for one in records])
    altered, previous = [], GENESIS
    for record in records:
        made = record
        if record.version == version:
            public, sealed = (msgspec.json.decode(part) for part in (record.public, record.sealed))
            if sealed and rng.random() < 0.5:
                section = rng.choice(sorted(sealed))
                sealed[section]["data"] = changed(sealed[section]["data"], rng)
            else:
                public = changed(public, rng)
            seals = {to: commitment(bytes.fromhex(one["salt"]), canonical(one["data"])) for to, one in sealed.items()}
            made = msgspec.structs.replace(
                record, public=canonical(public), sealed=canonical(sealed), seals=canonical(seals)
            )
        made = msgspec.structs.replace(made, hash=rehash(made, previous))
        previous = made.hash
        altered.append(made)
    return version, altered


OPEN_TO_CHOICE = {"seat-taken", "table-opened"}
"""Who sits down with what luck, and who opened the table: the log's tree binds these, not the rules."""


@for_each("seed", range(times(30)))
def test_a_forger_who_makes_every_hash_anew_is_found_by_the_rules(seed: int) -> None:
    """Whatever follows by itself can only be what it is; another act of a player's may be as good as the recorded."""
    rng = chance(("forged", seed))
    for _ in range(10):
        before = record(rng.randrange(GAMES))
        version, altered = forged(before, rng)
        if altered == list(before):
            continue
        event = before[version - 1]
        found = audit(READER, altered)
        named = {version for check in found.checks if not check.passed for version in check.events}
        if event.actor == "house" and event.type not in OPEN_TO_CHOICE and not worded_anew(event, altered[version - 1]):
            assert version in named, (event, altered[version - 1])
        assert min(named, default=version) >= version


def worded_anew(event: Recorded, altered: Recorded) -> bool:
    """Whether nothing but a game's own sentence for its end has changed, which the rules do not judge (section 14)."""
    if event.type != "game-finished":
        return False
    before, after = msgspec.json.decode(event.public), msgspec.json.decode(altered.public)
    sentences = before["reason"], after.get("reason")
    if not all(isinstance(sentence, str) for sentence in sentences) or any(map(says_why_itself, sentences)):
        return False
    return bool(before | {"reason": after["reason"]} == after)


@for_each("number", range(GAMES))
def test_a_games_own_sentence_for_its_end_is_not_judged_and_what_else_is_said_with_it_is(number: int) -> None:
    *before, end = record(number)
    said = msgspec.json.decode(end.public)
    sentence = {"reason": said["reason"] + "\n"}
    for others, judged in (({}, says_why_itself(said["reason"])), ({"totals": [*said["totals"], 0]}, True)):
        made = msgspec.structs.replace(end, public=canonical(said | sentence | others))
        made = msgspec.structs.replace(made, hash=rehash(made, before[-1].hash))
        named = {check.events for check in audit(READER, [*before, made]).checks if not check.passed}
        assert (named, worded_anew(end, made)) == ({(end.version,)} if judged else set(), not judged)


@for_each("audience", ["public", "seat:1"])
@for_each("number", range(GAMES))
def test_an_open_section_that_holds_more_than_its_data_and_its_salt_is_named(audience: str, number: int) -> None:
    data = export(number, audience).splitlines(keepends=True)
    line, value = next((line, one) for line, one in enumerate(map(msgspec.json.decode, data)) if one.get("sealed"))
    for section in value["sealed"].values():
        section["zz"] = {}
    found = verified(b"".join([*data[:line], canonical(value) + b"\n", *data[line + 1 :]]))
    assert {check.name for check in found.checks if value["version"] in check.events and not check.passed} >= {"seals"}


@for_each("number", range(GAMES))
def test_an_event_that_says_more_than_its_type_is_found(number: int) -> None:
    """The first event of each type, in the record as far as it goes then."""
    first = {event.type: event for event in reversed(record(number))}
    for event in first.values():
        more = canonical(msgspec.json.decode(event.public) | {"note": "paid"})
        altered = [*record(number)[: event.version - 1], msgspec.structs.replace(event, public=more)]
        found = audit(READER, altered)
        named = [check.events for check in found.checks if check.name == "payload" and not check.passed]
        assert (event.version,) in named


@for_each("seed", range(times(10)))
def test_a_forger_who_makes_the_whole_file_anew_has_another_key(seed: int) -> None:
    rng = chance(("forger", seed))
    before = record(rng.randrange(GAMES))
    theirs = transparency_over(before, secret=b"\1" * 32)
    data = exported(before, "public", theirs)
    assert verified(data).verdict == "unpinned"
    found = verified(data, transparency_over(before).verifier)
    assert found.verdict == "altered"
    assert {check.name for check in found.checks if not check.passed} == {"signer"}


@for_each("seed", range(times(12)))
def test_the_audits_of_several_deals_are_those_of_each(seed: int) -> None:
    rng = chance(("parts", seed))
    records: list[Recorded] = list(record(rng.randrange(GAMES)))
    match seed % 4:
        case 0:
            _, records = forged(records, rng)
        case 1:
            del records[rng.randrange(len(records))]
        case 2:
            records.insert(rng.randrange(len(records)), rng.choice(records))
        case _:
            pass
    deals = (3, 1, 2, 99)
    assert audit_deals(READER, records, deals) == tuple(audit(READER, records, deal) for deal in deals)


def test_the_audits_of_several_deals_go_through_the_record_once() -> None:
    records, readers = record(0), (Counting(REGISTERED), Counting(REGISTERED))
    audit_deals(readers[0], records, (1,))
    audit_deals(readers[1], records, (1, 2, 3))
    assert readers[0].read_so_far == readers[1].read_so_far > 0
    assert audit_deals(readers[1], records, ()) == ()


class Counting(Reader):
    """Counts the events that it reads."""

    read_so_far = 0

    def read(self, record: Recorded, audience: Audience = HOUSE) -> Event[Any]:
        self.read_so_far += 1
        return super().read(record, audience)
