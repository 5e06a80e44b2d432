"""Audits: a deal that is over, computed anew from its events."""

import asyncio
from typing import Annotated

from litestar import Response, get
from litestar.params import PathParameter

from service.audit import table_audit
from service.commands.handler import NoSuchTable
from service.http import schemas
from service.http.guards import guarded, number
from service.http.parameters import TableId
from service.http.problems import Problem
from service.http.request import Ask
from service.http.responses import json, problems


async def _dealt(ask: Ask) -> None:
    """The path's table must exist, and have come to the path's deal.

    The table is not folded for it: a record that was tampered with may not fold at all, and is audited the more.
    """
    table = ask.exchange.table = str(ask.path_params["table"])
    deal = number(ask, "deal")
    heads = await ask.edge.store.heads([table])
    if table not in heads:
        raise NoSuchTable(table)
    ask.state["head"] = heads[table]
    ask.state["records"] = await ask.edge.store.stream(table)
    if all(record.deal != deal for record in ask.state["records"]):
        raise Problem("no-such-deal", "the table has not come to a deal of this number")


@get(
    "/tables/{table:uuid}/deals/{deal:int}/audit",
    operation_id="auditDeal",
    summary="A deal's audit",
    description="The deal computed anew from its events: seed, pack, commitments, draws, legality of every act, "
    "tricks, outcome, ledger lines. A check that failed says what was recorded and what was computed.",
    tags=["Record"],
    opt=guarded(_dealt),
    responses=problems(404, 409),
)
async def audit(
    request: Ask,
    table: TableId,  # noqa: ARG001 (the guard has read it)
    deal: Annotated[int, PathParameter(description="The deal's number, from 1.")],
) -> Response[schemas.DealAudit]:
    """A deal's audit."""
    records = request.state["records"]
    if not any(record.deal == deal and record.type == "deal-scored" for record in records) and not any(
        record.deal is not None and record.deal > deal for record in records
    ):
        raise Problem("deal-not-over", "a deal is audited when it is over")
    found = await asyncio.to_thread(table_audit, request.edge.reader, records, request.state["head"], deal)
    return json(schemas.DealAudit.of(found), version=records[-1].version)


HANDLERS = (audit,)
