"""Audits: a deal that is over is recomputed from its events."""

import asyncio
from typing import Annotated, Any

from litestar import Response
from litestar.params import PathParameter

from domain.audit.auditor import audit
from domain.record.history import Reader
from service.audit import table_audit
from service.commands.cache import NoSuchTable
from service.http.examples import Sample
from service.http.guards import number, table_of
from service.http.operation import operation
from service.http.problems import Problem
from service.http.request import PreparedRequest, Request
from service.http.responses import json
from service.queries.audits import DealAudit


async def recorded(request: Request) -> None:
    """The log must hold the path's table, and the path's deal must be a number.

    Raises NoSuchTable, or Problem for another spelling of a number. The table is not folded for this, because an
    altered record may not fold, and that record above all must be auditable.
    """
    table = table_of(request)
    number(request, "deal")
    if table not in await request.services.store.heads([table]):
        raise NoSuchTable(table)


def _example(sample: Sample) -> Any:
    played = sample.played
    return DealAudit.of(audit(Reader({played.game.name: played.game}), played.records, 1))


@operation(
    "GET",
    "/v1/tables/{table:uuid}/deals/{deal:int}/audit",
    id="auditDeal",
    tag="Record",
    summary="A deal's audit",
    description="The deal recomputed from its events: seed, pack, commitments, draws, the legality of every act, "
    "tricks, outcome and ledger lines. A failed check names the recorded and the computed value.",
    answers="The audit.",
    cost=1400,
    guards=(recorded,),
    problems=("deal-not-over", "no-such-deal"),
    example=_example,
)
async def audit_deal(
    request: PreparedRequest,
    deal: Annotated[int, PathParameter(description="The deal's number, from 1.", schema_extra={"examples": [1]})],
) -> Response[DealAudit]:
    """The audit of one deal. Raises Problem unless the deal is over."""
    services, table = request.services, request.table
    head = (await services.store.heads([table]))[table]
    records = await services.store.stream(table)
    if all(record.deal != deal for record in records):
        raise Problem("no-such-deal", f"deal {deal} has not started")
    scored = any(record.deal == deal and record.type == "deal-scored" for record in records)
    if not scored and not any(record.deal is not None and record.deal > deal for record in records):
        raise Problem("deal-not-over", f"deal {deal} is not over")
    audited = await asyncio.to_thread(table_audit, services.reader, records, head, deal)
    return json(DealAudit.of(audited), version=records[-1].version)


HANDLERS = (audit_deal,)
