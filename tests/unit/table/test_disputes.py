"""Disputes: what may be disputed and ruled on, and corrections, which add lines and edit nothing."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.audit.auditor import audit
from domain.audit.corrections import recomputed_entries
from domain.games.crocodile import CROCODILE
from domain.kernel.course import Standing
from domain.kernel.ledger import LineAt, Party, Transfer, book
from domain.kernel.rejection import Code, Rejected
from domain.record.history import without_section
from domain.seats import Seat
from domain.table.actions import CloseTable, Command, Entry, EraseText, OpenDispute, RuleDispute
from domain.table.automatic import next_automatic
from domain.table.decide import decide
from domain.table.disputes import Booked, booked_by, reversals, with_twins
from domain.table.events import DealScored, DisputeOpened, DisputeRuled, GameFinished, LedgerCorrected, TextErased
from domain.table.state import evolve
from tests.support.for_each import for_each
from tests.support.forging import forged
from tests.support.games import (
    EVERYBODY,
    OPENER,
    PLAYERS,
    READER,
    Live,
    chance,
    declared,
    exchange_nothing,
    finished,
    read,
    redacted,
    step,
)
from tests.support.repetition import times

ARBITER = "an arbiter"
WHY = "The ninth trick was mine."


def over(seed: str = "over") -> Live:
    """A table whose game is over."""
    return finished(Live.started(), chance(seed))


def between() -> Live:
    """A table where the first deal is scored and the second is on."""
    live, rng = Live.started(), chance("between")
    while not live.of(DealScored):
        step(live, rng)
    return live


def first_lines(live: Live) -> tuple[LineAt, ...]:
    """The first line that was booked."""
    return (LineAt(live.table.booked[0].version, 0),)


def disputed(live: Live, lines: Sequence[LineAt] | None = None, player: str = PLAYERS[1]) -> Live:
    live.command(OpenDispute(player, tuple(lines or first_lines(live)), None, WHY))
    return live


def refused(live: Live, command: Command) -> Code:
    return live.refused(command).code


def sums_to_zero(live: Live) -> bool:
    return all(sum(line.amount for line in booked.lines) == 0 for booked in live.table.booked)


@pytest.mark.parametrize("table", [over, between])
def test_a_player_disputes_a_line_with_a_reason_that_everybody_may_read(table: type) -> None:
    live = disputed(table())
    event = next(event for event in live.events if isinstance(event.public, DisputeOpened))
    assert (event.public.dispute, event.public.seat, event.actor, event.deal) == (1, 1, "seat:1", None)
    assert event.public.lines == first_lines(live)
    assert redacted(event, "public").sealed["public"] == event.sealed["public"]
    assert event.sealed["public"].reason == WHY  # type: ignore[attr-defined] # it is a Reason
    for audience in ("public", "seat:0"):
        (dispute,) = live.view(audience)["disputes"]
        lines = msgspec.to_builtins(first_lines(live))
        assert dispute == {"dispute": 1, "seat": 1, "lines": lines, "status": "open"}


def test_a_whole_deal_is_disputed_by_its_number() -> None:
    live = over()
    live.command(OpenDispute(PLAYERS[0], (), 2, WHY))
    booked = [one for one in live.table.booked if one.deal == 2]
    expected = tuple(LineAt(one.version, line) for one in booked for line in range(len(one.lines)))
    assert live.of(DisputeOpened)[-1].lines == expected


def test_what_is_not_booked_cannot_be_disputed() -> None:
    live = over()
    last = live.table.booked[-1]
    for place in (LineAt(1, 0), LineAt(last.version, len(last.lines)), LineAt(last.version, -1), LineAt(10**6, 0)):
        assert refused(live, OpenDispute(PLAYERS[0], (place,), None, WHY)) is Code.NO_SUCH_LINE
    assert refused(live, OpenDispute(PLAYERS[0], (), 4, WHY)) is Code.NO_SUCH_LINE


def test_a_deal_that_is_on_cannot_be_disputed() -> None:
    live = between()
    assert live.table.deal == 2
    assert refused(live, OpenDispute(PLAYERS[0], (), 2, WHY)) is Code.DEAL_NOT_OVER


def test_only_who_sits_there_disputes() -> None:
    live = over()
    assert refused(live, OpenDispute("a stranger", first_lines(live), None, WHY)) is Code.NOT_SEATED
    assert refused(live, OpenDispute(ARBITER, (), 9, WHY)) is Code.NOT_SEATED


def test_before_the_start_and_at_a_closed_table_there_is_nothing_to_dispute() -> None:
    live = Live.started()
    opened = Live([record for record in live.records if record.type in ("table-opened", "seat-taken")][:2])
    assert refused(opened, OpenDispute(PLAYERS[0], (), 1, WHY)) is Code.NOT_STARTED
    opened.command(CloseTable(OPENER))
    assert refused(opened, OpenDispute(PLAYERS[0], (), 1, WHY)) is Code.TABLE_CLOSED


def test_a_line_is_disputed_once_and_its_counter_line_with_it() -> None:
    live = disputed(over())
    (place,) = first_lines(live)
    for line in (place, LineAt(place.version, place.line + 1)):
        assert refused(live, OpenDispute(PLAYERS[2], (line,), None, WHY)) is Code.ALREADY_DISPUTED
    live.command(RuleDispute(ARBITER, 1, "rejected", "It was not."))
    assert refused(live, OpenDispute(PLAYERS[2], (place,), None, WHY)) is Code.ALREADY_RULED
    assert refused(over(), OpenDispute(PLAYERS[2], (place, place), None, WHY)) is Code.DUPLICATE_LINE


def test_a_dispute_comes_too_late() -> None:
    live = over()
    late = OpenDispute(PLAYERS[0], first_lines(live), None, WHY, late=True)
    assert refused(live, late) is Code.DISPUTE_TOO_LATE


def test_a_rejected_dispute_changes_no_balance() -> None:
    live = disputed(over())
    totals, winners, booked = live.table.totals, live.table.winners, live.table.booked
    (ruled,) = live.command(RuleDispute(ARBITER, 1, "rejected", "The record shows otherwise."))
    assert isinstance(ruled.public, DisputeRuled)
    assert ruled.actor == f"arbiter:{ARBITER}"
    assert (live.table.totals, live.table.winners, live.table.booked) == (totals, winners, booked)
    assert live.view("public")["disputes"][0]["status"] == "rejected"


def test_an_upheld_dispute_takes_the_line_back_and_totals_and_winners_follow() -> None:
    live = over()
    booked = live.table.booked[0]
    line = booked.lines[0]
    totals, finish = live.table.totals, live.of(GameFinished)[-1]
    disputed(live)
    ruled, corrected = live.command(RuleDispute(ARBITER, 1, "upheld", "So it was."))
    assert [type(event.public) for event in (ruled, corrected)] == [DisputeRuled, LedgerCorrected]
    assert corrected.actor == ruled.actor
    correction = live.of(LedgerCorrected)[-1]
    own, other = correction.lines
    assert (own.amount, other.amount) == (-line.amount, line.amount)
    assert (own.account, own.counter, own.kind, own.rule) == (line.account, line.counter, "reversal", line.rule)
    assert own.events == (booked.version, ruled.version)
    assert own.text == other.text == f"Lines 0 and 1 of event {booked.version} taken back: {line.text}"
    expected = list(totals)
    for one in correction.lines:
        if one.seat is not None:
            expected[one.seat] += one.amount
    assert live.table.totals == correction.totals == tuple(expected)
    assert correction.winners == tuple(seat for seat, total in enumerate(expected) if total == max(expected))
    assert live.of(GameFinished) == [finish]
    assert live.table.booked[0] == booked
    assert sums_to_zero(live)
    assert audit(READER, live.records).verdict == "intact"


def test_an_upheld_dispute_books_anew_what_the_arbiter_says() -> None:
    live = disputed(over())
    entries = (
        Entry(0, "bank", 7, "contract", "CR-9.2", "Grand by seat 0, victory: 1 × 2, and more"),
        Entry(1, 2, -3, "x", "CR-9.2", "y"),
    )
    ruled, _ = live.command(RuleDispute(ARBITER, 1, "upheld", "So it was.", entries))
    lines = live.of(LedgerCorrected)[-1].lines
    assert [(line.seat, line.amount) for line in lines[2:]] == [(0, 7), (None, -7), (1, -3), (2, 3)]
    assert all(line.events == (first_lines(live)[0].version, ruled.version) for line in lines)
    assert sums_to_zero(live)
    assert audit(READER, live.records).verdict == "intact"


@for_each(
    "entry",
    [
        Entry(0, 0, 1, "contract", "CR-9.2", "to oneself"),
        Entry(0, "bank", 0, "contract", "CR-9.2", "nothing"),
        Entry(3, "bank", 1, "contract", "CR-9.2", "nobody"),
        Entry("bank", -1, 1, "contract", "CR-9.2", "nobody"),
        Entry(0, "pool", 1, "contract", "CR-9.2", "no account here"),
        Entry(0, "bank", 1, "contract", "CR-99.1", "a rule that there is not"),
        Entry(0, "bank", 1, "contract", "", "no rule"),
    ],
)
def test_what_is_no_transfer_cannot_be_booked(entry: Entry) -> None:
    live = disputed(over())
    assert refused(live, RuleDispute(ARBITER, 1, "upheld", "So it was.", (entry,))) is Code.RULE_VIOLATION


def test_nothing_is_booked_where_a_dispute_is_rejected() -> None:
    live = disputed(over())
    entry = Entry(0, "bank", 1, "contract", "", "a gift")
    assert refused(live, RuleDispute(ARBITER, 1, "rejected", "No.", (entry,))) is Code.RULE_VIOLATION


def test_nobody_rules_twice_or_on_ones_own_table_or_on_nothing() -> None:
    live = disputed(over())
    assert refused(live, RuleDispute(PLAYERS[0], 1, "upheld", "Mine.")) is Code.ARBITER_SEATED
    assert refused(live, RuleDispute(ARBITER, 2, "upheld", "What?")) is Code.NO_SUCH_DISPUTE
    live.command(RuleDispute(ARBITER, 1, "upheld", "So it was."))
    assert refused(live, RuleDispute(ARBITER, 1, "rejected", "No.")) is Code.ALREADY_RULED


def test_a_correction_amid_the_game_goes_into_the_final_totals() -> None:
    live = disputed(between())
    live.command(RuleDispute(ARBITER, 1, "upheld", "So it was."))
    assert live.of(LedgerCorrected)[-1].winners is None
    finished(live, chance("after"))
    totals = [0, 0, 0]
    for booked in live.table.booked:
        for line in booked.lines:
            if line.seat is not None:
                totals[line.seat] += line.amount
    assert live.table.totals == live.of(GameFinished)[-1].totals == tuple(totals)
    assert audit(READER, live.records).verdict == "intact"


# What is booked anew where the arbiter does not say


def miscounted(by: int = 5, *, more: bool = False) -> tuple[Live, LineAt]:
    """A finished game whose first deal was booked with other amounts than the rules make, and a line of that deal."""
    live = over()
    version = live.table.booked[0].version

    def spoil(public: dict[str, Any]) -> None:
        lines = public["lines"]
        if more:
            lines += [line | {"kind": "bonus", "rule": "CR-10.3"} for line in lines[:2]]
        for line, sign in zip(lines[:2], (1, -1), strict=True):
            line["amount"] += sign * by
        for line in lines:
            line["text"] = "something else"

    return Live(forged(live.records, version, spoil)), LineAt(version, 0)


def settled(live: Live, *lines: LineAt, deal: int | None = None) -> tuple[Entry, ...]:
    """What is booked anew when this is disputed and upheld; the ruling is given."""
    live.command(OpenDispute(PLAYERS[0], lines, deal, WHY))
    entries = recomputed_entries(READER, live.records, live.table.disputes[-1])
    live.command(RuleDispute(ARBITER, 1, "upheld", "So it was.", entries))
    return entries


def test_nothing_is_booked_anew_where_the_rules_make_the_same_again() -> None:
    live = over()
    (place,) = first_lines(live)
    assert settled(live, place) == ()
    assert settled(over(), deal=2) == ()


@pytest.mark.parametrize("whole", [False, True])
def test_what_the_rules_make_of_a_deal_is_booked_in_place_of_what_is_wrong(*, whole: bool) -> None:
    right = over()
    expected = right.table.booked[0].lines
    live, place = miscounted()
    assert live.table.totals != right.table.totals
    entries = settled(live, deal=1) if whole else settled(live, place)
    made = live.table.booked[-1].lines[-2 * len(entries) :]
    assert [(line.amount, line.rule, line.text) for line in made] == [
        (line.amount, line.rule, line.text) for line in (expected if whole else expected[:2])
    ]
    assert (live.table.totals, live.table.winners) == (right.table.totals, right.table.winners)


def test_a_line_that_the_rules_do_not_make_is_taken_back_and_not_booked_anew() -> None:
    live, place = miscounted(0, more=True)
    extra = LineAt(place.version, len(live.table.booked[0].lines) - 1)
    assert settled(live, extra) == ()
    assert live.table.totals == over().table.totals


def test_for_what_a_correction_booked_nothing_is_booked_anew() -> None:
    live = disputed(over())
    live.command(RuleDispute(ARBITER, 1, "upheld", "So it was."))
    totals = over().table.totals
    live.command(OpenDispute(PLAYERS[0], (LineAt(live.table.booked[-1].version, 1),), None, WHY))
    assert recomputed_entries(READER, live.records, live.table.disputes[-1]) == ()
    live.command(RuleDispute(ARBITER, 2, "upheld", "It was not."))
    assert live.table.totals == totals


# Erasures


def test_words_are_erased_and_the_record_says_so() -> None:
    live = disputed(over())
    live.command(RuleDispute(ARBITER, 1, "rejected", "No."))
    before = live.view("public")
    for version in live.table.texts:
        (event,) = live.command(EraseText(version))
        assert event.public == TextErased(version, "public")
        assert (event.actor, event.deal, event.sealed) == ("house", None, {})
        assert refused(live, EraseText(version)) is Code.RULE_VIOLATION
    assert live.table.texts == ()
    assert live.view("public") == before | {"version": live.version}
    erased = [event.version for event in live.of(TextErased)]
    records = [without_section(record, "public") if record.version in erased else record for record in live.records]
    assert {record.sealed for record in records if record.version in erased} == {b"{}"}
    assert [record.seals for record in records] == [record.seals for record in live.records]
    assert read(records) == live.history
    assert audit(READER, records).verdict == "intact"


@pytest.mark.parametrize("version", [1, 5, 10**6, 0])
def test_what_is_no_words_cannot_be_erased(version: int) -> None:
    live = disputed(over())
    assert refused(live, EraseText(version)) is Code.RULE_VIOLATION
    assert refused(live, EraseText(5, "seat:0")) is Code.RULE_VIOLATION
    assert refused(live, EraseText(live.table.texts[0], "house")) is Code.RULE_VIOLATION


def test_talk_is_erased_while_the_deal_is_on() -> None:
    live, plan = declared("nolo-ouvert", bonus="talking", winners=(1, 1))
    exchange_nothing(live, plan)
    live.act(1, "talk", text="What I would not have said.")
    offers = [live.offers(seat) for seat in range(3)]
    live.command(EraseText(live.table.texts[0]))
    assert [live.offers(seat) for seat in range(3)] == offers, "what was said counts all the same"
    live.act(1, "talk", text="Lead low.")
    assert live.phase == "play"


@settings(max_examples=times(15))
@given(st.integers(0, 10**6))
def test_whatever_is_disputed_and_ruled_the_fold_of_the_record_is_the_live_state(seed: int) -> None:
    rng = chance(seed)
    live = Live.started(seed=rng.randbytes(32))
    while live.table.status == "playing" or rng.random() < 0.7:
        if live.table.status == "playing":
            step(live, rng)
        if rng.random() < 0.05 or live.table.status == "finished":
            try:
                if rng.random() < 0.5 and live.table.booked:
                    booked = rng.choice(live.table.booked)
                    place = LineAt(booked.version, rng.randrange(len(booked.lines)))
                    live.command(OpenDispute(rng.choice(PLAYERS), (place,), None, WHY))
                else:
                    entries = (Entry(rng.randrange(3), "bank", rng.randint(1, 9), "contract", "CR-9.2", "anew"),)
                    number = rng.randint(1, max(1, len(live.table.disputes)))
                    live.command(RuleDispute(ARBITER, number, "upheld", "So it was.", entries))
            except Rejected:
                continue
    assert read(live.records).table == live.table
    assert sums_to_zero(live)
    assert audit(READER, live.records).verdict == "intact"
    for audience in ("public", "seat:0"):
        assert live.view(audience)["totals"] == live.table.totals


# Sides: what is booked for a side's players is disputed together

SIDES = ((0, 2), (1, 3))


def side_of(seat: Seat) -> tuple[Seat, ...]:
    """The side of a seat at a table of two sides."""
    return next(side for side in SIDES if seat in side)


def booking(*transfers: tuple[Party, Party, int, str], version: int = 7) -> Booked:
    """What an event books by these transfers: account, counter-account, amount and rule."""
    made = [Transfer(*parties, amount, "points", rule, "so many", ()) for *parties, amount, rule in transfers]
    return booked_by(version, 1, book(made, EVERYBODY))


def disputed_with(by: Booked, *lines: int, of: Callable[[Seat], Sequence[Seat]] = side_of) -> list[int]:
    """The lines of the event that are disputed when these are named."""
    named = tuple(LineAt(by.version, line) for line in lines)
    taken = with_twins((booking((0, "bank", 1, "R-0"), version=3), by), named, of)
    assert {place.version for place in taken} == {by.version}
    return [place.line for place in taken]


XERIS = booking(
    (0, "bank", 10, "R-1"),
    (0, "bank", 10, "R-1"),
    (0, "bank", 4, "R-2"),
    (2, "bank", 10, "R-1"),
    (2, "bank", 10, "R-1"),
    (2, "bank", 4, "R-2"),
    (1, "bank", 10, "R-1"),
    (3, "bank", 10, "R-1"),
)
"""Side 0 has twice ten points and four, side 1 once ten, each booked in full to both players."""


@for_each(
    "named, expected",
    [
        ([0], [0, 6]),
        ([2], [2, 8]),
        ([8], [8, 2]),
        ([4], [4, 10]),
        ([1], [1, 6]),
        ([12], [12, 14]),
        ([15], [15, 12]),
        ([0, 6], [0, 6]),
        ([1, 7], [1, 7]),
        ([0, 4, 2], [0, 4, 2, 6, 10, 8]),
        (list(range(16)), list(range(16))),
    ],
)
def test_a_dispute_of_a_sides_line_takes_in_the_partners_twin(named: list[int], expected: list[int]) -> None:
    assert disputed_with(XERIS, *named) == expected
    assert disputed_with(XERIS, *expected) == expected, "what is recorded says all"


@pytest.mark.parametrize("named", [[0], [1], [14, 3]])
def test_where_each_plays_alone_no_line_has_a_twin(named: list[int]) -> None:
    assert disputed_with(XERIS, *named, of=lambda seat: (seat,)) == named


def test_the_twins_of_counter_lines_are_taken_in_too() -> None:
    across = booking((0, 1, 5, "R-1"), (0, 3, 5, "R-1"), (2, 1, 5, "R-1"), (2, 3, 5, "R-1"), (2, 3, 6, "R-1"))
    assert sorted(disputed_with(across, 0)) == [0, 2, 4, 6]
    assert disputed_with(across, 8) == [8], "nothing like it is booked for the partners"


def test_a_line_of_another_rule_or_amount_is_no_twin() -> None:
    apart = booking((0, "bank", 5, "R-1"), (2, "bank", 5, "R-2"), (2, "bank", 6, "R-1"))
    assert disputed_with(apart, 0) == [0]


def test_both_lines_of_a_side_are_reversed_and_so_the_partners_stay_equal() -> None:
    taken = tuple(LineAt(XERIS.version, line) for line in disputed_with(XERIS, 9))
    sums = Counter[Party]()
    for reversal in reversals((XERIS,), taken, 12):
        sums[reversal.account] += reversal.amount
        sums[reversal.counter] -= reversal.amount
    assert sums == {0: -10, 2: -10, "bank": 20}


def test_a_game_with_sides_disputes_twins_and_says_who_has_won() -> None:
    course = replace(CROCODILE.course, sides=lambda _: SIDES, winners=lambda standing: (standing.totals.index(-10),))
    game = replace(CROCODILE, course=course)
    table = replace(over().table, players=EVERYBODY, totals=(0, 0, 0, 0), booked=(XERIS,), winners=(1, 3))
    table, (opened,) = decide(game, table, OpenDispute(EVERYBODY[1], (LineAt(XERIS.version, 0),), None, WHY))
    assert opened.public.lines == (LineAt(XERIS.version, 0), LineAt(XERIS.version, 6))
    table, (_, corrected) = decide(game, table, RuleDispute(ARBITER, 1, "upheld", "So it was."))
    assert corrected.public.totals == (-10, 0, -10, 0)
    assert table.winners == corrected.public.winners == (0,), "the game's answer, not the highest total"


def test_winners_are_those_by_every_balance_after_the_lines() -> None:
    standings: list[Standing] = []

    def winners(standing: Standing) -> tuple[Seat, ...]:
        standings.append(standing)
        return (0,)

    shares = (Transfer(0, "pool", 7, "share", "R-1", "A share", ()),)
    course = replace(CROCODILE.course, winners=winners)
    game = replace(CROCODILE, course=course, dealing=replace(CROCODILE.dealing, shares=lambda *_: shares))
    table = replace(over().table, status="playing", totals=(0, 0, 0), accounts={"pool": 7}, booked=())
    event = next_automatic(game, table)
    assert event is not None
    table = evolve(game, table, replace(event, version=table.version + 1))
    assert dict(standings[-1].accounts) == {0: 7, 1: 0, 2: 0, "pool": 0}
    table, _ = decide(game, table, OpenDispute(PLAYERS[1], (LineAt(table.version, 0),), None, WHY))
    table, _ = decide(game, table, RuleDispute(ARBITER, 1, "upheld", "So it was."))
    assert dict(standings[-1].accounts) == {0: 0, 1: 0, 2: 0, "pool": 7}
    assert len(standings) == 2
