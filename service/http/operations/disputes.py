"""Disputes: raising one, reading them, ruling on one."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Annotated

from litestar import Response, get, post
from litestar.params import JSONBody, PathParameter
from msgspec import structs

from domain.audit.corrections import recomputed_entries
from domain.kernel.ledger import LineAt
from domain.record.recorded import Recorded
from domain.table.actions import Entry, OpenDispute, RuleDispute
from service.http import guards, schemas
from service.http.commands import send
from service.http.guards import guarded
from service.http.operations.tables import PLAYING
from service.http.parameters import IdempotencyKey, IfMatch, TableId
from service.http.request import Ask
from service.http.responses import READING, REPLAYED, WRITING, json
from service.queries.disputes import audited, disputes

Number = Annotated[int, PathParameter(description="The dispute's number at its table, from 1.")]


@post(
    "/tables/{table:uuid}/disputes",
    operation_id="openDispute",
    summary="Dispute what was booked",
    description="A player disputes lines of the ledger, or all lines of a deal that is over, for a reason. "
    "A line is disputed once, and for so long after it was booked as the service is set to.",
    tags=["Disputes"],
    opt=guarded(*PLAYING, guards.seated),
    security=[{"bearer": []}],
    responses=WRITING,
)
async def open_dispute(
    request: Ask,
    table: TableId,
    data: JSONBody[schemas.Disputing],
    if_match: IfMatch = None,
    idempotency_key: IdempotencyKey = None,
) -> Response[schemas.DisputeDetails]:
    """Raises a dispute."""
    key = str(table)
    lines = tuple(LineAt(line.version, line.line) for line in data.lines or ())
    late = await _late(request, key, lines, data.deal)
    command = OpenDispute(request.bearer.player, lines, data.deal, data.reason, late=late)
    answer = await send(request, key, command, if_match, idempotency_key)
    opened = answer.records[0].version
    records = await request.edge.tables.records(key, upto=opened)
    dispute = disputes(request.edge.reader, records)[-1]
    headers = {"Location": f"/v1/tables/{key}/disputes/{dispute.dispute}"} | (REPLAYED if answer.replayed else {})
    return json(await _detailed(request, records, dispute), status=201, headers=headers, version=opened)


@get(
    "/tables/{table:uuid}/disputes",
    operation_id="listDisputes",
    summary="A table's disputes",
    description="All disputes of the table, in the order in which they were raised. Everybody may read them.",
    tags=["Disputes"],
    opt=guarded(guards.table_exists),
    responses=READING,
)
async def list_disputes(request: Ask, table: TableId) -> Response[schemas.Disputes]:
    """The disputes of a table."""
    records = await request.edge.tables.records(str(table))
    return json(schemas.Disputes(disputes(request.edge.reader, records)), version=records[-1].version)


@get(
    "/tables/{table:uuid}/disputes/{dispute:int}",
    operation_id="getDispute",
    summary="A dispute",
    description="A dispute with its ruling, and with the audits of the deals that it is about.",
    tags=["Disputes"],
    opt=guarded(guards.table_exists, guards.dispute_exists),
    responses=READING,
)
async def dispute_of(request: Ask, table: TableId, dispute: Number) -> Response[schemas.DisputeDetails]:
    """One dispute."""
    records = await request.edge.tables.records(str(table))
    found = disputes(request.edge.reader, records)[dispute - 1]
    return json(await _detailed(request, records, found), version=records[-1].version)


@post(
    "/tables/{table:uuid}/disputes/{dispute:int}/ruling",
    operation_id="ruleOnDispute",
    summary="Rule on a dispute",
    description="An arbiter, who does not sit at the table, upholds or rejects the dispute. If it is upheld, the "
    "disputed lines are taken back, those of the ruling are booked instead (where it names none, those that the audit "
    "computes, if they are others), and totals and winners follow.",
    tags=["Disputes"],
    opt=guarded(
        guards.authenticated, guards.table_exists, guards.dispute_exists, guards.may_rule, guards.sits_elsewhere
    ),
    security=[{"bearer": []}],
    responses=WRITING,
)
async def rule(
    request: Ask,
    table: TableId,
    dispute: Number,
    data: JSONBody[schemas.RulingRequest],
    if_match: IfMatch = None,
    idempotency_key: IdempotencyKey = None,
) -> Response[schemas.DisputeDetails]:
    """Rules on a dispute."""
    key = str(table)
    entries = await _entries(request, key, dispute, data)
    command = RuleDispute(request.bearer.player, dispute, data.ruling, data.text, entries)
    answer = await send(request, key, command, if_match, idempotency_key)
    ruled = answer.records[-1].version
    records = await request.edge.tables.records(key, upto=ruled)
    found = disputes(request.edge.reader, records)[dispute - 1]
    headers = REPLAYED if answer.replayed else {}
    return json(await _detailed(request, records, found), status=201, headers=headers, version=ruled)


async def _late(request: Ask, table: str, lines: Sequence[LineAt], deal: int | None) -> bool:
    """Whether one of the lines was booked too long ago to be disputed now."""
    booked = (await request.edge.tables.current(table)).table.booked
    named = {line.version for line in lines}
    versions = [one.version for one in booked if one.version in named or (deal is not None and one.deal == deal)]
    earliest = datetime.now(UTC) - timedelta(days=request.edge.settings.dispute_days)
    for version in versions:
        (record,) = await request.edge.tables.records(table, version - 1, version)
        if datetime.fromisoformat(record.at) < earliest:
            return True
    return False


async def _entries(request: Ask, table: str, dispute: int, data: schemas.RulingRequest) -> tuple[Entry, ...]:
    """What a ruling books: what it says, else what the rules make of the deals."""
    if data.lines is not None:
        return tuple(
            Entry(line.account, line.counter, line.amount, line.kind, line.rule, line.text) for line in data.lines
        )
    if data.ruling != "upheld":
        return ()
    records = await request.edge.tables.records(table)
    disputed = (await request.edge.tables.current(table)).table.disputes[dispute - 1]
    return await asyncio.to_thread(recomputed_entries, request.edge.reader, records, disputed)


async def _detailed(request: Ask, records: Sequence[Recorded], dispute: schemas.Dispute) -> schemas.DisputeDetails:
    audits = await asyncio.to_thread(audited, request.edge.reader, records, dispute)
    return schemas.DisputeDetails(**structs.asdict(dispute), audits=audits)


HANDLERS = (open_dispute, list_disputes, dispute_of, rule)
