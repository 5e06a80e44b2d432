"""Rederiving a record: each event computed from those before it, and compared with the recorded one."""

from collections.abc import Iterator, Sequence
from typing import Any, cast

import msgspec

from domain.audit.findings import FailedCheck, Findings, Unchecked
from domain.audit.seals import erased_sections
from domain.fair.deck import card_commitment
from domain.fair.seeds import SeedChain, seed_before
from domain.kernel.canonical import canonical
from domain.kernel.event import Event, Payload
from domain.kernel.game import check
from domain.kernel.rejection import Rejected
from domain.record.catalogue import UnknownEvent
from domain.record.history import Reader
from domain.record.recorded import Recorded, sections
from domain.seats import HOUSE, PUBLIC, seat_audience
from domain.table.actions import Command, EraseText, LeaveSeat, OpenDispute, RuleDispute, TakeSeat
from domain.table.decide import ARBITER, act, awaited, correction, next_automatic
from domain.table.disputes import anew, reversals
from domain.table.events import (
    CardsDealt,
    DealScored,
    DisputeOpened,
    DisputeRuled,
    GameStarted,
    LedgerCorrected,
    Reason,
    SeatLeft,
    SeatTaken,
    TableClosed,
    TableEvent,
    TableOpened,
    TablePayload,
    TableSecret,
    TextErased,
)
from domain.table.state import deal_of, evolve, opened


def rederived(reader: Reader, records: Sequence[Recorded], found: Findings) -> None:
    """Derives every event again as far as the seeds are known; what is hidden beyond is only followed.

    Raises nothing for what a tampered record holds: what cannot be followed further is a failure, and ends it.
    """
    if not records:
        return
    version = records[0].version
    try:
        derivation = _Derivation(reader, records, found)
        derivation.begun()
        for record in records[1:] if derivation.follows else ():
            version = record.version
            derivation.after(record)
        version = records[-1].version
        derivation.ended()
    except Exception as error:  # whatever a tampered event breaks, it is found, not raised
        text = f"the record cannot be followed from here ({type(error).__name__}: {error})"
        found.failed(FailedCheck("acts", version, text=text, last=True))


class _Derivation:
    """A table derived event by event, beside its record."""

    def __init__(self, reader: Reader, records: Sequence[Recorded], found: Findings) -> None:
        self._reader = reader
        self._records = records
        self._found = found
        self._first = reader.read(records[0])
        self._erased = erased_sections(records)
        self._acted: set[str] = set()
        self._before = records[0]
        self._hidden: dict[int | None, list[int]] = {}
        """The events of running deals, whose cards are not known."""
        self._commitments: tuple[str, ...] = ()
        """Those to the cards of the deal that is on."""
        self.follows = False

    def begun(self) -> None:
        """Checks the table's opening. Where that is not to be followed, `follows` stays false."""
        public, record, found = self._first.public, self._records[0], self._found
        version = record.version
        if not isinstance(public, TableOpened):
            found.failed(FailedCheck("acts", version, record.type, TableOpened.TYPE, "the type", last=True))
            return
        try:
            game = self._reader.game(record.game, public.rules_version)
        except UnknownEvent as error:
            recorded = {"rules_version": public.rules_version, "rules_digest": public.rules_digest}
            found.failed(FailedCheck("rules", version, recorded, None, str(error), last=True))
            return
        digest = self._reader.digest(game)
        if public.rules_digest != digest:
            found.failed(FailedCheck("rules", version, public.rules_digest, digest, "rules_digest", last=True))
            return
        found.passed("rules", version)
        found.same("rules", version, "game", public.game, record.game)
        found.same("envelope", version, "actor and deal", (record.actor, record.deal), (HOUSE, None))
        table = opened(game, record.table, cast("Event[TableOpened]", self._first))
        try:
            game.check_deals(public.deals, table.options)
        except Rejected as rejected:
            found.failed(FailedCheck("rules", version, public.deals, None, rejected.detail, rejected.rule, last=True))
            return
        secret = table.seeds
        if secret is not None:
            found.same("seed", version, "seed_commitment", public.seed_commitment, secret.at(0).hex())
            kept = cast("TableSecret", self._first.sealed[HOUSE]).seed
            found.same("seed", version, "the last seed", kept, secret.seed.hex())
        else:
            table = msgspec.structs.replace(table, seeds=_known_seeds(self._reader, self._records, public.deals))
        self._seed = public.seed_commitment
        self._game, self._table = game, table
        self._seats = {seat_audience(seat): seat for seat in range(len(table.players))}
        self.follows = True
        self._written(record, self._first)

    def after(self, record: Recorded) -> None:
        """Checks the next event, and follows it."""
        event = self._reader.read(record)
        public = event.public
        if isinstance(public, DealScored):
            self._seeded(event.version, public)
        if isinstance(public, CardsDealt):
            self._commitments = public.card_commitments
        deal = deal_of(self._table, public)
        blind = self._blind(deal)
        due = None if blind else next_automatic(self._game, self._table)
        if self._table.disputes and not isinstance(public, LedgerCorrected) and awaited(self._table) is not None:
            self._found.failed(FailedCheck("corrections", event.version, public.TYPE, LedgerCorrected.TYPE, "the type"))
        self._written(record, event)
        self._belongs(record, event, deal, due)
        if due is not None:
            self._due(event, due)
        elif isinstance(public, TablePayload):
            self._table_act(record, event, cast("TableEvent", public), blind=blind)
        elif not blind:
            self._game_act(event)
        else:
            self._unseen(record)
        self._table = evolve(self._game, self._table, event)
        self._before = record

    def ended(self) -> None:
        """Checks that nothing is missing at the record's end."""
        if not self.follows:
            return
        found, table = self._found, self._table
        for deal, versions in self._hidden.items():
            if deal is None:
                text = "No deal is over yet: the seed that the first dealer was drawn from is not known."
            else:
                text = (
                    f"Deal {deal} is not over: its cards are hidden, so that its pack, the legality of its acts and "
                    "its draws cannot be checked yet."
                )
            found.open(Unchecked(tuple(versions), text))
        if awaited(table) is not None:
            text = "the correction that had to follow is missing"
            found.failed(FailedCheck("corrections", table.version, None, LedgerCorrected.TYPE, text, last=True))
        if not self._hidden and table.seeds is not None:
            due = next_automatic(self._game, table)
            if due is not None:
                text = "what had to follow is missing"
                found.failed(FailedCheck("acts", table.version, None, due.public.TYPE, text, last=True))

    def _blind(self, deal: int | None) -> bool:
        """Whether an event of this deal hangs on cards that are not known."""
        seeds = self._table.seeds
        return seeds is None or (deal is not None and deal > seeds.deal)

    def _seeded(self, version: int, public: DealScored) -> None:
        """Whether the deal's seed leads to the one before."""
        computed = seed_before(bytes.fromhex(public.seed)).hex()
        self._found.same("seed", version, "the seed before", self._seed, computed)
        self._seed = public.seed

    def _written(self, record: Recorded, event: Event[Payload]) -> None:
        """Whether the event, written again, is what stands there: no member too many, none missing, no other form."""
        public = canonical(event.public)
        if public != record.public:
            self._unlike(record, record.public, public, "public")
            return
        if record.sealed != b"{}":
            for audience, section in sections(record.sealed).items():
                data = canonical(event.sealed[audience])
                if data != bytes(section.data):
                    self._unlike(record, section.data, data, f"sealed for {audience}")
                    return
        self._found.passed("payload", record.version)

    def _unlike(self, record: Recorded, recorded: bytes | msgspec.Raw, computed: bytes, what: str) -> None:
        self._found.failed(FailedCheck("payload", record.version, _text(recorded), _text(computed), what))

    def _belongs(self, record: Recorded, event: Event[Payload], deal: int | None, due: Event[Payload] | None) -> None:
        """Whether the envelope says where the event belongs."""
        found, version, before = self._found, event.version, self._before
        found.same("envelope", version, "deal", event.deal, deal)
        if due is not None or isinstance(event.public, LedgerCorrected):
            recorded = (record.actor, record.action, record.at)
            computed = (before.actor if due is None else due.actor, before.action, before.at)
            found.same("envelope", version, "actor, action and time", recorded, computed)
        elif record.action is not None and record.actor != HOUSE:
            if record.action in self._acted or record.action == before.action:
                found.failed(FailedCheck("envelope", version, record.action, None, "an action of its own"))
            self._acted.add(record.action)

    def _rule(self, name: str, event: Event[Payload]) -> str | None:
        """The rule that a check rests on."""
        basis = self._game.basis
        return basis.get(event.public.TYPE) or basis.get(name)

    def _due(self, event: Event[Payload], due: Event[Payload]) -> None:
        """What had to follow by itself, and what is recorded."""
        same, version = self._found.same, event.version
        recorded, computed = event.public, due.public
        if type(recorded) is not type(computed):
            name = "acts"
            if isinstance(computed, DealScored) or isinstance(recorded, DealScored):
                name = "stopping-point"
            rule = self._rule(name, due)
            self._found.failed(FailedCheck(name, version, recorded.TYPE, computed.TYPE, "the type", rule, last=True))
            return
        match recorded, computed:
            case CardsDealt(), CardsDealt():
                dealers = (recorded.deal, recorded.dealer), (computed.deal, computed.dealer)
                same("dealer", version, "dealer", *dealers, self._rule("dealer", event))
                same("commitments", version, "card_commitments", recorded.card_commitments, computed.card_commitments)
                same("antes", version, "lines", recorded.lines, computed.lines, self._rule("antes", event))
                same("pack", version, "sealed", event.sealed, due.sealed, self._rule("pack", event))
            case DealScored(), DealScored():
                rule = computed.lines[0].rule if computed.lines else None
                self._found.passed("stopping-point", version, self._rule("stopping-point", event))
                outcomes = (recorded.deal, recorded.outcome), (computed.deal, computed.outcome)
                same("outcome", version, "outcome", *outcomes, rule)
                self._lines(version, recorded, computed)
                same("totals", version, "totals", recorded.totals, computed.totals, self._rule("totals", event))
                same("seed", version, "seed", recorded.seed, computed.seed)
            case _:
                name = _NAMES.get(recorded.TYPE, "acts" if isinstance(recorded, TablePayload) else "turn-up")
                rule = self._rule(name, event)
                same(name, version, "public", recorded, computed, rule)
                same(name, version, "sealed", event.sealed, due.sealed, rule)

    def _lines(self, version: int, recorded: DealScored, computed: DealScored) -> None:
        """Each ledger line under its own rule, and that there are no more of them."""
        for place, (booked, due) in enumerate(zip(recorded.lines, computed.lines, strict=False)):
            self._found.same("ledger", version, f"lines[{place}]", booked, due, due.rule)
        self._found.same("ledger", version, "the number of lines", len(recorded.lines), len(computed.lines))

    def _table_act(self, record: Recorded, event: Event[Payload], public: TableEvent, *, blind: bool) -> None:
        found, version, table = self._found, event.version, self._table
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
                found.same("seating", version, "status and actor", (table.status, event.actor), ("open", seat))
                return
            case DisputeOpened():
                reason = event.section(PUBLIC, Reason)
                player = table.players[public.seat] or ""
                self._disputed(event, OpenDispute(player, public.lines, None, reason.reason if reason else ""))
                return
            case DisputeRuled():
                arbiter = event.actor.removeprefix(f"{ARBITER}:")
                self._disputed(event, RuleDispute(arbiter, public.dispute, public.ruling, ""))
                return
            case LedgerCorrected():
                self._correction(event, public)
                return
            case TextErased():
                command, name = EraseText(public.version, public.audience), "erasures"
            case GameStarted() | CardsDealt() if blind:
                self._unseen(record)
                return
            case DealScored():
                text, rule = "play was not settled", self._rule("stopping-point", event)
                found.failed(FailedCheck("stopping-point", version, public.outcome, None, text, rule, last=True))
                return
            case _:
                self._unfounded(event)
                return
        try:
            computed = act(self._game, table, command)
        except Rejected as rejected:
            found.failed(FailedCheck(name, version, public.TYPE, None, rejected.detail, rejected.rule))
            return
        rule = self._rule(name, event)
        found.same(name, version, "public", (event.actor, public), (computed.actor, computed.public), rule)

    def _unfounded(self, event: Event[Payload]) -> None:
        text = "nothing made this event follow"
        self._found.failed(FailedCheck("acts", event.version, event.public.TYPE, None, text, last=True))

    def _disputed(self, event: Event[Payload], command: Command) -> None:
        """Whether lines could be disputed, or a dispute ruled on, as they were."""
        try:
            computed = act(self._game, self._table, command)
        except Rejected as rejected:
            failure = FailedCheck("disputes", event.version, event.public.TYPE, None, rejected.detail, rejected.rule)
            self._found.failed(failure)
            return
        recorded = (event.actor, event.public)
        self._found.same("disputes", event.version, "public", recorded, (computed.actor, computed.public))

    def _correction(self, event: Event[Payload], public: LedgerCorrected) -> None:
        """Whether what was disputed was taken back, and totals and winners follow."""
        dispute = awaited(self._table)
        if dispute is None or dispute.dispute != public.dispute:
            text = "no ruling made this correction"
            self._found.failed(FailedCheck("corrections", event.version, public.dispute, None, text, last=True))
            return
        taken_back = 2 * len(reversals(self._table.booked, dispute.lines))
        computed = correction(self._table, dispute, anew(public.lines[taken_back:]), self._before.actor)
        recorded = (event.actor, public)
        self._found.same("corrections", event.version, "public", recorded, (computed.actor, computed.public))

    def _game_act(self, event: Event[Payload]) -> None:
        found, version = self._found, event.version
        game, table = self._game, self._table
        erased = self._erased and (version, PUBLIC) in self._erased
        if erased and event.public.SECTIONS.keys() == {PUBLIC} and not event.sealed:
            # The words are gone, and with them what the rules asked of them; that they were spoken stays.
            found.same("acts", version, "actor", event.actor, seat_audience(getattr(event.public, "seat", -1)))
            return
        action, seat = game.action_of(event), self._seats.get(event.actor)
        if action is None or seat is None or table.deal_state is None:
            self._unfounded(event)
            return
        try:
            check(game, table.deal_state, seat, action)
        except Rejected as rejected:
            asked = msgspec.to_builtins(action)
            found.failed(FailedCheck("legality", version, asked, None, rejected.detail, rejected.rule))
            return
        found.passed("legality", version, action.RULE)
        computed = game.decide(table.deal_state, seat, action)
        found.same("acts", version, "public", event.public, computed.public, action.RULE)
        if event.sealed or computed.sealed:
            found.same("draws", version, "sealed", event.sealed, computed.sealed, action.RULE)

    def _unseen(self, record: Recorded) -> None:
        """An event of a deal whose cards are not known, but for those opened: these are held against commitments."""
        self._hidden.setdefault(record.deal, []).append(record.version)
        told = [msgspec.Raw(record.public), *(section.data for section in sections(record.sealed).values())]
        for part in told:
            for opening in _openings_in(msgspec.json.decode(part)):
                computed = card_commitment(bytes.fromhex(opening["salt"]), opening["card"])
                place = opening["position"]
                recorded = self._commitments[place] if 0 <= place < len(self._commitments) else None
                text = f"card {opening['card']} at place {place}"
                self._found.same("commitments", record.version, text, recorded, computed)


_NAMES = {"game-started": "first-dealer", "game-finished": "finish", "trick-won": "tricks"}
"""The checks of what follows by itself, by the type of event; of what else follows in a game it is the turn-up's."""


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
