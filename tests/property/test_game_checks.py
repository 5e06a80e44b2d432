"""What a game's rules say of all its deals together is checked from what the deals booked, whatever was corrected."""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from domain.audit.auditor import audit
from domain.kernel.course import Standing
from domain.kernel.game import Game, GameCheck
from domain.kernel.ledger import BANK, Line
from domain.record.history import Reader
from domain.table.actions import Entry, OpenDispute, RuleDispute
from domain.table.events import DealScored, GameFinished, LedgerCorrected
from tests.property.strategies import numbers_of_deals, of_each_game
from tests.support.games import EVERYBODY, Live, chance, step
from tests.support.repetition import times


def with_check(game: Game, won: dict[int, int]) -> Game:
    """The game with a rule, made up, by which its deals together book these amounts to the seats."""

    def game_checks(standing: Standing, lines: Sequence[tuple[Line, ...]]) -> tuple[GameCheck, ...]:
        booked = dict.fromkeys(range(len(standing.totals)), 0)
        for line in (line for deal in lines for line in deal if line.seat is not None):
            booked[line.seat] += line.amount
        rule = game.rulebook.rules[0].id
        return (GameCheck("totals", rule, f"what deals 1 to {standing.deal} book", booked, won),)

    return replace(game, decider=replace(game.decider, game_checks=game_checks))


def corrected(tables: type[Live], seed: int) -> Live:
    """A game, played by chance, with a correction after the first deal that booked something."""
    rng = chance((tables.game.name, "checks", seed))
    deals = max(numbers_of_deals(tables.game, tables.game.options()))
    live = tables.started(deals=deals, seed=rng.randbytes(32))
    while live.table.status == "playing":
        step(live, rng)
        scored = [booked for booked in live.table.booked if booked.deal == live.table.scored]
        if scored and not live.table.disputes:
            booked = rng.choice(scored)
            live.command(OpenDispute(EVERYBODY[0], (), booked.deal, "Why?"))
            rule = live.game.rulebook.rules[0].id
            live.command(RuleDispute("an arbiter", 1, "upheld", "So.", (Entry(0, BANK, 7, "contract", rule, "7"),)))
    return live


@of_each_game
@pytest.mark.parametrize("seed", range(times(1)))
def test_it_is_checked_from_what_the_deals_booked(tables: type[Live], seed: int) -> None:
    live, game = corrected(tables, seed), tables.game
    won = dict.fromkeys(live.seats, 0)
    for line in (line for public in live.of(DealScored) for line in public.lines if line.seat is not None):
        won[line.seat] += line.amount
    last = max(event.version for event in live.events if isinstance(event.public, DealScored))
    assert live.of(GameFinished)
    assert live.of(LedgerCorrected)
    assert audit(Reader({game.name: with_check(game, won)}), live.records).verdict == "intact"
    wrong = audit(Reader({game.name: with_check(game, {**won, 1: won[1] + 1})}), live.records)
    (failed,) = [check for check in wrong.checks if not check.passed]
    assert (failed.name, failed.events, failed.rule) == ("totals", (last,), game.rulebook.rules[0].id)
    assert (failed.recorded, failed.computed) == ({"1": won[1]}, {"1": won[1] + 1})
