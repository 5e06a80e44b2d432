"""Rederivation: each event is computed from those before it and compared with the recorded one."""

from collections.abc import Iterator, Sequence
from typing import Any, cast

import msgspec

from domain.audit.findings import FailedCheck, Findings, Unchecked
from domain.audit.integrity import erased_sections
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
from domain.table.decide import ARBITER, act, correction, next_automatic, uncorrected_dispute
from domain.table.disputes import reversals, transfers_of
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


def rederive(reader: Reader, records: Sequence[Recorded], findings: Findings) -> None:
    """Derives every event of the deals whose seeds are known. Events of a deal that is hidden are only folded.

    Raises nothing, whatever a tampered record holds: an event that cannot be folded is a failed check and ends it.
    """
    if not records:
        return
    game, version = records[0].game, records[0].version
    if game not in reader.games:
        findings.failed(FailedCheck("rules", version, game, None, f"no game is called {game}", last=True))
        return
    try:
        derivation = _Derivation(reader, records, findings)
        derivation.check_opening()
        for record in records[1:] if derivation.follows else ():
            version = record.version
            derivation.check_next(record)
        version = records[-1].version
        derivation.check_end()
    except Exception as error:  # whatever a tampered event breaks is a failed check
        text = f"the record cannot be followed from here ({type(error).__name__}: {error})"
        findings.failed(FailedCheck("acts", version, text=text, last=True))


class _Derivation:
    """A table, derived event by event along its record."""

    def __init__(self, reader: Reader, records: Sequence[Recorded], findings: Findings) -> None:
        self._reader = reader
        self._records = records
        self._findings = findings
        self._first = reader.read(records[0])
        self._erased = erased_sections(records)
        self._acted: set[str] = set()
        self._before = records[0]
        self._hidden: dict[int | None, list[int]] = {}
        """By deal the versions of events whose cards are not known yet."""
        self._commitments: tuple[str, ...] = ()
        """The commitments to the cards of the current deal."""
        self.follows = False
        """Whether the table's rules are known, so that its events can be folded."""

    def check_opening(self) -> None:
        """Checks the table's first event. Where its rules are not known, `follows` stays false."""
        public, record, findings = self._first.public, self._records[0], self._findings
        version = record.version
        if not isinstance(public, TableOpened):
            findings.failed(FailedCheck("acts", version, record.type, TableOpened.TYPE, "the type", last=True))
            return
        try:
            game = self._reader.game(record.game, public.rules_version)
        except UnknownEvent as error:
            recorded = {"rules_version": public.rules_version, "rules_digest": public.rules_digest}
            findings.failed(FailedCheck("rules", version, recorded, None, str(error), last=True))
            return
        digest = self._reader.digest(game)
        if public.rules_digest != digest:
            findings.failed(FailedCheck("rules", version, public.rules_digest, digest, "rules_digest", last=True))
            return
        findings.passed("rules", version)
        findings.compare("rules", version, "game", public.game, record.game)
        findings.compare("envelope", version, "actor and deal", (record.actor, record.deal), (HOUSE, None))
        table = opened(game, record.table, cast("Event[TableOpened]", self._first))
        try:
            game.check_deals(public.deals, table.options)
        except Rejected as rejected:
            findings.failed(
                FailedCheck("rules", version, public.deals, None, rejected.detail, rejected.rule, last=True)
            )
            return
        secret = table.seeds
        if secret is not None:
            findings.compare("seed", version, "seed_commitment", public.seed_commitment, secret.at(0).hex())
            kept = cast("TableSecret", self._first.sealed[HOUSE]).seed
            findings.compare("seed", version, "the last seed", kept, secret.seed.hex())
        else:
            table = msgspec.structs.replace(table, seeds=_known_seeds(self._reader, self._records, public.deals))
        self._seed = public.seed_commitment
        self._game, self._table = game, table
        self._seats = {seat_audience(seat): seat for seat in range(len(table.players))}
        self.follows = True
        self._check_payload(record, self._first)

    def check_next(self, record: Recorded) -> None:
        """Checks the next event and folds it."""
        event = self._reader.read(record)
        public = event.public
        if isinstance(public, DealScored):
            self._check_seed(event.version, public)
        if isinstance(public, CardsDealt):
            self._commitments = public.card_commitments
        deal = deal_of(self._table, public)
        hidden = self._is_hidden(deal)
        due = None if hidden else next_automatic(self._game, self._table)
        if uncorrected_dispute(self._table) is not None and not isinstance(public, LedgerCorrected):
            self._findings.failed(
                FailedCheck("corrections", event.version, public.TYPE, LedgerCorrected.TYPE, "the type")
            )
        self._check_payload(record, event)
        self._check_envelope(record, event, deal, due)
        if due is not None:
            self._check_automatic(event, due)
        elif isinstance(public, TablePayload):
            self._check_table_event(record, event, cast("TableEvent", public), hidden=hidden)
        elif not hidden:
            self._check_game_event(event)
        else:
            self._check_hidden(record)
        self._table = evolve(self._game, self._table, event)
        self._before = record

    def check_end(self) -> None:
        """Checks that no automatic event is missing at the record's end, and adds what could not be checked."""
        if not self.follows:
            return
        findings, table = self._findings, self._table
        for deal, versions in self._hidden.items():
            if deal is None:
                text = "No deal is over yet: the seed that the first dealer was drawn from is not known."
            else:
                text = (
                    f"Deal {deal} is not over: its cards are hidden, so that its pack, the legality of its acts and "
                    "its draws cannot be checked yet."
                )
            findings.not_checked(Unchecked(tuple(versions), text))
        if uncorrected_dispute(table) is not None:
            text = "the correction that had to follow is missing"
            findings.failed(FailedCheck("corrections", table.version, None, LedgerCorrected.TYPE, text, last=True))
        if not self._hidden and table.seeds is not None:
            due = next_automatic(self._game, table)
            if due is not None:
                text = "what had to follow is missing"
                findings.failed(FailedCheck("acts", table.version, None, due.public.TYPE, text, last=True))

    def _is_hidden(self, deal: int | None) -> bool:
        """Whether an event of this deal depends on cards that are not known yet."""
        seeds = self._table.seeds
        return seeds is None or (deal is not None and deal > seeds.deal)

    def _check_seed(self, version: int, public: DealScored) -> None:
        """Checks that the deal's seed hashes to the seed before it."""
        computed = seed_before(bytes.fromhex(public.seed)).hex()
        self._findings.compare("seed", version, "the seed before", self._seed, computed)
        self._seed = public.seed

    def _check_payload(self, record: Recorded, event: Event[Payload]) -> None:
        """Checks that the event, written again, gives the recorded bytes."""
        public = canonical(event.public)
        if public != record.public:
            self._unequal_payload(record, record.public, public, "public")
            return
        if record.sealed != b"{}":
            for audience, section in sections(record.sealed).items():
                data = canonical(event.sealed[audience])
                if data != bytes(section.data):
                    self._unequal_payload(record, section.data, data, f"sealed for {audience}")
                    return
        self._findings.passed("payload", record.version)

    def _unequal_payload(self, record: Recorded, recorded: bytes | msgspec.Raw, computed: bytes, what: str) -> None:
        self._findings.failed(FailedCheck("payload", record.version, _text(recorded), _text(computed), what))

    def _check_envelope(
        self, record: Recorded, event: Event[Payload], deal: int | None, due: Event[Payload] | None
    ) -> None:
        """Checks the deal, the actor, the action and the time that the envelope names."""
        findings, version, before = self._findings, event.version, self._before
        findings.compare("envelope", version, "deal", event.deal, deal)
        if due is not None or isinstance(event.public, LedgerCorrected):
            recorded = (record.actor, record.action, record.at)
            computed = (before.actor if due is None else due.actor, before.action, before.at)
            findings.compare("envelope", version, "actor, action and time", recorded, computed)
        elif record.action is not None and record.actor != HOUSE:
            if record.action in self._acted or record.action == before.action:
                findings.failed(FailedCheck("envelope", version, record.action, None, "an action of its own"))
            self._acted.add(record.action)

    def _rule(self, name: str, event: Event[Payload]) -> str | None:
        """The rule that a check rests on, if the game names one."""
        basis = self._game.basis
        return basis.get(event.public.TYPE) or basis.get(name)

    def _check_automatic(self, event: Event[Payload], due: Event[Payload]) -> None:
        """Compares the recorded event with the automatic one that is due."""
        compare, version = self._findings.compare, event.version
        recorded, computed = event.public, due.public
        if type(recorded) is not type(computed):
            name = "acts"
            if isinstance(computed, DealScored) or isinstance(recorded, DealScored):
                name = "stopping-point"
            rule = self._rule(name, due)
            self._findings.failed(FailedCheck(name, version, recorded.TYPE, computed.TYPE, "the type", rule, last=True))
            return
        match recorded, computed:
            case CardsDealt(), CardsDealt():
                dealers = (recorded.deal, recorded.dealer), (computed.deal, computed.dealer)
                compare("dealer", version, "dealer", *dealers, self._rule("dealer", event))
                compare(
                    "commitments", version, "card_commitments", recorded.card_commitments, computed.card_commitments
                )
                compare("antes", version, "lines", recorded.lines, computed.lines, self._rule("antes", event))
                compare("pack", version, "sealed", event.sealed, due.sealed, self._rule("pack", event))
            case DealScored(), DealScored():
                rule = computed.lines[0].rule if computed.lines else None
                self._findings.passed("stopping-point", version, self._rule("stopping-point", event))
                outcomes = (recorded.deal, recorded.outcome), (computed.deal, computed.outcome)
                compare("outcome", version, "outcome", *outcomes, rule)
                self._compare_lines(version, recorded, computed)
                compare("totals", version, "totals", recorded.totals, computed.totals, self._rule("totals", event))
                compare("seed", version, "seed", recorded.seed, computed.seed)
            case _:
                name = _NAMES.get(recorded.TYPE, "acts" if isinstance(recorded, TablePayload) else "turn-up")
                rule = self._rule(name, event)
                compare(name, version, "public", recorded, computed, rule)
                compare(name, version, "sealed", event.sealed, due.sealed, rule)

    def _compare_lines(self, version: int, recorded: DealScored, computed: DealScored) -> None:
        """Compares the ledger lines, each under its own rule, and their number."""
        for place, (booked, due) in enumerate(zip(recorded.lines, computed.lines, strict=False)):
            self._findings.compare("ledger", version, f"lines[{place}]", booked, due, due.rule)
        self._findings.compare("ledger", version, "the number of lines", len(recorded.lines), len(computed.lines))

    def _check_table_event(self, record: Recorded, event: Event[Payload], public: TableEvent, *, hidden: bool) -> None:
        """Checks an event of the table's life that was not due by itself."""
        findings, version, table = self._findings, event.version, self._table
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
                findings.compare("seating", version, "status and actor", (table.status, event.actor), ("open", seat))
                return
            case DisputeOpened():
                reason = event.section(PUBLIC, Reason)
                player = table.players[public.seat] or ""
                self._check_dispute(event, OpenDispute(player, public.lines, None, reason.reason if reason else ""))
                return
            case DisputeRuled():
                arbiter = event.actor.removeprefix(f"{ARBITER}:")
                self._check_dispute(event, RuleDispute(arbiter, public.dispute, public.ruling, ""))
                return
            case LedgerCorrected():
                self._check_correction(event, public)
                return
            case TextErased():
                command, name = EraseText(public.version, public.audience), "erasures"
            case GameStarted() | CardsDealt() if hidden:
                self._check_hidden(record)
                return
            case DealScored():
                text, rule = "play was not settled", self._rule("stopping-point", event)
                findings.failed(FailedCheck("stopping-point", version, public.outcome, None, text, rule, last=True))
                return
            case _:
                self._unexpected(event)
                return
        try:
            computed = act(self._game, table, command)
        except Rejected as rejected:
            findings.failed(FailedCheck(name, version, public.TYPE, None, rejected.detail, rejected.rule))
            return
        rule = self._rule(name, event)
        findings.compare(name, version, "public", (event.actor, public), (computed.actor, computed.public), rule)

    def _unexpected(self, event: Event[Payload]) -> None:
        text = "nothing made this event follow"
        self._findings.failed(FailedCheck("acts", event.version, event.public.TYPE, None, text, last=True))

    def _check_dispute(self, event: Event[Payload], command: Command) -> None:
        """Checks that the lines could be disputed, or the dispute ruled on, by this command."""
        try:
            computed = act(self._game, self._table, command)
        except Rejected as rejected:
            failure = FailedCheck("disputes", event.version, event.public.TYPE, None, rejected.detail, rejected.rule)
            self._findings.failed(failure)
            return
        recorded = (event.actor, event.public)
        self._findings.compare("disputes", event.version, "public", recorded, (computed.actor, computed.public))

    def _check_correction(self, event: Event[Payload], public: LedgerCorrected) -> None:
        """Checks that the disputed lines are reversed, and that totals and winners follow."""
        dispute = uncorrected_dispute(self._table)
        if dispute is None or dispute.dispute != public.dispute:
            text = "no ruling made this correction"
            self._findings.failed(FailedCheck("corrections", event.version, public.dispute, None, text, last=True))
            return
        reversed_lines = 2 * len(reversals(self._table.booked, dispute.lines))
        computed = correction(self._table, dispute, transfers_of(public.lines[reversed_lines:]), self._before.actor)
        recorded = (event.actor, public)
        self._findings.compare("corrections", event.version, "public", recorded, (computed.actor, computed.public))

    def _check_game_event(self, event: Event[Payload]) -> None:
        """Checks that the event's action was legal, and that it makes this event."""
        findings, version = self._findings, event.version
        game, table = self._game, self._table
        erased = self._erased and (version, PUBLIC) in self._erased
        if erased and event.public.SECTIONS.keys() == {PUBLIC} and not event.sealed:
            # The words are erased, so only the speaker can be checked.
            findings.compare("acts", version, "actor", event.actor, seat_audience(getattr(event.public, "seat", -1)))
            return
        action, seat = game.action_of(event), self._seats.get(event.actor)
        if action is None or seat is None or table.deal_state is None:
            self._unexpected(event)
            return
        try:
            check(game, table.deal_state, seat, action)
        except Rejected as rejected:
            recorded = msgspec.to_builtins(action)
            findings.failed(FailedCheck("legality", version, recorded, None, rejected.detail, rejected.rule))
            return
        findings.passed("legality", version, action.RULE)
        computed = game.decide(table.deal_state, seat, action)
        findings.compare("acts", version, "public", event.public, computed.public, action.RULE)
        if event.sealed or computed.sealed:
            findings.compare("draws", version, "sealed", event.sealed, computed.sealed, action.RULE)

    def _check_hidden(self, record: Recorded) -> None:
        """Notes an event of a deal whose cards are not known yet, and checks the cards that it opens."""
        self._hidden.setdefault(record.deal, []).append(record.version)
        payloads = [msgspec.Raw(record.public), *(section.data for section in sections(record.sealed).values())]
        for payload in payloads:
            for opening in _openings_in(msgspec.json.decode(payload)):
                computed = card_commitment(bytes.fromhex(opening["salt"]), opening["card"])
                place = opening["position"]
                recorded = self._commitments[place] if 0 <= place < len(self._commitments) else None
                text = f"card {opening['card']} at place {place}"
                self._findings.compare("commitments", record.version, text, recorded, computed)


_NAMES = {"game-started": "first-dealer", "game-finished": "finish", "trick-won": "tricks"}
"""The checks of automatic events by type. A game's other automatic events are checked as `turn-up`."""


def _text(payload: bytes | msgspec.Raw) -> str:
    return bytes(payload).decode(errors="replace")


def _known_seeds(reader: Reader, records: Sequence[Recorded], deals: int) -> SeedChain | None:
    """The seeds up to the last scored deal, which the record itself reveals; None before.

    Raises ValueError where the record scores a deal that there is not.
    """
    for record in reversed(records):
        if record.type == DealScored.TYPE:
            scored = cast("DealScored", reader.read(record).public)
            if not 1 <= scored.deal <= deals:
                raise ValueError(f"there is no deal {scored.deal}")
            return SeedChain(scored.deal, bytes.fromhex(scored.seed))
    return None


def _openings_in(value: object) -> Iterator[dict[str, Any]]:
    """The openings of cards, wherever they stand in a payload."""
    if isinstance(value, dict):
        if value.keys() == {"card", "position", "salt"}:
            yield value
        else:
            for inner in value.values():
                yield from _openings_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _openings_in(inner)
