"""Audit: a table's record computed anew, from its events alone.

Every event is derived again from those before it: what followed by itself from the table's state, what a player did
from the action that the event tells of. What stands in the record is compared with what is computed, so that the
audit explains a score with the same rules that made it, and finds what any other rules, cards or seeds have made.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, cast

import msgspec
from msgspec import Struct

from domain.kernel.decider import Game, check
from domain.kernel.event import Event, Payload
from domain.kernel.record import GENESIS, Recorded, commitment, rehash, sections
from domain.kernel.rejection import Rejected
from domain.kernel.seats import PUBLIC, seat_audience
from domain.kernel.shuffle import SeedChain, seed_before
from domain.record import Reader
from domain.table.actions import Command, LeaveSeat, TakeSeat
from domain.table.decide import act, follow
from domain.table.events import (
    CardsDealt,
    DealScored,
    GameStarted,
    SeatLeft,
    SeatTaken,
    TableClosed,
    TableEvent,
    TableOpened,
)
from domain.table.state import Table, evolve, opened


class Finding(Struct, frozen=True):
    """One thing that was checked about one event. `recorded` and `computed` tell what differs."""

    name: str
    event: int
    passed: bool
    rule: str | None = None
    recorded: Any = None
    computed: Any = None
    text: str | None = None


class Check(Struct, frozen=True):
    """A kind of check over the events that it concerns, for people: what was recorded and computed where it failed."""

    name: str
    passed: bool
    rule: str | None
    events: tuple[int, ...]
    recorded: Any
    computed: Any
    text: str


class Audit(Struct, frozen=True):
    """The checks of a deal or a table, and the verdict: `intact` if all passed, else `altered`."""

    verdict: str
    checks: tuple[Check, ...]


TEXTS = {
    "chain": "Each event's hash covers the event and the hash before it.",
    "seals": "Each opened section is the one that was committed to.",
    "rules": "The rules in force are those that the table pinned when it was opened.",
    "seating": "Players took and left seats as they may.",
    "first-dealer": "The first dealer was drawn from the first seed.",
    "dealer": "The deal went to the player whose turn it was.",
    "seed": "The deal's seed hashes to the seed before it, and so to the commitment made before anyone sat down.",
    "pack": "The pack drawn again from seed and entropies is the pack that was dealt.",
    "commitments": "Each card of the pack opens its commitment.",
    "antes": "What is booked when the cards are dealt follows from the rules.",
    "legality": "Every act was open to the player who took it, under the rules in force.",
    "acts": "Every act was recorded as it was taken.",
    "draws": "Every card drawn was the next of the pile it was drawn from.",
    "turn-up": "What had to be turned, laid open or forced was.",
    "tricks": "Every trick went to the player whose card takes it.",
    "stopping-point": "Play stopped when the result was settled, not earlier and not later.",
    "outcome": "The outcome follows from the tricks.",
    "ledger": "Every line was booked as the rules say, and lines sum to zero.",
    "totals": "Totals are the sums of the lines booked.",
    "finish": "The game ended after its last deal, and the highest total won.",
}


def chain(records: Iterable[Recorded]) -> Iterator[Finding]:
    """Versions run from 1 without a gap, and every event carries the hash that it must."""
    previous = GENESIS
    for version, record in enumerate(records, 1):
        computed = rehash(record, previous)
        passed = computed == record.hash and record.version == version
        yield Finding("chain", record.version, passed, None, record.hash.hex(), computed.hex())
        previous = record.hash


def seals(records: Iterable[Recorded]) -> Iterator[Finding]:
    """Every section that stands open is the one that the envelope commits to."""
    for record in records:
        promised = msgspec.json.decode(record.seals, type=dict[str, str])
        for audience, section in sections(record.sealed).items():
            computed = commitment(bytes.fromhex(section.salt), bytes(section.data))
            recorded = promised.get(audience)
            yield Finding("seals", record.version, recorded == computed, None, recorded, computed, audience)


def known_seeds(reader: Reader, records: Sequence[Recorded]) -> SeedChain | None:
    """The seeds that the record itself reveals: that of the last deal over."""
    for record in reversed(records):
        if record.type == DealScored.TYPE:
            scored = cast("DealScored", reader.read(record).public)
            return SeedChain(scored.deal, bytes.fromhex(scored.seed))
    return None


def rederived(reader: Reader, records: Sequence[Recorded]) -> Iterator[Finding]:
    """Derives every event again up to the end of the last deal over, and on where all sections stand open.

    Raises nothing for what a tampered record holds: what cannot be followed further is a finding, and ends it.
    """
    if not records:
        return
    known = known_seeds(reader, records)
    first = reader.read(records[0])
    game = reader.game(records[0].game)
    if not isinstance(first.public, TableOpened):
        yield Finding("acts", 1, False, recorded=first.public.TYPE, computed=TableOpened.TYPE)
        return
    yield _same("rules", first, "rules_digest", first.public.rules_digest, game.rulebook.digest())
    table = opened(game, records[0].table, cast("Event[TableOpened]", first))
    if table.seeds is not None:
        computed = table.seeds.at(0).hex()
        yield _same("seed", first, "seed_commitment", first.public.seed_commitment, computed)
    elif known is not None:
        table = msgspec.structs.replace(table, seeds=known)
    before = first.public.seed_commitment
    for record in records[1:]:
        event = reader.read(record)
        if event.deal is not None and (table.seeds is None or event.deal > table.seeds.deal):
            return
        if isinstance(event.public, DealScored):
            computed = seed_before(bytes.fromhex(event.public.seed)).hex()
            yield Finding("seed", event.version, computed == before, None, before, computed)
            before = event.public.seed
        try:
            yield from _event(game, table, event)
            table = evolve(game, table, event)
        except Exception as error:  # whatever a tampered event breaks, it is found, not raised
            yield Finding("acts", event.version, False, text=f"the record cannot be followed: {type(error).__name__}")
            return


def _event(game: Game, table: Table, event: Event[Payload]) -> Iterator[Finding]:
    due = follow(game, table)
    if due is not None:
        yield from _due(event, due)
    elif isinstance(event.public, TableEvent):
        yield from _table_act(game, table, event, event.public)
    else:
        yield from _game_act(game, table, event)


def _due(event: Event[Payload], due: Event[Payload]) -> Iterator[Finding]:
    """What had to follow by itself, and what is recorded."""
    recorded, computed = event.public, due.public
    if type(recorded) is not type(computed) or event.actor != due.actor:
        name = "stopping-point" if isinstance(computed, DealScored) else "acts"
        yield Finding(name, event.version, False, None, recorded.TYPE, computed.TYPE)
        return
    match recorded, computed:
        case CardsDealt(), CardsDealt():
            yield _same("dealer", event, "dealer", recorded.dealer, computed.dealer)
            yield _same("commitments", event, "card_commitments", recorded.card_commitments, computed.card_commitments)
            yield _same("antes", event, "lines", recorded.lines, computed.lines)
            yield _same("pack", event, "sealed", event.sealed, due.sealed)
        case DealScored(), DealScored():
            yield Finding("stopping-point", event.version, True)
            rule = computed.lines[0].rule if computed.lines else None
            yield _same("outcome", event, "outcome", recorded.outcome, computed.outcome, rule)
            yield _same("ledger", event, "lines", recorded.lines, computed.lines, rule)
            yield _same("totals", event, "totals", recorded.totals, computed.totals)
            yield _same("seed", event, "seed", recorded.seed, computed.seed)
        case GameStarted(), GameStarted():
            yield _same("first-dealer", event, "public", recorded, computed)
        case _:
            yield _same(_NAMES.get(recorded.TYPE, "finish"), event, "public", recorded, computed)


_NAMES = {"trick-won": "tricks", "talon-turned": "turn-up", "hand-exposed": "turn-up", "casco-forced": "turn-up"}


def _table_act(game: Game, table: Table, event: Event[Payload], public: TableEvent) -> Iterator[Finding]:
    command: Command
    match public:
        case SeatTaken():
            entropy = None if public.entropy is None else bytes.fromhex(public.entropy)
            command = TakeSeat(public.player, public.seat, entropy)
        case SeatLeft():
            command = LeaveSeat(table.players[public.seat] or "")
        case TableClosed():
            yield Finding("seating", event.version, table.status == "open")
            return
        case DealScored():
            yield Finding("stopping-point", event.version, False, None, public.outcome, None, "play was not settled")
            return
        case _:
            yield Finding("acts", event.version, False, None, public.TYPE, None, "nothing made this event follow")
            return
    try:
        computed = act(game, table, command)
    except Rejected as rejected:
        yield Finding("seating", event.version, False, rejected.rule, public.TYPE, None, rejected.detail)
        return
    yield _same("seating", event, "public", public, computed.public)


def _game_act(game: Game, table: Table, event: Event[Payload]) -> Iterator[Finding]:
    action = game.asked(event)
    seat = next((seat for seat in range(len(table.players)) if seat_audience(seat) == event.actor), None)
    if action is None or seat is None or table.play is None:
        erased = PUBLIC in event.public.SECTIONS and PUBLIC not in event.sealed
        text = "the words were erased" if erased else "nothing made this event follow"
        yield Finding("acts", event.version, erased, None, event.public.TYPE, None, text)
        return
    try:
        check(game, table.play, seat, action)
    except Rejected as rejected:
        yield Finding(
            "legality", event.version, False, rejected.rule, msgspec.to_builtins(action), None, rejected.detail
        )
        return
    yield Finding("legality", event.version, True, action.RULE)
    computed = game.decide(table.play, seat, action)
    yield _same("acts", event, "public", event.public, computed.public, action.RULE)
    if event.sealed or computed.sealed:
        yield _same("draws", event, "sealed", event.sealed, computed.sealed, action.RULE)


def _same(
    name: str, event: Event[Any], what: str, recorded: object, computed: object, rule: str | None = None
) -> Finding:
    if recorded == computed:
        return Finding(name, event.version, True, rule)
    return Finding(name, event.version, False, rule, msgspec.to_builtins(recorded), msgspec.to_builtins(computed), what)


def audit(reader: Reader, records: Sequence[Recorded], deal: int | None = None) -> Audit:
    """The audit of a whole record, or of one deal in it with all that the deal rests on.

    `records` are the table's from its first event on, with every section open that can be.
    """
    concerned = {record.version for record in records if deal is None or record.deal in (deal, None)}
    last = max((record.version for record in records if deal is not None and record.deal == deal), default=None)
    if last is not None:
        concerned = {version for version in concerned if version <= last}
    passes: tuple[Callable[[], Iterator[Finding]], ...] = (
        lambda: chain(records),
        lambda: seals(records),
        lambda: rederived(reader, records),
    )
    findings = [finding for findings in passes for finding in findings() if finding.event in concerned]
    return Audit("intact" if all(finding.passed for finding in findings) else "altered", tuple(_summed_up(findings)))


def _summed_up(findings: Sequence[Finding]) -> Iterator[Check]:
    """One check a kind that passed, and one for each finding that did not."""
    for name, text in TEXTS.items():
        own = [finding for finding in findings if finding.name == name]
        passed = [finding for finding in own if finding.passed]
        for finding in own:
            if not finding.passed:
                what = f"{text[:-1]}, but not here: " + (finding.text or "recorded and computed differ")
                yield Check(name, False, finding.rule, (finding.event,), finding.recorded, finding.computed, what)
        if own and len(passed) == len(own):
            rules = {finding.rule for finding in passed}
            events = tuple(sorted({finding.event for finding in passed}))
            yield Check(name, True, rules.pop() if len(rules) == 1 else None, events, None, None, text)
