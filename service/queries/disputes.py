"""Disputes as they are told: from the table's record, with the audit of the deals that they are about."""

from collections.abc import Iterator, Sequence

from domain.audit.auditor import audit_deals
from domain.kernel.event import Event, Payload
from domain.record.history import Reader
from domain.record.recorded import Recorded
from domain.seats import PUBLIC
from domain.table.decide import ARBITER
from domain.table.events import DisputeOpened, DisputeRuled, Judgement, LedgerCorrected, Reason, SeatTaken
from service.http import schemas


def disputes(reader: Reader, records: Sequence[Recorded]) -> tuple[schemas.Dispute, ...]:
    """The disputes of a table, from its whole record, in their order."""
    players: dict[int, str] = {}
    told: dict[int, schemas.Dispute] = {}
    deals = {record.version: record.deal for record in records}
    for event, record in _booking(reader, records):
        match event.public:
            case SeatTaken(seat=seat, player=player):
                players[seat] = player
            case DisputeOpened() as opened:
                reason = event.section(PUBLIC, Reason)
                told[opened.dispute] = schemas.Dispute(
                    dispute=opened.dispute,
                    seat=opened.seat,
                    player=players[opened.seat],
                    status="open",
                    lines=tuple(schemas.LineAt(place.version, place.line) for place in opened.lines),
                    deals=tuple(sorted({deal for place in opened.lines if (deal := deals[place.version]) is not None})),
                    reason=reason.reason if reason else None,
                    version=record.version,
                    at=record.at,
                    ruling=None,
                )
            case DisputeRuled() as ruled:
                judgement = event.section(PUBLIC, Judgement)
                ruling = schemas.Ruling(
                    ruled.ruling,
                    judgement.text if judgement else None,
                    record.actor.removeprefix(f"{ARBITER}:"),
                    record.version,
                    record.at,
                    None,
                )
                told[ruled.dispute] = told[ruled.dispute].but(status=ruled.ruling, ruling=ruling)
            case LedgerCorrected() as corrected:
                before = told[corrected.dispute]
                if before.ruling is not None:
                    told[corrected.dispute] = before.but(ruling=before.ruling.corrected_by(record.version))
            case _:
                pass
    return tuple(told.values())


def audited(reader: Reader, records: Sequence[Recorded], dispute: schemas.Dispute) -> tuple[schemas.AuditedDeal, ...]:
    """The audits of the deals that a dispute is about."""
    found = audit_deals(reader, records, dispute.deals)
    return tuple(
        schemas.AuditedDeal(deal, schemas.DealAudit.of(audit)) for deal, audit in zip(dispute.deals, found, strict=True)
    )


_TYPES = frozenset(payload.TYPE for payload in (SeatTaken, DisputeOpened, DisputeRuled, LedgerCorrected))


def _booking(reader: Reader, records: Sequence[Recorded]) -> Iterator[tuple[Event[Payload], Recorded]]:
    """The events that disputes are told from."""
    for record in records:
        if record.type in _TYPES:
            yield reader.read(record, PUBLIC), record
