"""LO-9: accounts, lines, and what corrections do to the pot."""

from collections import Counter
from functools import cache

import pytest
from msgspec.structs import replace

from domain.audit.auditor import audit
from domain.games.lorum import LORUM
from domain.games.lorum.scoring import game_checks
from domain.kernel.ledger import BANK, POOL
from domain.table.actions import Entry, OpenDispute, RuleDispute
from domain.table.events import DealScored
from tests.games.lorum.tables import LorumLive
from tests.support.games import EVERYBODY, READER, chance, finished, step


@cache
def game(number: int) -> LorumLive:
    """A finished game, under options that change with the number."""
    options = LORUM.options(("blind", "open")[number % 2], (1, 10)[number // 2 % 2])
    return finished(LorumLive.started(seed=bytes([number]) * 32, options=options), chance(number))


@pytest.mark.parametrize("number", range(4))
def test_lo_9_1_each_deals_lines_sum_to_zero_none_is_zero_and_the_pot_is_never_below_0(number: int) -> None:
    pot = 0
    for score in game(number).of(DealScored):
        assert sum(line.amount for line in score.lines) == 0
        assert all(line.amount for line in score.lines)
        assert {line.account for line in score.lines if line.seat is None} <= {BANK, POOL}
        pot += sum(line.amount for line in score.lines if line.account == POOL)
        assert pot >= 0
    assert sum(game(number).table.accounts.values()) + sum(game(number).table.totals) == 0


@pytest.mark.parametrize("number", range(4))
def test_lo_9_2_how_each_rule_is_booked(number: int) -> None:
    counters = {
        "LO-3.6": {POOL}, "LO-3.7": {BANK}, "LO-3.8": {BANK}, "LO-3.9": {BANK}, "LO-4.4": {POOL}, "LO-5.2": {POOL},
        "LO-8.2": {POOL}, "LO-8.3": {POOL},
    }  # fmt: skip
    for score in game(number).of(DealScored):
        kind, lines = (score.deal - 1) % 7 + 1, [line for line in score.lines if line.seat is not None]
        assert sum(line.amount for line in score.lines if line.account == BANK) == 0
        for line in lines:
            if line.rule == "LO-6.5":
                assert line.counter.startswith("player:")
            else:
                assert line.counter in counters[line.rule]
        if kind <= 3:
            assert Counter(line.seat for line in lines) == {0: 1, 1: 1, 2: 1, 3: 1}
            assert len({line.rule for line in lines}) == 1


def test_lo_9_2_the_bank_is_checked_over_the_game() -> None:
    lines = [score.lines for score in game(0).of(DealScored)]
    (check,) = game_checks(game(0).table.standing, lines)
    assert (check.rule, check.recorded) == ("LO-9.2", check.computed)
    place = next(place for place, booked in enumerate(lines) if any(line.account == BANK for line in booked))
    more = tuple(replace(line, amount=line.amount + 1) if line.account == BANK else line for line in lines[place])
    (check,) = game_checks(game(0).table.standing, [*lines[:place], more, *lines[place + 1 :]])
    assert check.recorded != check.computed


def test_a_line_cites_the_tricks_of_its_own_captures_or_of_all() -> None:
    for number in range(3):
        live = game(number)
        for score in live.of(DealScored):
            for line in score.lines:
                assert line.events
                assert {live.events[version - 1].deal for version in line.events} == {score.deal}


def test_a_correction_that_takes_out_of_the_pot_what_is_not_there_leaves_the_next_taker_less() -> None:
    """Of 3 chips that a correction puts into the pot, or takes out, the one who is out next gains more or less."""
    taken = {}
    for amount in (-3, 0, 3, -60):
        live, rng = LorumLive.started(), chance("corrected")
        while live.table.scored < 7:
            step(live, rng)
            if live.table.scored == 5 and amount and not live.table.disputes:
                live.command(OpenDispute(EVERYBODY[0], (), 5, "Why?"))
                entry = Entry(POOL, BANK, amount, "other", "LO-8.4", "by the arbiter")
                reinstated = [
                    Entry(line.seat, line.counter, line.amount, line.kind, line.rule, line.text)
                    for line in live.of(DealScored)[4].lines
                    if line.seat is not None
                ]
                live.command(RuleDispute("an arbiter", 1, "upheld", "So.", (*reinstated, entry)))
        lines = [line for line in live.score.lines if line.rule == "LO-8.3" and line.account == POOL]
        taken[amount] = -sum(line.amount for line in lines)
        assert audit(READER, live.records).verdict == "intact"
    assert (taken[3] - taken[0], taken[-3] - taken[0], taken[-60]) == (3, -3, 0)
