"""Disputes, rulings and erasures amid random games: the books stay right, and every verifier agrees."""

import json
import random
from functools import cache

import msgspec
import pytest
from hypothesis import strategies as st

from domain.audit.auditor import audit
from domain.kernel.ledger import LineAt, Party
from domain.kernel.rejection import Code, Rejected
from domain.record.catalogue import UnknownEvent
from domain.record.envelope import served
from domain.record.export import with_line_feeds
from domain.record.history import without_section
from domain.record.recorded import Recorded
from domain.seats import PUBLIC
from domain.table.actions import Command, Entry, EraseText, OpenDispute, RuleDispute
from domain.table.events import EVENTS, CardsDealt, DealScored, GameFinished, LedgerCorrected, TextErased
from domain.table.state import Table, evolve, opened
from tests.property.strategies import in_random_games, numbers_of_deals, of_each_game, started
from tests.support.checker import violations
from tests.support.exports import exported, placed, verified
from tests.support.for_each import for_each
from tests.support.games import EVERYBODY, READER, Live, chance, finished, read, redacted, step
from tests.support.long import end_by_agreement, enough
from tests.support.repetition import times
from tests.support.tampering import ALTERATIONS, Alteration, value_changed

ARBITER = "an arbiter"

MOST_FOLDED = 10_000
"""About so many events are folded for all versions of a game: in a long one not every version is folded from the first.
"""
BOUNDARIES = {payload.TYPE for payload in (CardsDealt, DealScored, GameFinished)}
"""But the events that begin and end deals always are."""

REFUSALS = {
    Code.ALREADY_DISPUTED,
    Code.ALREADY_RULED,
    Code.NO_SUCH_DISPUTE,
    Code.NO_SUCH_LINE,
    Code.DEAL_NOT_OVER,
    Code.RULE_VIOLATION,
}


def entry(live: Live, rng: random.Random) -> Entry:
    parties: list[Party] = [*live.seats, "bank"]
    own, other = rng.sample(parties, 2)
    rule = rng.choice(live.game.rulebook.rules).id
    return Entry(own, other, rng.choice([-5, -1, 1, 8]), "contract", rule, "booked anew")


def wish(live: Live, rng: random.Random) -> Command:
    """Something about the record, which need not be possible."""
    table, players = live.table, EVERYBODY[: len(live.seats)]
    match rng.randrange(4):
        case 0:
            booked = rng.choice(table.booked) if table.booked else None
            lines = range(len(booked.lines) if booked else 1)
            places = rng.sample(lines, rng.randint(1, min(3, len(lines))))
            version = booked.version if booked else 1
            return OpenDispute(rng.choice(players), tuple(LineAt(version, line) for line in places), None, "Why?")
        case 1:
            return OpenDispute(rng.choice(players), (), rng.randint(1, table.deals), "Why?")
        case 2:
            ruling = rng.choice(["upheld", "upheld", "rejected"])
            entries = tuple(entry(live, rng) for _ in range(rng.randrange(3))) if ruling == "upheld" else ()
            number = rng.randint(1, max(1, len(table.disputes)))
            return RuleDispute(ARBITER, number, ruling, "Because.", entries)  # type: ignore[arg-type] # as named
        case _:
            return EraseText(rng.choice([*table.texts, rng.randint(1, table.version)]))


def wished(live: Live, rng: random.Random) -> None:
    """Asks for something about the record; what cannot be is refused and changes nothing."""
    before = live.history
    offers = [live.offers(seat) for seat in live.seats]
    play, to_act = live.table.deal_state, live.to_act
    refused: Code | None = None
    try:
        live.command(wish(live, rng))
    except Rejected as rejected:
        refused = rejected.code
    assert refused is None or (refused in REFUSALS and live.history is before)
    # The game goes on as if nothing had been asked.
    assert (live.table.deal_state, live.to_act, [live.offers(seat) for seat in live.seats]) == (play, to_act, offers)


def troubled(live: Live, rng: random.Random) -> Live:
    """A whole game with trouble amid and after it; of a long one as much as tests play."""
    while live.table.status == "playing" and not enough(live.game, live.table):
        step(live, rng)
        if rng.random() < 0.04:
            wished(live, rng)
    if live.table.status == "playing":
        end_by_agreement(live)
    for _ in range(12):
        wished(live, rng)
    return live


def kept(live: Live) -> list[Recorded]:
    """The record as it is kept: what is said to be erased is."""
    erased = {event.version for event in live.of(TextErased)}
    return [without_section(record, PUBLIC) if record.version in erased else record for record in placed(live.records)]


@in_random_games(20)
def test_books_add_up_whatever_is_disputed(tables: type[Live], data: st.DataObject, rng: random.Random) -> None:
    live = troubled(data.draw(started(tables)), rng)
    table = live.table
    totals, accounts = [0] * len(live.seats), dict[str, int]()
    for booked in table.booked:
        assert sum(line.amount for line in booked.lines) == 0
        for line in booked.lines:
            if line.seat is None:
                accounts[line.account] = accounts.get(line.account, 0) + line.amount
            else:
                assert line.account == f"player:{EVERYBODY[line.seat]}"
                totals[line.seat] += line.amount
    assert table.totals == tuple(totals)
    assert table.accounts == accounts
    standing = msgspec.structs.replace(table.standing, totals=tuple(totals))
    assert table.winners == tables.game.course.winners(standing)
    (finish,) = live.of(GameFinished)
    end = next(event.version for event in live.events if event.public is finish)
    for event in live.events:
        if isinstance(event.public, LedgerCorrected):
            assert (event.public.winners is None) == (event.version < end)
    upheld = [dispute.dispute for dispute in table.disputes if dispute.status == "upheld"]
    assert sorted(corrected.dispute for corrected in live.of(LedgerCorrected)) == upheld
    disputed = [{(place.version, place.line // 2) for place in dispute.lines} for dispute in table.disputes]
    assert sum(map(len, disputed)) == len(set().union(*disputed)), "a line is disputed once"


@in_random_games(15)
def test_the_record_tells_all_of_it(tables: type[Live], data: st.DataObject, rng: random.Random) -> None:
    live, game = troubled(data.draw(started(tables)), rng), tables.game
    records = kept(live)
    assert read(records).table == live.table
    found = audit(READER, records)
    assert found.verdict == "intact", [check for check in found.checks if not check.passed]
    for audience in live.audiences:
        table: Table | None = None
        for record, event in zip(records, live.events, strict=True):
            redacted_event = redacted(event, audience)
            table = evolve(game, table, redacted_event) if table else opened(game, record.table, redacted_event)
        assert table == READER.fold(None, records, audience)
        assert table is not None
        assert (table.totals, table.winners, table.disputes) == (
            live.table.totals, live.table.winners, live.table.disputes
        )  # fmt: skip


@in_random_games(4)
def test_a_prefix_folds_at_once_to_what_its_events_make_one_by_one(
    tables: type[Live], data: st.DataObject, rng: random.Random
) -> None:
    live, game = troubled(data.draw(started(tables)), rng), tables.game
    records = kept(live)
    begins, every = data.draw(st.integers(1, len(records))), 1 + len(records) ** 2 // (2 * MOST_FOLDED)
    for audience in (data.draw(st.sampled_from(live.audiences)), "house"):
        table: Table | None = None
        begun: Table | None = None
        for record, event in zip(records, live.events, strict=True):
            redacted_event = redacted(event, audience)
            table = evolve(game, table, redacted_event) if table else opened(game, record.table, redacted_event)
            if record.version % every == 0 or record.type in BOUNDARIES:
                assert READER.fold(None, records[: record.version], audience) == table
            if record.version == begins:
                begun = table
            elif begun is not None:
                assert READER.fold(begun, records[begins : record.version], audience) == table


@of_each_game
def test_a_deal_that_is_over_may_hold_no_event_that_is_unknown(tables: type[Live]) -> None:
    live = finished(tables.started(), chance("unknown"))
    records = list(live.records)
    own = {payload.TYPE for payload in tables.game.events} - {payload.TYPE for payload in EVENTS}
    place = next(place for place, record in enumerate(records) if record.type in own)
    for changed in ({"type": "card-eaten"}, {"schema": 9}, {"game": "whist"}):
        records[place] = msgspec.structs.replace(live.records[place], **changed)
        with pytest.raises(UnknownEvent):
            READER.fold(None, records)


@of_each_game
@for_each("seed", range(times(1)))
def test_verifiers_agree(tables: type[Live], seed: int) -> None:
    """The exports are intact, and so says the checker that was written from the documents alone."""
    allowed = numbers_of_deals(tables.game, tables.game.options())
    fresh = tables.started(deals=allowed[seed % len(allowed)], seed=chance(("seed", seed)).randbytes(32))
    live = troubled(fresh, chance(("troubled", seed)))
    records = kept(live)
    assert violations([json.loads(served(record, "house", over=True)) for record in records]) == []
    for audience in ("public", "seat:1"):
        found = verified(exported(records, audience))
        failed = [check for check in found.checks if not check.passed]
        assert (found.verdict, failed, len(found.unchecked)) == ("unpinned", [], 1)


@cache
def export() -> tuple[bytes, int]:
    """A troubled game, and how many of its lines are before the trouble after its end."""
    live = Live.started(seed=bytes(32))
    rng = chance("export")
    troubled(live, rng)
    assert {"dispute-opened", "dispute-ruled", "ledger-corrected", "text-erased"} <= {
        record.type for record in live.records
    }
    end = next(record.version for record in live.records if record.type == "game-finished")
    return exported(kept(live)), end


@for_each("alteration", ALTERATIONS)
def test_every_alteration_of_it_is_found(alteration: Alteration) -> None:
    rng = chance(alteration.__name__)
    data, end = export()
    lines = data.splitlines(keepends=True)
    for _ in range(30 if alteration is value_changed else 6):
        part = b"".join(lines[end + 1 :])
        altered = b"".join(lines[: end + 1]) + alteration(part, rng)
        if with_line_feeds(altered) != data:
            assert verified(altered).verdict in ("altered", "unreadable")


def test_words_are_missing_only_where_the_record_says_so() -> None:
    """The audit finds an erasure that no event records, and one that is recorded but not done."""
    live = troubled(Live.started(seed=bytes(32)), chance("export"))
    records = kept(live)
    erased = {event.version for event in live.of(TextErased)}
    for record in live.records:
        if record.type == "dispute-opened" and record.version not in erased:
            quietly = [without_section(one, PUBLIC) if one.version == record.version else one for one in records]
            assert failing(quietly) == {"openings"}
        if record.version in erased:
            half = [one if one.version != record.version else record for one in records]
            assert failing(half) == {"openings"}


def failing(records: list[Recorded]) -> set[str]:
    return {check.name for check in audit(READER, records).checks if not check.passed}
