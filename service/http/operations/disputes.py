"""Disputes: listing those of all tables, opening one, reading them, ruling on one."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

import msgspec
from litestar import Response
from msgspec import structs

from domain.kernel.ledger import LineAt, party_of
from domain.record.recorded import Recorded
from domain.table.actions import Entry, OpenDispute, RuleDispute
from domain.table.events import DisputeOpened
from domain.table.state import Table
from projections.cursors import DISPUTES
from projections.models import Stored
from service.auth.scopes import ARBITER
from service.http import guards, schemas
from service.http.acting import carried_out
from service.http.examples import CURSORS, JUDGEMENT, REASON, Sample
from service.http.forms import RULE
from service.http.min_version import check_min_version
from service.http.operation import READS_TABLE, operation
from service.http.operations.actions import SAME_TABLE
from service.http.operations.tables import PLAYING
from service.http.parameters import GameName, Limit, MinVersion, cursor_parameter, query
from service.http.request import Request
from service.http.responses import at_version, json, page
from service.queries import disputes as queries
from service.queries.dispute_list import DisputeState
from service.queries.disputes import AuditedDeal, DisputeDetails, detailed, disputes
from service.services import Services

_FIRST = "$response.body#/items/0/dispute"


def _page_example(sample: Sample) -> Any:
    return {"items": disputes(sample.disputed.reader, sample.disputed.records), "next": CURSORS[DISPUTES]}


@operation(
    "GET",
    "/v1/disputes",
    tag="Disputes",
    summary="Disputes at all tables",
    description="The disputes of this state, game and rule; by default all, newest first. Those at unlisted and "
    "private tables are shown only to who sits there and to arbiters. A page may have few items, or none, and yet a "
    "`next`.",
    answers="A page of disputes, newest first.",
    cost=140,
    client_scope="read",
    kept_cost=1,
    links=(("dispute", "getDispute", {"table": "$response.body#/items/0/table", "dispute": _FIRST}),),
    example=_page_example,
)
async def list_all_disputes(
    request: Request,
    status: Annotated[DisputeState | None, query("status", "Only of this state.", "open")] = None,
    game: GameName = None,
    rule: Annotated[str | None, query("rule", "Only of lines booked by this rule.", "CR-9.2", pattern=RULE)] = None,
    cursor: Annotated[str | None, cursor_parameter(CURSORS[DISPUTES])] = None,
    limit: Limit = 50,
) -> Response[schemas.DisputePage]:
    """A page of disputes at all tables. Raises Problem for a malformed cursor."""
    listed = await request.services.edge.disputes.page(
        request.player,
        request.spending,
        arbiter=request.bearer is not None and ARBITER in request.bearer.scopes,
        state=status,
        game=game,
        rule=rule,
        cursor=cursor,
        limit=limit,
    )
    return page(listed)


def _disputes_to_open(sample: Sample) -> Mapping[str, Any]:
    line = sample.played.lines[0]
    return {
        "a line": {"reason": REASON, "lines": [{"version": line["version"], "line": line["line"]}]},
        "a deal": {"reason": REASON, "deal": 1},
    }


def _details_example(sample: Sample, records: Sequence[Recorded]) -> DisputeDetails:
    reader = sample.disputed.reader
    (dispute,) = disputes(reader, records)
    details = detailed(reader, records, dispute)
    return structs.replace(details, audits=tuple(map(_of_ledger, details.audits)))


def _of_ledger(deal: AuditedDeal) -> AuditedDeal:
    """The deal with its audit's checks of the ledger alone: all of them stand in the example of the audit itself."""
    checks = tuple(check for check in deal.audit.checks if check.name in ("ledger", "totals"))
    return structs.replace(deal, audit=structs.replace(deal.audit, checks=checks))


def _opened_example(sample: Sample) -> Any:
    records = sample.disputed.records
    opened = next(record.version for record in records if record.type == DisputeOpened.TYPE)
    return _details_example(sample, records[:opened])


@operation(
    "POST",
    "/v1/tables/{table:uuid}/disputes",
    tag="Disputes",
    summary="Dispute ledger lines",
    description="A player at the table disputes lines of its ledger, or all lines of a finished deal, and gives a "
    "reason. A line can be disputed once, within the service's time limit after it was booked. Ledgers "
    "and statements have its `version` and `line`.",
    answers="The dispute is open.",
    status=201,
    cost=1700,
    kept_cost=15,
    records="disputes",
    guards=(*PLAYING, guards.seated),
    client_scope="seat",
    headers=("If-Match", "Idempotency-Key"),
    body=schemas.DisputeRequest,
    problems=(
        "table-closed", "not-started", "deal-not-over", "dispute-too-late", "already-disputed", "already-ruled",
        "no-such-line", "duplicate-line",
    ),
    links=(("dispute", "getDispute", SAME_TABLE | {"dispute": "$response.body#/dispute"}),),
    requests=_disputes_to_open,
    example=_opened_example,
)  # fmt: skip
async def open_dispute(request: Request) -> Response[DisputeDetails]:
    """Opens a dispute. Raises Refused or PreconditionFailed."""
    services, table, wanted = request.services, request.table, request.body
    lines = tuple(LineAt(line.version, line.line) for line in wanted.lines or ())
    late = await _is_late(services, table, lines, wanted.deal)
    command = OpenDispute(request.player, lines, wanted.deal, wanted.reason, late=late)
    result = await carried_out(request, command)
    opened = result.records[0]
    number = msgspec.json.decode(opened.public, type=DisputeOpened).dispute
    location, version = f"/v1/tables/{table}/disputes/{number}", opened.version
    details = await _details(request, number, version)
    return json(details, status=201, location=location, replayed=result.replayed, version=version)


@operation(
    "GET",
    "/v1/tables/{table:uuid}/disputes",
    tag="Disputes",
    summary="A table's disputes",
    description="All disputes of the table, in the order of opening. Anyone may read them.",
    answers="The table's disputes.",
    cost=75,
    kept_cost=10,
    **READS_TABLE,
    links=(("dispute", "getDispute", SAME_TABLE | {"dispute": _FIRST}),),
    example=lambda sample: schemas.Disputes(disputes(sample.disputed.reader, sample.disputed.records)),
)
async def list_disputes(request: Request, min_version: MinVersion = None) -> Response[schemas.Disputes]:
    """All disputes of a table. Raises Problem below `min_version`."""
    services, table = request.services, request.table
    history = await services.tables.spectators.seen(table, request.player)
    check_min_version(min_version, history.version)
    items = await services.edge.heavy.kept(
        ("disputes", table, history.head, history.table.texts),
        lambda: services.edge.heavy.run(
            request.spending, queries.list_disputes, table, history.version, events=history.version
        ),
    )
    return at_version(Stored(history.version, b'{"items":%b}' % items), request.known_tags)


@operation(
    "GET",
    "/v1/tables/{table:uuid}/disputes/{dispute:int}",
    tag="Disputes",
    summary="A dispute",
    description="A dispute with its lines, their rules, its ruling and the audits of the deals concerned.",
    answers="The dispute.",
    cost=1700,
    kept_cost=15,
    guards=(guards.table_exists, guards.dispute_exists),
    client_scope="read",
    headers=("If-None-Match",),
    example=lambda sample: _details_example(sample, sample.disputed.records),
)
async def get_dispute(request: Request, dispute: int, min_version: MinVersion = None) -> Response[DisputeDetails]:
    """One dispute with its audits. Raises Problem below `min_version`."""
    services, table = request.services, request.table
    history = await services.tables.spectators.seen(table, request.player)
    check_min_version(min_version, history.version)
    body = await services.edge.heavy.kept(
        ("dispute", table, dispute, history.head, history.table.texts),
        lambda: services.edge.heavy.run(
            request.spending, queries.dispute_details, table, history.version, dispute, events=history.version
        ),
    )
    return at_version(Stored(history.version, body), request.known_tags)


def _rulings(sample: Sample) -> Mapping[str, Any]:
    line = sample.played.lines[0]
    entry = {
        "account": 0,
        "with": "bank",
        "amount": 3,
        "kind": line["kind"],
        "rule": line["rule"],
        "text": "as it should have been",
    }
    return {
        "rejected": {"ruling": "rejected", "text": "The record shows otherwise."},
        "upheld": {"ruling": "upheld", "text": JUDGEMENT, "lines": [entry]},
    }


@operation(
    "POST",
    "/v1/tables/{table:uuid}/disputes/{dispute:int}/ruling",
    tag="Disputes",
    summary="Rule on a dispute",
    description="An arbiter who does not sit at the table upholds or rejects the dispute. If it is upheld, the "
    "disputed lines are reversed, and those of `lines` or of the audit are booked instead; if there are none, the "
    "disputed lines no longer count. Totals and winners follow. While spectators follow the running deal late, so does "
    "the arbiter: the response has the dispute as it is to be seen.",
    answers="The dispute is ruled on.",
    status=201,
    cost=1700,
    kept_cost=15,
    guards=(
        guards.authenticated, guards.table_exists, guards.dispute_exists, guards.may_rule, guards.sits_elsewhere,
    ),
    headers=("If-Match", "Idempotency-Key"),
    body=schemas.RulingRequest,
    problems=("already-ruled", "audit-confirms", "rule-violation"),
    requests=_rulings,
    example=lambda sample: _details_example(sample, sample.disputed.records),
)  # fmt: skip
async def rule_on_dispute(request: Request, dispute: int) -> Response[DisputeDetails]:
    """Upholds or rejects a dispute. Raises Refused or PreconditionFailed."""
    services, table, ruling = request.services, request.table, request.body
    seen = (await services.tables.spectators.seen(table, request.player)).table
    entries = await _entries(request, seen, dispute, ruling)
    against = await _against_audit(request, seen, dispute, ruling, entries)
    command = RuleDispute(request.player, dispute, ruling.ruling, ruling.text, entries, against)
    result = await carried_out(request, command)
    # At a table that is followed late, the ruling is seen later.
    version = min(result.records[-1].version, await services.tables.spectators.version(table, request.player))
    details = await _details(request, dispute, version)
    return json(details, status=201, replayed=result.replayed, version=version)


async def _is_late(services: Services, table: str, lines: Sequence[LineAt], deal: int | None) -> bool:
    """Whether one of the lines was booked more than `dispute_days` days ago."""
    booked = (await services.tables.cache.current(table)).table.booked
    named = {line.version for line in lines}
    versions = [one.version for one in booked if one.version in named or (deal is not None and one.deal == deal)]
    earliest = datetime.now(UTC) - timedelta(days=services.settings.dispute_days)
    for version in versions:
        (record,) = await services.log.store.stream(table, version - 1, version)
        if datetime.fromisoformat(record.at) < earliest:
            return True
    return False


async def _entries(request: Request, seen: Table, dispute: int, ruling: schemas.RulingRequest) -> tuple[Entry, ...]:
    """The lines that a ruling books: its own, or those recomputed from the deals."""
    if ruling.lines is not None:
        players = seen.players
        return tuple(
            Entry(
                party_of(line.account, players),
                party_of(line.counter, players),
                line.amount,
                line.kind,
                line.rule,
                line.text,
            )
            for line in ruling.lines
        )
    if ruling.ruling != "upheld":
        return ()
    about, version, heavy = seen.disputes[dispute - 1], seen.version, request.services.edge.heavy
    return await heavy.run(request.spending, queries.recomputed, request.table, version, about, events=version)


async def _against_audit(
    request: Request, seen: Table, dispute: int, ruling: schemas.RulingRequest, entries: tuple[Entry, ...]
) -> tuple[LineAt, ...]:
    """The lines that the audit confirms and the ruling changes, if its arbiter wants to be asked once more."""
    if ruling.confirmed or ruling.ruling != "upheld":
        return ()
    about, version, heavy = seen.disputes[dispute - 1], seen.version, request.services.edge.heavy
    return await heavy.run(request.spending, queries.confirmed, request.table, version, about, entries, events=version)


async def _details(request: Request, dispute: int, version: int) -> bytes:
    """A dispute after its caller's act. The act is recorded already, so this answer is never refused as too busy."""
    heavy = request.services.edge.heavy
    details, spending = queries.dispute_details, request.spending
    made = await heavy.run(spending, details, request.table, version, dispute, events=version, refusable=False)
    return made.body
