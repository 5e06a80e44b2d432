"""Audits: a finished deal is recomputed from its events."""

from litestar import Response

from domain.audit.auditor import audit
from projections.models import Stored
from service.audit import deal_audit
from service.commands.cache import NoSuchTable
from service.http.guards import may_look, number
from service.http.min_version import check_min_version
from service.http.operation import operation
from service.http.parameters import MinVersion
from service.http.request import Request
from service.http.responses import at_version
from service.queries.deal_audits import DealAudit
from service.store.store import Head


async def recorded(request: Request) -> None:
    """Raises NoSuchTable unless the log has the path's table, and Problem unless the deal is written in canonical form.

    The table is not folded for this: an altered record may not fold, and such a record above all must be auditable.
    """
    table = request.table
    number(request, "deal")
    if table not in await request.services.log.store.heads([table]):
        raise NoSuchTable(table)
    await may_look(request)


@operation(
    "GET",
    "/v1/tables/{table:uuid}/deals/{deal:int}/audit",
    tag="Record",
    summary="A deal's audit",
    description="The deal recomputed from its events: seed, pack, commitments, draws, the legality of every act, "
    "tricks, outcome and ledger lines. A failed check gives the recorded and the computed value. The audit covers the "
    "deal's own events, those before the first deal, and those outside deals since the previous deal began. Other "
    "deals have audits of their own.",
    answers="The audit.",
    cost=1400,
    kept_cost=15,
    guards=(recorded,),
    client_scope="read",
    headers=("If-None-Match",),
    problems=("deal-not-over", "no-such-deal"),
    example=lambda sample: DealAudit.of(audit(sample.played.reader, sample.played.records, 1)),
)
async def audit_deal(
    request: Request,
    deal: int,
    min_version: MinVersion = None,
) -> Response[DealAudit]:
    """The audit of one deal. Raises NoSuchDeal and DealNotOver, and Problem below `min_version`."""
    table, heavy = request.table, request.services.edge.heavy
    head = await end_of(request)
    check_min_version(min_version, head.version)
    body = await heavy.kept(
        ("audit", table, deal, head.hash),
        lambda: heavy.run(request.spending, deal_audit, table, deal, head, events=head.version),
    )
    return at_version(Stored(head.version, body), request.known_tags)


async def end_of(request: Request) -> Head:
    """The end of the table's stream as far as the caller sees it. The table is not folded, as above."""
    services, table = request.services, request.table
    head = (await services.log.store.heads([table]))[table]
    horizon = await services.tables.spectators.horizon(table, request.player)
    if horizon is None or horizon.version >= head.version:
        return head
    (last,) = await services.log.store.stream(table, horizon.version - 1, horizon.version)
    return Head(last.version, last.hash)
