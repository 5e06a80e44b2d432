"""Acts repeated for the audit: a seat's act in the game, and the commands of players, arbiters and the house."""

import msgspec
from msgspec.structs import astuple, replace

from domain.audit.comparison import compare_events, rule_of
from domain.audit.corrections import entry_of
from domain.audit.findings import FailedCheck, Findings
from domain.audit.integrity import UUID
from domain.kernel.action import Action
from domain.kernel.event import Event, Payload
from domain.kernel.game import Game, check
from domain.kernel.rejection import Rejected
from domain.seats import CLOCK, PUBLIC, Seat, bot, bot_in, seat_in
from domain.table.actions import (
    AbandonSeat,
    Act,
    ActAsBot,
    ActFor,
    CloseTable,
    Command,
    EraseText,
    ExpireTable,
    LeaveSeat,
    OpenDispute,
    ProposeEnd,
    RemoveBot,
    RuleDispute,
    SeatBot,
    TakeSeat,
)
from domain.table.automatic import mildest
from domain.table.deadlines import deadlines, timer_of
from domain.table.decide import ARBITER, act, correction, require_rules, require_staying, uncorrected_dispute
from domain.table.disputes import reversals, transfers_of
from domain.table.events import (
    DisputeOpened,
    DisputeRuled,
    EndProposed,
    Judgement,
    LedgerCorrected,
    LedgerCorrected1,
    PlayerReady,
    Reason,
    SeatAbandoned,
    SeatLeft,
    SeatResumed,
    SeatTaken,
    SeatTaken1,
    SubstituteSeated,
    TableClosed,
    TableExpired,
    TableTalk,
    TextErased,
    Utterance,
)
from domain.table.rules import RUNNING_OUT
from domain.table.state import Table
from domain.table.talk import Talk

ERASED = "…"
"""The replacement for erased words, in an event that must have had some."""


def check_act(game: Game, table: Table, event: Event[Payload], seat: Seat, action: Action, findings: Findings) -> None:
    """Checks that the seat was allowed the action that the event records, and that the action makes this event.

    The event's actor is the seat's player, or the bot that plays the seat.
    """
    version = event.version
    try:
        if table.leaving is not None and bot_in(event.actor) is None:
            require_staying(table, seat)
        check(game, table.deal_state, seat, action)
    except Rejected as rejected:
        recorded = msgspec.to_builtins(action)
        findings.failed(FailedCheck("legality", version, recorded, None, rejected.detail, rejected.rule))
        return
    findings.passed("legality", version, action.RULE)
    computed = game.decider.decide(table.deal_state, seat, action)
    findings.compare("acts", version, "public", event.public, computed.public, action.RULE)
    if event.sealed or computed.sealed:
        findings.compare("draws", version, "sealed", event.sealed, computed.sealed, action.RULE)


def check_timer(game: Game, table: Table, event: Event[Payload], seconds: float, findings: Findings) -> None:
    """Checks that the clock was due to record this event, `seconds` after the event from which its limit counts."""
    timer = timer_of(game, table)
    if timer is None:
        text = "no time limit runs here"
        findings.failed(FailedCheck("acts", event.version, event.public.TYPE, None, text, last=True))
        return
    findings.compare("acts", event.version, "public", event.public, timer.event, timer.rule)
    passed = int(seconds) if seconds < timer.seconds else timer.seconds
    findings.compare("acts", event.version, "the seconds that had passed", passed, timer.seconds, timer.rule)


def check_due(game: Game, table: Table, event: Event[Payload], findings: Findings) -> Seat | None:
    """Checks that the time of the event's seat had expired. Returns None, and adds a failed check, if no time ran.

    The check reads only what is open to everybody.
    """
    version, seat = event.version, getattr(event.public, "seat", None)
    due = next((one for one in deadlines(game, table) if one.seat is not None and one.seat == seat), None)
    if due is None:
        text = "no time limit runs here"
        findings.failed(FailedCheck("acts", version, event.public.TYPE, None, text, last=True))
        return None
    if event.at < due.at:
        findings.failed(FailedCheck("clock", version, event.at, due.at, "the time had not run out", due.rule))
    else:
        findings.passed("clock", version, due.rule)
    return due.seat


def check_run_out(game: Game, table: Table, event: Event[Payload], findings: Findings) -> None:
    """Checks that the time of the event's seat had expired, and that the house acted as the rules then say."""
    seat = check_due(game, table, event, findings)
    if seat is None:
        return
    computed = mildest(game, table, seat)
    findings.compare("acts", event.version, "public", event.public, computed.public, RUNNING_OUT)
    if event.sealed or computed.sealed:
        findings.compare("draws", event.version, "sealed", event.sealed, computed.sealed, RUNNING_OUT)


def command_of(game: Game, table: Table, event: Event[Payload]) -> Command | None:
    """The command that caused this event of the table's life; None if the event is automatic.

    If the event's words are erased, the command has none, or `ERASED`.
    """
    public = event.public
    match public:
        case SeatTaken() if public.opponent is not None:
            return SeatBot(_asked_by(table, event), public.player, public.opponent, public.seat)
        case SubstituteSeated():
            return SeatBot(_asked_by(table, event), "", public.opponent, public.seat)
        case SeatTaken1():
            entropy = None if public.entropy is None else bytes.fromhex(public.entropy)
            return TakeSeat(public.player, public.seat, entropy)
        case PlayerReady() if event.actor == CLOCK:
            return ActFor(public.seat)
        case PlayerReady() if event.actor == bot(public.seat) and game.course.gate is not None:
            return ActAsBot(public.seat, game.course.gate())
        case PlayerReady() if game.course.gate is not None:
            return Act(table.players[public.seat] or "", game.course.gate())
        case TableTalk():
            said = event.section(PUBLIC, Utterance)
            return Act(table.players[public.seat] or "", Talk(said.text if said else ERASED))
        case TableExpired():
            return ExpireTable()
        case EndProposed():
            return ProposeEnd(table.players[public.seat] or "", public.agree)
        case SeatAbandoned():
            return AbandonSeat(table.players[public.seat] or "")
        case SeatResumed():
            return TakeSeat(table.players[public.seat] or "")
        case SeatLeft() if public.seat in table.opponents:
            return RemoveBot(_asked_by(table, event), public.seat)
        case SeatLeft():
            return LeaveSeat(table.players[public.seat] or "")
        case TableClosed():
            return CloseTable(table.opener or "")
        case DisputeOpened():
            reason = event.section(PUBLIC, Reason)
            player = table.players[public.seat] or ""
            return OpenDispute(player, public.lines, None, reason.reason if reason else "")
        case DisputeRuled():
            judgement = event.section(PUBLIC, Judgement)
            arbiter = event.actor.removeprefix(f"{ARBITER}:")
            return RuleDispute(arbiter, public.dispute, public.ruling, judgement.text if judgement else "")
        case TextErased():
            return EraseText(public.version, public.audience)
        case _:
            return None


def _asked_by(table: Table, event: Event[Payload]) -> str:
    """The player who asked for a bot, or its removal: the actor, or who opened the table."""
    seat = seat_in(event.actor)
    player = table.opener if seat is None or seat >= len(table.players) else table.players[seat]
    return player or ""


def check_command(
    game: Game, table: Table, event: Event[Payload], command: Command, findings: Findings, *, erased: bool
) -> None:
    """Checks that the command was legal, and that it makes this event.

    `erased` says that the event's words were erased, so they cannot be compared.
    """
    name = event.public.CHECK
    try:
        computed = act(game, table, command, event.at)
    except Rejected as rejected:
        recorded = event.public.TYPE
        findings.failed(FailedCheck(name, event.version, recorded, None, rejected.detail, rejected.rule))
        return
    if isinstance(event.public, SeatTaken1) and not UUID.fullmatch(event.public.player):
        findings.failed(FailedCheck(name, event.version, event.public.player[:40], None, "the form of player"))
    if type(event.public) is SeatTaken1 and isinstance(computed.public, SeatTaken):
        computed = replace(computed, public=SeatTaken1(*astuple(computed.public)[:3]))
    _compare_by_actor(game, event, replace(computed, sealed={}) if erased else computed, findings)


def check_correction(
    game: Game, table: Table, event: Event[Payload], public: LedgerCorrected, arbiter: str, findings: Findings
) -> None:
    """Checks that the disputed lines are taken back, and that totals and winners follow from the lines."""
    dispute = uncorrected_dispute(table)
    if dispute is None or dispute.dispute != public.dispute:
        text = "no ruling made this correction"
        findings.failed(FailedCheck(public.CHECK, event.version, public.dispute, None, text, last=True))
        return
    taken_back = 2 * len(reversals(table.booked, dispute.lines, table.version))
    entries = tuple(map(entry_of, transfers_of(public.lines[taken_back:])))
    try:
        if not isinstance(public, LedgerCorrected1):
            require_rules(game, entries)
        computed = correction(game, table, dispute, entries, arbiter)
    except Rejected as rejected:
        findings.failed(FailedCheck(public.CHECK, event.version, public.TYPE, None, rejected.detail, rejected.rule))
        return
    if isinstance(public, LedgerCorrected1):
        computed = replace(computed, public=_of_schema_1(computed.public, public, table.version))
    _compare_by_actor(game, event, computed, findings)


def _of_schema_1(computed: LedgerCorrected, recorded: LedgerCorrected1, ruling: int) -> LedgerCorrected1:
    """The correction in its first form. Its lines cite the ruling if the recorded ones do."""
    first = LedgerCorrected1(*astuple(computed))
    if any(ruling in line.events for line in recorded.lines):
        return first
    return replace(
        first,
        lines=tuple(replace(line, events=tuple(v for v in line.events if v != ruling)) for line in first.lines),
    )


def _compare_by_actor(game: Game, event: Event[Payload], computed: Event[Payload], findings: Findings) -> None:
    check = event.public.CHECK
    findings.compare(check, event.version, "actor", event.actor, computed.actor, rule_of(game, check, event.public))
    compare_events(game, event, computed, findings)
