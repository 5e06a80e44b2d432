"""How a table decides a command: the event that it causes, and the automatic events that follow."""

from collections.abc import Sequence
from typing import assert_never

from msgspec import UNSET, to_builtins
from msgspec.structs import replace

from domain.fair.seeds import SEED_BYTES, seed_before
from domain.kernel.action import Action, tag_of
from domain.kernel.event import Event, Payload
from domain.kernel.game import Game, check
from domain.kernel.ledger import BANK, LineAt, Transfer, book
from domain.kernel.rejection import Code, Rejected
from domain.seats import CLOCK, HOUSE, PUBLIC, Seat, bot, seat_audience
from domain.table.actions import (
    AbandonSeat,
    Act,
    ActAsBot,
    ActFor,
    CloseTable,
    Command,
    Entry,
    EraseText,
    ExpireTable,
    LeaveSeat,
    OpenDispute,
    OpenTable,
    ProposeEnd,
    RemoveBot,
    RuleDispute,
    RunOut,
    SeatBot,
    TakeSeat,
)
from domain.table.automatic import mildest, next_automatic
from domain.table.deadlines import require_due, timer_of
from domain.table.disputes import (
    Dispute,
    line_at,
    lines_of_deal,
    require_disputable,
    reversals,
    with_twins,
)
from domain.table.events import (
    DisputeOpened,
    DisputeRuled,
    EndProposed,
    Judgement,
    LedgerCorrected,
    PlayerReady,
    Reason,
    SeatAbandoned,
    SeatLeft,
    SeatResumed,
    SeatTaken,
    SubstituteSeated,
    TableClosed,
    TableExpired,
    TableOpened,
    TableSecret,
    TableTalk,
    TextErased,
    Utterance,
)
from domain.table.leaving import STAYING
from domain.table.options import DEFAULT
from domain.table.rules import ABANDONMENT, AGREEMENT, BOTS_ACT, RULES, SUBSTITUTES
from domain.table.state import (
    Table,
    deal_of,
    evolve,
    opened,
    opponent_at,
    seat_of,
    waiting_for,
    winners,
    with_lines,
)
from domain.table.talk import Talk, require_talk, require_talk_option

ARBITER = "arbiter"
"""The prefix of an arbiter's actor, before a colon and the player's id."""


def open_table(game: Game, table: str, command: OpenTable, at: str = "") -> tuple[Table, tuple[Event[Payload], ...]]:
    """A new table and its first events, which happen at this time (in recorded form): it is opened, and its bots are
    seated.

    Raises Rejected if the game does not allow this number of deals, or this talk, or if a bot has no such seat, and
    ValueError if the seed is not 32 bytes.
    """
    game.course.deals(command.options).require(command.deals)
    require_talk_option(game, command.table)
    if len(command.seed) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes")
    public = TableOpened(
        game=game.name,
        rules_version=game.rulebook.version,
        rules_digest=game.rulebook.digest(),
        options=to_builtins(command.options),
        deals=command.deals,
        seed_commitment=seed_before(command.seed, command.deals).hex(),
        table=UNSET if command.table == DEFAULT else command.table,
        rematch=command.rematch or UNSET,
    )
    event: Event[Payload] = Event(public, {HOUSE: TableSecret(command.seed.hex(), command.opener)}, HOUSE, 1, at=at)
    new, events = opened(game, table, event), [event]
    for wanted in command.bots:
        seating = SeatBot(command.opener, wanted.player, wanted.opponent, wanted.seat)
        new, more = decide(game, new, seating, at)
        events += more
    return new, tuple(events)


def decide(game: Game, table: Table, command: Command, at: str = "") -> tuple[Table, tuple[Event[Payload], ...]]:
    """The table after the command, and the events that led there. The table must be the house's fold.

    All events happen at the time `at`, in recorded form; without it, times are not checked. Raises Rejected if the
    command is refused.
    """
    events: list[Event[Payload]] = []
    ruling = command if isinstance(command, RuleDispute) else None
    event: Event[Payload] | None = act(game, table, command, at)
    while event is not None:
        event = replace(event, version=table.version + 1, deal=deal_of(table, event.public), at=at)
        table = evolve(game, table, event)
        events.append(event)
        corrected = None if ruling is None else _correction_due(game, table, ruling)
        event = next_automatic(game, table) if corrected is None else corrected
    return table, tuple(events)


def act(game: Game, table: Table, command: Command, at: str = "") -> Event[Payload]:
    """The event that the command causes at this time, without version and deal. Raises Rejected if the command is
    refused.
    """
    match command:
        # The most frequent commands come first, since cases are tried in turn.
        case Act():
            seat = _require_seat(table, command.player)
            require_running(table)
            if table.leaving is not None:
                require_staying(table, seat)
            return replace(_act(game, table, seat, command.action), actor=seat_audience(seat))
        case ActAsBot():
            require_running(table)
            if opponent_at(table, command.seat) is None:
                raise Rejected(Code.NOT_SEATED, "no bot plays this seat")
            # A game's own talk is an act of the same type.
            if tag_of(command.action) == tag_of(Talk):
                raise Rejected(Code.RULE_VIOLATION, "bots do not talk", BOTS_ACT)
            return replace(_act(game, table, command.seat, command.action), actor=bot(command.seat))
        case OpenTable():
            raise Rejected(Code.ALREADY_STARTED, "the table is open already")
        case TakeSeat():
            return _take_seat(table, command)
        case LeaveSeat():
            seat = _require_seat(table, command.player)
            _require_not_started(table)
            return Event(SeatLeft(seat), actor=seat_audience(seat))
        case SeatBot():
            return _seat_bot(table, command)
        case RemoveBot():
            return _remove_bot(table, command)
        case CloseTable():
            if table.opener != command.player:
                raise Rejected(Code.NOT_OPENER, "only the player who opened the table may close it")
            _require_not_started(table)
            closing = seat_of(table, command.player)
            actor = HOUSE if closing is None else seat_audience(closing)
            return Event(TableClosed(closing, "closed by who opened it"), actor=actor)
        case RunOut() | ActFor() | ExpireTable():
            return _run_out(game, table, command, at)
        case ProposeEnd():
            return _propose_end(table, command)
        case AbandonSeat():
            return _abandon(table, command)
        case OpenDispute():
            return _dispute(game, table, command)
        case RuleDispute():
            return _rule(game, table, command)
        case EraseText():
            if command.audience != PUBLIC or command.version not in table.texts:
                raise Rejected(Code.RULE_VIOLATION, f"event {command.version} has no text that could be erased")
            return Event(TextErased(command.version, PUBLIC))
        case _:
            assert_never(command)


def _act(game: Game, table: Table, seat: Seat, action: Action) -> Event[Payload]:
    """The event that the seat's action causes: talk, an act in a deal, or readiness at the gate before one."""
    if isinstance(action, Talk):
        require_talk(table, seat, {"text": action.text})
        return Event(TableTalk(seat), {PUBLIC: Utterance(action.text)})
    gate = game.course.gate
    # Without a gate, the next deal is dealt together with the score of the last.
    if gate is None or table.running_deal is not None:
        check(game, table.deal_state, seat, action)
        return game.decider.decide(table.deal_state, seat, action)
    if not isinstance(action, gate):
        raise Rejected(Code.WRONG_PHASE, "the next deal has not begun", gate.RULE)
    if seat not in waiting_for(game, table):
        raise Rejected(Code.RULE_VIOLATION, "you are ready already", gate.RULE)
    return Event(PlayerReady(seat))


def _run_out(game: Game, table: Table, command: RunOut | ActFor | ExpireTable, at: str) -> Event[Payload]:
    require_due(game, table, command, at)
    match command:
        case ExpireTable():
            return Event(TableExpired(), actor=CLOCK)
        case ActFor():
            return replace(mildest(game, table, command.seat), actor=CLOCK)
        case RunOut():
            timer = timer_of(game, table)
            if timer is None:
                raise ValueError("the limit that is due runs")
            return Event(timer.event, actor=CLOCK)


def _propose_end(table: Table, command: ProposeEnd) -> Event[Payload]:
    seat = _require_seat(table, command.player)
    require_running(table)
    leaving = table.leaving or STAYING
    require_staying(table, seat)
    if command.agree and seat in leaving.agreed:
        raise Rejected(Code.RULE_VIOLATION, "you have agreed already", AGREEMENT)
    if not command.agree and not leaving.agreed:
        raise Rejected(Code.RULE_VIOLATION, "nobody has proposed to end the game", AGREEMENT)
    return Event(EndProposed(seat, command.agree), actor=seat_audience(seat))


def _abandon(table: Table, command: AbandonSeat) -> Event[Payload]:
    seat = _require_seat(table, command.player)
    require_running(table)
    require_staying(table, seat)
    return Event(SeatAbandoned(seat), actor=seat_audience(seat))


def require_staying(table: Table, seat: Seat) -> None:
    """Checks that the seat's player has not left the game for good. Raises Rejected if so."""
    if table.leaving is not None and seat in table.leaving.abandoned:
        raise Rejected(Code.ABANDONED, "you have abandoned this game", ABANDONMENT)


def _dispute(game: Game, table: Table, command: OpenDispute) -> Event[Payload]:
    seat = _require_seat(table, command.player)
    if table.status == "open":
        raise Rejected(Code.NOT_STARTED, "nothing is booked before the game starts")
    if table.status == "closed":
        raise Rejected(Code.TABLE_CLOSED, "the table is closed")
    running = table.running_deal
    if running is not None and command.deal == running:
        raise Rejected(Code.DEAL_NOT_OVER, f"deal {running} is not over")
    whole = () if command.deal is None else lines_of_deal(table.booked, command.deal)
    lines = (*command.lines, *(line for line in whole if line not in command.lines))
    if not lines:
        raise Rejected(Code.NO_SUCH_LINE, "name the lines that are disputed, or the deal")
    for line in lines:
        line_at(table.booked, line)
        if any(booked.version == line.version and booked.deal == running is not None for booked in table.booked):
            raise Rejected(Code.DEAL_NOT_OVER, f"deal {running} is not over")
    named: set[LineAt] = set()
    for line in lines:
        if line in named:
            raise Rejected(Code.DUPLICATE_LINE, f"line {line.line} of event {line.version} is named twice")
        named.add(line)
    if command.late:
        raise Rejected(Code.DISPUTE_TOO_LATE, "the time for disputing it has run out")
    lines = with_twins(table.booked, lines, lambda booked: game.course.side_of(booked, table.options))
    require_disputable(table.disputes, lines)
    public = DisputeOpened(len(table.disputes) + 1, seat, lines)
    return Event(public, {PUBLIC: Reason(command.reason)}, seat_audience(seat))


def _rule(game: Game, table: Table, command: RuleDispute) -> Event[Payload]:
    if seat_of(table, command.arbiter) is not None:
        raise Rejected(Code.ARBITER_SEATED, "an arbiter cannot rule at a table where they sit")
    dispute = next((each for each in table.disputes if each.dispute == command.dispute), None)
    if dispute is None:
        raise Rejected(Code.NO_SUCH_DISPUTE, f"there is no dispute {command.dispute}")
    if dispute.status != "open":
        raise Rejected(Code.ALREADY_RULED, f"dispute {dispute.dispute} was {dispute.status}")
    if command.against:
        lines = ", ".join(f"line {at.line} of event {at.version}" for at in command.against)
        raise Rejected(Code.AUDIT_CONFIRMS, f"the audit confirms {lines}, which the ruling changes")
    if command.ruling != "upheld" and command.entries:
        raise Rejected(Code.RULE_VIOLATION, "nothing is booked anew where a dispute is rejected")
    _require_bookable(table, command.entries)
    require_rules(game, command.entries)
    public = DisputeRuled(command.dispute, command.ruling)
    return Event(public, {PUBLIC: Judgement(command.text)}, f"{ARBITER}:{command.arbiter}")


def _require_bookable(table: Table, entries: Sequence[Entry]) -> None:
    """Checks that the entries can be booked at the table. Raises Rejected, naming the fault, if one cannot."""
    accounts = {*range(len(table.players)), BANK, *table.accounts}
    for entry in entries:
        unknown = {entry.account, entry.counter} - accounts
        if unknown:
            raise Rejected(Code.RULE_VIOLATION, f"the table has no account {min(map(str, unknown))}")
        if entry.account == entry.counter:
            raise Rejected(Code.RULE_VIOLATION, "a line moves an amount between two accounts, not within one")
        if not entry.amount:
            raise Rejected(Code.RULE_VIOLATION, "a line moves an amount other than 0")


def require_rules(game: Game, entries: Sequence[Entry]) -> None:
    """Checks that the entries cite rules of the game or of a table's life. Raises Rejected if one does not."""
    for entry in entries:
        if all(rule.id != entry.rule for rule in (*game.rulebook.rules, *RULES)):
            raise Rejected(Code.RULE_VIOLATION, f"the rules of {game.title} have no {entry.rule}")


def _correction_due(game: Game, table: Table, command: RuleDispute) -> Event[Payload] | None:
    """The correction that must follow a ruling, once the ruling is recorded; None if none is due."""
    dispute = uncorrected_dispute(table)
    if dispute is None:
        return None
    return correction(game, table, dispute, command.entries, f"{ARBITER}:{command.arbiter}")


def uncorrected_dispute(table: Table) -> Dispute | None:
    """The dispute that was upheld but has no correction yet; None if there is none."""
    for dispute in table.disputes:
        if dispute.status == "upheld" and not dispute.corrected:
            return dispute
    return None


def correction(
    game: Game, table: Table, dispute: Dispute, entries: Sequence[Entry], arbiter: str
) -> Event[LedgerCorrected]:
    """The event that corrects the ledger: takes the disputed lines back, books the entries, updates totals and winners.

    Its lines cite the events that booked the disputed lines, and the ruling, which must be the table's last event.
    `arbiter` is the event's actor.

    Raises Rejected if a disputed line was never booked, or if an entry cannot be booked at this table. `entries` may
    cite any rule, as they once could: only the ruling requires rules that exist.
    """
    _require_bookable(table, entries)
    cited = (*sorted({line.version for line in dispute.lines}), table.version)
    booked_anew = [
        Transfer(entry.account, entry.counter, entry.amount, entry.kind, entry.rule, entry.text, cited)
        for entry in entries
    ]
    lines = book((*reversals(table.booked, dispute.lines, table.version), *booked_anew), table.players)
    corrected = with_lines(table, lines)
    won = winners(game, corrected) if table.status == "finished" else None
    return Event(LedgerCorrected(dispute.dispute, lines, corrected.totals, won), actor=arbiter)


def _require_seat(table: Table, player: str) -> Seat:
    """The seat of the person. Raises Rejected for one who has none, and for a bot."""
    seat = seat_of(table, player)
    if seat is None or seat in table.opponents:
        raise Rejected(Code.NOT_SEATED, "you do not sit at this table")
    return seat


def require_running(table: Table) -> None:
    """Checks that the game is being played. Raises Rejected if not."""
    match table.status:
        case "playing":
            return
        case "open":
            raise Rejected(Code.NOT_STARTED, "the game starts when all seats are taken")
        case "closed":
            raise Rejected(Code.TABLE_CLOSED, "the table is closed")
        case "finished":
            raise Rejected(Code.TABLE_FINISHED, "the game is finished")


def _require_not_started(table: Table) -> None:
    match table.status:
        case "playing":
            raise Rejected(Code.ALREADY_STARTED, "the game has started")
        case "closed":
            raise Rejected(Code.TABLE_CLOSED, "the table is closed")
        case "finished":
            raise Rejected(Code.TABLE_FINISHED, "the game is finished")
        case "open":
            return


def _take_seat(table: Table, command: TakeSeat) -> Event[Payload]:
    if command.seat is not None:
        _require_seat_number(table, command.seat)
    if table.over:
        _require_not_started(table)
    seated = seat_of(table, command.player)
    if seated is not None:
        if table.leaving is None or seated not in table.leaving.bots or seated in table.opponents:
            raise Rejected(Code.ALREADY_SEATED, "you sit at this table already")
        require_staying(table, seated)
        return Event(SeatResumed(seated), actor=seat_audience(seated))
    seat = _chosen(_free_seats(table, command.player), command.seat)
    entropy = None if command.entropy is None else command.entropy.hex()
    return Event(SeatTaken(seat, command.player, entropy, None), actor=seat_audience(seat))


def _seat_bot(table: Table, command: SeatBot) -> Event[Payload]:
    actor = _host(table, command.player)
    if command.seat is not None:
        _require_seat_number(table, command.seat)
    if table.status == "playing":
        return _substitute(table, command, actor)
    _require_not_started(table)
    seat = _chosen(_free_seats(table, command.bot), command.seat)
    return Event(SeatTaken(seat, command.bot, None, command.opponent), actor=actor)


def _substitute(table: Table, command: SeatBot, actor: str) -> Event[Payload]:
    """The event by which a bot plays on at a seat that the house plays."""
    unattended = () if table.leaving is None else table.leaving.unattended
    if not unattended:
        raise Rejected(Code.TABLE_FULL, "every seat is played by its player, or by a bot", SUBSTITUTES)
    seat = min(unattended) if command.seat is None else command.seat
    if seat not in unattended:
        raise Rejected(Code.SEAT_TAKEN, "the house does not play this seat", SUBSTITUTES)
    if command.strongest not in (None, command.opponent.level):
        raise Rejected(Code.RULE_VIOLATION, f"a substitute must have the level {command.strongest}", SUBSTITUTES)
    return Event(SubstituteSeated(seat, command.opponent), actor=actor)


def _remove_bot(table: Table, command: RemoveBot) -> Event[Payload]:
    actor = _host(table, command.player)
    seated = table.opponents.get(command.seat)
    if seated is None:
        raise Rejected(Code.NO_SUCH_BOT, "no bot sits on this seat")
    _require_not_started(table)
    # Outside the house's fold nobody knows whether the player opened the table.
    if actor != HOUSE and table.opener is not None and command.player not in (seated.by, table.opener):
        raise Rejected(Code.NOT_OPENER, "only who seated the bot or opened the table may remove it")
    if table.rematch is not None:
        raise Rejected(Code.SEAT_TAKEN, "the seats are kept for the players of the game before")
    return Event(SeatLeft(command.seat), actor=actor)


def _host(table: Table, player: str) -> str:
    """The actor that the player is when seating bots: at the table, or as its opener. Raises Rejected for others."""
    seat = seat_of(table, player)
    if seat is not None and seat not in table.opponents:
        require_staying(table, seat)
        return seat_audience(seat)
    # Outside the house's fold nobody knows the opener.
    if table.opener not in (None, player):
        raise Rejected(Code.NOT_SEATED, "only who sits at the table or opened it may seat bots there")
    return HOUSE


def _require_seat_number(table: Table, seat: int) -> None:
    seats = range(len(table.players))
    if seat not in seats:
        raise Rejected(Code.NO_SUCH_SEAT, f"there is no such seat: the table has {len(seats)}")


def _free_seats(table: Table, player: str) -> tuple[Seat, ...]:
    """The free seats that the player may take. Raises Rejected if the seats are kept for others."""
    kept = None if table.rematch is None else table.rematch.players
    if kept is not None and player not in kept:
        raise Rejected(Code.SEAT_TAKEN, "the seats are kept for the players of the game before")
    return tuple(
        seat for seat, taken in enumerate(table.players) if taken is None and (kept is None or kept[seat] == player)
    )


def _chosen(free: Sequence[Seat], wanted: int | None) -> Seat:
    """The wanted seat, or the lowest free one. Raises Rejected if it is not free."""
    if not free:
        raise Rejected(Code.TABLE_FULL, "all seats are taken")
    seat = free[0] if wanted is None else wanted
    if seat not in free:
        raise Rejected(Code.SEAT_TAKEN, "this seat is not free")
    return seat
