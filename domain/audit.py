"""Audit: a table's record computed anew, from its events alone.

Every event is derived again from those before it: what followed by itself from the table's state, what a player did
from the action that the event tells of. What stands in the record is compared with what is computed, so that the
audit explains a score with the same rules that made it, and finds what any other rules, cards or seeds have made.

Nothing that a record holds makes an audit fail to answer: whatever it breaks is a check that failed, with its place.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, cast

import msgspec
from msgspec import Struct

from domain.kernel.canonical import canonical
from domain.kernel.decider import check
from domain.kernel.event import Event, Payload, UnknownEvent, may_open
from domain.kernel.record import GENESIS, Recorded, commitment, rehash, sections
from domain.kernel.rejection import Rejected
from domain.kernel.seats import HOUSE, PUBLIC, Audience, seat_audience
from domain.kernel.shuffle import SeedChain, card_commitment, seed_before
from domain.record import Reader
from domain.table.actions import Command, EraseText, LeaveSeat, OpenDispute, RuleDispute, TakeSeat
from domain.table.decide import ARBITER, act, awaited, correction, follow
from domain.table.disputes import anew, reversals
from domain.table.events import (
    ABOUT_THE_RECORD,
    CardsDealt,
    DealScored,
    DisputeOpened,
    DisputeRuled,
    GameFinished,
    GameStarted,
    LedgerCorrected,
    Reason,
    SeatLeft,
    SeatTaken,
    TableClosed,
    TableEvent,
    TableOpened,
    TableSecret,
    TextErased,
)
from domain.table.state import evolve, opened

_UUID7 = re.compile("[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
_FORMS = {
    "table": _UUID7,
    "action": _UUID7,
    "at": re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z"),
}

MOST_DIFFERENCES = 10
"""How many differing places a failed check shows."""


class Finding(Struct, frozen=True, gc=False):
    """One thing that was checked about one event. `recorded` and `computed` tell what differs."""

    name: str
    event: int
    passed: bool
    rule: str | None = None
    recorded: Any = None
    computed: Any = None
    text: str | None = None
    last: bool = False
    """Nothing after this event could be checked for it."""


class Unchecked(Struct, frozen=True):
    """What cannot be checked yet, or not by this audience, of these events; and why."""

    events: tuple[int, ...]
    text: str


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

    verdict: Literal["intact", "altered"]
    checks: tuple[Check, ...]
    unchecked: tuple[Unchecked, ...] = ()


TEXTS: Mapping[str, str] = {
    "chain": "Each event's hash covers the event and the hash before it.",
    "envelope": "Each event names the table, the game, the deal, the actor and the action that it belongs to.",
    "payload": "Each event says what its type says, all of it and nothing else, in canonical form.",
    "seals": "Each opened section is the one that was committed to.",
    "openings": "What may be open by now is open, and nothing else.",
    "rules": "The rules in force are those that the table pinned when it was opened.",
    "seating": "Players took and left seats as they may.",
    "first-dealer": "The first dealer was drawn from the first seed.",
    "dealer": "The deal went to the player whose turn it was.",
    "seed": "The deal's seed hashes to the seed before it, and so to the commitment made before anyone sat down.",
    "pack": "The pack drawn again from seed and entropies is the pack that was dealt, to those it was dealt to.",
    "commitments": "Each card of the pack opens its commitment.",
    "antes": "What is booked when the cards are dealt follows from the rules.",
    "legality": "Every act was open to the player who took it, under the rules in force.",
    "acts": "Every event was recorded as the act, or what went before, makes it.",
    "draws": "Every card drawn was the next of the pile it was drawn from.",
    "turn-up": "What had to be turned, laid open or forced was.",
    "tricks": "Every trick went to the player whose card takes it.",
    "stopping-point": "Play stopped when the result was settled, not earlier and not later.",
    "outcome": "The outcome follows from the tricks.",
    "ledger": "Every line was booked as the rules say, and lines sum to zero.",
    "totals": "Totals are the sums of the lines booked.",
    "disputes": "Lines were disputed, and disputes ruled on, as they may be.",
    "corrections": "Every correction takes back what was disputed, sums to zero, and totals and winners follow it.",
    "erasures": "No words but those for everyone were erased, and each only once.",
    "finish": "The game ended after its last deal, and the highest total won.",
}
"""What each check says where it passed, in the order in which checks are told."""


def audit(reader: Reader, records: Sequence[Recorded], deal: int | None = None, audience: Audience = HOUSE) -> Audit:
    """The audit of a whole record, or of one deal in it with all that the deal rests on. It raises nothing.

    `records` are the table's from its first event on, with every section open that the audience may open by now.
    """
    versions = [record.version for record in records if deal is not None and record.deal == deal]
    last = max(versions, default=None)
    concerned = {
        record.version for record in records if record.deal in (deal, None) and (last is None or record.version <= last)
    }
    found: list[Finding] = []
    unchecked: list[Unchecked] = []
    for one in examined(reader, records, audience):
        if isinstance(one, Unchecked):
            if deal is None or not concerned.isdisjoint(one.events):
                unchecked.append(one)
        elif deal is None or one.event in concerned or (one.last and (last is None or one.event <= last)):
            found.append(one)
    intact = all(finding.passed for finding in found)
    return Audit("intact" if intact else "altered", tuple(_summed_up(found)), tuple(unchecked))


def examined(reader: Reader, records: Sequence[Recorded], audience: Audience = HOUSE) -> Iterator[Finding | Unchecked]:
    """All that can be found about a record. It raises nothing."""
    yield from chain(records)
    yield from envelopes(records)
    yield from seals(records)
    yield from openings(records, audience)
    yield from rederived(reader, records)


def chain(records: Iterable[Recorded]) -> Iterator[Finding]:
    """Versions run from 1 without a gap, and every event carries the hash that it must."""
    previous = GENESIS
    due = 1
    for record in records:
        if record.version != due:
            yield Finding("chain", due, False, None, record.version, due, "another version stands in its place")
        computed = rehash(record, previous)
        yield Finding("chain", record.version, computed == record.hash, None, record.hash.hex(), computed.hex(), "hash")
        previous = record.hash
        # After a gap the count goes on from there; after a version out of order, as if it had been right.
        due = max(due, record.version) + 1


def envelopes(records: Sequence[Recorded]) -> Iterator[Finding]:
    """Table and game are the same throughout, positions rise, times and actions have their form."""
    before: Recorded | None = None
    for record in records:
        for name, form in _FORMS.items():
            recorded = getattr(record, name)
            if recorded is not None and form.fullmatch(recorded) is None:
                yield Finding("envelope", record.version, False, None, recorded, None, f"the form of {name}")
        before = before or record
        for name in ("table", "game"):
            recorded, computed = getattr(record, name), getattr(records[0], name)
            if recorded != computed:
                yield Finding("envelope", record.version, False, None, recorded, computed, name)
        if before is not record and record.position <= before.position and record.position:
            text = "the position does not come after the one before"
            yield Finding("envelope", record.version, False, None, record.position, before.position, text)
        before = record


def seals(records: Iterable[Recorded]) -> Iterator[Finding]:
    """Every section that stands open is the one that the envelope commits to."""
    for record in records:
        if record.sealed == b"{}":
            continue
        try:
            promised = _promised(record)
            for audience, section in sections(record.sealed).items():
                computed = commitment(bytes.fromhex(section.salt), bytes(section.data))
                recorded = promised.get(audience)
                passed = recorded == computed and section.salt == section.salt.lower()
                yield Finding("seals", record.version, passed, None, recorded, computed, audience)
        except Exception as error:  # whatever is wrong with a section, it is found, not raised
            yield _broken("seals", record.version, error)


def openings(records: Sequence[Recorded], audience: Audience) -> Iterator[Finding]:
    """Every section that the audience may open by now is open, unless its words were erased; and no other."""
    over: set[int | None] = {record.deal for record in records if record.type == DealScored.TYPE}
    if any(record.type in (GameFinished.TYPE, TableClosed.TYPE) for record in records):
        over.add(None)
    erased = _erased(records)
    for record in records:
        if record.seals == b"{}" and record.sealed == b"{}":
            continue
        try:
            promised = set(_promised(record))
            if audience != HOUSE and record.deal not in over:
                promised = {section for section in promised if may_open(audience, section)}
            promised = {section for section in promised if (record.version, section) not in erased}
            there = set(sections(record.sealed))
            missing = promised - there
        except Exception as error:  # as above
            yield _broken("openings", record.version, error)
            continue
        for text, differing in (("missing", missing), ("not to be open", there - promised)):
            if differing:
                what = f"{', '.join(sorted(differing))}: {text}"
                yield Finding("openings", record.version, False, None, sorted(there), sorted(promised), what)
        if not missing and there <= promised:
            yield Finding("openings", record.version, True)


def _promised(record: Recorded) -> dict[str, str]:
    return msgspec.json.decode(record.seals, type=dict[str, str])


def _erased(records: Iterable[Recorded]) -> set[tuple[int, str]]:
    """The sections whose words were erased, as later events tell. Only free text can be."""
    found: set[tuple[int, str]] = set()
    for record in records:
        if record.type == TextErased.TYPE:
            try:
                erasure = msgspec.json.decode(record.public, type=TextErased)
            except msgspec.DecodeError:
                continue  # it is found where the event is read
            if erasure.audience == PUBLIC and erasure.version < record.version:
                found.add((erasure.version, erasure.audience))
    return found


def _broken(name: str, version: int, error: Exception) -> Finding:
    return Finding(name, version, False, text=f"this cannot be read ({type(error).__name__}: {error})")


def rederived(reader: Reader, records: Sequence[Recorded]) -> Iterator[Finding | Unchecked]:
    """Derives every event again as far as the seeds are known; what is hidden beyond is only followed.

    Raises nothing for what a tampered record holds: what cannot be followed further is a finding, and ends it.
    """
    if not records:
        return
    version = records[0].version
    try:
        derivation = _Derivation(reader, records)
        yield from derivation.begun()
        for record in records[1:] if derivation.follows else ():
            version = record.version
            yield from derivation.after(record)
        version = records[-1].version
        yield from derivation.ended()
    except Exception as error:  # whatever a tampered event breaks, it is found, not raised
        text = f"the record cannot be followed from here ({type(error).__name__}: {error})"
        yield Finding("acts", version, False, text=text, last=True)


class _Derivation:
    """A table derived event by event, beside its record."""

    def __init__(self, reader: Reader, records: Sequence[Recorded]) -> None:
        self._reader = reader
        self._records = records
        self._first = reader.read(records[0])
        self._erased = _erased(records)
        self._acted: set[str] = set()
        self._before = records[0]
        self._hidden: dict[int | None, list[int]] = {}
        """The events of running deals, whose cards are not known."""
        self._commitments: tuple[str, ...] = ()
        """Those to the cards of the deal that is on."""
        self.follows = False

    def begun(self) -> Iterator[Finding]:
        """What there is to say of the table's opening. Where that is not to be followed, `follows` stays false."""
        public, record = self._first.public, self._records[0]
        if not isinstance(public, TableOpened):
            yield Finding("acts", record.version, False, None, record.type, TableOpened.TYPE, "the type", last=True)
            return
        try:
            game = self._reader.game(record.game, public.rules_version)
        except UnknownEvent as error:
            recorded = {"rules_version": public.rules_version, "rules_digest": public.rules_digest}
            yield Finding("rules", record.version, False, None, recorded, None, str(error), last=True)
            return
        digest = game.rulebook.digest()
        pinned = _same("rules", self._first, "rules_digest", public.rules_digest, digest)
        yield msgspec.structs.replace(pinned, last=not pinned.passed)
        if not pinned.passed:
            return
        yield _same("rules", self._first, "game", public.game, record.game)
        yield _same("envelope", self._first, "actor and deal", (record.actor, record.deal), (HOUSE, None))
        table = opened(game, record.table, cast("Event[TableOpened]", self._first))
        try:
            game.check_deals(public.deals, table.options)
        except Rejected as rejected:
            yield Finding("rules", record.version, False, rejected.rule, public.deals, None, rejected.detail, last=True)
            return
        secret = table.seeds
        if secret is not None:
            yield _same("seed", self._first, "seed_commitment", public.seed_commitment, secret.at(0).hex())
            kept = cast("TableSecret", self._first.sealed[HOUSE]).seed
            yield _same("seed", self._first, "the last seed", kept, secret.seed.hex())
        else:
            table = msgspec.structs.replace(table, seeds=_known_seeds(self._reader, self._records, public.deals))
        self._seed = public.seed_commitment
        self._game, self._table = game, table
        self.follows = True
        yield _written(record, self._first)

    def after(self, record: Recorded) -> Iterator[Finding]:
        """What there is to say of the next event."""
        event = self._reader.read(record)
        if isinstance(event.public, DealScored):
            computed = seed_before(bytes.fromhex(event.public.seed)).hex()
            yield Finding("seed", event.version, computed == self._seed, None, self._seed, computed, "the seed before")
            self._seed = event.public.seed
        if isinstance(event.public, CardsDealt):
            self._commitments = event.public.card_commitments
        due = None if self._blind(event) else follow(self._game, self._table)
        if awaited(self._table) is not None and not isinstance(event.public, LedgerCorrected):
            yield Finding(
                "corrections", event.version, False, None, event.public.TYPE, LedgerCorrected.TYPE, "the type"
            )
        yield _written(record, event)
        yield from self._belongs(record, event, due)
        if due is not None:
            yield from self._due(event, due)
        elif isinstance(event.public, TableEvent):
            yield from self._table_act(record, event, event.public)
        elif not self._blind(event):
            yield from self._game_act(event)
        else:
            self._hidden.setdefault(event.deal, []).append(event.version)
            yield from self._opened_cards(record)
        self._table = evolve(self._game, self._table, event)
        self._before = record

    def ended(self) -> Iterator[Finding | Unchecked]:
        """What there is to say when the record is at its end."""
        if not self.follows:
            return
        for deal, versions in self._hidden.items():
            if deal is None:
                text = "No deal is over yet: the seed that the first dealer was drawn from is not known."
            else:
                text = (
                    f"Deal {deal} is not over: its cards are hidden, so that its pack, the legality of its acts and "
                    "its draws cannot be checked yet."
                )
            yield Unchecked(tuple(versions), text)
        if awaited(self._table) is not None:
            text = "the correction that had to follow is missing"
            yield Finding("corrections", self._table.version, False, None, None, LedgerCorrected.TYPE, text, last=True)
        if not self._hidden and self._table.seeds is not None:
            due = follow(self._game, self._table)
            if due is not None:
                text = "what had to follow is missing"
                yield Finding("acts", self._table.version, False, None, None, due.public.TYPE, text, last=True)

    def _blind(self, event: Event[Payload]) -> bool:
        """Whether the event hangs on cards that are not known."""
        seeds = self._table.seeds
        if seeds is None:
            return True
        deal = self._deal(event)
        return deal is not None and deal > seeds.deal

    def _deal(self, event: Event[Payload]) -> int | None:
        """The deal that an event belongs to when it happens now: null outside deals."""
        if isinstance(event.public, CardsDealt):
            return (self._table.deal or 0) + 1
        if isinstance(event.public, ABOUT_THE_RECORD):
            return None
        return None if self._table.between_deals or self._table.status != "playing" else self._table.deal

    def _belongs(self, record: Recorded, event: Event[Payload], due: Event[Payload] | None) -> Iterator[Finding]:
        """Whether the envelope says where the event belongs."""
        yield _same("envelope", event, "deal", event.deal, self._deal(event))
        recorded = (record.actor, record.action, record.at)
        if due is not None:
            yield _same("envelope", event, "actor, action and time", recorded, (due.actor, *self._action()))
        elif isinstance(event.public, LedgerCorrected):
            yield _same("envelope", event, "actor, action and time", recorded, (self._before.actor, *self._action()))
        elif record.action is not None and record.actor != HOUSE:
            if record.action in self._acted or record.action == self._before.action:
                text = "an action of its own"
                yield Finding("envelope", event.version, False, None, record.action, None, text)
            self._acted.add(record.action)

    def _action(self) -> tuple[str | None, str]:
        return self._before.action, self._before.at

    def _rule(self, name: str, event: Event[Payload]) -> str | None:
        """The rule that a check rests on."""
        basis = self._game.basis
        return basis.get(event.public.TYPE) or basis.get(name)

    def _due(self, event: Event[Payload], due: Event[Payload]) -> Iterator[Finding]:
        """What had to follow by itself, and what is recorded."""
        recorded, computed = event.public, due.public
        if type(recorded) is not type(computed):
            name = "acts"
            if isinstance(computed, DealScored) or isinstance(recorded, DealScored):
                name = "stopping-point"
            yield Finding(
                name, event.version, False, self._rule(name, due), recorded.TYPE, computed.TYPE, "the type", last=True
            )
            return
        match recorded, computed:
            case CardsDealt(), CardsDealt():
                rule = self._rule("dealer", event)
                yield _same(
                    "dealer", event, "dealer", (recorded.deal, recorded.dealer), (computed.deal, computed.dealer), rule
                )
                yield _same(
                    "commitments", event, "card_commitments", recorded.card_commitments, computed.card_commitments
                )
                yield _same("antes", event, "lines", recorded.lines, computed.lines, self._rule("antes", event))
                yield _same("pack", event, "sealed", event.sealed, due.sealed, self._rule("pack", event))
            case DealScored(), DealScored():
                rule = computed.lines[0].rule if computed.lines else None
                yield Finding("stopping-point", event.version, True, self._rule("stopping-point", event))
                yield _same(
                    "outcome",
                    event,
                    "outcome",
                    (recorded.deal, recorded.outcome),
                    (computed.deal, computed.outcome),
                    rule,
                )
                yield from _lines(event, recorded, computed)
                yield _same("totals", event, "totals", recorded.totals, computed.totals, self._rule("totals", event))
                yield _same("seed", event, "seed", recorded.seed, computed.seed)
            case _:
                name = _NAMES.get(recorded.TYPE, "acts")
                yield _same(name, event, "public", recorded, computed, self._rule(name, event))
                yield _same(name, event, "sealed", event.sealed, due.sealed, self._rule(name, event))

    def _table_act(self, record: Recorded, event: Event[Payload], public: TableEvent) -> Iterator[Finding]:
        table = self._table
        command: Command
        name = "seating"
        match public:
            case SeatTaken():
                entropy = None if public.entropy is None else bytes.fromhex(public.entropy)
                command = TakeSeat(public.player, public.seat, entropy)
            case SeatLeft():
                command = LeaveSeat(table.players[public.seat] or "")
            case TableClosed():
                seat = HOUSE if public.seat is None else seat_audience(public.seat)
                yield _same("seating", event, "status and actor", (table.status, event.actor), ("open", seat))
                return
            case DisputeOpened():
                reason = event.section(PUBLIC, Reason)
                player = table.players[public.seat] or ""
                yield from self._disputed(
                    event, OpenDispute(player, public.lines, None, reason.reason if reason else "")
                )
                return
            case DisputeRuled():
                arbiter = event.actor.removeprefix(f"{ARBITER}:")
                yield from self._disputed(event, RuleDispute(arbiter, public.dispute, public.ruling, ""))
                return
            case LedgerCorrected():
                yield from self._correction(event, public)
                return
            case TextErased():
                command, name = EraseText(public.version, public.audience), "erasures"
            case GameStarted() | CardsDealt() if self._blind(event):
                self._hidden.setdefault(event.deal, []).append(event.version)
                yield from self._opened_cards(record)
                return
            case DealScored():
                text = "play was not settled"
                rule = self._rule("stopping-point", event)
                yield Finding("stopping-point", event.version, False, rule, public.outcome, None, text, last=True)
                return
            case _:
                text = "nothing made this event follow"
                yield Finding("acts", event.version, False, None, public.TYPE, None, text, last=True)
                return
        try:
            computed = act(self._game, table, command)
        except Rejected as rejected:
            yield Finding(name, event.version, False, rejected.rule, public.TYPE, None, rejected.detail)
            return
        rule = self._rule(name, event)
        yield _same(name, event, "public", (event.actor, public), (computed.actor, computed.public), rule)

    def _disputed(self, event: Event[Payload], command: Command) -> Iterator[Finding]:
        """Whether lines could be disputed, or a dispute ruled on, as they were."""
        try:
            computed = act(self._game, self._table, command)
        except Rejected as rejected:
            yield Finding("disputes", event.version, False, rejected.rule, event.public.TYPE, None, rejected.detail)
            return
        recorded = (event.actor, event.public)
        yield _same("disputes", event, "public", recorded, (computed.actor, computed.public))

    def _correction(self, event: Event[Payload], public: LedgerCorrected) -> Iterator[Finding]:
        """Whether what was disputed was taken back, and totals and winners follow."""
        dispute = awaited(self._table)
        if dispute is None or dispute.dispute != public.dispute:
            text = "no ruling made this correction"
            yield Finding("corrections", event.version, False, None, public.dispute, None, text, last=True)
            return
        taken_back = 2 * len(reversals(self._table.booked, dispute.lines))
        computed = correction(self._table, dispute, anew(public.lines[taken_back:]), self._before.actor)
        recorded = (event.actor, public)
        yield _same("corrections", event, "public", recorded, (computed.actor, computed.public))

    def _game_act(self, event: Event[Payload]) -> Iterator[Finding]:
        game, table = self._game, self._table
        seat = next((seat for seat in range(len(table.players)) if seat_audience(seat) == event.actor), None)
        if event.public.SECTIONS.keys() == {PUBLIC} and (event.version, PUBLIC) in self._erased and not event.sealed:
            # The words are gone, and with them what the rules asked of them; that they were spoken stays.
            yield _same("acts", event, "actor", event.actor, seat_audience(getattr(event.public, "seat", -1)))
            return
        action = game.asked(event)
        if action is None or seat is None or table.play is None:
            text = "nothing made this event follow"
            yield Finding("acts", event.version, False, None, event.public.TYPE, None, text, last=True)
            return
        try:
            check(game, table.play, seat, action)
        except Rejected as rejected:
            asked = msgspec.to_builtins(action)
            yield Finding("legality", event.version, False, rejected.rule, asked, None, rejected.detail)
            return
        yield Finding("legality", event.version, True, action.RULE)
        computed = game.decide(table.play, seat, action)
        yield _same("acts", event, "public", event.public, computed.public, action.RULE)
        if event.sealed or computed.sealed:
            yield _same("draws", event, "sealed", event.sealed, computed.sealed, action.RULE)

    def _opened_cards(self, record: Recorded) -> Iterator[Finding]:
        """Cards that are opened while their deal is on, held against the commitments to them."""
        told = [msgspec.Raw(record.public), *(section.data for section in sections(record.sealed).values())]
        for part in told:
            for opening in _openings_in(msgspec.json.decode(part)):
                computed = card_commitment(bytes.fromhex(opening["salt"]), opening["card"])
                place = opening["position"]
                recorded = self._commitments[place] if 0 <= place < len(self._commitments) else None
                text = f"card {opening['card']} at place {place}"
                yield Finding("commitments", record.version, recorded == computed, None, recorded, computed, text)


_NAMES = {
    "game-started": "first-dealer",
    "game-finished": "finish",
    "trick-won": "tricks",
    "talon-turned": "turn-up",
    "hand-exposed": "turn-up",
    "casco-forced": "turn-up",
    "all-tricks-undertaken": "turn-up",
    "deal-washed-out": "turn-up",
    "deal-passed-out": "turn-up",
    "queen-shown": "turn-up",
    "partner-shown": "turn-up",
}
"""The checks of what follows by itself, by the type of event."""


def _written(record: Recorded, event: Event[Payload]) -> Finding:
    """Whether the event, written again, is what stands there: with no member too many, none missing, no other form."""
    public = canonical(event.public)
    if public != record.public:
        return Finding("payload", record.version, False, None, _text(record.public), _text(public), "public")
    if record.sealed != b"{}":
        for audience, section in sections(record.sealed).items():
            data = canonical(event.sealed[audience])
            if data != bytes(section.data):
                return Finding(
                    "payload", record.version, False, None, _text(section.data), _text(data), f"sealed for {audience}"
                )
    return Finding("payload", record.version, True)


def _text(payload: bytes | msgspec.Raw) -> str:
    return bytes(payload).decode(errors="replace")


def _known_seeds(reader: Reader, records: Sequence[Recorded], deals: int) -> SeedChain | None:
    """The seeds that the record itself reveals: that of the last deal over."""
    for record in reversed(records):
        if record.type == DealScored.TYPE:
            scored = cast("DealScored", reader.read(record).public)
            if not 1 <= scored.deal <= deals:
                raise ValueError(f"there is no deal {scored.deal}")
            return SeedChain(scored.deal, bytes.fromhex(scored.seed))
    return None


def _openings_in(value: object) -> Iterator[dict[str, Any]]:
    """The openings of cards anywhere in a payload."""
    if isinstance(value, dict):
        if value.keys() == {"card", "position", "salt"}:
            yield value
        else:
            for inner in value.values():
                yield from _openings_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _openings_in(inner)


def _lines(event: Event[Any], recorded: DealScored, computed: DealScored) -> Iterator[Finding]:
    """Each ledger line under its own rule, and that there are no more of them."""
    pairs = zip(recorded.lines, computed.lines, strict=False)
    for place, (booked, due) in enumerate(pairs):
        yield _same("ledger", event, f"lines[{place}]", booked, due, due.rule)
    yield _same("ledger", event, "the number of lines", len(recorded.lines), len(computed.lines))


def _same(
    name: str, event: Event[Any], what: str, recorded: object, computed: object, rule: str | None = None
) -> Finding:
    if recorded == computed:
        return Finding(name, event.version, True, rule)
    places = dict(_differences("", msgspec.to_builtins(recorded), msgspec.to_builtins(computed)))
    shown = list(places.items())[:MOST_DIFFERENCES]
    if list(places) == [""]:
        ((_, (one, other)),) = shown
    else:
        one = {place.lstrip("."): pair[0] for place, pair in shown}
        other = {place.lstrip("."): pair[1] for place, pair in shown}
    return Finding(name, event.version, False, rule, one, other, what)


def _differences(place: str, recorded: Any, computed: Any) -> Iterator[tuple[str, tuple[Any, Any]]]:
    """The innermost places at which two values differ."""
    if isinstance(recorded, dict) and isinstance(computed, dict):
        for key in sorted(recorded.keys() | computed.keys()):
            if recorded.get(key) != computed.get(key) or (key in recorded) != (key in computed):
                yield from _differences(f"{place}.{key}", recorded.get(key), computed.get(key))
    elif isinstance(recorded, list | tuple) and isinstance(computed, list | tuple) and len(recorded) == len(computed):
        for index, (one, other) in enumerate(zip(recorded, computed, strict=True)):
            if one != other:
                yield from _differences(f"{place}[{index}]", one, other)
    elif recorded != computed:
        yield place, (recorded, computed)


def _summed_up(findings: Sequence[Finding]) -> Iterator[Check]:
    """One check a kind and rule that passed, and one for each finding that did not."""
    kinds: dict[str, list[Finding]] = {name: [] for name in TEXTS}
    for finding in findings:
        kinds[finding.name].append(finding)
    for name, own in kinds.items():
        passed: dict[str | None, set[int]] = {}
        for finding in own:
            if finding.passed:
                passed.setdefault(finding.rule, set()).add(finding.event)
            else:
                yield _failed(finding)
        for rule, events in passed.items():
            yield Check(name, True, rule, tuple(sorted(events)), None, None, TEXTS[name])


def _failed(finding: Finding) -> Check:
    what = f" ({finding.text})" if finding.text else ""
    text = f"{TEXTS[finding.name]} Not so at event {finding.event}{what}."
    return Check(finding.name, False, finding.rule, (finding.event,), finding.recorded, finding.computed, text)
