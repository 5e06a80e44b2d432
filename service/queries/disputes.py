"""A table's disputes, read from its record, with the audits of the deals concerned."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
from msgspec import Meta, Struct, structs

from domain.audit.auditor import audit_deals
from domain.audit.corrections import confirmed_lines, recomputed_entries
from domain.kernel.ledger import Line, LineAt
from domain.record.history import Reader
from domain.record.recorded import Recorded
from domain.seats import PUBLIC, Id, Seat
from domain.table.actions import Entry
from domain.table.decide import ARBITER
from domain.table.disputes import Dispute
from domain.table.events import DisputeOpened, DisputeRuled, Judgement, LedgerCorrected, Reason, SeatTaken, lines_of
from domain.table.rules import RULES
from projections.ledgers import BookedLine, ledger_lines
from service.compute.byte_cache import Made
from service.describe.shared_fields import AT
from service.queries.deal_audits import DealAudit

if TYPE_CHECKING:
    from service.compute.jobs import JobContext

DISPUTED = Meta(description="The disputed lines.")


class DisputedLine(Struct, frozen=True, forbid_unknown_fields=True):
    """A booked line: the version of the event that booked it, and its number among that event's lines, from 0."""

    version: Annotated[int, Meta(ge=1, le=2**31 - 1, description="The version of the event that booked the line.")]
    line: Annotated[int, Meta(ge=0, le=1000)]


class Ruling(Struct, frozen=True):
    """An arbiter's ruling on a dispute."""

    ruling: str
    text: str | None
    arbiter: Annotated[Id, Meta(description="The arbiter's player id.")]
    version: Annotated[int, Meta(description="The version of the event of the ruling.")]
    at: Annotated[str, AT]
    correction: Annotated[
        int | None, Meta(description="The version of the event that corrects the ledger; null for none.")
    ]
    taken_back: Annotated[int, Meta(ge=0, description="The number of lines that are taken back.")]
    booked: Annotated[int, Meta(ge=0, description="The number of lines that are booked instead.")]


class PublishedDispute(Struct, frozen=True, kw_only=True):
    """A dispute: its player, the disputed lines and their deals, the reason and the ruling. Erased texts are null."""

    table: Id
    game: str
    dispute: int
    seat: Seat
    player: Id
    status: Annotated[Literal["open", "upheld", "rejected"], Meta(description="`open`, or the ruling.")]
    lines: Annotated[tuple[DisputedLine, ...], DISPUTED]
    deals: Annotated[
        tuple[int, ...],
        Meta(
            description="The deals that the lines were booked for; empty for lines that share out a pool at the end or "
            "correct a ledger."
        ),
    ]
    rules: Annotated[tuple[str, ...], Meta(description="The rules by which the lines were booked.")]
    reason: str | None
    version: Annotated[int, Meta(description="The version of the event that opened the dispute.")]
    at: Annotated[str, AT]
    ruling: Annotated[Ruling | None, Meta(description="The ruling; null while the dispute is open.")]


class AuditedDeal(Struct, frozen=True):
    """The audit of one of the dispute's deals."""

    deal: int
    audit: Annotated[DealAudit, Meta(description="The audit.")]


class DisputeDetails(PublishedDispute, frozen=True, kw_only=True):
    """A dispute with its lines as the ledger has them, their rules, and the audits of the deals concerned."""

    lines: Annotated[tuple[BookedLine, ...], DISPUTED]  # type: ignore[assignment]
    rule_texts: Annotated[
        Mapping[str, str], Meta(description="The texts of the rules by which the lines were booked, by number.")
    ]
    audits: Annotated[tuple[AuditedDeal, ...], Meta(description="The audits of the deals concerned.")]


def disputes(reader: Reader, records: Sequence[Recorded]) -> tuple[PublishedDispute, ...]:
    """The table's disputes in the order of opening. `records` is the table's record, or at least those of its events
    that seat players, and open the wanted disputes, rule on them, correct the ledger for them, or booked their lines.

    Raises UnknownEvent for a record under rules that the reader does not know.
    """
    players: dict[Seat, str] = {}
    published: dict[int, PublishedDispute] = {}
    by_version = {record.version: record for record in records}
    booked: dict[int, tuple[Line, ...]] = {}
    for record in records:
        if record.type not in _TYPES:
            continue
        event = reader.read(record, PUBLIC)
        match event.public:
            case SeatTaken(seat=seat, player=player):
                players[seat] = player
            case DisputeOpened() as opened:
                for version in {line_at.version for line_at in opened.lines} - booked.keys():
                    booked[version] = lines_of(reader.read(by_version[version], PUBLIC).public)
                rules = dict.fromkeys(booked[line_at.version][line_at.line].rule for line_at in opened.lines)
                deals = {deal for line_at in opened.lines if (deal := by_version[line_at.version].deal) is not None}
                reason = event.section(PUBLIC, Reason)
                published[opened.dispute] = PublishedDispute(
                    table=record.table,
                    game=record.game,
                    dispute=opened.dispute,
                    seat=opened.seat,
                    player=players[opened.seat],
                    status="open",
                    lines=tuple(DisputedLine(line_at.version, line_at.line) for line_at in opened.lines),
                    deals=tuple(sorted(deals)),
                    rules=tuple(rules),
                    reason=reason.reason if reason else None,
                    version=record.version,
                    at=record.at,
                    ruling=None,
                )
            case DisputeRuled() as ruled:
                judgement = event.section(PUBLIC, Judgement)
                text = judgement.text if judgement else None
                arbiter = record.actor.removeprefix(f"{ARBITER}:")
                ruling = Ruling(ruled.ruling, text, arbiter, record.version, record.at, None, 0, 0)
                published[ruled.dispute] = structs.replace(published[ruled.dispute], status=ruled.ruling, ruling=ruling)
            case LedgerCorrected() as corrected:
                before = published.get(corrected.dispute)
                # Where only some disputes are wanted, this may have booked what one of them is about.
                if before is not None and before.ruling is not None:
                    # A line is taken back together with its counter-line.
                    taken_back = 2 * len({(line_at.version, line_at.line // 2) for line_at in before.lines})
                    booked_instead = len(corrected.lines) - taken_back
                    ruling = structs.replace(
                        before.ruling, correction=record.version, taken_back=taken_back, booked=booked_instead
                    )
                    published[corrected.dispute] = structs.replace(before, ruling=ruling)
            case _:
                pass
    return tuple(published.values())


def detailed(reader: Reader, records: Sequence[Recorded], dispute: PublishedDispute) -> DisputeDetails:
    """The dispute with its lines, rules and audits. `records` is the table's whole record. Raises Unreadable."""
    table = reader.fold(None, records)
    game = reader.of(table)
    booked = {(line.version, line.line): line for line in ledger_lines(table, game.unit)}
    rules = {rule.id: rule.text for rule in (*game.rulebook.rules, *RULES) if rule.id in dispute.rules}
    audits = zip(dispute.deals, audit_deals(reader, records, dispute.deals), strict=True)
    return DisputeDetails(
        **structs.asdict(dispute) | {"lines": tuple(booked[at.version, at.line] for at in dispute.lines)},
        rule_texts=rules,
        audits=tuple(AuditedDeal(deal, DealAudit.of(audit)) for deal, audit in audits),
    )


async def list_disputes(context: "JobContext", table: str, upto: int) -> Made:
    """A job: the list of a table's disputes at a version, as JSON."""
    records = await context.store.stream(table, upto=upto)
    return Made(msgspec.json.encode(disputes(context.reader, records)))


async def dispute_details(context: "JobContext", table: str, upto: int, number: int) -> Made:
    """A job: the dispute of this number at a version of its table, with its lines and audits, as JSON.

    One with an altered deal is not cached, since the alteration may go on.
    """
    records = await context.store.stream(table, upto=upto)
    dispute = disputes(context.reader, records)[number - 1]
    details = detailed(context.reader, records, dispute)
    lasting = all(one.audit.verdict == "intact" for one in details.audits)
    return Made(msgspec.json.encode(details), lasting=lasting)


async def recomputed(context: "JobContext", table: str, upto: int, dispute: Dispute) -> tuple[Entry, ...]:
    """A job: the lines that a ruling without its own lines books, at a version of the table."""
    records = await context.store.stream(table, upto=upto)
    return recomputed_entries(context.reader, records, dispute)


async def confirmed(
    context: "JobContext", table: str, upto: int, dispute: Dispute, entries: tuple[Entry, ...]
) -> tuple[LineAt, ...]:
    """A job: the lines that the audit confirms and a ruling with these entries changes, at a version of the table."""
    records = await context.store.stream(table, upto=upto)
    return confirmed_lines(context.reader, records, dispute, entries)


_TYPES = frozenset(payload.TYPE for payload in (SeatTaken, DisputeOpened, DisputeRuled, LedgerCorrected))
"""The events that disputes follow from."""
