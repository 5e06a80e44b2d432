"""Rederivation: each event is computed from those before it and compared with the recorded one."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

import msgspec
from msgspec.structs import replace

from domain.audit.acts import (
    check_act,
    check_command,
    check_correction,
    check_due,
    check_run_out,
    check_timer,
    command_of,
)
from domain.audit.comparison import check_payload, compare_events, equal_but_for_words, is_recorded, rule_of
from domain.audit.extract import Extract
from domain.audit.findings import FailedCheck, Findings, Unchecked
from domain.audit.opening import PinnedTable, check_opening
from domain.fair.deck import card_commitment
from domain.fair.seeds import seed_before
from domain.kernel.event import Event, Payload
from domain.kernel.ledger import Line, worded
from domain.record.catalogue import UnknownEvent
from domain.record.history import Reader
from domain.record.recorded import Recorded, sections
from domain.seats import CLOCK, HOUSE, PUBLIC, Seat, bot, bot_in, seat_audience
from domain.table.automatic import antes_of, clocks_of, mildest, next_automatic, next_standing
from domain.table.deadlines import timer_of
from domain.table.decide import uncorrected_dispute
from domain.table.events import (
    CardsDealt,
    DealScored,
    GameFinished,
    GameStarted,
    LedgerCorrected,
    SeatLeft,
    SeatTaken,
    SeatTaken1,
    SubstituteSeated,
    TablePayload,
    TextErased,
)
from domain.table.following import bot_due, change_of_player, ended_because
from domain.table.state import bots_playing, deal_of, evolve, evolve_between_deals, opponent_at, over_because


def rederive(reader: Reader, extract: Extract, findings: Findings) -> None:
    """Derives every event of the deals whose seeds are known. Events of a hidden deal are only folded.

    Raises nothing, whatever a tampered record holds: an event that cannot be folded is a failed check and ends the
    derivation.
    """
    if not extract.opening:
        return
    first, *opening = extract.opening
    version = first.version
    try:
        pinned = check_opening(reader, extract.records, findings)
        if pinned is None:
            return
        derivation = _Derivation(reader, first, pinned, findings)
        for record in opening:
            version = record.version
            derivation.check_next(record)
        for record in extract.passed[:-1]:
            version = record.version
            derivation.pass_by(record)
        for record in extract.passed[-1:]:
            version = record.version
            derivation.begin_deal(record)
        for record in extract.stretch:
            version = record.version
            derivation.check_next(record)
        if not extract.later:
            derivation.check_end()
    except UnknownEvent as error:
        findings.not_judged(version, f"Nothing that takes rules is judged from event {version} on: {error}.")
    except Exception as error:  # every error that a tampered event causes is a failed check
        text = f"the record cannot be followed from here ({type(error).__name__}: {error})"
        findings.failed(FailedCheck("acts", version, text=text, last=True))


class _Derivation:
    """A table, derived event by event along its record."""

    def __init__(self, reader: Reader, first: Recorded, pinned: PinnedTable, findings: Findings) -> None:
        self._reader = reader
        self._findings = findings
        self._game, self._table, self._seed = pinned.game, pinned.table, pinned.seed_commitment
        self._seats = {seat_audience(seat): seat for seat in range(len(self._table.players))}
        self._acted: set[str] = set()
        self._before = first
        self._opened_by = first.action
        self._times = {first.version: first.at}
        """The times of the events so far, by version."""
        self._hidden: dict[int | None, list[int]] = {}
        """The versions of events whose cards are not known yet, by deal."""
        self._commitments: tuple[str, ...] = ()
        """The commitments to the cards of a hidden deal."""
        self._scored: list[tuple[int, tuple[Line, ...]]] = []
        """For each scored deal, the version of its score and its lines."""

    def check_next(self, record: Recorded) -> None:
        """Checks the next event and folds it."""
        table, as_due = self._table, self._as_due(record)
        event = as_due or self._reader.read(record)
        public = event.public
        self._note(event)
        deal = deal_of(table, public)
        hidden = self._is_hidden(deal)
        due = as_due or (self._due_openly() if hidden else self._due(event))
        if table.disputes and uncorrected_dispute(table) is not None and not isinstance(public, LedgerCorrected):
            self._findings.failed(
                FailedCheck("corrections", event.version, public.TYPE, LedgerCorrected.TYPE, "the type")
            )
        if as_due is None:
            check_payload(self._game, table, record, event, self._findings)
        else:
            self._findings.passed("payload", event.version)
        self._check_envelope(record, event, deal, self._following_actor(record, event, due, hidden=hidden))
        if due is not None:
            self._check_automatic(event, due)
        elif hidden and (isinstance(public, GameStarted | CardsDealt) or not isinstance(public, TablePayload)):
            self._check_hidden(record, event)
        elif isinstance(public, TablePayload):
            self._check_table_event(event)
        else:
            self._check_game_event(event)
        self._table = evolve(self._game, table, event)
        self._before = record

    def pass_by(self, record: Recorded) -> None:
        """Folds an event of a deal that is not followed, if the event survives its deal."""
        if self._reader.survives_deal(record):
            event = self._reader.read(record, PUBLIC)
            self._note(event)
            self._table = evolve_between_deals(self._game, self._table, event)
        if record.action is not None:
            self._acted.add(record.action)

    def begin_deal(self, record: Recorded) -> None:
        """Folds the event that begins a deal which is followed from then on. Its cards are not checked."""
        event = self._reader.read(record)
        self._note(event)
        self._table = evolve(self._game, self._table, event)
        self._before = record

    def _note(self, event: Event[Payload]) -> None:
        """Notes the facts that later events are checked against: times, seeds, and the lines of deals."""
        public = event.public
        self._times[event.version] = event.at
        if isinstance(public, TablePayload):
            if isinstance(public, DealScored):
                self._check_seed(event.version, public.seed)
                self._scored.append((event.version, public.lines))
            elif isinstance(public, GameFinished) and public.seed:
                self._check_seed(event.version, public.seed)

    def check_end(self) -> None:
        """Checks that no automatic event is missing at the record's end, and adds the events that could not be
        checked.
        """
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
            due = self._type_due()
            if due is not None:
                text = "what had to follow is missing"
                findings.failed(FailedCheck("acts", table.version, None, due, text, last=True))

    def _as_due(self, record: Recorded) -> Event[Payload] | None:
        """The automatic event that is due, if it is recorded byte for byte, so that the record need not be read."""
        table = self._table
        deal = table.next_deal if record.type == CardsDealt.TYPE else table.running_deal
        if record.actor != HOUSE or deal is None or self._is_hidden(deal):
            return None
        due = next_automatic(self._game, table)
        if due is None or not is_recorded(due, record):
            return None
        return replace(due, version=record.version, deal=record.deal, at=record.at)

    def _due(self, event: Event[Payload]) -> Event[Payload] | None:
        """The automatic event that is due, in the form of the recorded event if the game has that form; None if none is
        due.
        """
        due = next_automatic(self._game, self._table)
        forms = self._game.forms
        if not forms or event.actor != HOUSE or (due is not None and equal_but_for_words(event.public, due.public)):
            return due
        for form in forms:
            other = next_automatic(form, self._table)
            if other is not None and equal_but_for_words(event.public, other.public):
                return other
        return due

    def _type_due(self) -> str | None:
        """The type of the automatic event that is due; None if none is due."""
        try:
            due = next_automatic(self._game, self._table)
        except ValueError:
            # The seed of the next deal is unknown before that deal is scored.
            return GameStarted.TYPE if self._table.status == "open" else CardsDealt.TYPE
        return None if due is None else due.public.TYPE

    def _due_openly(self) -> Event[Payload] | None:
        """The automatic event that is due, if it follows from what is known while cards are hidden; otherwise None."""
        game, table = self._game, self._table
        change = change_of_player(table)
        if change is not None:
            return Event(change)
        seat = None if table.running_deal or ended_because(table) else bot_due(game, table)
        return None if seat is None else replace(mildest(game, table, seat), actor=bot(seat))

    def _is_hidden(self, deal: int | None) -> bool:
        """Whether an event of this deal depends on cards that are not known yet."""
        seeds = self._table.seeds
        return seeds is None or (deal is not None and deal > seeds.deal)

    def _check_seed(self, version: int, seed: str) -> None:
        """Checks that the deal's seed hashes to the previous seed."""
        computed = seed_before(bytes.fromhex(seed)).hex()
        self._findings.compare("seed", version, "the seed before", self._seed, computed)
        self._seed = seed

    def _check_envelope(self, record: Recorded, event: Event[Payload], deal: int | None, actor: str | None) -> None:
        """Checks the deal, the actor, the action and the time that the envelope names.

        `actor` is the one that the event must have; None for an event that begins an action.
        """
        findings, version, before = self._findings, event.version, self._before
        findings.compare("envelope", version, "deal", event.deal, deal)
        if actor is not None:
            recorded = (record.actor, record.action, record.at)
            computed = (actor, before.action, before.at)
            findings.compare("envelope", version, "actor, action and time", recorded, computed)
        elif record.action is not None:
            if record.action in self._acted or record.action == before.action:
                findings.failed(FailedCheck("envelope", version, record.action, None, "an action of its own"))
            self._acted.add(record.action)

    def _following_actor(
        self, record: Recorded, event: Event[Payload], due: Event[Payload] | None, *, hidden: bool
    ) -> str | None:
        """The actor of an event that continues an action; None for an event that begins one.

        While cards are `hidden`, the due event is unknown, so the recorded actor shows whether the event continues an
        action.
        """
        if due is not None:
            return due.actor
        if isinstance(event.public, LedgerCorrected):
            return self._before.actor
        if isinstance(event.public, SeatTaken) and record.action == self._opened_by:
            # A table is opened together with its first bots.
            return HOUSE
        if not hidden or isinstance(event.public, TextErased | SeatTaken1 | SeatLeft | SubstituteSeated):
            return None
        seat = bot_in(event.actor)
        follows = event.actor == HOUSE if seat is None else opponent_at(self._table, seat) is None
        return event.actor if follows else None

    def _check_automatic(self, event: Event[Payload], due: Event[Payload]) -> None:
        """Compares the recorded event with the automatic one that is due."""
        recorded, computed = event.public, due.public
        scored = isinstance(computed, DealScored) or isinstance(recorded, DealScored)
        if type(recorded) is not type(computed):
            name = "stopping-point" if scored else "acts"
            rule = rule_of(self._game, name, computed)
            failure = FailedCheck(name, event.version, recorded.TYPE, computed.TYPE, "the type", rule, last=True)
            self._findings.failed(failure)
            return
        if scored:
            self._findings.passed("stopping-point", event.version, rule_of(self._game, "stopping-point", computed))
        compare_events(self._game, event, due, self._findings)
        if isinstance(computed, GameFinished) and over_because(self._game, self._table) is not None:
            self._check_whole_game()

    def _check_whole_game(self) -> None:
        """Checks the conditions of the game's rules on all its deals together, at the score of the last."""
        version, _ = self._scored[-1]
        for check in self._game.decider.game_checks(self._table.standing, [lines for _, lines in self._scored]):
            self._findings.compare(check.name, version, check.text, check.recorded, check.computed, check.rule)

    def _check_table_event(self, event: Event[Payload]) -> None:
        """Checks an event of the table's life that is not automatic."""
        public = event.public
        if isinstance(public, LedgerCorrected):
            arbiter = self._before.actor
            check_correction(self._game, self._table, event, public, arbiter, self._findings)
            return
        command = command_of(self._game, self._table, event)
        if command is not None:
            # Whether its words may be missing is checked with the openings.
            erased = PUBLIC in public.SECTIONS and PUBLIC not in event.sealed
            check_command(self._game, self._table, event, command, self._findings, erased=erased)
        elif isinstance(public, DealScored):
            text, rule = "play was not settled", rule_of(self._game, "stopping-point", public)
            failure = FailedCheck("stopping-point", event.version, public.outcome, None, text, rule, last=True)
            self._findings.failed(failure)
        else:
            self._unexpected(event)

    def _is_for_seat(self, event: Event[Payload]) -> bool:
        """Whether an event by the clock is an act for a seat, rather than a time limit of the game."""
        timer = timer_of(self._game, self._table)
        return timer is None or type(timer.event) is not type(event.public)

    def _unexpected(self, event: Event[Payload]) -> None:
        text = "nothing made this event follow"
        self._findings.failed(FailedCheck("acts", event.version, event.public.TYPE, None, text, last=True))

    def _seconds_between(self, earlier: int, later: int) -> float:
        """The seconds between the events of these versions."""
        start, end = (datetime.fromisoformat(self._times[version]) for version in (earlier, later))
        return (end - start).total_seconds()

    def _check_game_event(self, event: Event[Payload]) -> None:
        """Checks that the event's action was legal, and that it makes this event."""
        words = event.public.SECTIONS
        if words and not event.sealed and words.keys() == {PUBLIC}:
            # The words are gone; only the speaker is still known.
            speaker = seat_audience(getattr(event.public, "seat", -1))
            self._findings.compare("acts", event.version, "actor", event.actor, speaker)
            return
        if event.actor == CLOCK and self._is_for_seat(event):
            check_run_out(self._game, self._table, event, self._findings)
            return
        if event.actor == CLOCK:
            timer = timer_of(self._game, self._table)
            since = 0.0 if timer is None else self._seconds_between(timer.since, event.version)
            check_timer(self._game, self._table, event, since, self._findings)
            return
        action, seat = self._game.decider.action_of(event), self._acting_seat(event)
        if action is None or seat is None or self._table.deal_state is None:
            self._unexpected(event)
        else:
            check_act(self._game, self._table, event, seat, action, self._findings)

    def _acting_seat(self, event: Event[Payload]) -> Seat | None:
        """The seat whose person, or whose bot, is the event's actor; None for any other actor."""
        seat = bot_in(event.actor)
        if seat is None:
            seat = self._seats.get(event.actor)
            return None if seat in self._table.opponents else seat
        talks = event.public.SECTIONS.keys() == {PUBLIC}
        return None if talks or opponent_at(self._table, seat) is None else seat

    def _check_hidden(self, record: Recorded, event: Event[Payload]) -> None:
        """Notes an event of a deal whose cards are not known yet, and checks the cards that it opens, and its time."""
        public = event.public
        if event.actor == CLOCK and self._is_for_seat(event):
            check_due(self._game, self._table, event, self._findings)
        if isinstance(public, GameStarted | CardsDealt):
            self._check_hidden_start(event, public)
        else:
            self._check_hidden_actor(event)
        self._hidden.setdefault(record.deal, []).append(record.version)
        if isinstance(public, CardsDealt):
            self._commitments = ()
        # Cards that are shuffled again during the deal get places, and commitments, after the others.
        self._commitments += getattr(public, "card_commitments", ())
        payloads = [msgspec.Raw(record.public), *(section.data for section in sections(record.sealed).values())]
        for payload in payloads:
            for opening in _openings_in(msgspec.json.decode(payload)):
                computed = card_commitment(bytes.fromhex(opening["salt"]), opening["card"])
                place = opening["position"]
                recorded = self._commitments[place] if 0 <= place < len(self._commitments) else None
                text = f"card {opening['card']} at place {place}"
                self._findings.compare("commitments", record.version, text, recorded, computed)

    def _check_hidden_start(self, event: Event[Payload], public: GameStarted | CardsDealt) -> None:
        """Checks that the game's start or its next deal was due, and what in the deal no seed decides."""
        game, table, findings, version = self._game, self._table, self._findings, event.version
        if table.running_deal is not None or self._type_due() != public.TYPE:
            self._unexpected(event)
        elif isinstance(public, CardsDealt):
            standing = next_standing(game, table)
            antes = worded(antes_of(game, table, standing), public.lines)
            findings.compare("dealer", version, "deal", public.deal, standing.deal)
            rule = rule_of(game, "dealer", public)
            findings.compare("dealer", version, "dealer", public.dealer, standing.dealer, rule)
            findings.compare("antes", version, "lines", public.lines, antes, rule_of(game, "antes", public))
            findings.compare("clock", version, "clocks", public.clocks, clocks_of(table))

    def _check_hidden_actor(self, event: Event[Payload]) -> None:
        """Checks that the actor is the house, the clock, a person's seat, or the bot of a seat that the house or a bot
        plays, and that acts are those of their seats alone.
        """
        table = self._table
        people = [actor for actor, seat in self._seats.items() if seat not in table.opponents]
        bots = () if table.leaving is None else table.leaving.unattended
        if event.actor not in (HOUSE, CLOCK, *people, *map(bot, (*bots, *bots_playing(table)))):
            text = "nobody acts at this table by this name"
            self._findings.failed(FailedCheck("envelope", event.version, event.actor, None, text))
            return
        acts = self._game.decider.action_of(event) is not None
        if event.actor == HOUSE and acts:
            self._unexpected(event)
        elif event.actor not in (HOUSE, CLOCK):
            # Whether an event with a section of its own is an act cannot be seen without that.
            seat = getattr(event.public, "seat", -1) if acts or event.public.SECTIONS else -1
            own = bot(seat) if bot_in(event.actor) is not None else seat_audience(seat)
            self._findings.compare("envelope", event.version, "actor", event.actor, own)


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
