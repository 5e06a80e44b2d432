"""Rows of the archive, with players' ids and without names. Their fields are the columns of its tables."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from domain.kernel.course import Standing
from domain.kernel.game import Game
from domain.kernel.ledger import Line
from domain.record.recorded import Recorded
from domain.seats import Seat
from domain.table.state import Status, Table
from projections.ledgers import ledger_lines

FOLD = 1
"""Raised when code folds the same events to other rows; every service then builds its own anew."""


class Booking(Struct, frozen=True):
    """What is booked for a finished deal by now: corrections change it."""

    table_id: str
    deal: int
    results: tuple[int, ...]
    """What each seat has gained by the deal, by seat."""
    amount: int
    """The most that any one seat has gained or lost by it."""
    rules: tuple[str, ...]
    """The rules that its lines cite, sorted."""
    disputed: bool
    corrected: bool


class ArchivedDeal(Booking, frozen=True, kw_only=True):
    """A finished deal."""

    position: int
    """The position in the log of the event that scored it."""
    version: int
    """The version of that event."""
    at: str
    game: str
    rules_version: int
    options: Any
    listed: bool
    """Whether lists show its table."""
    bots: bool
    """Whether bots take part as players."""
    players: tuple[str | None, ...]
    """The players by seat."""
    sides: tuple[int, ...]
    """A number by seat: that of partners is the same."""
    declarer: Seat | None
    contract: str | None
    trump: str | None
    outcome: str
    length: int
    """The number of its events."""


class ArchivedTable(Struct, frozen=True, kw_only=True):
    """A table of which something is in the archive, or whose game has finished."""

    table_id: str
    game: str
    rules_version: int
    listed: bool
    bots: bool
    players: tuple[str | None, ...]
    status: Status
    opened_at: str
    finished_at: str | None
    finished: int | None
    """The position of the event that finished the game."""
    changed: int
    """The position of the last event that changed what the archive has of the table."""
    erased: int | None
    """The position of the last event that erased words from its record."""


class FoundBy(Struct, frozen=True):
    """What a deal is searched by, from its facts."""

    declarer: Seat | None
    partner: Seat | None
    contract: str | None
    trump: str | None


def found_by(game: Game, state: Any) -> FoundBy:
    """What a settled deal is searched by, as its game says."""
    scoring, searched = game.scoring, game.scoring.searched
    facts = scoring.facts(state)

    def fact(name: str | None) -> Any:
        return None if name is None else getattr(facts, name, None)

    contract = fact(searched.contract) if searched.contract else scoring.dealt(state).kind
    trump = None if searched.trump is None else _at(game.showing.fields(state), searched.trump)
    return FoundBy(fact(searched.declarer), fact(searched.partner), None if contract is None else str(contract), trump)


def sides_of(game: Game, standing: Standing, found: FoundBy) -> tuple[int, ...]:
    """The side of each seat: declarer's is 1 and the others' 0; without a declarer, those of the game's course."""
    seats = range(len(standing.totals))
    if found.declarer is not None:
        return tuple([int(seat in (found.declarer, found.partner)) for seat in seats])
    sides = game.course.sides(standing.options)
    number = {seat: side for side, those in enumerate(sides) for seat in those}
    return tuple([number.get(seat, len(sides) + seat) for seat in seats])


def bookings(game: Game, table: Table, deals: Sequence[int]) -> Sequence[Booking]:
    """What is booked for these deals of a table that is folded with all its lines."""
    lines, disputed, corrected = _by_deal(game, table, deals)
    booked = []
    for deal in deals:
        results = [0] * len(table.totals)
        for line in lines[deal]:
            if line.seat is not None:
                results[line.seat] += line.amount
        rules = tuple(sorted({line.rule for line in lines[deal]}))
        amount = max(map(abs, results), default=0)
        booked.append(Booking(table.table, deal, tuple(results), amount, rules, deal in disputed, deal in corrected))
    return booked


def archived_deal(game: Game, before: Table, after: Table, record: Recorded, outcome: str, begun: int) -> ArchivedDeal:
    """The row of the deal that this event has scored: with the table before and after it, the deal's outcome, and its
    first version.
    """
    deal, found = after.scored, found_by(game, before.deal_state)
    (booked,) = bookings(game, after, [deal])
    return ArchivedDeal(
        **msgspec.structs.asdict(booked),
        position=record.position,
        version=after.version,
        at=record.at,
        game=after.game,
        rules_version=after.rules_version,
        options=msgspec.to_builtins(after.options),
        listed=after.table_options.visibility == "public",
        bots=bool(after.opponents),
        players=after.players,
        sides=sides_of(game, before.standing, found),
        declarer=found.declarer,
        contract=found.contract,
        trump=found.trump,
        outcome=outcome,
        length=after.version - begun + 1,
    )


def _by_deal(
    game: Game, table: Table, deals: Sequence[int]
) -> tuple[Mapping[int, Sequence[Line]], set[int | None], set[int | None]]:
    """The lines of each of these deals, and the deals that are disputed and corrected."""
    by_deal: dict[int, list[Line]] = {deal: [] for deal in deals}
    if not table.disputes and not any(booked.reverses for booked in table.booked):
        # Most tables: no line belongs to another deal than its event.
        for booked in table.booked:
            if booked.deal in by_deal:
                by_deal[booked.deal] += booked.lines
        return by_deal, set(), set()
    lines = ledger_lines(table, game.unit)
    corrected: dict[int, int | None] = {}
    for line in lines:
        # What a ruling books instead has no deal of its own, and comes after the lines that it takes back.
        deal = corrected.setdefault(line.version, line.deal) if line.deal is None else line.deal
        corrected.setdefault(line.version, deal)
        if deal in by_deal:
            by_deal[deal].append(line)
    deal_of = {(line.version, line.line): line.deal for line in lines}
    named = [(dispute, deal_of.get((at.version, at.line))) for dispute in table.disputes for at in dispute.lines]
    return by_deal, {deal for _, deal in named}, {deal for dispute, deal in named if dispute.corrected}


def _at(fields: Mapping[str, Any], path: str) -> Any:
    """The value at a path of a view's fields; None if there is none."""
    first, *names = path.split(".")
    value = fields.get(first)
    for name in names:
        value = getattr(value, name, None)
    return value
